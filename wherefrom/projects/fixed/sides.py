"""A changed file in one of its two states: its tokens, its functions, and the lines that name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.positions import encoding
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenClass, TokenStream, part
from wherefrom.model import Hashes
from wherefrom.projects.fixed.differences import hashes
from wherefrom.queries.preparation.imports import declarations

_HEADING = re.compile(r"[A-Za-z_$](?!\w*:$)(?:.*[^;])?$")
"""A line that names what is below it: as git has it one that begins at the margin, and neither a label nor a whole
statement, such as the parameters of a function in the C of before 1989.
"""

_INCLUDED = re.compile(r"\s*#\s*(?:include|import|pragma)\b")
"""A line of the preprocessor that imports something."""


@dataclass(frozen=True)
class Side:
    """A file before or after a change.

    Attributes:
        path: of the file in this state.
        content: all its bytes.
        stream: its tokens.
        language: of the file.
        functions: the half-open token spans of its functions, an outer one before those in it.
    """

    path: str
    content: bytes
    stream: TokenStream
    language: str
    functions: Sequence[tuple[int, int]]

    @staticmethod
    def of(path: str, content: bytes, analyzed: tuple[Analysis, Sequence[tuple[int, int]]]) -> Side:
        """A file that was analyzed."""
        analysis, functions = analyzed
        return Side(path, content, analysis.tokens, analysis.language, functions)

    def hashes(self, k: int) -> Hashes:
        """The k-grams of its tokens."""
        return hashes(self.stream.codes, k)

    def name_of_function(self, begin: int, end: int) -> str:
        """The line on which the function of these tokens is named: that of its first name before a parenthesis."""
        stream = self.stream
        names = (stream.classes[begin:end] == TokenClass.NAME) & kept_names(stream)[begin:end]
        at = begin + int(np.argmax(names)) if np.any(names) else begin
        return self._line(int(stream.start_lines[at])).strip()

    def heading_of(self, at: int) -> str:
        """The last line at or above a token that names what is below it; empty if none does."""
        if not len(self.stream):
            return ""
        last = int(self.stream.start_lines[min(at, len(self.stream) - 1)])
        above = (self._line(number).rstrip() for number in range(last, 0, -1))
        return next((line for line in above if _HEADING.match(line)), "")

    def is_import(self, begin: int, end: int) -> bool:
        """Whether all of these tokens belong to declarations of imports."""
        others = np.flatnonzero(~self._imports[begin:end]) + begin
        return all(_INCLUDED.match(self._line(number)) for number in set(self.stream.start_lines[others].tolist()))

    @cached_property
    def _imports(self) -> NDArray[np.bool_]:
        return declarations(self.stream)

    def _line(self, number: int) -> str:
        """A line, 1-based; empty after the last one."""
        return self._lines[number - 1] if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.content.decode(encoding(self.content), "replace").split("\n")


@dataclass(frozen=True, slots=True)
class Span:
    """The half-open token span `begin` to `end` of a file."""

    side: Side
    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin

    @property
    def codes(self) -> Hashes:
        """The codes of its tokens."""
        return self.side.stream.codes[self.begin : self.end]

    @property
    def tokens(self) -> TokenStream:
        """Its tokens; their places are those in the file. Only of a span that is not empty."""
        return part(self.side.stream, self.begin, self.end)
