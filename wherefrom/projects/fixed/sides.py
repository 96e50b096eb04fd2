"""A changed file in one of its two states: its tokens, its functions, and the lines that name them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.analyzers.positions import encoding
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenClass, part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wherefrom.analyzers.analyzed import Analysis
    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.model import Hashes

_HEADING = re.compile(r"[A-Za-z_$](?!\w*:$)(?:.*[^;])?$")
"""A line that names what is below it: as git has it one that begins at the margin, and neither a label nor a whole
statement, such as the parameters of a function in the C of before 1989.
"""

_IMPORT = re.compile(
    r"\s*(?:#\s*(?:include|import|pragma)\b|import\b|from\b.*\bimport\b|(?:pub\s+)?use\b|using\b|package\b|require\b"
    r"|require_once\b|include\b|module\b|export\b.*\bfrom\b|(?:const|let|var)\b.*\brequire\(|\}\s*from\b)"
)

_LONGEST_IMPORT = 1000
"""Tokens of one import in brackets, up to which it is seen that what is in it is imported."""


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
        """Whether these tokens only import something: by the lines that they are on, or in whose brackets they are."""
        lines = self.stream.start_lines
        firsts = dict(zip(lines[begin:end][::-1].tolist(), range(end - 1, begin - 1, -1), strict=True))
        return all(
            _IMPORT.match(self._line(number)) or _IMPORT.match(self._line(self._line_of_bracket(first)))
            for number, first in firsts.items()
        )

    def _line_of_bracket(self, at: int) -> int:
        """The line of the bracket that a token is in, or that of the token before it which a backslash continues."""
        depth = 0
        for token in range(at - 1, max(at - _LONGEST_IMPORT, 0) - 1, -1):
            symbol = self.content[int(self.stream.starts[token]) : int(self.stream.ends[token])]
            depth += (symbol in {b")", b"]", b"}"}) - (symbol in {b"(", b"[", b"{"})
            if depth < 0:
                return int(self.stream.start_lines[token])
        number = int(self.stream.start_lines[at])
        while number > 1 and self._line(number - 1).rstrip().endswith("\\"):
            number -= 1
        return number

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


def hashes(codes: Hashes, k: int) -> Hashes:
    """The k-grams of some tokens, none where there are fewer than k."""
    return kgram_hashes(codes, k) if len(codes) >= k else np.empty(0, np.uint64)
