"""The texts that a user gives: queries, and what is left out of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wherefrom.analyzers.analyzed import Analysis, Reading
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.content import is_binary
from wherefrom.analyzers.positions import count_lines
from wherefrom.analyzers.tokens import TokenStream, encode, part
from wherefrom.errors import AnalysisError, BinaryContent, NoSuchLines
from wherefrom.model import StoredBlob
from wherefrom.sources.source import blob_id

MOST_BYTES, MOST_TOKENS = 10_000_000, 2_000_000
"""Bytes and tokens (in prose, letters and digits) of a query at most. A query of so many tokens takes about 1 GB, most
of it while it is parsed, and some minutes."""


_SCRAMBLED_NAME = b"_0x"
"""How the names that javascript-obfuscator makes begin."""


def analyze_query(
    content: bytes,
    *,
    name: str,
    language: str | None = None,
    lines: tuple[int, int] | None = None,
    analyzer: Analyzer | None = None,
    reading: Reading = "likely",
) -> Analysis:
    """Analyzes what a user gives to be looked up, as `analyze_text` does; of `lines` (first and last, from 1,
    inclusive) the tokens are taken.

    Raises:
        AnalysisError: it has more than `MOST_BYTES` or `MOST_TOKENS`; or as `analyze_text`.
        NoSuchLines: it has fewer lines.
        BinaryContent, LanguageError: as `analyze_text`.
    """
    if len(content) > MOST_BYTES:
        raise _too_long(len(content), MOST_BYTES, "bytes")
    if lines is not None and lines[1] > (there := count_lines(content)):
        has = "1 line" if there == 1 else f"{there:,} lines"
        raise NoSuchLines(f"{name} has {has}, so {name_with_lines('', lines)} is not there; name lines that it has")
    analysis = analyze_text(content, name=name, language=language, analyzer=analyzer, reading=reading)
    if lines is not None:
        analysis = replace(analysis, tokens=_on_lines(analysis.tokens, *lines))
    if len(analysis.tokens) > MOST_TOKENS:
        raise _too_long(len(analysis.tokens), MOST_TOKENS, "tokens")
    return analysis


def is_scrambled(content: bytes) -> bool:
    """Whether a query may be a script of javascript-obfuscator, to be read as `unscrambled`: an index has them as they
    are.
    """
    return _SCRAMBLED_NAME in content


def name_with_lines(name: str, lines: tuple[int, int] | None) -> str:
    """What an answer calls a text of that name, of which these lines were looked up: `a.py#L10-L20`."""
    if lines is None:
        return name
    first, last = lines
    return f"{name}#L{first}" if first == last else f"{name}#L{first}-L{last}"


def _on_lines(stream: TokenStream, first: int, last: int) -> TokenStream:
    """The tokens of which at least a part is on these lines."""
    [there] = np.nonzero((stream.end_lines >= first) & (stream.start_lines <= last))
    return part(stream, int(there[0]), int(there[-1]) + 1) if len(there) else part(stream, 0, 0)


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
    """Analyzes a text in any state but a binary one: bytes that are not text have tokens too, of which some appear by
    chance in any large index. Messages call it `name`, whose ending helps to guess the language where none is given.

    Raises:
        BinaryContent: indexing would skip it as binary.
        LanguageError: no language has that name.
        AnalysisError: as `Analyzer.snippet`.
    """
    if is_binary(content):
        raise BinaryContent(f"{name} is binary, not text; give source code or other text")
    return (analyzer or Analyzer()).snippet(content, name=name, language=language, reading=reading)


def stored_text(code: bytes, analysis: Analysis) -> StoredBlob:
    """An analyzed text as an index would store it."""
    return StoredBlob(blob_id(code), analysis.language, len(code), len(analysis.tokens), encode(analysis.tokens))
