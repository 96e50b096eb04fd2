"""What a search for the code of posts answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from wherefrom.posts.blocks import PostBlock
from wherefrom.results import SearchResult


class BlockSkip(StrEnum):
    """Why a block was not looked up."""

    TOO_SHORT = "too_short"
    BOILERPLATE = "boilerplate"
    """All of it is in the sets that are left out, or what remains is too short."""
    UNREADABLE = "unreadable"
    WORKER_DIED = "worker_died"
    """Its analysis crashed, or took too long."""


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """What was found of a block; `result` is None where the block is `skipped`."""

    block: PostBlock
    result: SearchResult | None
    skipped: BlockSkip | None = None


@dataclass(frozen=True, slots=True)
class PostsReport:
    """What a search for the code of posts came to.

    Attributes:
        searched: blocks that were looked up.
        found: how many of these appear in the index.
        rows: the hits of all of them.
        skipped: blocks that were not looked up, by the reason.
    """

    searched: int = 0
    found: int = 0
    rows: int = 0
    skipped: Mapping[BlockSkip, int] = field(default_factory=dict)

    @property
    def blocks(self) -> int:
        """Blocks in all."""
        return self.searched + sum(self.skipped.values())

    def with_answer(self, answer: PostAnswer) -> PostsReport:
        """The same with one more block."""
        if answer.skipped is not None:
            number = self.skipped.get(answer.skipped, 0) + 1
            return replace(self, skipped={**self.skipped, answer.skipped: number})
        hits = len(answer.result.hits) if answer.result else 0
        return replace(self, searched=self.searched + 1, found=self.found + bool(hits), rows=self.rows + hits)


@dataclass(frozen=True, slots=True)
class PostsProgress:
    """The progress of a search: what it came to so far, how many blocks are selected in all, seconds of this run."""

    report: PostsReport
    total: int
    seconds: float
