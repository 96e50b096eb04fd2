"""Analyzes the texts that a user gives: queries and boilerplate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wherefrom.analyzers.analyzed import Analysis, Reading
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.content import is_binary
from wherefrom.analyzers.positions import count_lines
from wherefrom.analyzers.tokens import encode, part
from wherefrom.errors import AnalysisError, BinaryContent, NoSuchLines
from wherefrom.model import StoredBlob
from wherefrom.sources.source import blob_id

MOST_BYTES, MOST_TOKENS = 10_000_000, 2_000_000
"""A query has at most this many bytes and this many tokens (in prose, letters and digits). The largest query takes some
minutes and about 1 GB, mostly for parsing."""

_SCRAMBLED_NAME = b"_0x"
"""The names that javascript-obfuscator makes begin with this."""


def analyze_query(
    content: bytes,
    *,
    name: str,
    language: str | None = None,
    lines: tuple[int, int] | None = None,
    analyzer: Analyzer | None = None,
    reading: Reading = "likely",
) -> Analysis:
    """Analyzes a query, as `analyze_text` does. Keeps only the tokens on `lines` (first and last, from 1, inclusive).

    Raises:
        AnalysisError: the query has more than `MOST_BYTES` or `MOST_TOKENS`; or as `analyze_text`.
        NoSuchLines: the query has fewer lines.
        BinaryContent, LanguageError: as `analyze_text`.
    """
    if len(content) > MOST_BYTES:
        raise _too_long(len(content), MOST_BYTES, "bytes")
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


def is_scrambled(content: bytes) -> bool:
    """Whether a query may be a script of javascript-obfuscator. Then it is read as `unscrambled` as well."""
    return _SCRAMBLED_NAME in content


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
    reading: Reading = "likely",
) -> Analysis:
    """Analyzes a text in any state, broken code included. `name` is used in messages, and helps to guess the language.

    Raises:
        BinaryContent: the content is binary. Its tokens would match any large index by chance.
        LanguageError: no language has that name.
        AnalysisError: as `Analyzer.snippet`.
    """
    if is_binary(content):
        raise BinaryContent(f"{name} is binary, not text; give source code or other text")
    return (analyzer or Analyzer()).snippet(content, name=name, language=language, reading=reading)


def stored_text(code: bytes, analysis: Analysis) -> StoredBlob:
    """An analyzed text as an index would store it."""
    return StoredBlob(blob_id(code), analysis.language, len(code), len(analysis.tokens), encode(analysis.tokens))
