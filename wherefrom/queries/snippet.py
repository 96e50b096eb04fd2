"""The texts that a user gives: queries, and what is left out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.analyzers.content import is_binary
from wherefrom.errors import AnalysisError, BinaryContent
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from wherefrom.analyzers.analysis import Analysis


MOST_BYTES, MOST_TOKENS = 10_000_000, 2_000_000
"""Bytes and tokens (in prose, letters and digits) of a query at most. A query of so many tokens takes about 1 GB, most
of it while it is parsed, and some minutes."""


def analyze_query(
    content: bytes, *, name: str, language: str | None = None, analyzer: Analyzer | None = None
) -> Analysis:
    """Analyzes what a user gives to be looked up, as `analyze_text` does, if it is not too long.

    Raises:
        AnalysisError: it has more than `MOST_BYTES` or `MOST_TOKENS`; or as there.
        BinaryContent, LanguageError: as there.
    """
    if len(content) > MOST_BYTES:
        raise _too_long(len(content), MOST_BYTES, "bytes")
    analysis = analyze_text(content, name=name, language=language, analyzer=analyzer)
    if len(analysis.tokens) > MOST_TOKENS:
        raise _too_long(len(analysis.tokens), MOST_TOKENS, "tokens")
    return analysis


def _too_long(count: int, most: int, unit: str) -> AnalysisError:
    return AnalysisError(f"a query has at most {most:,} {unit}, not {count:,}; look up a part of it")


def analyze_text(
    content: bytes, *, name: str, language: str | None = None, analyzer: Analyzer | None = None
) -> Analysis:
    """Analyzes a text in any state but a binary one: bytes that are not text have tokens too, of which some appear by
    chance in any large index.

    Args:
        content: all its bytes.
        name: what messages call it; its ending helps to guess the language.
        language: a name or alias, else guessed.
        analyzer: what analyzes it, kept from one call to the next.

    Raises:
        BinaryContent: indexing would skip it as binary.
        LanguageError: no language has that name.
        AnalysisError: as `Analyzer.snippet`.
    """
    if is_binary(content):
        raise BinaryContent(f"{name} is binary, not text; give source code or other text")
    return (analyzer or Analyzer()).snippet(content, name=name, language=language)
