"""Rows of posts as JSON Lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from wherefrom.reports.json import dumps
from wherefrom.reports.posts.rows import values
from wherefrom.support.contract import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.posts.search import PostAnswer
    from wherefrom.reports.look import Look


def write(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The rows of a block."""
    for row in values(answer):
        lines = {key: None if row[key] is None else asdict(row[key]) for key in ("evidence", "hint")}
        yield dumps({"format": FORMAT, **row, **lines}, is_one_line=True)
