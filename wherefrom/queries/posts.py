"""Looking up code out of posts: the language that its author gives it, and what is not worth a look."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.labels import labelled
from wherefrom.analyzers.snippets import clean

if TYPE_CHECKING:
    from wherefrom.posts import PostBlock
    from wherefrom.results import SearchResult

MOST_ERRORS = 0.2
"""Share of a block that may not parse in the language that it is said to be in. Tags are those of a question: its
blocks hold output and shell commands as well, and answers are written in other languages than the one asked for.
"""


class BlockSkip(StrEnum):
    """Why nothing is said of a block."""

    TOO_SHORT = "too_short"
    BOILERPLATE = "boilerplate"
    """All of it is in the sets that are left out."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """What was found of a block; `result` is None where the block is `skipped`."""

    block: PostBlock
    result: SearchResult | None
    skipped: BlockSkip | None = None


def language_of(block: PostBlock) -> str | None:
    """The language that the labels of a block, else the tags of its question, give it; None where they give none, or
    the block itself says another, so that it is to be guessed.
    """
    said = labelled(block.block.labels) or labelled(block.post.tags)
    content = encoded(block)
    if said in {None, "text"} or content.lstrip().startswith(b"#!") or clean(content).language is not None:
        return None
    errors = analyze_snippet(content, language=said).errors
    return None if errors > MOST_ERRORS * len(content) else said


def encoded(block: PostBlock) -> bytes:
    """The code as bytes; half a character, which JSON may hold, is replaced."""
    return block.block.text.encode("utf-8", "replace")


def skip_of(result: SearchResult) -> BlockSkip | None:
    """Why a block was not looked up, None where it was."""
    query = result.query
    if query.needed is not None:
        return BlockSkip.TOO_SHORT
    if not query.fingerprints and query.excluded.get("boilerplate"):
        return BlockSkip.BOILERPLATE
    return None
