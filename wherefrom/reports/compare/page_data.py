"""The compressed data that the script of a comparison page reads: pairs, and each source once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import Any

from markupsafe import Markup

from wherefrom.model import Representation
from wherefrom.reports.compare.names import Names
from wherefrom.reports.pages.packing import as_json, blocks, cost, packed
from wherefrom.reports.pages.shown_text import ShownText
from wherefrom.results import Comparison, FilePair, MatchedRegion, Region, SubmissionPair
from wherefrom.support.printable import visible

MOST_BYTES = 25_000_000
"""A page has at most this many characters. If all pairs take more, the weakest are left out."""

TRIES, FILLED = 5, 0.9
"""A page is filled with pairs in at most `TRIES` attempts. One that fills this share of the page is the last."""

KINDS = {
    Representation.EXACT: 0,
    Representation.TEXT: 0,
    Representation.RENAMED: 1,
    Representation.P_MATCH: 2,
}
"""The numbers that the script's data uses for the representations."""

DIGITS = 4
"""The number of decimals of shares and scores."""

_DECIMALS = 10.0**DIGITS


@dataclass(slots=True)
class _Source:
    """The matched bytes of a file in all pairs, and its gaps that may be comments; both half-open."""

    matches: set[tuple[int, int]] = field(default_factory=set)
    gaps: set[tuple[int, int]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class PageData:
    """The compressed data of a page.

    Attributes:
        overview: the figures of all submissions, files and pairs.
        pairs: blocks of regions.
        sources: blocks of sources.
        shown: the number of pairs on the page, which are the first ones of the comparison.
    """

    overview: Markup
    pairs: list[Markup]
    sources: list[Markup]
    shown: int

    @property
    def size(self) -> int:
        """The number of characters of all parts."""
        return len(self.overview) + sum(map(len, [*self.pairs, *self.sources]))


def page_data(comparison: Comparison, names: Names, most: int = MOST_BYTES) -> PageData:
    """Packs as many pairs as there is room for, the best first, with their sources.

    Args:
        comparison: the result.
        names: how names are shown.
        most: the highest number of characters.
    """
    packing = _Packing(comparison, names)
    best = packing.packed(most)
    # The estimate packs each part alone. Packed together they take less room, so more pairs may fit.
    low, high = float(most), None
    for _ in range(TRIES):
        if best.shown == len(comparison.pairs) or best.size > FILLED * most:
            break
        limit = low * most / max(best.size, 1) if high is None else (low + high) / 2
        tried = packing.packed(limit)
        if tried.size > most:
            high = limit
        else:
            best, low = tried, limit
    return best


class _Packing:
    """Packs pairs, and keeps what it has read and packed for the next attempt."""

    def __init__(self, comparison: Comparison, names: Names) -> None:
        self._comparison = comparison
        self._names = names
        self._columns = {"submissions": _submissions(comparison, names), "files": _files(comparison, names)}
        self._sources: dict[int, tuple[ShownText | None, bytes, int]] = {}
        self._details: list[tuple[bytes, int]] = []
        self._needed: defaultdict[int, _Source] = defaultdict(_Source)
        for files in (files for pair in comparison.pairs for files in pair.files):
            for region in files.regions:
                for file, side in ((files.left, region.left), (files.right, region.right)):
                    self._needed[file].matches.add((side.start_byte, side.end_byte))
                    self._needed[file].gaps.update(side.gaps)

    def packed(self, limit: float) -> PageData:
        """The first pairs that take at most `limit` characters if each part is packed alone."""
        files: set[int] = set()
        shown = estimate = 0
        for number, pair in enumerate(self._comparison.pairs):
            fresh = {file for files_of in pair.files for file in (files_of.left, files_of.right)} - files
            more = sum(self._source(file)[2] for file in fresh) + self._detail(number, pair)[1]
            if estimate + more > limit:
                break
            estimate += more
            shown += 1
            files |= fresh
        return self._pack(shown, files)

    def _pack(self, shown: int, files: Iterable[int]) -> PageData:
        comparison, names = self._comparison, self._names
        pairs = comparison.pairs[:shown]
        # Files of one submission or cluster resemble each other. Side by side they are compressed better.
        order = sorted(files, key=lambda file: (_cluster(comparison, file), file))
        sources, source_places = blocks([self._source(file)[1] for file in order])
        pair_blocks, pair_places = blocks([detail for detail, _ in self._details[:shown]])
        places = dict(zip(order, source_places, strict=True))
        overview = {
            **self._columns,
            # For each file, the block of its source and the position in that block; None if no pair needs it.
            "files": {**self._columns["files"], "places": [places.get(file) for file in range(len(comparison.files))]},
            "pairs": _pairs(pairs, pair_places, names),
            "reviews": {names.pair(pair.id): pair.review.to_dict() for pair in pairs if pair.review is not None},
        }
        return PageData(packed(as_json(overview)), pair_blocks, sources, shown)

    def _source(self, file: int) -> tuple[ShownText | None, bytes, int]:
        """The shown text of a file, its JSON, and the approximate number of characters of the JSON in a page."""
        if file not in self._sources:
            text, values = _source(self._comparison, file, self._needed[file], self._names)
            value = as_json(values)
            self._sources[file] = text, value, cost(value)
        return self._sources[file]

    def _detail(self, number: int, pair: SubmissionPair) -> tuple[bytes, int]:
        """The regions of a pair as JSON, and their approximate size. New pairs must be given in their order."""
        if number == len(self._details):
            value = as_json(
                [_file_pair(files, self._source(files.left)[0], self._source(files.right)[0]) for files in pair.files]
            )
            self._details.append((value, cost(value)))
        return self._details[number]


def _cluster(comparison: Comparison, file: int) -> int:
    cluster = comparison.submissions[comparison.files[file].submission].cluster
    return len(comparison.clusters) if cluster is None else cluster


def _submissions(comparison: Comparison, names: Names) -> dict[str, list[Any]]:
    """The data of the submissions as columns. Each column has one value for each submission."""
    submissions = comparison.submissions
    return {
        "name": [visible(names.submission(number)) for number in range(len(submissions))],
        "author": [visible(names.author(number)) for number in range(len(submissions))],
        "role": [str(submission.role) for submission in submissions],
        "tokens": [submission.tokens for submission in submissions],
        "best": [submission.best_pair for submission in submissions],
        "similarity": [_share(submission.best_similarity) for submission in submissions],
    }


def _files(comparison: Comparison, names: Names) -> dict[str, list[Any]]:
    """The data of the files as columns. Each column has one value for each file."""
    files = comparison.files
    return {
        "path": [visible(names.path(file)) for file in files],
        "submission": [file.submission for file in files],
        "language": [file.language for file in files],
    }


def _pairs(pairs: Sequence[SubmissionPair], places: Sequence[tuple[int, int]], names: Names) -> dict[str, list[Any]]:
    """The data of the pairs as columns. Each column has one value for each pair."""
    return {
        "id": [names.pair(pair.id) for pair in pairs],
        "left": [pair.left for pair in pairs],
        "right": [pair.right for pair in pairs],
        "score": [round(pair.score, DIGITS) for pair in pairs],
        "similarity": [_share(pair.similarity) for pair in pairs],
        "leftShare": [_share(pair.left_containment) for pair in pairs],
        "rightShare": [_share(pair.right_containment) for pair in pairs],
        "resemblance": [_share(pair.resemblance) for pair in pairs],
        "longest": [pair.longest_run for pair in pairs],
        "leftLines": [pair.left_matched_lines for pair in pairs],
        "rightLines": [pair.right_matched_lines for pair in pairs],
        "file": [pair.files[0].left if pair.files else None for pair in pairs],
        "omitted": [pair.omitted_files for pair in pairs],
        "place": list(places),
    }


def _source(comparison: Comparison, number: int, needed: _Source, names: Names) -> tuple[ShownText | None, Any]:
    """The shown text of a file and its values for the script; no text if its content is not at hand."""
    file = comparison.files[number]
    content = comparison.content(number)
    statements = [
        [visible(names.text(" ".join(statement.text.split()))), statement.line] for statement in file.statements
    ]
    if content is None:
        return None, {"text": None, "statements": statements}
    text = ShownText(content, sorted(needed.matches), names.edits)
    comments = sorted(gap for gap in needed.gaps if content[slice(*gap)].strip(b" \t\r\n\f\v\0"))
    plain = [place for region in file.boilerplate for place in (region.start_byte, region.end_byte)]
    return text, {
        "text": text.text,
        "segments": text.segments,
        "lines": text.lines,
        "comments": text.offsets([place for gap in comments for place in gap]),
        "boilerplate": text.offsets(plain),
        "statements": statements,
    }


def _file_pair(files: FilePair, left: ShownText | None, right: ShownText | None) -> list[Any]:
    return [
        files.left,
        files.right,
        int(files.is_identical),
        _share(files.left_containment),
        _share(files.right_containment),
        files.omitted_regions,
        _regions(files.regions, left, right),
    ]


def _regions(regions: Sequence[MatchedRegion], left: ShownText | None, right: ShownText | None) -> list[list[Any]]:
    left_ends = _offsets(left, [region.left for region in regions])
    right_ends = _offsets(right, [region.right for region in regions])
    return [
        [
            *ends_of_left,
            *ends_of_right,
            region.left.start_line,
            region.left.end_line,
            region.right.start_line,
            region.right.end_line,
            KINDS[region.representation],
            region.tokens,
            round(region.weight, 1),
            round(region.rarity, 2),
            region.submissions,
            int(region.is_moved),
            _runs(region.facing or ((region.left.start_line, region.right.start_line),)),
        ]
        for region, ends_of_left, ends_of_right in zip(regions, left_ends, right_ends, strict=True)
    ]


def _offsets(text: ShownText | None, regions: Iterable[Region]) -> Iterator[tuple[int, ...]]:
    """The begin and end of each region, as offsets in the shown text, or in the source if there is no text."""
    places = [place for region in regions for place in (region.start_byte, region.end_byte)]
    shown = places if text is None else text.offsets(places)
    return zip(shown[::2], shown[1::2], strict=True)


def _share(value: float) -> float:
    """A share with some decimals, rounded down like every share, so that only the whole is 100%."""
    return floor(value * _DECIMALS + 1e-6) / _DECIMALS


def _runs(facing: Iterable[tuple[int, int]]) -> list[int]:
    """Lines that face each other as runs: first left line, first right line, number of lines."""
    runs: list[int] = []
    for left, right in facing:
        if runs and left == runs[-3] + runs[-1] and right == runs[-2] + runs[-1]:
            runs[-1] += 1
        elif not runs or (left, right) != (runs[-3] + runs[-1] - 1, runs[-2] + runs[-1] - 1):
            runs += left, right, 1
    return runs
