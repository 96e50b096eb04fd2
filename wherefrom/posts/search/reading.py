"""Analyzes the code of a post as a query, in the language that the author of the post names."""

from __future__ import annotations

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer, ParserDied
from wherefrom.analyzers.cleaning import clean
from wherefrom.analyzers.labels import labelled
from wherefrom.errors import AnalysisError, ExtraMissing, ParseTimeout
from wherefrom.posts.blocks import PostBlock
from wherefrom.posts.search.answers import BlockSkip
from wherefrom.queries.snippet import analyze_query

MOST_ERRORS = 0.2
"""At most this share of a block may fail to parse in the language of its labels or tags. If more fails, the block is
probably something else, such as output or shell commands."""


def analyze_block(block: PostBlock, analyzer: Analyzer) -> Analysis | BlockSkip:
    """Analyzes a block in the language that `language_of` returns. If that fails, returns why the block is skipped."""
    try:
        language = language_of(block, analyzer)
        return analyze_query(block.content, name=block.name, language=language, analyzer=analyzer)
    except (ParserDied, ParseTimeout):
        return BlockSkip.WORKER_DIED
    except AnalysisError:
        return BlockSkip.UNREADABLE


def language_of(block: PostBlock, analyzer: Analyzer) -> str | None:
    """The language that the labels of a block name, or else the tags of its question.

    Returns None if labels and tags name no language, the language's grammar is not installed, or the code is probably
    in another language. The analysis then guesses the language from the code.

    Raises:
        ParserDied, ParseTimeout: the analyzer's process crashed, or took too long.
    """
    label = labelled(block.block.labels) or labelled(block.post.tags)
    content = block.content
    if label in {None, "text"} or content.lstrip().startswith(b"#!") or any(piece.language for piece in clean(content)):
        return None
    try:
        errors = analyze_query(content, name=block.name, language=label, analyzer=analyzer).errors
    except (ParserDied, ParseTimeout):
        raise
    except (AnalysisError, ExtraMissing):
        return None
    return None if errors > MOST_ERRORS * len(content) else label
