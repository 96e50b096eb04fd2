"""Lays out both sides of a hit in rows: the lines that are shown, their matched parts, and the lines left out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice, zip_longest
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from wherefrom.reports.layout import ELLIPSIS, columns
from wherefrom.results import Region, RegionPair
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

Labels: TypeAlias = "Sequence[tuple[int, int, str]]"
"""Parts of a text with a label each: byte offsets (half-open), ascending, not overlapping."""

TAB = 4  # the columns from one tab stop to the next
NEAR = 4  # regions that share a line on one side, and are at most this many lines apart on the other, are shown as one
CONTEXT = 2  # this many unmatched lines are shown before and after the matching ones
MOST_LINES = 40  # at most this many lines of each side of a hit are shown


class TextLines:
    """The lines of a text in any encoding that `positions.decode` reads. Lines are returned as UTF-8.

    Regions may be wrong: a range outside of the text is not an error.
    """

    def __init__(self, source: bytes) -> None:
        from wherefrom.support.positions import encoding, mark_length, newlines, unit  # noqa: PLC0415 -- `--help` does not wait for numpy

        self._source, self._encoding, self._width = source, encoding(source), unit(source)
        self._ends: list[int] = [mark_length(source) - self._width, *newlines(source).tolist(), len(source)]

    @property
    def count(self) -> int:
        """The number of lines. An empty rest after the last line end is not counted."""
        return len(self._ends) - 1 - (self.start(len(self._ends) - 1) == len(self._source))

    def line(self, number: int) -> bytes:
        """A line (1-based) without its ending; empty if there is no such line."""
        return self._shown(self._line(number)).removesuffix(b"\r") if 1 <= number < len(self._ends) else b""

    def _line(self, number: int) -> bytes:
        return self._source[self.start(number) : self._ends[number]]

    def start(self, number: int) -> int:
        """The offset of the first byte of a line (1-based); the end of the text if the number is too high."""
        return self._ends[number - 1] + self._width if number < len(self._ends) else len(self._source)

    def spans(self, number: int, regions: Sequence[Region]) -> list[tuple[int, int]]:
        """The parts of a line (1-based) that these regions match, without the comments in them: byte offsets in the
        line, half-open, ascending. Parts do not touch each other.
        """
        if not regions or not 1 <= number < len(self._ends):
            return []
        start, line, length = self.start(number), self._line(number), len(self.line(number))
        spans: list[tuple[int, int]] = []
        for begin, end in sorted(part for region in regions for part in self._matched(region, start, line)):
            first, last = self._offset(line, begin), min(self._offset(line, end), length)
            if first < last and spans and first <= spans[-1][1]:
                spans[-1] = spans[-1][0], max(spans[-1][1], last)
            elif first < last:
                spans.append((first, last))
        return spans

    def _matched(self, region: Region, start: int, line: bytes) -> Iterator[tuple[int, int]]:
        """The parts of the line at the byte `start` that a region matches: byte offsets in the line, half-open. Gaps
        between tokens belong to the match only if they are blank.
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
        """Converts the offset of a byte in the source's line to its offset in the line in UTF-8."""
        return max(offset, 0) if self._encoding == "utf-8" else len(self._shown(line[: max(offset, 0)]))

    def _shown(self, part: bytes) -> bytes:
        return part if self._encoding == "utf-8" else part.decode(self._encoding, "replace").encode()


class ShownPiece(NamedTuple):
    """A run of visible characters, with the label of the match that it is in, and a color of `Texts.colors`; empty
    for none.
    """

    text: str
    match: str = ""
    color: str = ""


def pieces(line: bytes, matches: Labels, width: int, colors: Labels = ()) -> list[ShownPiece]:
    """A line as visible pieces that take at most `width` columns together, at least 2. Tabs are expanded, control
    characters made visible. `matches` are from `TextLines.spans`, with labels.

    A line that is too long loses its end. It loses its beginning too if its first match would not be shown otherwise.
    """
    shown: list[ShownPiece] = []
    start = 0
    if matches and len(line) > width and matches[0][0] > width // 2:
        start = matches[0][0] - width // 4
        while start < len(line) and 0x80 <= line[start] < 0xC0:
            start += 1
        shown.append(ShownPiece(ELLIPSIS))
    # A UTF-8 character has at most four bytes. This takes one character more than fits, to see that the line goes on.
    end = min(len(line), start + 4 * width + 4)
    used = len(shown)
    parts = (
        (first, last, match, color)
        for match_start, match_end, match in divided(start, end, matches)
        for first, last, color in divided(match_start, match_end, colors)
    )
    if line.isascii() and len(line) <= width and (whole := line.decode()).isprintable():  # as most are
        return [ShownPiece(whole[first:last], match, color) for first, last, match, color in parts]
    for first, last, match, color in parts:
        text, part = "", line[first:last].decode("utf-8", "replace")
        if part.isascii() and part.isprintable() and used + len(part) <= width:
            text, part, used = part, "", used + len(part)
        for character in part:
            cell = " " * (TAB - used % TAB) if character == "\t" else visible(character)
            if used + columns(cell) > width:
                return _cut([*shown, ShownPiece(text, match, color)])
            text += cell
            used += columns(cell)
        shown.append(ShownPiece(text, match, color))
    return shown if end == len(line) else _cut(shown)


def plain(line: bytes, width: int) -> str:
    """A line as visible text in at most `width` columns."""
    return "".join(piece.text for piece in pieces(line, (), width))


def divided(start: int, end: int, parts: Labels) -> Iterator[tuple[int, int, str]]:
    """The range from `start` to `end`, divided at the ends of parts. Each division has its label, or an empty one."""
    at = start
    for first, last, label in parts:
        from_, to = max(first, start), min(last, end)
        if from_ < to:
            if at < from_:
                yield at, from_, ""
            yield from_, to, label
            at = to
    if at < end:
        yield at, end, ""


def _cut(shown: list[ShownPiece]) -> list[ShownPiece]:
    kept = list(shown)
    freed = 0
    # A combining mark takes no column. It is cut together with the character before it.
    while kept and freed == 0:
        last = kept.pop()
        if last.text:
            freed = columns(last.text[-1])
            kept.append(last._replace(text=last.text[:-1]))
    return [*kept, ShownPiece(ELLIPSIS)]


@dataclass(frozen=True, slots=True)
class Hidden:
    """A number of lines that are left out: unmatched lines, or any lines because of a limit."""

    lines: int
    unmatched: bool


_Range: TypeAlias = tuple[int, int]
"""A first and a last line, 1-based and inclusive."""

Cell = int | Hidden | None  # one side of a row: the number of a line (1-based), lines left out, or nothing
Row = tuple[Cell, Cell]  # a cell of the query, and the cell of the document that faces it


def rows(
    pairs: Sequence[RegionPair],
    sides: tuple[TextLines | None, TextLines],
    context: int = CONTEXT,
    most: int | None = MOST_LINES,
    within: tuple[int, int] | None = None,
) -> list[Row]:
    """Both sides of a hit in the order of the query. Matching lines are in the same row, and no line is shown twice.
    The query is None if it is not at hand. `context` lines that do not match are shown before and after matching ones.
    With more than `most` rows (at least 1), rows in the middle are left out, but never a single row. `within` shows
    only the rows around this first and this last line of the query.
    """
    query_text, document_text = sides
    counts = 0 if query_text is None else query_text.count, document_text.count
    shown: list[Row] = []
    for stretch in stretches(pairs, counts, context):
        if stretch.pairs:
            shown += _facing_rows(stretch.query, stretch.document, _facing(stretch.pairs))
        else:
            # The first rows have no match above them, so they begin without context.
            shown += _apart(stretch.query, stretch.document, context if shown else 0, context)
    if within is not None:
        shown = _within(shown, within[0] - context, within[1] + context)
    shown = _without_blank_ends(shown, sides)
    return shown if most is None else _shortened(shown, most)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of both sides that are shown beside each other: their numbers, ascending, without lines that an earlier
    stretch has. A stretch without `pairs` is unmatched: it comes before, between or after matched stretches.
    """

    query: list[int]
    document: list[int]
    pairs: tuple[RegionPair, ...] = ()


def stretches(pairs: Sequence[RegionPair], counts: tuple[int, int], context: int) -> list[Stretch]:
    """The matched stretches in the order of the query, and the unmatched ones before, between and after them. No line
    of a side is in two of them: if one stretch ends on the line on which the next begins, the first one has the line.

    If the document has two matched stretches in another order than the query, the unmatched stretch between them has no
    lines of the document.

    `counts` are the numbers of lines of the query and of the document. Before the first matched stretch and after the
    last one, there are at most `context` lines.
    """
    matched: list[tuple[tuple[_Range, _Range], tuple[RegionPair, ...]]] = []
    for pair in sorted(pairs, key=lambda pair: (pair.query.start_byte, pair.document.start_byte)):
        query, document = ((side.start_line, side.end_line) for side in (pair.query, pair.document))
        if matched:
            (here, there), joined = matched[-1]
            distances = _distance(here, query), _distance(there, document)
            if min(distances) == 0 and max(distances) <= NEAR:
                matched[-1] = (_union(here, query), _union(there, document)), (*joined, pair)
                continue
        matched.append(((query, document), (pair,)))
    if not matched:
        return []
    sides = (_parts([ranges[side] for ranges, _ in matched], count, context) for side, count in enumerate(counts))
    labels = [(), *chain.from_iterable((joined, ()) for _, joined in matched)]
    return [stretch for stretch in map(Stretch, *sides, labels) if stretch.query or stretch.document]


def _parts(ranges: Sequence[_Range], count: int, context: int) -> list[list[int]]:
    """The lines of one side before the first range, in it, between it and the next one, and so on. No line is in two
    parts, and those of a range come first.
    """
    is_left = bytearray(b"\1" * (count + 1))

    def taken(first: int, last: int) -> list[int]:
        numbers = range(max(first, 1), min(last, count) + 1)
        part = slice(numbers.start, numbers.start + len(numbers))
        left = is_left[part]
        is_left[part] = bytes(len(numbers))
        return [*compress(numbers, left)] if 1 in left else []

    begins, group = [first for first, _ in ranges], (0, 0)
    for at in sorted(range(len(ranges)), key=lambda at: ranges[at]):
        first, last = ranges[at]
        # Ranges that share lines are shown in order: the one that is shown first also has what is before it.
        group = (group[0], max(group[1], last)) if first < group[1] else (first, last)
        begins[at] = group[0]
    own = [taken(begin, last) for begin, (_, last) in zip(begins, ranges, strict=True)]
    above = [ranges[0][0] - context - 1, *(last for _, last in ranges)]
    below = [*(first for first, _ in ranges), ranges[-1][1] + context + 1]
    gaps = [taken(last + 1, first - 1) for last, first in zip(above, below, strict=True)]
    return [gaps[0], *chain.from_iterable(zip(own, gaps[1:], strict=True))]


def _distance(one: _Range, other: _Range) -> int:
    return max(one[0] - other[1], other[0] - one[1], 0)


def _union(one: _Range, other: _Range) -> _Range:
    return min(one[0], other[0]), max(one[1], other[1])


def _facing(pairs: Sequence[RegionPair]) -> Iterator[tuple[int, int]]:
    """The lines (query, document) that belong in the same row, ascending on both sides. Of two regions that the sides
    have in different orders, only the longer one counts.
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
    """The lines of both sides, with facing lines in one row. Between two such rows, only the shorter side has gaps."""
    shown: list[Row] = []
    here = there = 0
    for of_query, of_document in facing:
        next_here, next_there = bisect_left(query, of_query, lo=here), bisect_left(document, of_document, lo=there)
        shown += zip_longest(query[here:next_here], document[there:next_there])
        here, there = next_here, next_there
        is_here, is_there = query[here : here + 1] == [of_query], document[there : there + 1] == [of_document]
        if is_here or is_there:
            shown.append((of_query if is_here else None, of_document if is_there else None))
        here, there = here + is_here, there + is_there
    return [*shown, *zip_longest(query[here:], document[there:])]


def _apart(query: list[int], document: list[int], head: int, tail: int) -> list[Row]:
    """Rows of unmatched lines. Both sides begin in one row and end in one row, and a long side loses its middle."""
    top, middle, bottom = _parted(query, head, tail)
    other_top, other_middle, other_bottom = _parted(document, head, tail)
    rise = len(other_bottom) - len(bottom)
    return [
        *zip_longest(top, other_top),
        *([(middle, other_middle)] if middle or other_middle else []),
        *zip_longest([*[None] * rise, *bottom], [*[None] * -rise, *other_bottom]),
    ]


def _parted(numbers: list[int], head: int, tail: int) -> tuple[list[int], Hidden | None, list[int]]:
    hidden = len(numbers) - head - tail
    # A single hidden line is shown, since a note about it would take as much room.
    if hidden <= 1:
        return numbers[:head], None, numbers[head:]
    return numbers[:head], Hidden(hidden, unmatched=True), numbers[len(numbers) - tail :]


def _within(shown: list[Row], first: int, last: int) -> list[Row]:
    """The rows from the first to the last of these lines of the query; all rows if no row has one of them."""
    at = [place for place, (query, _) in enumerate(shown) if isinstance(query, int) and first <= query <= last]
    return shown[at[0] : at[-1] + 1] if at else shown


def _without_blank_ends(shown: list[Row], sides: tuple[TextLines | None, TextLines]) -> list[Row]:
    def is_blank(cell: Cell, text: TextLines | None) -> bool:
        return cell is None or (isinstance(cell, int) and (text is None or not text.line(cell).strip()))

    written = [at for at, row in enumerate(shown) if not all(map(is_blank, row, sides))]
    return shown[written[0] : written[-1] + 1] if written else []


def _shortened(shown: list[Row], most: int) -> list[Row]:
    if len(shown) <= most + 1:
        return shown
    # More of the beginning stays, since it explains more than the end.
    first, last = most - most // 3, len(shown) - most // 3
    while first > 0 and _is_gap(shown[first - 1]):
        first -= 1
    while last < len(shown) and _is_gap(shown[last]):
        last += 1
    query, document = zip(*shown[first:last], strict=True)
    return [*shown[:first], (_left_out(query), _left_out(document)), *shown[last:]]


def _is_gap(row: Row) -> bool:
    return not any(isinstance(cell, int) for cell in row)


def _left_out(cells: Iterable[Cell]) -> Hidden | None:
    lines = sum(cell.lines if isinstance(cell, Hidden) else 1 for cell in cells if cell is not None)
    return Hidden(lines, unmatched=False) if lines else None
