"""Analyzes the texts that a user gives: queries and boilerplate.

A search tries one reading of a query after the other until enough is found. Fingerprints are made of all readings,
since whoever looks them up cannot read the snippet again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from wherefrom.analyzers import analyzed
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.containers import fences
from wherefrom.analyzers.content import is_binary
from wherefrom.analyzers.tokens import TokenStream, encode, part
from wherefrom.errors import AnalysisError, BinaryContent, NoSuchLines
from wherefrom.languages import LANGUAGES
from wherefrom.model import StoredBlob
from wherefrom.options import SearchOptions
from wherefrom.sources.source import blob_id
from wherefrom.support.positions import count_lines

MOST_QUERIED, MOST_TOKENS = 10_000_000, 2_000_000
"""A query has at most this many bytes and this many tokens (in prose, letters and digits). The largest query takes some
minutes and about 1 GB, mostly for parsing."""


def analyze_query(
    content: bytes,
    *,
    name: str,
    language: str | None = None,
    lines: tuple[int, int] | None = None,
    analyzer: Analyzer | None = None,
    reading: analyzed.Reading = "likely",
) -> Analysis:
    """Analyzes a query, as `analyze_text` does. Keeps only the tokens on `lines` (first and last, from 1, inclusive).
    Raises AnalysisError as `analyze_text`, and for more than `MOST_QUERIED` or `MOST_TOKENS`; NoSuchLines if the query
    has fewer lines; BinaryContent or LanguageError as `analyze_text`.
    """
    if len(content) > MOST_QUERIED:
        raise _too_long(len(content), MOST_QUERIED, "bytes")
    if lines is not None and lines[1] > (count := count_lines(content)):
        has = "1 line" if count == 1 else f"{count:,} lines"
        raise NoSuchLines(f"{name} has {has}, so {name_with_lines('', lines)} is not there; name lines that it has")
    analysis = analyze_text(content, name=name, language=language, analyzer=analyzer, reading=reading)
    if lines is not None:
        tokens = analysis.tokens
        inside = np.flatnonzero((tokens.end_lines >= lines[0]) & (tokens.start_lines <= lines[1]))
        begin, end = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (0, 0)
        analysis = replace(analysis, tokens=part(tokens, begin, end))
    if len(analysis.tokens) > MOST_TOKENS:
        raise _too_long(len(analysis.tokens), MOST_TOKENS, "tokens")
    return analysis


def name_with_lines(name: str, lines: tuple[int, int] | None) -> str:
    """The name of a query in an answer, with its lines if only some were looked up: `a.py#L10-L20`."""
    if lines is None:
        return name
    first, last = lines
    return f"{name}#L{first}" if first == last else f"{name}#L{first}-L{last}"


def _too_long(count: int, most: int, unit: str) -> AnalysisError:
    return AnalysisError(f"a query has at most {most:,} {unit}, not {count:,}; look up a part of it")


def analyze_text(
    content: bytes,
    *,
    name: str,
    language: str | None = None,
    analyzer: Analyzer | None = None,
    reading: analyzed.Reading = "likely",
) -> Analysis:
    """Analyzes a text in any state, broken code included. `name` is used in messages, and helps to guess the language.
    Raises BinaryContent if the content is binary, since its tokens would match any large index by chance; LanguageError
    if no language has that name; AnalysisError as `Analyzer.snippet`.
    """
    if is_binary(content):
        raise BinaryContent(f"{name} is binary, not text; give source code or other text")
    return (analyzer or Analyzer()).snippet(content, name=name, language=language, reading=reading)


def stored_text(code: bytes, analysis: Analysis) -> StoredBlob:
    """An analyzed text as an index would store it."""
    return StoredBlob(blob_id(code), analysis.language, len(code), len(analysis.tokens), encode(analysis.tokens))


MOST_READ_AGAIN = 20_000  # longer queries (in bytes) are not read as prose and as code: their kind is clear


class Reading(NamedTuple):
    """A snippet as it was read."""

    snippet: Analysis
    # the tokens of the same text as code, if it is read as prose although it is likely code
    code: TokenStream | None = None


class Readings:
    """The readings of a snippet: the `likely` one, and others, which are read only when the caller takes them.
    `is_guessed_code` tells whether that is code, in a language that was guessed. Raises errors as `analyze_query`.
    """

    def __init__(self, code: bytes, options: SearchOptions, analyzer: Analyzer) -> None:
        self._code, self._options = code, options
        self._read = partial(analyze_query, code, name=options.name, lines=options.lines, analyzer=analyzer)
        self.likely = Reading(self._read(language=options.language))
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

    def of_other_kind(self) -> Iterator[Reading]:
        """As prose if it is likely code, and as code if it is likely prose. With fences, also as prose without fences.

        Prose is indexed by its letters, with the tables and code in it, and so are the insides of literals and
        comments. Fenced blocks are indexed as code, but not those in a literal or comment. A piece of one kind may look
        like the other.
        """
        if self._options.language is not None or len(self._code) > MOST_READ_AGAIN:
            return
        is_code = bool(LANGUAGES[self.likely.snippet.language].grammar)
        as_code = self.likely.snippet.tokens if is_code else None
        reads = [partial(self._read, reading="prose" if is_code else "code")]
        if any(fences(self._code)):
            reads.append(partial(self._read, language="text"))
        for read in reads:
            with suppress(AnalysisError):  # such as a parser that fails on the text
                yield Reading(read(), as_code)

    def every(self) -> Iterator[Reading]:
        """All readings, in the order of a search."""
        yield self.likely
        for others in (self.rivals, self.unlikely, self.of_other_kind):
            yield from others()

    def _in(self, language: str) -> Reading:
        return Reading(self._read(language=language))
