"""The answers of a search for the code of posts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from wherefrom.posts.blocks import PostBlock
from wherefrom.results import SearchResult
from wherefrom.support.values import dataclass, field, replace


class BlockSkip(StrEnum):
    """Why a block was not looked up."""

    TOO_SHORT = "too_short"
    BOILERPLATE = "boilerplate"
    """Too little of the block remains after boilerplate is left out."""
    UNREADABLE = "unreadable"
    WORKER_DIED = "worker_died"
    """The analysis of the block crashed, or took too long."""


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """The answer for a block. If the block was not looked up, `result` is None and `skipped` tells why."""

    block: PostBlock
    result: SearchResult | None
    skipped: BlockSkip | None = None


@dataclass(frozen=True, slots=True)
class PostsReport:
    """The counts of a search for the code of posts.

    Attributes:
        searched: blocks that were looked up.
        found: blocks that appear in the index.
        rows: hits of all blocks.
        skipped: blocks that were not looked up, by reason.
    """

    searched: int = 0
    found: int = 0
    rows: int = 0
    skipped: Mapping[BlockSkip, int] = field(default_factory=dict)

    @property
    def blocks(self) -> int:
        """All blocks, looked up or skipped."""
        return self.searched + sum(self.skipped.values())

    def with_answer(self, answer: PostAnswer) -> PostsReport:
        """The counts after one more block."""
        if answer.skipped is not None:
            number = self.skipped.get(answer.skipped, 0) + 1
            return replace(self, skipped={**self.skipped, answer.skipped: number})
        hits = len(answer.result.hits) if answer.result else 0
        return replace(self, searched=self.searched + 1, found=self.found + bool(hits), rows=self.rows + hits)


@dataclass(frozen=True, slots=True)
class PostsProgress:
    """The progress of a search: the counts so far, the number of all selected blocks, and the seconds of this run."""

    report: PostsReport
    total: int
    seconds: float
