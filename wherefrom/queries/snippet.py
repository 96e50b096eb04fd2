"""The text that a query is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.content import is_binary
from wherefrom.errors import BinaryContent

if TYPE_CHECKING:
    from wherefrom.analyzers.analysis import Analysis


def analyze_query(content: bytes, *, name: str, language: str | None = None) -> Analysis:
    """Analyzes what a user gives to be looked up, in any state but a binary one: bytes that are not text have tokens
    too, of which some appear by chance in any large index.

    Args:
        content: all its bytes.
        name: what messages call it; its ending helps to guess the language.
        language: a name or alias, else guessed.

    Raises:
        BinaryContent: indexing would skip it as binary.
        LanguageError: no language has that name.
        GrammarError: a grammar is not installed.
    """
    if is_binary(content):
        raise BinaryContent(f"{name} is binary, not text; give source code or other text")
    return analyze_snippet(content, name=name, language=language)
