"""A changed file before or after the change: its tokens, its functions, and the lines that name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.positions import encoding
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenClass, TokenStream, part
from wherefrom.model import Hashes
from wherefrom.queries.preparation.quiet import declarations

_HEADING = re.compile(r"[A-Za-z_$](?!\w*:$)(?:.*[^;])?$")
"""A line that names the code below it. As in git, it begins at the margin. It is neither a label nor a whole statement,
such as a parameter of a function in C before 1989."""

_INCLUDED = re.compile(r"\s*#\s*(?:include|import|pragma)\b")
"""A line of the C preprocessor that imports something."""


@dataclass(frozen=True)
class FileSide:
    """A file before or after a change.

    Attributes:
        path: its path in this state.
        content: all its bytes.
        stream: its tokens.
        language: its language.
        functions: the half-open token spans of its functions, each before the functions inside it.
    """

    path: str
    content: bytes
    stream: TokenStream
    language: str
    functions: Sequence[tuple[int, int]]

    def name_of_function(self, begin: int, end: int) -> str:
        """The line that names the function of these tokens: the one with the first name before a parenthesis."""
        stream = self.stream
        names = (stream.classes[begin:end] == TokenClass.NAME) & kept_names(stream)[begin:end]
        at = begin + int(np.argmax(names)) if np.any(names) else begin
        return self._line(int(stream.start_lines[at])).strip()

    def heading_of(self, at: int) -> str:
        """The last line at or above a token that names the code below it; empty if there is none."""
        if not len(self.stream):
            return ""
        last = int(self.stream.start_lines[min(at, len(self.stream) - 1)])
        above = (self._line(number).rstrip() for number in range(last, 0, -1))
        return next((line for line in above if _HEADING.match(line)), "")

    def is_import(self, begin: int, end: int) -> bool:
        """Whether all of these tokens are part of imports."""
        others = np.flatnonzero(~self._imports[begin:end]) + begin
        return all(_INCLUDED.match(self._line(number)) for number in set(self.stream.start_lines[others].tolist()))

    @cached_property
    def _imports(self) -> NDArray[np.bool_]:
        return declarations(self.stream)

    def _line(self, number: int) -> str:
        """A line by its number (1-based); empty after the last line."""
        return self._lines[number - 1] if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.content.decode(encoding(self.content), "replace").split("\n")


Sides: TypeAlias = "tuple[FileSide | None, FileSide | None]"
"""A file before and after a change; None if it does not exist then."""


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """A half-open span of the tokens of a file."""

    side: FileSide
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
        """Its tokens, at their positions in the file. The span must not be empty."""
        return part(self.side.stream, self.begin, self.end)
