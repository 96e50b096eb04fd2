"""Both sides of a match as a page shows them: matching lines face each other, and the matches are marked."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from wherefrom.errors import WherefromError
from wherefrom.model import Representation
from wherefrom.reports.layout import count
from wherefrom.reports.sides import Cell, Hidden, Labels, Row, ShownPiece, TextLines, divided, pieces
from wherefrom.results import Region, RegionPair
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, replace

COLUMNS = 160  # at most this many columns of a line are shown

_WORD = re.compile(rb"\"\"\"|'''|[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|\d[\w.]*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
"""A name or a literal in a line, as `differing` in `compare.js` has it."""

RENAMED = frozenset({Representation.RENAMED, Representation.P_MATCH})
"""The representations that match code even if its names differ."""


class ShownLine(NamedTuple):
    """A line of a side, a filler beside a line of the other side, or a note about lines that are left out.

    Attributes:
        number: the 1-based number of a line; None for a filler or a note.
        sign: `=` if all marks of a line are exact, `≈` if one is renamed, `−` or `+` for a line that only the query or
            only the document has between matching ones, else a blank; `…` for a note.
        parts: the text, whose matches are `exact`, `renamed`, or `≠` and the word that the other side has instead;
            empty for a filler.
    """

    number: int | None
    sign: str
    parts: tuple[ShownPiece, ...]

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One side of a match, as a page shows it."""

    title: str  # a word such as `here`
    place: str  # the path, or repository and path
    url: str | None  # a page with the place; None if there is none
    language: str = ""  # empty if unknown
    lines: tuple[ShownLine, ...] | None = None  # the lines that are shown; None if the text is not at hand
    is_colored: bool = False  # whether the parts have colors; if not, the script of a page adds them


_CLASSES = {"=": "exact", "≈": "renamed", "−": "only", "+": "only"}  # the class of a line with each sign


def code_lines(here: Iterable[ShownLine], there: Iterable[ShownLine] | None = None) -> Markup:
    """The elements of lines, each with its line end; with `there`, of rows of two facing lines. A page has thousands,
    for which a template takes four times as long.
    """
    if there is None:
        shown = "".join(map(_code_line, here))
    else:
        shown = "".join(
            f'<span class="row{" same" if line.text.strip() == other.text.strip() else ""}">'
            f"{_code_line(line)}{_code_line(other)}</span>"
            for line, other in zip(here, there, strict=True)
        )
    return Markup(shown)  # noqa: S704 -- all texts are escaped


def _code_line(line: ShownLine) -> str:
    if line.number is None:
        note = f'<i class="number">{line.sign}</i>{_colored(line.parts)}'
        return f'<span class="left-out">{note}\n</span>' if line.parts else '<span class="filler">\n</span>'
    kind = f' class="{_CLASSES[line.sign]}"' if line.sign in _CLASSES else ""
    code = "".join(_marked(match, _colored(parts)) for match, parts in groupby(line.parts, _match))
    return f'<span{kind}><i class="number">{line.number} {line.sign}</i>{code}\n</span>'


_match = attrgetter("match")


def _colored(parts: Iterable[ShownPiece]) -> str:
    """The texts of parts, which are visible already."""
    shown = ((html.escape(text, quote=False), color) for text, _, color in parts)
    return "".join(f'<b class="{color}">{text}</b>' if color else text for text, color in shown)


def _marked(match: str, text: str) -> str:
    if not match:
        return text
    if match.startswith("≠"):
        text = f'<strong title="on the other side: {escape(visible(match[1:]))}">{text}</strong>'
    return f'<mark class="renamed">{text}</mark>' if match != "exact" else f"<mark>{text}</mark>"


def with_lines(
    side: ShownSide,
    cells: Iterable[Cell],
    source: TextLines,
    regions: Sequence[tuple[Region, Representation]],
    colors: Labels = (),
) -> ShownSide:
    """A side with its lines: `cells` has one for each row. The regions match as their representations say, and the
    `colors` of the text are from `Texts.colors`.
    """
    lines = tuple(_line(cell, source, regions, colors, None) for cell in cells)
    return replace(side, lines=lines, is_colored=bool(colors))


def facing(
    shown: Sequence[Row],
    texts: tuple[TextLines, TextLines],
    pairs: Sequence[RegionPair],
    sides: tuple[ShownSide, ShownSide],
    colors: tuple[Labels, Labels] = ((), ()),
) -> tuple[ShownSide, ShownSide]:
    """Both sides with their lines, those of the query first. The rows are from `wherefrom.reports.sides.rows`, and
    `sides` have no lines yet.
    """
    regions = (
        [(pair.query, pair.representation) for pair in pairs],
        [(pair.document, pair.representation) for pair in pairs],
    )
    made: tuple[list[ShownLine], list[ShownLine]] = [], []
    differs = []
    for row in shown:
        here, there = (text.line(at) if isinstance(at, int) else b"" for at, text in zip(row, texts, strict=True))
        differs.append(here.strip() != there.strip())
        changed = differing(here, there) or (None, None)
        for lines, *values in zip(made, row, texts, regions, colors, changed, strict=True):
            lines.append(_line(*values))
    matched = [at for at, both in enumerate(zip(*made, strict=True)) if any(line.sign in {"=", "≈"} for line in both)]
    for at in range(matched[0], matched[-1]) if matched else ():
        if differs[at]:
            for lines, sign in zip(made, "−+", strict=True):
                if lines[at].sign == " " and lines[at].text.strip():
                    lines[at] = lines[at]._replace(sign=sign)
    return (
        replace(sides[0], lines=tuple(made[0]), is_colored=bool(colors[0])),
        replace(sides[1], lines=tuple(made[1]), is_colored=bool(colors[1])),
    )


def differing(one: bytes, other: bytes) -> tuple[Labels, Labels] | None:
    """The words that differ between two facing lines, each labeled with the word of the other line; None if the lines
    do not have the same number of words.
    """
    if one == other:
        return [], []
    here, there = [*_WORD.finditer(one)], [*_WORD.finditer(other)]
    if len(here) != len(there):
        return None
    changed = [(word, by) for word, by in zip(here, there, strict=True) if word[0] != by[0]]
    return _labeled(changed), _labeled((by, word) for word, by in changed)


def _labeled(changed: Iterable[tuple[re.Match[bytes], re.Match[bytes]]]) -> Labels:
    return [(*word.span(), f"≠{by[0].decode('utf-8', 'replace')}") for word, by in changed]


def readable(read: Callable[..., bytes | None], *arguments: Any) -> bytes | None:
    """The content that `read` returns; None if it cannot be read, for example from a closed index."""
    try:
        return read(*arguments)
    except (WherefromError, OSError):
        return None


def colors_of_line(number: int, source: TextLines, colors: Labels) -> list[tuple[int, int, str]]:
    """The colored parts of a line (1-based): byte offsets from its beginning, half-open, ascending."""
    start, end = source.start(number), source.start(number + 1)
    near = bisect_right(colors, start, key=itemgetter(1)), bisect_left(colors, end, key=itemgetter(0))
    return [(first - start, last - start, color) for first, last, color in colors[slice(*near)]]


def _line(
    cell: Cell,
    source: TextLines,
    regions: Sequence[tuple[Region, Representation]],
    colors: Labels,
    changed: Labels | None,
) -> ShownLine:
    """A cell; `changed` are the words that the facing line has otherwise, None if that is not known."""
    if cell is None:
        return ShownLine(None, "", ())
    if isinstance(cell, Hidden):
        note = count(cell.lines, "unmatched line" if cell.unmatched else "more line")
        return ShownLine(None, "…", (ShownPiece(note),))
    here: tuple[list[Region], list[Region]] = [], []
    for region, representation in regions:
        if region.start_line <= cell <= region.end_line:
            here[representation in RENAMED].append(region)
    exact = source.spans(cell, here[False])
    spans = [(first, last, "exact") for first, last in exact]
    for first, last in source.spans(cell, here[True]):
        for begin, end in _without(first, last, exact):
            # Without a changed word, a line is the same although the names of its match differ.
            kind = "exact" if changed is not None and not changed else "renamed"
            spans += ((at, to, label or kind) for at, to, label in divided(begin, end, changed or ()))
    parts = tuple(pieces(source.line(cell), sorted(spans), COLUMNS, colors_of_line(cell, source, colors)))
    if parts and parts[0].match:
        # The indentation of a line is not marked as matched.
        code = parts[0].text.lstrip()
        blanks = parts[0].text[: len(parts[0].text) - len(code)]
        parts = (ShownPiece(blanks), parts[0]._replace(text=code), *parts[1:])
    marked = {part.match for part in parts} - {""}
    return ShownLine(cell, "≈" if marked - {"exact"} else "=" if marked else " ", parts)


def _without(first: int, last: int, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of a span that lie outside of `spans`, which ascend."""
    for begin, end in spans:
        if begin < last and first < end:
            if first < begin:
                yield first, begin
            first = max(first, end)
    if first < last:
        yield first, last
