"""Rows of posts as JSON Lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from wherefrom.contract import FORMAT
from wherefrom.reports.json import dumps
from wherefrom.reports.posts.rows import values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.post_search import PostAnswer
    from wherefrom.reports.look import Look


def write(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The rows of a block."""
    for row in values(answer):
        evidence = row["evidence"]
        facts = {**row, "evidence": None if evidence is None else asdict(evidence)}
        yield dumps({"format": FORMAT, **facts}, indent=None)
