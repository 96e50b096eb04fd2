"""The compressed data that the script of a comparison page draws: figures, pairs, and each source once.

`page/report_data.js` makes the same data in a browser, and a test compares both.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from math import floor
from typing import Any

from markupsafe import Markup

from wherefrom.model import Representation
from wherefrom.reports.compare.names import Names
from wherefrom.reports.pages.shown_text import ShownText
from wherefrom.reports.renderer import made_at
from wherefrom.results import Comparison, MatchedRegion, Region, SubmissionPair
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

BLOCK = 200_000  # a block ends as soon as its values have this many bytes before compression
MOST_BYTES = 25_000_000  # a page has at most this many characters. If all pairs take more, the weakest are left out

TRIES, FILLED = 5, 0.9
"""A page is filled with pairs in at most `TRIES` attempts. One that fills this share of the page is the last."""

KINDS = {
    Representation.EXACT: 0,
    Representation.TEXT: 0,
    Representation.RENAMED: 1,
    Representation.P_MATCH: 2,
    Representation.WORDS: 3,
}
"""The numbers that the script's data uses for the representations."""

MAPPED, VENDORED, SKIPPED, PATHS = 500, 200, 200, 20
"""The limits of tables: rows of the map of two corpora, copied folders, skipped files, and paths in a row."""


@dataclass(frozen=True, slots=True)
class PageData:
    """The compressed data of a page: its parts, each after its name (the overview, blocks of pairs and of sources), and
    the number of pairs on the page, which are the first ones of the comparison.
    """

    parts: list[tuple[str, Markup]]
    shown: int

    @property
    def size(self) -> int:
        """The number of characters of all parts."""
        return sum(len(block) for _, block in self.parts)


def page_data(comparison: Comparison, names: Names, most: int = MOST_BYTES) -> PageData:
    """Packs as many pairs as there is room for in `most` characters, the best first, with their sources."""
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
        self._whole = _whole(comparison, names)
        self._sources: dict[int, tuple[ShownText | None, bytes, int]] = {}
        self._details: list[tuple[bytes, int]] = []
        # For each file, its matched bytes in all pairs, and its gaps that may be comments; both half-open.
        self._matches: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        self._gaps: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        for files in (files for pair in comparison.pairs for files in pair.files):
            for region in files.regions:
                for file, side in ((files.left, region.left), (files.right, region.right)):
                    self._matches[file].add((side.start_byte, side.end_byte))
                    if region.representation is not Representation.WORDS:
                        self._gaps[file].update(side.gaps)

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
        clusters = [submission.cluster for submission in comparison.submissions]
        of_file = [clusters[file.submission] for file in comparison.files]
        order = sorted(files, key=lambda file: (of_file[file] is None, of_file[file] or 0, file))
        sources, source_places = _blocks([self._source(file)[1] for file in order])
        details, pair_places = _blocks([detail for detail, _ in self._details[:shown]])
        places = dict(zip(order, source_places, strict=True))
        overview = {
            **self._whole,
            # For each file, the block of its source and the position in that block; None if no pair needs it.
            "files": {**self._whole["files"], "places": [places.get(file) for file in range(len(comparison.files))]},
            "pairs": _pairs(pairs, pair_places, names),
            "reviews": {names.pair(pair.id): pair.review.to_dict() for pair in pairs if pair.review is not None},
        }
        blocks = {"pairs": details, "sources": sources}.items()
        numbered = [(f"{kind}-{number}", block) for kind, some in blocks for number, block in enumerate(some)]
        return PageData([("overview", _packed(_as_json(overview))), *numbered], shown)

    def _source(self, number: int) -> tuple[ShownText | None, bytes, int]:
        """The shown text of a file (None if it is not at hand), its values as JSON, and their approximate size."""
        if number not in self._sources:
            file, content, rewritten = self._comparison.files[number], self._comparison.content(number), self._names
            statements = [(" ".join(statement.text.split()), statement.line) for statement in file.statements]
            value: dict[str, Any] = {"text": None}
            text = None
            if content is not None:
                text = ShownText(content, sorted(self._matches[number]), rewritten.edits)
                comments = sorted(gap for gap in self._gaps[number] if content[slice(*gap)].strip(b" \t\r\n\f\v\0"))
                value = {
                    "text": text.text,
                    "segments": text.segments,
                    "lines": text.lines,
                    "comments": text.offsets([place for gap in comments for place in gap]),
                    "boilerplate": text.offsets(_ends(file.boilerplate)),
                }
            value["statements"] = [[visible(rewritten.text(words)), line] for words, line in statements]
            self._sources[number] = text, *_costed(value)
        return self._sources[number]

    def _detail(self, number: int, pair: SubmissionPair) -> tuple[bytes, int]:
        """The regions of a pair as JSON, and their approximate size. New pairs must be given in their order."""
        if number == len(self._details):
            value = [
                [
                    files.left,
                    files.right,
                    int(files.is_identical),
                    _floored(files.left_containment),
                    _floored(files.right_containment),
                    files.omitted_regions,
                    _regions(files.regions, self._source(files.left)[0], self._source(files.right)[0]),
                ]
                for files in pair.files
            ]
            self._details.append(_costed(value))
        return self._details[number]


def _as_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def _costed(value: object) -> tuple[bytes, int]:
    """A value as JSON, and the approximate number of characters that it takes in a page."""
    part = _as_json(value)
    return part, len(zlib.compress(part, 1)) * 4 // 3


def _packed(part: bytes) -> Markup:
    """Bytes compressed with zlib, in base 64, for a `<script>` of a type that no browser runs."""
    return Markup(b64encode(zlib.compress(part, 9)).decode())  # noqa: S704 -- base 64 has no markup


def _blocks(values: Sequence[bytes]) -> tuple[list[Markup], list[tuple[int, int]]]:
    """The blocks of JSON values, each an array, and for each value its block and its place there, 0-based."""
    places: list[tuple[int, int]] = []
    groups: list[list[bytes]] = []
    size = BLOCK
    for value in values:
        if size >= BLOCK:
            groups.append([])
            size = 0
        places.append((len(groups) - 1, len(groups[-1])))
        groups[-1].append(value)
        size += len(value)
    return [_packed(b"[" + b",".join(group) + b"]") for group in groups], places


def _whole(comparison: Comparison, names: Names) -> dict[str, Any]:
    failed = [] if names.is_anonymous else [f"{report.key}: {report.error}" for report in comparison.failed]
    skipped = [] if names.is_anonymous else [[file.path, file.reason] for file in comparison.skipped_files[:SKIPPED]]
    given = comparison.parameters
    facts = {
        # The key under which a browser stores decisions. The next comparison of the same paths has the same key.
        "key": _digest(names, "\n".join([given.by, *given.paths, given.index or "", *given.with_sources])),
        "made": f"{made_at():%Y-%m-%d %H:%M} UTC",
        "seconds": comparison.seconds,
        "parameters": _parameters(comparison, names),
        "counts": comparison.counts.to_dict(),
        "clusters": len(comparison.clusters),
        # The pairs of the answer, and the size of the page that may have no room for all of them.
        "answered": len(comparison.pairs),
        "most": MOST_BYTES,
        "cutOff": comparison.cut_off,
        "skipped": comparison.skipped,
        "skippedFiles": skipped,
        "failed": failed,
        "unnamedFailed": len(comparison.failed) - len(failed),
        "warnings": [names.text(warning) for warning in comparison.warnings],
        "map": _map(comparison),
        "vendored": [
            {name: names.text(value) if isinstance(value, str) else value for name, value in folder.to_dict().items()}
            for folder in comparison.vendored[:VENDORED]
        ],
    }
    files = {
        "path": [visible(names.path(file)) for file in comparison.files],
        "submission": [file.submission for file in comparison.files],
        "language": [file.language for file in comparison.files],
    }
    return {**_seen(facts), "submissions": _submissions(comparison, names), "files": files}


def _seen(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(name): _seen(item) for name, item in value.items()}
    return [*map(_seen, value)] if isinstance(value, list | tuple) else value


def _digest(names: Names, text: str) -> str:
    return names.pair(sha256(text.encode("utf-8", "surrogateescape")).hexdigest())[:16]


def _parameters(comparison: Comparison, names: Names) -> dict[str, Any]:
    parameters = comparison.parameters.to_dict()
    if names.is_anonymous:
        for name in ("paths", "archive", "with", "template", "author_of", "index"):
            value = parameters[name]
            parameters[name] = f"{len(value):,} named" if value and isinstance(value, list) else value and "given"
    return parameters


def _map(comparison: Comparison) -> dict[str, Any] | None:
    if comparison.map is None:
        return None
    entries = comparison.map.entries
    return {
        "entries": [entry.to_dict() for entry in entries[:MAPPED]],
        "more": max(len(entries) - MAPPED, 0),
        "only_left": comparison.map.only_left[:PATHS],
        "only_right": comparison.map.only_right[:PATHS],
        "more_left": max(len(comparison.map.only_left) - PATHS, 0),
        "more_right": max(len(comparison.map.only_right) - PATHS, 0),
    }


def _submissions(comparison: Comparison, names: Names) -> dict[str, list[Any]]:
    submissions = comparison.submissions
    contents = [sorted(comparison.files[file].occurrence.blob for file in it.files) for it in submissions]
    return {
        "name": [visible(names.submission(number)) for number in range(len(submissions))],
        "author": [visible(names.author(number)) for number in range(len(submissions))],
        "role": [str(submission.role) for submission in submissions],
        # Digests of the contents of the submissions. A decision on a pair is kept for these contents only.
        "content": [_digest(names, "".join(blobs)) for blobs in contents],
        "tokens": [submission.tokens for submission in submissions],
        "best": [submission.best_pair for submission in submissions],
        "similarity": [_floored(submission.best_similarity) for submission in submissions],
    }


def _pairs(pairs: Sequence[SubmissionPair], places: Sequence[tuple[int, int]], names: Names) -> dict[str, list[Any]]:
    return {
        "id": [names.pair(pair.id) for pair in pairs],
        "left": [pair.left for pair in pairs],
        "right": [pair.right for pair in pairs],
        "score": [_floored(pair.score) for pair in pairs],
        "similarity": [_floored(pair.similarity) for pair in pairs],
        "leftShare": [_floored(pair.left_containment) for pair in pairs],
        "rightShare": [_floored(pair.right_containment) for pair in pairs],
        "resemblance": [_floored(pair.resemblance) for pair in pairs],
        "longest": [pair.longest_run for pair in pairs],
        "leftLines": [pair.left_matched_lines for pair in pairs],
        "rightLines": [pair.right_matched_lines for pair in pairs],
        "leftOmitted": [pair.left_boilerplate_tokens for pair in pairs],
        "rightOmitted": [pair.right_boilerplate_tokens for pair in pairs],
        "file": [pair.files[0].left if pair.files else None for pair in pairs],
        "omitted": [pair.omitted_files for pair in pairs],
        "translated": [int(pair.is_translated) for pair in pairs],
        "place": list(places),
    }


def _regions(regions: Sequence[MatchedRegion], left: ShownText | None, right: ShownText | None) -> list[list[Any]]:
    """The regions, with offsets in the shown texts, or in the sources if there is no text. One in different languages
    ends with its gaps on each side, since what is between the words does not match.
    """
    sides = (left, [region.left for region in regions]), (right, [region.right for region in regions])
    places = [_shown(text, _ends(side)) for text, side in sides]
    return [
        [
            *(place for of_side in places for place in of_side[2 * number : 2 * number + 2]),
            region.left.start_line,
            region.left.end_line,
            region.right.start_line,
            region.right.end_line,
            KINDS[region.representation],
            region.tokens,
            _floored(region.weight, 1),
            _floored(region.rarity, 2),
            region.submissions,
            int(region.is_moved),
            _runs(region.facing or ((region.left.start_line, region.right.start_line),)),
            *(_shown(text, [*chain(*side[number].gaps)]) for text, side in sides if KINDS[region.representation] == 3),
        ]
        for number, region in enumerate(regions)
    ]


def _shown(text: ShownText | None, places: list[int]) -> list[int]:
    return places if text is None else text.offsets(places)


def _ends(regions: Iterable[Region]) -> list[int]:
    return [place for region in regions for place in (region.start_byte, region.end_byte)]


def _floored(value: float, digits: int = 4) -> float:
    """A share or a figure with some decimals, rounded down like every share, so that only the whole is 100%."""
    decimals = 10.0**digits
    return floor(value * decimals + 1e-6) / decimals


def _runs(facing: Iterable[tuple[int, int]]) -> list[int]:
    """Lines that face each other as runs: first left line, first right line, number of lines."""
    runs: list[int] = []
    for left, right in facing:
        if runs and left == runs[-3] + runs[-1] and right == runs[-2] + runs[-1]:
            runs[-1] += 1
        elif not runs or (left, right) != (runs[-3] + runs[-1] - 1, runs[-2] + runs[-1] - 1):
            runs += left, right, 1
    return runs
