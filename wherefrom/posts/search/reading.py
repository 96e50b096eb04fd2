"""The code of a post as a query: in the language that its author gives it."""

from __future__ import annotations

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer, ParserDied
from wherefrom.analyzers.cleaning import clean
from wherefrom.analyzers.labels import labelled
from wherefrom.errors import AnalysisError, ExtraMissing, ParseTimeout
from wherefrom.posts.blocks import PostBlock
from wherefrom.posts.search.answers import BlockSkip
from wherefrom.queries import analyze_query

MOST_ERRORS = 0.2
"""Share of a block that may not parse in its language. Tags are those of a question, whose blocks hold output and
shell commands as well.
"""


def analyze_block(block: PostBlock, analyzer: Analyzer) -> Analysis | BlockSkip:
    """Analyzes a block in the language of `language_of`, or says why it cannot be analyzed."""
    try:
        language = language_of(block, analyzer)
        return analyze_query(block.content, name=block.name, language=language, analyzer=analyzer)
    except (ParserDied, ParseTimeout):
        return BlockSkip.WORKER_DIED
    except AnalysisError:
        return BlockSkip.UNREADABLE


def language_of(block: PostBlock, analyzer: Analyzer) -> str | None:
    """The language that the labels of a block, else the tags of its question, give it; None where they give none, its
    grammar is not installed, or the block itself says another, so that it is to be guessed.

    Raises:
        ParserDied, ParseTimeout: the process of the analyzer did not survive it.
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
