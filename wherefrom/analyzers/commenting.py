"""Puts comments around some lines of a file, where they change nothing else in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.tokens import language_at
from wherefrom.errors import UsageError
from wherefrom.languages import LANGUAGES
from wherefrom.languages.language import Lexical
from wherefrom.model import SkipReason
from wherefrom.options import Limits

FARTHEST = 10  # a comment is at most this many lines away from the code that it is about

_MARKS = ("//", "#", "--")  # what begins a comment that ends with its line, those of C first, which others have too


class CommentWords(NamedTuple):
    """The words of comments, line by line, above and below the code that they are about."""

    above: tuple[str, ...]
    below: tuple[str, ...] = ()


class InsertedLines(NamedTuple):
    """Lines to insert before a line, 0-based, of a text. `indent` is the white space before each."""

    line: int
    indent: str
    lines: tuple[str, ...]


class CommentWriter:
    """Finds the places of comments in one file; `lines` are with their ends, and the analyzer tells comments."""

    def __init__(self, analyzer: Analyzer, name: str, lines: Sequence[str], limits: Limits) -> None:
        self._analyzer, self._name, self._lines, self._limits = analyzer, name, lines, limits
        analysis = self._analyzed(lines)
        if isinstance(analysis, SkipReason):
            raise UsageError(f"no comment can be put into this file ({analysis}); write it yourself")
        self._analysis = analysis

    def around(self, first: int, last: int, words: CommentWords) -> list[InsertedLines]:
        """The comments above and below some lines, 0-based and inclusive. Raises UsageError if there is no place for
        them.
        """
        end, top = len(self._lines), int(self._lines[0].startswith("#!"))
        if not top <= first <= last < end:
            raise UsageError("the code is not in the text; ask again")
        indent = re.match(r"[ \t]*", self._lines[first])[0]  # type: ignore[index] # it matches every text
        made = [self._placed(words.above, indent, range(first, max(first - FARTHEST, top) - 1, -1))]
        if words.below:
            made.append(self._placed(words.below, indent, range(last + 1, min(last + 1 + FARTHEST, end) + 1)))
        return made

    def _placed(self, words: Sequence[str], indent: str, places: range) -> InsertedLines:
        for line in places:
            for opening, closing in self._styles(min(line, len(self._lines) - 1)):
                written = tuple(f"{opening} {text} {closing}".rstrip() for text in words)
                if self._is_harmless(line, [f"{indent}{text}" for text in written]):
                    return InsertedLines(line, indent, written)
        raise UsageError("no comment can be put here without changing the code; write it yourself")

    def _styles(self, line: int) -> Iterator[tuple[str, str]]:
        """How comments begin and end in the languages of a line, the inner language first."""
        tokens = self._analysis.tokens
        at = int(tokens.starts.searchsorted(len("".join(self._lines[:line]).encode())))
        inner = language_at(tokens, at) if tokens.languages else self._analysis.language
        for name in dict.fromkeys((inner, self._analysis.language)):
            language = LANGUAGES[name]
            written = language.lexical.comments if isinstance(language.lexical, Lexical) else ()
            forms = [re.compile(form, re.VERBOSE | re.DOTALL) for form in written]
            for mark in _MARKS:
                if any(form.fullmatch(f"{mark} x".encode()) for form in forms):
                    yield mark, ""
            yield from ((opening.decode(), closing.decode()) for opening, closing in language.long_comments)

    def _is_harmless(self, line: int, written: Sequence[str]) -> bool:
        """Whether lines that are inserted are comments, and everything else stays as it is."""
        before = "".join(self._lines[:line])
        if before.rstrip("\r\n").endswith("\\"):
            return False  # the line above goes on, such as that of a macro
        before += "" if not before or before.endswith(("\n", "\r")) else "\n"
        analysis = self._analyzed([before, *(f"{text}\n" for text in written), *self._lines[line:]])
        if isinstance(analysis, SkipReason) or not np.array_equal(analysis.tokens.codes, self._analysis.tokens.codes):
            return False
        at = len(before.encode())
        for text in written:
            begin = at + len(text) - len(text.lstrip())
            at += len(text.encode())
            if not any(start <= begin and at <= end for start, end in analysis.comments):
                return False
            at += 1
        return True

    def _analyzed(self, lines: Sequence[str]) -> Analysis | SkipReason:
        return self._analyzer.file(self._name, "".join(lines).encode(), self._limits)
