"""The two sides of a hit as rows: which lines are shown, what of them is matched, what is left out in between."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from wherefrom.printable import visible
from wherefrom.reports.text import ELLIPSIS, columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wherefrom.model import Region, RegionPair

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
        """How many lines there are; what stands behind the last line end is one unless it is empty."""
        return len(self._lines) - (not self._lines[-1])

    def line(self, number: int) -> bytes:
        """A line (1-based) without its ending; empty where there is none."""
        return self._shown(self._lines[number - 1]).removesuffix(b"\r") if 1 <= number <= len(self._lines) else b""

    def spans(self, number: int, regions: Sequence[Region]) -> list[tuple[int, int]]:
        """The parts of a line (1-based) that lie in these regions: byte offsets in the line, half-open, ascending,
        not touching each other.
        """
        if not 1 <= number <= len(self._lines):
            return []
        start, line, length = self._starts[number - 1], self._lines[number - 1], len(self.line(number))
        spans: list[tuple[int, int]] = []
        for region in sorted(regions, key=lambda region: region.start_byte):
            first = self._offset(line, region.start_byte - start)
            last = min(self._offset(line, region.end_byte - start), length)
            if first >= last:
                continue
            if spans and first <= spans[-1][1]:
                spans[-1] = spans[-1][0], max(spans[-1][1], last)
            else:
                spans.append((first, last))
        return spans

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
    # A combining mark takes no column: it goes with the character that it stands on.
    while kept and freed == 0:
        last = kept.pop()
        if last.text:
            freed = columns(last.text[-1])
            kept.append(Piece(last.text[:-1], last.matched))
    return [*kept, Piece(ELLIPSIS, matched=False)]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive lines of both sides, (first, last) inclusive, or None where a side has none here; without `pairs`
    it is what stands between two matched stretches.
    """

    query: tuple[int, int] | None
    document: tuple[int, int] | None
    pairs: tuple[RegionPair, ...]


def stretches(pairs: Sequence[RegionPair]) -> list[Stretch]:
    """The matched stretches in the order of the query, and between them what is not matched.

    Where the document goes back (its part stands before the one shown last), nothing of it is shown in between.
    """
    matched: list[Stretch] = []
    for pair in sorted(pairs, key=lambda pair: (pair.query.start_byte, pair.document.start_byte)):
        joined = _joined(matched[-1], pair) if matched else None
        if joined is None:
            matched.append(Stretch(_range(pair.query), _range(pair.document), (pair,)))
        else:
            matched[-1] = joined
    shown = matched[:1]
    for before, after in pairwise(matched):
        query, document = _between(before.query, after.query), _between(before.document, after.document)
        if query or document:
            shown.append(Stretch(query, document, ()))
        shown.append(after)
    return shown


def _range(region: Region) -> tuple[int, int]:
    return region.start_line, region.end_line


def _between(before: tuple[int, int] | None, after: tuple[int, int] | None) -> tuple[int, int] | None:
    if before is None or after is None or before[1] + 1 > after[0] - 1:
        return None
    return before[1] + 1, after[0] - 1


def _joined(stretch: Stretch, pair: RegionPair) -> Stretch | None:
    """The stretch with the pair in it, or None where the two do not belong together."""
    assert stretch.query is not None
    assert stretch.document is not None
    distances = _distance(stretch.query, _range(pair.query)), _distance(stretch.document, _range(pair.document))
    if min(distances) > 0 or max(distances) > NEAR:
        return None
    return Stretch(
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
    """Stands for lines that are left out."""

    lines: int


Cell = int | Hidden | None
"""One side of a row: a line (1-based), lines left out, or nothing."""


def rows(stretch: Stretch) -> list[tuple[Cell, Cell]]:
    """The rows (query, document) of a stretch, from the top of both sides; a long side is shortened in its middle."""
    head, tail = (MATCHED_HEAD, MATCHED_TAIL) if stretch.pairs else (BETWEEN_HEAD, BETWEEN_TAIL)
    return list(zip_longest(_cells(stretch.query, head, tail), _cells(stretch.document, head, tail)))


def _cells(lines: tuple[int, int] | None, head: int, tail: int) -> list[Cell]:
    if lines is None:
        return []
    numbers = range(lines[0], lines[1] + 1)
    hidden = len(numbers) - head - tail
    # A row that says "1 line" takes no less room than the line.
    if hidden <= 1:
        return [*numbers]
    return [*numbers[:head], Hidden(hidden), *numbers[-tail:]]
