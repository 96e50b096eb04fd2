"""The readings of a snippet: the languages and the kinds of text that it is looked up as.

A search tries one after the other until enough is found. Fingerprints are made of all of them, since whoever looks them
up cannot read the snippet again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from wherefrom.analyzers import analyzed
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.errors import AnalysisError
from wherefrom.languages import LANGUAGES
from wherefrom.model import Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.snippet import analyze_query, is_scrambled

MOST_READ_AGAIN = 20_000
"""Queries of at most this many bytes are read as prose and as code. The kind of a longer query is clear."""


class Reading(NamedTuple):
    """A snippet as it was read, and the window w' to look it up with (as `SearchOptions.window`)."""

    snippet: Analysis
    window: int | None


class Readings:
    """The readings of a snippet. A method reads the snippet only when the caller takes its next reading.

    Attributes:
        likely: the likeliest reading.
        is_guessed_code: whether it is code, in a language that was guessed.

    Raises:
        AnalysisError, NoSuchLines, BinaryContent, LanguageError: as `analyze_query`.
    """

    def __init__(self, code: bytes, options: SearchOptions, analyzer: Analyzer) -> None:
        self._code, self._options = code, options
        self._read = partial(analyze_query, code, name=options.name, lines=options.lines, analyzer=analyzer)
        self.likely = Reading(self._read(language=options.language), options.window)
        self.is_guessed_code = options.language is None and bool(LANGUAGES[self.likely.snippet.language].grammar)

    def rivals(self) -> Iterator[Reading]:
        """In other languages that are about as likely."""
        for language in self.likely.snippet.rivals if self.is_guessed_code else ():
            yield self._in(language)

    def unlikely(self, first: str | None = None) -> Iterator[Reading]:
        """In languages that are less likely; `first` is one that the index suggests."""
        tried = {self.likely.snippet.language, *self.likely.snippet.rivals}
        others = dict.fromkeys((*([first] if first else []), *self.likely.snippet.unlikely))
        for language in others if self.is_guessed_code else ():
            if language not in tried:
                yield self._in(language)

    def unscrambled(self) -> Iterator[Reading]:
        """As the code that an obfuscated script was made from, if it is one."""
        if is_scrambled(self._code):
            snippet = self._read(language=self._options.language, reading="unscrambled")
            yield Reading(snippet, self._options.window)

    def of_other_kind(self) -> Iterator[Reading]:
        """As prose if it is likely code, and as code if it is likely prose.

        Prose is indexed by its letters, with the tables and code in it; fenced blocks are indexed as code, with
        comments. A piece of one kind may look like the other.
        """
        if self._options.language is not None or len(self._code) > MOST_READ_AGAIN:
            return
        kind: analyzed.Reading = "prose" if LANGUAGES[self.likely.snippet.language].grammar else "code"
        # A window that is wide enough for code may be too small for prose.
        window = self._options.window
        is_enough = window is not None and window >= SCHEMES[Representation.TEXT].w
        with suppress(AnalysisError):  # such as a parser that fails on the text
            yield Reading(self._read(reading=kind), window if is_enough else None)

    def every(self) -> Iterator[Reading]:
        """All readings, in the order of a search."""
        yield self.likely
        for others in (self.rivals, self.unlikely, self.unscrambled, self.of_other_kind):
            yield from others()

    def _in(self, language: str) -> Reading:
        return Reading(self._read(language=language), self._options.window)
