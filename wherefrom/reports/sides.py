"""The two sides of a hit as rows: which lines are shown, what of them is matched, what is left out in between."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import islice, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

from wherefrom.printable import visible
from wherefrom.reports.layout import ELLIPSIS, columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wherefrom.results import Region, RegionPair

TAB = 4
"""Columns from one tab stop to the next."""

NEAR = 4
"""Regions whose lines are at most this far apart on one side, and share a line on the other, are shown as one."""

MATCHED_HEAD, MATCHED_TAIL = 14, 6
"""How much of a long matched stretch is shown."""

BETWEEN_HEAD, BETWEEN_TAIL = 2, 2
"""How much of a long unmatched stretch between two matched ones is shown."""


class Text:
    """A text (UTF-8, or UTF-16 by its byte order mark) by lines, which are given as UTF-8; what a region says of it may
    be wrong, so that nothing here fails on a range outside of it.
    """

    def __init__(self, source: bytes) -> None:
        from wherefrom.analyzers.positions import encoding, is_utf16, newlines  # noqa: PLC0415 -- `--help` waits for no numpy

        self._encoding = encoding(source)
        is_wide = is_utf16(source)
        width = 2 if is_wide else 1
        ends = [*newlines(source).tolist(), len(source)]
        self._starts = [2 if is_wide else 0, *(end + width for end in ends[:-1])]
        self._lines = [source[start:end] for start, end in zip(self._starts, ends, strict=True)]

    @property
    def count(self) -> int:
        """How many lines there are; what follows the last line end is one unless it is empty."""
        return len(self._lines) - (not self._lines[-1])

    def line(self, number: int) -> bytes:
        """A line (1-based) without its ending; empty where there is none."""
        return self._shown(self._lines[number - 1]).removesuffix(b"\r") if 1 <= number <= len(self._lines) else b""

    def spans(self, number: int, regions: Sequence[Region]) -> list[tuple[int, int]]:
        """The parts of a line (1-based) that these regions match, without comments between their tokens: byte offsets
        in the line, half-open, ascending, not touching each other.
        """
        if not 1 <= number <= len(self._lines):
            return []
        start, line, length = self._starts[number - 1], self._lines[number - 1], len(self.line(number))
        spans: list[tuple[int, int]] = []
        matched = sorted(part for region in regions for part in self._matched(region, start, line))
        for begin, end in matched:
            first, last = self._offset(line, begin), min(self._offset(line, end), length)
            if first >= last:
                continue
            if spans and first <= spans[-1][1]:
                spans[-1] = spans[-1][0], max(spans[-1][1], last)
            else:
                spans.append((first, last))
        return spans

    def _matched(self, region: Region, start: int, line: bytes) -> Iterator[tuple[int, int]]:
        """The parts of a line, which begins at the byte `start`, that a region matches: byte offsets in it, half-open.
        A gap between its tokens is left out where it holds more than blanks.
        """
        at, end = max(region.start_byte - start, 0), min(region.end_byte - start, len(line))
        near = bisect_right(region.gaps, start, key=itemgetter(1))
        for gap_start, gap_end in islice(region.gaps, near, None):
            begin, behind = max(gap_start - start, 0), gap_end - start
            if begin >= end:
                break
            if self._shown(line[begin:behind]).strip():
                yield at, begin
                at = behind
        yield at, end

    def _offset(self, line: bytes, offset: int) -> int:
        """Where a byte of a line is in the line as it is given."""
        return max(offset, 0) if self._encoding == "utf-8" else len(self._shown(line[: max(offset, 0)]))

    def _shown(self, part: bytes) -> bytes:
        return part if self._encoding == "utf-8" else part.decode(self._encoding, "replace").encode()


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of visible characters that is matched, or is not."""

    text: str
    matched: bool


def pieces(line: bytes, spans: Sequence[tuple[int, int]], width: int) -> list[Piece]:
    """A line as visible pieces of at most `width` columns together: tabs expanded, nothing in it that a terminal obeys.

    A line that is too long is cut; where its first matched byte would be lost, its beginning is cut as well.

    Args:
        line: the bytes of one line.
        spans: the matched parts, as of `Text.spans`.
        width: columns, at least 2.
    """
    shown: list[Piece] = []
    start = 0
    if spans and len(line) > width and spans[0][0] > width // 2:
        start = spans[0][0] - width // 4
        while start < len(line) and 0x80 <= line[start] < 0xC0:
            start += 1
        shown.append(Piece(ELLIPSIS, matched=False))
    # Four bytes are the longest UTF-8 character, and one more shows that there was more.
    end = min(len(line), start + 4 * width + 4)
    used = len(shown)
    for first, last, matched in _parts(start, end, spans):
        text = ""
        for character in line[first:last].decode("utf-8", "replace"):
            cell = " " * (TAB - used % TAB) if character == "\t" else visible(character)
            if used + columns(cell) > width:
                return _cut([*shown, Piece(text, matched)])
            text += cell
            used += columns(cell)
        shown.append(Piece(text, matched))
    return shown if end == len(line) else _cut(shown)


def _parts(start: int, end: int, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """The range from `start` to `end`, divided where a span begins or ends."""
    at = start
    for first, last in spans:
        from_, to = max(first, start), min(last, end)
        if from_ >= to:
            continue
        if at < from_:
            yield at, from_, False
        yield from_, to, True
        at = to
    if at < end:
        yield at, end, False


def _cut(shown: list[Piece]) -> list[Piece]:
    """The pieces with their last column given to an ellipsis."""
    kept = list(shown)
    freed = 0
    # A combining mark takes no column: it goes with the character before it.
    while kept and freed == 0:
        last = kept.pop()
        if last.text:
            freed = columns(last.text[-1])
            kept.append(Piece(last.text[:-1], last.matched))
    return [*kept, Piece(ELLIPSIS, matched=False)]


Lines = tuple[tuple[int, int], ...]
"""Ranges of lines (first, last), inclusive, ascending, that do not overlap."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of both sides that are shown beside each other, empty where a side has none here; without `pairs` they lie
    between two matched stretches. `continues` says of each side whether its first line was shown above already, and
    is left out here.
    """

    query: Lines
    document: Lines
    pairs: tuple[RegionPair, ...]
    continues: tuple[bool, bool] = (False, False)


def stretches(pairs: Sequence[RegionPair], most: int) -> tuple[list[Stretch], int]:
    """The first matched stretches in the order of the query, and between them what is not matched; no line of a side is
    in two of them.

    A line on which one stretch ends and the next begins is in the first one. Where the document goes back (its part
    comes before the one shown last), nothing of it is shown in between.

    Args:
        pairs: the regions of one hit.
        most: matched stretches at most.

    Returns:
        The stretches, and how many matched ones are left out.
    """
    matched: list[_Matched] = []
    for pair in sorted(pairs, key=lambda pair: (pair.query.start_byte, pair.document.start_byte)):
        joined = _joined(matched[-1], pair) if matched else None
        if joined is None:
            matched.append(_Matched(_range(pair.query), _range(pair.document), (pair,)))
        else:
            matched[-1] = joined
    kept = matched[:most]
    query, document = _Once(), _Once()
    own = [(query.take(stretch.query), document.take(stretch.document)) for stretch in kept]
    shown: list[Stretch] = []
    for number, stretch in enumerate(kept):
        if number:
            before = kept[number - 1]
            between = (
                query.take(_between(before.query, stretch.query)),
                document.take(_between(before.document, stretch.document)),
            )
            if any(between):
                shown.append(Stretch(*between, ()))
        of_query, of_document = own[number]
        continues = _begins_late(of_query, stretch.query), _begins_late(of_document, stretch.document)
        shown.append(Stretch(of_query, of_document, stretch.pairs, continues))
    return shown, len(matched) - len(kept)


@dataclass(frozen=True, slots=True)
class _Matched:
    """A matched stretch with all its lines, (first, last) inclusive."""

    query: tuple[int, int]
    document: tuple[int, int]
    pairs: tuple[RegionPair, ...]


class _Once:
    """Gives each line of a side away once."""

    def __init__(self) -> None:
        self._taken: list[tuple[int, int]] = []

    def take(self, lines: tuple[int, int] | None) -> Lines:
        """Those of these lines that were not taken before."""
        if lines is None:
            return ()
        left = [lines]
        for first, last in self._taken:
            left = [
                part
                for begin, end in left
                for part in ((begin, min(end, first - 1)), (max(begin, last + 1), end))
                if part[0] <= part[1]
            ]
        self._taken += left
        return tuple(left)


def _begins_late(lines: Lines, whole: tuple[int, int]) -> bool:
    return bool(lines) and lines[0][0] > whole[0]


def _range(region: Region) -> tuple[int, int]:
    return region.start_line, region.end_line


def _between(before: tuple[int, int], after: tuple[int, int]) -> tuple[int, int] | None:
    return (before[1] + 1, after[0] - 1) if before[1] + 1 < after[0] else None


def _joined(stretch: _Matched, pair: RegionPair) -> _Matched | None:
    """The stretch with the pair in it, or None where the two do not belong together."""
    distances = _distance(stretch.query, _range(pair.query)), _distance(stretch.document, _range(pair.document))
    if min(distances) > 0 or max(distances) > NEAR:
        return None
    return _Matched(
        _union(stretch.query, _range(pair.query)),
        _union(stretch.document, _range(pair.document)),
        (*stretch.pairs, pair),
    )


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Lines from one range to another, 0 where they share one."""
    return max(one[0] - other[1], other[0] - one[1], 0)


def _union(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])


@dataclass(frozen=True, slots=True)
class Hidden:
    """Lines that are left out."""

    lines: int


Cell = int | Hidden | None
"""One side of a row: a line (1-based), lines left out, or nothing."""


def rows(stretch: Stretch) -> list[tuple[Cell, Cell]]:
    """The rows (query, document) of a stretch, from the top of both sides; a long side is shortened in its middle."""
    head, tail = (MATCHED_HEAD, MATCHED_TAIL) if stretch.pairs else (BETWEEN_HEAD, BETWEEN_TAIL)
    query, document = _cells(stretch.query, head, tail), _cells(stretch.document, head, tail)
    # What was shown above keeps its row, so that the other side does not slip against this one.
    if stretch.continues == (True, False) and document:
        query.insert(0, None)
    elif stretch.continues == (False, True) and query:
        document.insert(0, None)
    return list(zip_longest(query, document))


def _cells(lines: Lines, head: int, tail: int) -> list[Cell]:
    count = sum(last - first + 1 for first, last in lines)
    hidden = count - head - tail
    # A row that says "1 line" takes no less room than the line.
    if hidden <= 1:
        return list(_numbers(lines))
    last_ones = [*islice(_numbers(lines, backwards=True), tail)]
    return [*islice(_numbers(lines), head), Hidden(hidden), *reversed(last_ones)]


def _numbers(lines: Lines, *, backwards: bool = False) -> Iterator[int]:
    """The numbers of lines, ascending or descending."""
    if backwards:
        return (number for first, last in reversed(lines) for number in range(last, first - 1, -1))
    return (number for first, last in lines for number in range(first, last + 1))
