"""The code of a post as a query: in the language that its author gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.analyzers.cleaning import clean
from wherefrom.analyzers.labels import labelled
from wherefrom.errors import AnalysisError, ExtraMissing
from wherefrom.queries import analyze_query

if TYPE_CHECKING:
    from wherefrom.analyzers.analysis import Analysis
    from wherefrom.posts import PostBlock

MOST_ERRORS = 0.2
"""Share of a block that may not parse in the language that it is said to be in. Tags are those of a question: its
blocks hold output and shell commands as well, and answers are written in other languages than the one asked for.
"""


def analyze_block(block: PostBlock) -> Analysis | None:
    """Analyzes a block in the language of `language_of`; None if it cannot be analyzed.

    All parsing of a search for posts is behind this function, which a worker process runs: anybody wrote the code.
    """
    try:
        return analyze_query(block.content, name=block.name, language=language_of(block))
    except AnalysisError:
        return None


def language_of(block: PostBlock) -> str | None:
    """The language that the labels of a block, else the tags of its question, give it; None where they give none, its
    grammar is not installed, or the block itself says another, so that it is to be guessed.
    """
    said = labelled(block.block.labels) or labelled(block.post.tags)
    content = block.content
    if said in {None, "text"} or content.lstrip().startswith(b"#!") or clean(content).language is not None:
        return None
    try:
        errors = analyze_query(content, name=block.name, language=said).errors
    except (AnalysisError, ExtraMissing):
        return None
    return None if errors > MOST_ERRORS * len(content) else said
