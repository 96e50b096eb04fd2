"""The lines of a text as an editor counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from lsprotocol.types import Position, PositionEncodingKind, Range

_LINE_END = re.compile(r"\r\n|\n|\r")

_CODECS = {PositionEncodingKind.Utf8: ("utf-8", 1), PositionEncodingKind.Utf32: ("utf-32-le", 4)}
"""The codec of each encoding of positions but UTF-16, and the bytes of a unit."""


class EditorText:
    """A text, whose positions count the units of an encoding.

    Attributes:
        text: the text; surrogates without a partner are replaced.
        lines: its lines with their ends, at least one.
    """

    def __init__(self, text: str, encoding: PositionEncodingKind | str | None = None) -> None:
        self.text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        self._codec, self._width = next((_CODECS[kind] for kind in _CODECS if kind == encoding), ("utf-16-le", 2))
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(self.text))]
        self.lines = [self.text[begin:end] for begin, end in pairwise([*self._starts, len(self.text)])]

    @property
    def line_end(self) -> str:
        """The end of its first line that has one, else a line feed."""
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"

    def line_at(self, offset: int) -> int:
        """The line with a character, 0-based."""
        return bisect_right(self._starts, offset) - 1

    def position(self, offset: int) -> Position:
        """The position of a character."""
        line = self.line_at(offset)
        before = self.text[self._starts[line] : offset]
        return Position(line, len(before.encode(self._codec)) // self._width)

    def range(self, start: int, end: int) -> Range:
        """The range of some characters."""
        return Range(self.position(start), self.position(end))


def line_numbers(of: Range) -> tuple[int, int]:
    """The first and the last line of a range, 0-based. A range that ends at the beginning of a line excludes it."""
    is_before = of.end.character == 0 and of.end.line > of.start.line
    return of.start.line, of.end.line - is_before
