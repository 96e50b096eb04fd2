"""Both sides of a match as a page shows them: lines that match face each other, and what matches is marked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, TypeAlias

from wherefrom.model import Representation
from wherefrom.reports.layout import count
from wherefrom.reports.sides import Cell, Hidden, Row, TextLines, pieces

if TYPE_CHECKING:
    from wherefrom.results import Region, RegionPair

COLUMNS = 160
"""Characters of a line that are shown."""

RENAMED = frozenset({Representation.RENAMED, Representation.P_MATCH})
"""What matches up to names."""


@dataclass(frozen=True, slots=True)
class LinePart:
    """A run of characters of a line.

    Attributes:
        text: visible.
        match: `exact` or `renamed`; empty where it does not match.
        color: as of `Index.highlights`; empty for none.
    """

    text: str
    match: str = ""
    color: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a side, or what is in place of one.

    Attributes:
        number: 1-based; None where this side has no line here, or where lines are left out.
        sign: `=` where all that is marked in it is exact, `≈` where something is renamed; else a blank.
        parts: what is written in it.
    """

    number: int | None
    sign: str
    parts: tuple[LinePart, ...]

    @property
    def runs(self) -> list[tuple[str, list[LinePart]]]:
        """Its parts, those that match alike together."""
        return [(match, [*parts]) for match, parts in groupby(self.parts, attrgetter("match"))]


@dataclass(frozen=True, slots=True)
class Side:
    """One side.

    Attributes:
        title: what it is, such as `here`.
        place: where it is.
        url: of the place; None where only its name is known.
        language: of its text; empty where it is not known.
        lines: those that are shown; None where the text is not at hand.
        is_colored: whether its parts have colors; else the script of a page gives them some.
    """

    title: str
    place: str
    url: str | None
    language: str
    lines: tuple[Line, ...] | None
    is_colored: bool = False


Colors: TypeAlias = "Sequence[tuple[int, int, str]]"
"""The colored stretches of a text, as of `Index.highlights`; empty for none."""


def shown_lines(
    cells: Iterable[Cell], source: TextLines, regions: Sequence[tuple[Region, Representation]], colors: Colors = ()
) -> list[Line]:
    """The cells of one side as lines.

    Args:
        cells: the rows of that side.
        source: its text.
        regions: what matches in it, and how.
        colors: of it.
    """
    return [_line(cell, source, regions, colors) for cell in cells]


def facing(
    shown: Sequence[Row],
    sides: tuple[TextLines, TextLines],
    pairs: Sequence[RegionPair],
    colors: tuple[Colors, Colors] = ((), ()),
) -> tuple[list[Line], list[Line]]:
    """Rows as the lines of both sides.

    Args:
        shown: as of `wherefrom.reports.sides.rows`.
        sides: the text of the query, and that of the document.
        pairs: what matches.
        colors: of the query, and of the document.
    """
    query, document = sides
    here = [(pair.query, pair.representation) for pair in pairs]
    there = [(pair.document, pair.representation) for pair in pairs]
    return (
        shown_lines((row[0] for row in shown), query, here, colors[0]),
        shown_lines((row[1] for row in shown), document, there, colors[1]),
    )


def colors_of_line(number: int, source: TextLines, colors: Colors) -> list[tuple[int, int, str]]:
    """The colored stretches of a line (1-based): byte offsets in it, half-open, ascending."""
    start = source.start(number)
    end = start + len(source.line(number))
    found = []
    for first, last, color in islice(colors, bisect_right(colors, start, key=itemgetter(1)), None):
        if first >= end:
            break
        found.append((max(first, start) - start, min(last, end) - start, color))
    return found


def _line(cell: Cell, source: TextLines, regions: Sequence[tuple[Region, Representation]], colors: Colors) -> Line:
    if cell is None:
        return Line(None, "", ())
    if isinstance(cell, Hidden):
        return Line(None, "…", (LinePart(count(cell.lines, "unmatched line" if cell.unmatched else "more line")),))
    here = [(region, kind) for region, kind in regions if region.start_line <= cell <= region.end_line]
    spans = sorted(_spans(cell, source, here))
    ends = [(first, last) for first, last, _ in spans]
    parts = tuple(
        LinePart(piece.text, "" if piece.span is None else spans[piece.span][2], piece.color)
        for piece in pieces(source.line(cell), ends, COLUMNS, colors_of_line(cell, source, colors))
    )
    if parts and parts[0].match:
        parts = (*_indented(parts[0]), *parts[1:])
    marked = {part.match for part in parts} - {""}
    return Line(cell, "≈" if "renamed" in marked else "=" if marked else " ", parts)


def _indented(first: LinePart) -> Iterator[LinePart]:
    """The first part of a line with its indentation apart: blanks are not what matches."""
    code = first.text.lstrip()
    yield LinePart(first.text[: len(first.text) - len(code)])
    yield replace(first, text=code)


def _spans(
    number: int, source: TextLines, regions: Sequence[tuple[Region, Representation]]
) -> Iterator[tuple[int, int, str]]:
    """What is marked of a line: the spans of what is exact, and of what is renamed beside it."""
    renamed = source.spans(number, [region for region, kind in regions if kind in RENAMED])
    exact = source.spans(number, [region for region, kind in regions if kind not in RENAMED])
    yield from ((first, last, "exact") for first, last in exact)
    for first, last in renamed:
        yield from ((begin, end, "renamed") for begin, end in _without(first, last, exact))


def _without(first: int, last: int, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of a span that are in none of the others, which ascend."""
    for begin, end in spans:
        if begin < last and first < end:
            if first < begin:
                yield first, begin
            first = max(first, end)
    if first < last:
        yield first, last
