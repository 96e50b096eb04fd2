"""Which posts are looked up, and how."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from wherefrom.errors import UsageError

if TYPE_CHECKING:
    from wherefrom.post_search.results import PostsProgress

PostsFormat = Literal["text", "csv", "jsonl"]

_LISTS = ("sites", "tags", "posts", "without")


@dataclass(frozen=True, kw_only=True)
class PostsOptions:
    """Which imported posts `Index.search_posts` looks up, and how. A block must fit `sites`, `tags` and `posts`.

    Attributes:
        sites: only posts of these hosts; none stands for all.
        tags: only posts whose question has one of these tags; none stands for all.
        posts: only these questions and answers; none stands for all.
        after: only blocks whose `PostBlock.key` is greater: those behind an earlier answer. At least 0.
        limit: hits of each block at most, at least 1.
        without: names of boilerplate sets to leave out.
        unattributed: leave out the locations that name the post.
        progress: called a few times a second, and once at the end.

    Raises:
        UsageError: a number out of its range, or one text where a list belongs.
    """

    sites: Sequence[str] = ()
    tags: Sequence[str] = ()
    posts: Sequence[str] = ()
    after: int = 0
    limit: int = 10
    without: Sequence[str] = ()
    unattributed: bool = False
    progress: Callable[[PostsProgress], None] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in _LISTS:
            value = getattr(self, name)
            if isinstance(value, str | bytes | os.PathLike):
                raise UsageError(f"{name} takes a list, not one value; pass [{os.fspath(value)!r}]")
            object.__setattr__(self, name, tuple(value))
        if self.after < 0:
            raise UsageError(f"after is the key of a block, at least 0, not {self.after}")
        if self.limit < 1:
            raise UsageError(f"the limit is at least 1, not {self.limit}")


@dataclass(frozen=True, kw_only=True)
class PostsReportOptions(PostsOptions):
    """The same for `Index.write_posts_report`.

    Attributes:
        format: how the rows are written, `text`, `csv` or `jsonl`.
    """

    format: PostsFormat = "text"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.format not in get_args(PostsFormat):
            raise UsageError(f"{self.format!r} is not a format; give one of {', '.join(get_args(PostsFormat))}")
