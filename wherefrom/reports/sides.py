"""The two sides of a hit as rows: which lines are shown, what of them is matched, what is left out in between."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from wherefrom.reports.layout import ELLIPSIS, columns
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.results import Region, RegionPair

_Label = TypeVar("_Label")

TAB = 4
"""Columns from one tab stop to the next."""

NEAR = 4
"""Regions whose lines are at most this far apart on one side, and share a line on the other, are shown as one."""

CONTEXT = 2
"""Unmatched lines that are shown before and after those that match."""

MOST_LINES = 40
"""Lines of each side that are shown of a hit."""


class TextLines:
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

    def start(self, number: int) -> int:
        """The byte at which a line (1-based) begins; behind the last line the end of the text."""
        if number > len(self._starts):
            number = len(self._starts)
            return int(self._starts[number - 1]) + len(self._lines[number - 1])
        return int(self._starts[number - 1])

    def spans(self, number: int, regions: Sequence[Region]) -> list[tuple[int, int]]:
        """The parts of a line (1-based) that these regions match, but for comments between their tokens.

        Returns:
            Byte offsets in the line, half-open, ascending, not touching each other.
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
class ShownPiece:
    """A run of visible characters.

    Attributes:
        text: these.
        span: the position of the span that it is of, None where it is in none.
        color: as of `Index.highlights`, empty for none.
    """

    text: str
    span: int | None = None
    color: str = ""

    @property
    def matched(self) -> bool:
        """Whether it is in a span."""
        return self.span is not None


def pieces(
    line: bytes, spans: Sequence[tuple[int, int]], width: int, colors: Sequence[tuple[int, int, str]] = ()
) -> list[ShownPiece]:
    """A line as visible pieces of at most `width` columns together: tabs expanded, nothing in it that a terminal obeys.

    A line that is too long is cut; where its first matched byte would be lost, its beginning is cut as well.

    Args:
        line: the bytes of one line.
        spans: the matched parts, as of `TextLines.spans`.
        width: columns, at least 2.
        colors: the colored parts: byte offsets in the line (half-open), ascending, not overlapping.
    """
    shown: list[ShownPiece] = []
    start = 0
    if spans and len(line) > width and spans[0][0] > width // 2:
        start = spans[0][0] - width // 4
        while start < len(line) and 0x80 <= line[start] < 0xC0:
            start += 1
        shown.append(ShownPiece(ELLIPSIS))
    # Four bytes are the longest UTF-8 character, and one more shows that there was more.
    end = min(len(line), start + 4 * width + 4)
    used = len(shown)
    for first, last, span, color in _parts(start, end, spans, colors):
        text = ""
        for character in line[first:last].decode("utf-8", "replace"):
            cell = " " * (TAB - used % TAB) if character == "\t" else visible(character)
            if used + columns(cell) > width:
                return _cut([*shown, ShownPiece(text, span, color)])
            text += cell
            used += columns(cell)
        shown.append(ShownPiece(text, span, color))
    return shown if end == len(line) else _cut(shown)


def _parts(
    start: int, end: int, spans: Sequence[tuple[int, int]], colors: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int, int | None, str]]:
    """The range from `start` to `end`, divided where a span or a color begins or ends: with the position of the span,
    and the color.
    """
    for first, last, span in _divided(start, end, [(*ends, number) for number, ends in enumerate(spans)]):
        for begin, behind, color in _divided(first, last, colors):
            yield begin, behind, span, color or ""


def _divided(
    start: int, end: int, parts: Sequence[tuple[int, int, _Label]]
) -> Iterator[tuple[int, int, _Label | None]]:
    """The range from `start` to `end`, divided where a part begins or ends: with the label of the part."""
    at = start
    for first, last, label in parts:
        from_, to = max(first, start), min(last, end)
        if from_ >= to:
            continue
        if at < from_:
            yield at, from_, None
        yield from_, to, label
        at = to
    if at < end:
        yield at, end, None


def _cut(shown: list[ShownPiece]) -> list[ShownPiece]:
    """The pieces with their last column given to an ellipsis."""
    kept = list(shown)
    freed = 0
    # A combining mark takes no column: it goes with the character before it.
    while kept and freed == 0:
        last = kept.pop()
        if last.text:
            freed = columns(last.text[-1])
            kept.append(replace(last, text=last.text[:-1]))
    return [*kept, ShownPiece(ELLIPSIS)]


Lines = tuple[tuple[int, int], ...]
"""Ranges of lines (first, last), inclusive, ascending, that do not overlap."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Lines that are left out: unmatched ones, or else those that are too many to show."""

    lines: int
    unmatched: bool


Cell = int | Hidden | None
"""One side of a row: a line (1-based), lines left out, or nothing."""

Row = tuple[Cell, Cell]
"""A line of the query, and the line of the document that faces it."""


def rows(
    pairs: Sequence[RegionPair],
    sides: tuple[TextLines | None, TextLines],
    context: int = CONTEXT,
    most: int | None = MOST_LINES,
    within: tuple[int, int] | None = None,
) -> list[Row]:
    """Both sides of a hit in the order of the query, lines that match in one row; no line is shown twice.

    Args:
        pairs: the regions of the hit.
        sides: the query, None where it is not at hand, and the document.
        context: unmatched lines that are shown before and after those that match.
        most: rows at most, at least 1; of more the middle is left out, but never a single row. None for all.
        within: the first and the last line of the query about which rows are shown; None for all.
    """
    query_text, document_text = sides
    counts = 0 if query_text is None else query_text.count, document_text.count
    shown: list[Row] = []
    for stretch in stretches(pairs, counts, context):
        query, document = _numbers(stretch.query), _numbers(stretch.document)
        if stretch.pairs:
            shown += _facing_rows(query, document, _facing(stretch.pairs))
        else:
            # Those before the first matched line are all at its side.
            shown += _apart(query, document, context if shown else 0, context)
    if within is not None:
        shown = _within(shown, within[0] - context, within[1] + context)
    shown = _without_blank_ends(shown, sides)
    return shown if most is None else _shortened(shown, most)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of both sides that are shown beside each other, empty where a side has none here that was not shown before.
    Without `pairs` they are unmatched: before, between or after matched stretches.
    """

    query: Lines
    document: Lines
    pairs: tuple[RegionPair, ...] = ()


def stretches(pairs: Sequence[RegionPair], counts: tuple[int, int], context: int) -> list[Stretch]:
    """The matched stretches in the order of the query, and the unmatched lines before, between and after them; no line
    of a side is in two of them.

    A line on which one stretch ends and the next begins is in the first one. Where the document goes back (its part
    comes before the one shown last), nothing of it is shown in between.

    Args:
        pairs: the regions of one hit.
        counts: how many lines the query and the document have.
        context: unmatched lines before the first matched stretch, and after the last one.
    """
    matched: list[_Matched] = []
    for pair in sorted(pairs, key=lambda pair: (pair.query.start_byte, pair.document.start_byte)):
        joined = _joined(matched[-1], pair) if matched else None
        if joined is None:
            matched.append(_Matched(_range(pair.query), _range(pair.document), (pair,)))
        else:
            matched[-1] = joined
    if not matched:
        return []
    query, document = (_Once(count) for count in counts)
    own = [Stretch(query.take(part.query), document.take(part.document), part.pairs) for part in matched]
    first, last = matched[0], matched[-1]
    top = _Matched((0, first.query[0] - context - 1), (0, first.document[0] - context - 1), ())
    bottom = _Matched((last.query[1] + context + 1, 0), (last.document[1] + context + 1, 0), ())
    gaps = [
        Stretch(query.take(_between(above.query, below.query)), document.take(_between(above.document, below.document)))
        for above, below in pairwise([top, *matched, bottom])
    ]
    shown = chain.from_iterable(zip(gaps, [*own, Stretch((), ())], strict=True))
    return [stretch for stretch in shown if stretch.query or stretch.document]


@dataclass(frozen=True, slots=True)
class _Matched:
    """A matched stretch with all its lines, (first, last) inclusive."""

    query: tuple[int, int]
    document: tuple[int, int]
    pairs: tuple[RegionPair, ...]


class _Once:
    """Gives each line of a side away once.

    Args:
        count: how many lines it has.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._taken: list[tuple[int, int]] = []

    def take(self, lines: tuple[int, int]) -> Lines:
        """Those of these lines that there are and that were not taken before."""
        first, last = max(lines[0], 1), min(lines[1], self._count)
        at = bisect_right(self._taken, first, key=itemgetter(0))
        if at and self._taken[at - 1][1] >= first:
            at -= 1
        left = []
        while at < len(self._taken) and self._taken[at][0] <= last:
            begin, end = self._taken[at]
            if first < begin:
                left.append((first, begin - 1))
            first = end + 1
            at += 1
        if first <= last:
            left.append((first, last))
        for part in left:
            insort(self._taken, part)
        return tuple(left)


def _range(region: Region) -> tuple[int, int]:
    return region.start_line, region.end_line


def _between(above: tuple[int, int], below: tuple[int, int]) -> tuple[int, int]:
    return above[1] + 1, below[0] - 1


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


def _facing(pairs: Sequence[RegionPair]) -> Iterator[tuple[int, int]]:
    """The lines of both sides that belong in one row, neither side going back; where two pairs are in another order on
    one side than on the other, those of the longer one.
    """
    ordered: list[RegionPair] = []
    for pair in sorted(pairs, key=lambda pair: -pair.tokens):
        at = bisect_right(ordered, pair.query.start_byte, key=lambda other: other.query.start_byte)
        above, below = ordered[at - 1 : at], ordered[at : at + 1]
        if all(other.document.start_byte <= pair.document.start_byte for other in above) and all(
            pair.document.start_byte <= other.document.start_byte for other in below
        ):
            ordered.insert(at, pair)
    for pair in ordered:
        yield from pair.facing or ((pair.query.start_line, pair.document.start_line),)


def _facing_rows(query: list[int], document: list[int], facing: Iterable[tuple[int, int]]) -> list[Row]:
    """Lines of both sides with those that face each other in one row; the lines between these fill the rows from the
    top.
    """
    shown: list[Row] = []
    here = there = 0
    for of_query, of_document in facing:
        next_here, next_there = bisect_left(query, of_query, lo=here), bisect_left(document, of_document, lo=there)
        shown += zip_longest(query[here:next_here], document[there:next_there])
        here, there = next_here, next_there
        row = _at(query, here, of_query), _at(document, there, of_document)
        if row != (None, None):
            shown.append(row)
        here, there = here + (row[0] is not None), there + (row[1] is not None)
    return [*shown, *zip_longest(query[here:], document[there:])]


def _at(numbers: list[int], at: int, number: int) -> int | None:
    return number if at < len(numbers) and numbers[at] == number else None


def _apart(query: list[int], document: list[int], head: int, tail: int) -> list[Row]:
    """Unmatched lines: the first ones from the top, the last ones to the bottom, the middle of a long side left out."""
    top, middle, bottom = _parted(query, head, tail)
    other_top, other_middle, other_bottom = _parted(document, head, tail)
    rise = len(other_bottom) - len(bottom)
    shown: list[Row] = [*zip_longest(top, other_top)]
    if middle is not None or other_middle is not None:
        shown.append((middle, other_middle))
    shown += zip_longest([*[None] * rise, *bottom], [*[None] * -rise, *other_bottom])
    return shown


def _parted(numbers: list[int], head: int, tail: int) -> tuple[list[int], Hidden | None, list[int]]:
    hidden = len(numbers) - head - tail
    # A row that says "1 line" takes no less room than the line.
    if hidden <= 1:
        return numbers[:head], None, numbers[head:]
    return numbers[:head], Hidden(hidden, unmatched=True), numbers[len(numbers) - tail :]


def _within(shown: list[Row], first: int, last: int) -> list[Row]:
    """From the row with the first to that with the last of these lines of the query; all rows where none has one."""
    at = [place for place, (query, _) in enumerate(shown) if isinstance(query, int) and first <= query <= last]
    return shown[at[0] : at[-1] + 1] if at else shown


def _without_blank_ends(shown: list[Row], sides: tuple[TextLines | None, TextLines]) -> list[Row]:
    """Rows without those at the top and at the bottom in which nothing is written."""

    def is_blank(cell: Cell, text: TextLines | None) -> bool:
        return cell is None or (isinstance(cell, int) and (text is None or not text.line(cell).strip()))

    written = [at for at, row in enumerate(shown) if not all(map(is_blank, row, sides))]
    return shown[written[0] : written[-1] + 1] if written else []


def _shortened(shown: list[Row], most: int) -> list[Row]:
    """Rows without their middle where they are too many."""
    if len(shown) <= most + 1:
        return shown
    # What follows explains less than how it begins.
    first, last = most - most // 3, len(shown) - most // 3
    while first > 0 and _is_gap(shown[first - 1]):
        first -= 1
    while last < len(shown) and _is_gap(shown[last]):
        last += 1
    left_out = (_left_out(row[side] for row in shown[first:last]) for side in (0, 1))
    return [*shown[:first], (next(left_out), next(left_out)), *shown[last:]]


def _is_gap(row: Row) -> bool:
    return not any(isinstance(cell, int) for cell in row)


def _left_out(cells: Iterable[Cell]) -> Hidden | None:
    lines = sum(cell.lines if isinstance(cell, Hidden) else 1 for cell in cells if cell is not None)
    return Hidden(lines, unmatched=False) if lines else None


def _numbers(lines: Lines) -> list[int]:
    """The numbers of lines, ascending."""
    return [number for first, last in lines for number in range(first, last + 1)]
