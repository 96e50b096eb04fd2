"""What the page of a comparison holds for its script: pairs and sources, each source once, compressed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from wherefrom.model import Representation
from wherefrom.reports.pages.packing import as_json, blocks, cost, packed
from wherefrom.reports.pages.shown_text import ShownText
from wherefrom.results import Comparison, FilePair, MatchedRegion, SubmissionPair
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.reports.compare.names import Names

MOST_BYTES = 25_000_000
"""Characters of a page; of more the weakest pairs are left out."""

TRIES, FILLED = 5, 0.9
"""How often more pairs are tried where there is room left, and the share of the room that is full enough."""

KINDS = {
    Representation.EXACT: 0,
    Representation.TEXT: 0,
    Representation.RENAMED: 1,
    Representation.P_MATCH: 2,
}
"""How the script calls the ways of matching."""

DIGITS = 4
"""Decimals of shares and scores."""

_DECIMALS = 10.0**DIGITS


@dataclass(slots=True)
class _Source:
    """What pairs need of a file: the bytes that match (half-open), and where comments may be."""

    matches: set[tuple[int, int]] = field(default_factory=set)
    gaps: set[tuple[int, int]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class PageData:
    """What is put into the page.

    Attributes:
        overview: figures of all submissions, files and pairs, compressed.
        pairs: blocks of regions.
        sources: blocks of sources.
        shown: how many pairs these are, the first ones.
    """

    overview: Markup
    pairs: list[Markup]
    sources: list[Markup]
    shown: int

    @property
    def size(self) -> int:
        """Characters that all of it takes."""
        return len(self.overview) + sum(map(len, [*self.pairs, *self.sources]))


def page_data(comparison: Comparison, names: Names, most: int = MOST_BYTES) -> PageData:
    """Packs the pairs that there is room for, the best first, with their sources.

    Args:
        comparison: what was found.
        names: what names are shown as.
        most: characters for all of it.
    """
    packing = _Packing(comparison, names)
    best = packing.packed(most)
    # What is packed side by side takes less than each part by itself, by which the pairs are chosen.
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
    """What was read and made already, while pairs are chosen.

    Args:
        comparison, names: as of `page_data`.
    """

    def __init__(self, comparison: Comparison, names: Names) -> None:
        self._comparison = comparison
        self._names = names
        self._columns = {"submissions": _submissions(comparison, names), "files": _files(comparison, names)}
        self._sources: dict[int, tuple[ShownText | None, bytes, int]] = {}
        self._details: list[tuple[bytes, int]] = []
        self._needed: defaultdict[int, _Source] = defaultdict(_Source)
        for pair in comparison.pairs:
            _need(pair, self._needed)

    def packed(self, limit: float) -> PageData:
        """The first pairs whose parts take so many characters, each by itself."""
        files: dict[int, None] = {}
        shown = estimate = 0
        for number, pair in enumerate(self._comparison.pairs):
            fresh = {file for files_of in pair.files for file in (files_of.left, files_of.right)} - files.keys()
            more = sum(self._source(file)[2] for file in fresh) + self._detail(number, pair)[1]
            if estimate + more > limit:
                break
            estimate += more
            shown += 1
            files.update(dict.fromkeys(sorted(fresh)))
        return self._pack(shown, files)

    def _pack(self, shown: int, files: Iterable[int]) -> PageData:
        comparison, names = self._comparison, self._names
        pairs = comparison.pairs[:shown]
        # Files of one submission resemble each other, and so do those of a cluster: they are packed side by side.
        order = sorted(files, key=lambda file: (_cluster(comparison, file), file))
        sources, source_places = blocks([self._source(file)[1] for file in order])
        pair_blocks, pair_places = blocks([detail for detail, _ in self._details[:shown]])
        places = _places(len(comparison.files), order, source_places)
        overview = {
            **self._columns,
            "files": {**self._columns["files"], "places": places},
            "pairs": _pairs(pairs, pair_places, names),
            "reviews": {names.pair(pair.id): pair.review.to_dict() for pair in pairs if pair.review is not None},
        }
        return PageData(packed(as_json(overview)), pair_blocks, sources, shown)

    def _source(self, file: int) -> tuple[ShownText | None, bytes, int]:
        """A file with what is shown of it, that as JSON, and about how much it takes."""
        if file not in self._sources:
            text, value = _source(self._comparison, file, self._needed[file], self._names)
            self._sources[file] = text, value, cost(value)
        return self._sources[file]

    def _detail(self, number: int, pair: SubmissionPair) -> tuple[bytes, int]:
        """The regions of a pair as JSON, and about how much that takes; asked for in the order of the pairs."""
        if number == len(self._details):
            value = as_json(
                [_file_pair(files, self._source(files.left)[0], self._source(files.right)[0]) for files in pair.files]
            )
            self._details.append((value, cost(value)))
        return self._details[number]


def _cluster(comparison: Comparison, file: int) -> int:
    cluster = comparison.submissions[comparison.files[file].submission].cluster
    return len(comparison.clusters) if cluster is None else cluster


def _need(pair: SubmissionPair, needed: defaultdict[int, _Source]) -> None:
    for files in pair.files:
        left, right = needed[files.left], needed[files.right]
        for region in files.regions:
            for source, side in ((left, region.left), (right, region.right)):
                source.matches.add((side.start_byte, side.end_byte))
                source.gaps.update(side.gaps)


def _submissions(comparison: Comparison, names: Names) -> dict[str, list[Any]]:
    """Columns: one value for each submission."""
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
    """Columns: one value for each file."""
    files = comparison.files
    return {
        "path": [visible(names.path(file)) for file in files],
        "submission": [file.submission for file in files],
        "language": [file.language for file in files],
    }


def _places(files: int, order: Sequence[int], places: Sequence[tuple[int, int]]) -> list[tuple[int, int] | None]:
    """For each file where its source is: (block, place in it); None where no pair needs it."""
    found: list[tuple[int, int] | None] = [None] * files
    for file, place in zip(order, places, strict=True):
        found[file] = place
    return found


def _pairs(pairs: Sequence[SubmissionPair], places: Sequence[tuple[int, int]], names: Names) -> dict[str, list[Any]]:
    """Columns: one value for each pair."""
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


def _source(comparison: Comparison, number: int, needed: _Source, names: Names) -> tuple[ShownText | None, bytes]:
    """A file with what is shown of it, and that as JSON; no text where its content is not at hand."""
    file = comparison.files[number]
    content = comparison.content(number)
    statements = [
        [visible(names.text(" ".join(statement.text.split()))), statement.line] for statement in file.statements
    ]
    if content is None:
        return None, as_json({"text": None, "statements": statements})
    text = ShownText(content, sorted(needed.matches), names.edits)
    comments = sorted(gap for gap in needed.gaps if content[slice(*gap)].strip(b" \t\r\n\f\v\0"))
    plain = [place for region in file.boilerplate for place in (region.start_byte, region.end_byte)]
    return text, as_json(
        {
            "text": text.text,
            "segments": text.segments,
            "lines": text.lines,
            "comments": text.offsets([place for gap in comments for place in gap]),
            "boilerplate": text.offsets(plain),
            "statements": statements,
        }
    )


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
    left_places = _offsets(
        left, (place for region in regions for place in (region.left.start_byte, region.left.end_byte))
    )
    right_places = _offsets(
        right, (place for region in regions for place in (region.right.start_byte, region.right.end_byte))
    )
    return [
        [
            *left_places[2 * at : 2 * at + 2],
            *right_places[2 * at : 2 * at + 2],
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
        for at, region in enumerate(regions)
    ]


def _offsets(text: ShownText | None, places: Iterable[int]) -> list[int]:
    return [*places] if text is None else text.offsets([*places])


def _share(value: float) -> float:
    """A share with some decimals, rounded down as all shares are: only the whole is called 100%."""
    return floor(value * _DECIMALS + 1e-6) / _DECIMALS


def _runs(facing: Iterable[tuple[int, int]]) -> list[int]:
    """Lines that face each other as runs: left line, right line, how many that follow each other on both sides."""
    runs: list[int] = []
    for left, right in facing:
        if runs and left == runs[-3] + runs[-1] and right == runs[-2] + runs[-1]:
            runs[-1] += 1
        elif not runs or (left, right) != (runs[-3] + runs[-1] - 1, runs[-2] + runs[-1] - 1):
            runs += left, right, 1
    return runs
