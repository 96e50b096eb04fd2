"""The text that a query is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.analyzers.content import is_binary
from wherefrom.errors import BinaryContent
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from wherefrom.analyzers.analysis import Analysis


def analyze_query(
    content: bytes, *, name: str, language: str | None = None, analyzer: Analyzer | None = None
) -> Analysis:
    """Analyzes what a user gives to be looked up, in any state but a binary one: bytes that are not text have tokens
    too, of which some appear by chance in any large index.

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
