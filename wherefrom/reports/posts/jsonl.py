"""Rows of posts as JSON Lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wherefrom.contract import FORMAT
from wherefrom.reports.json import dumps
from wherefrom.reports.posts.rows import values

if TYPE_CHECKING:
    from wherefrom.post_search import PostAnswer


def rows(answer: PostAnswer) -> str:
    """The rows of a block."""
    return "".join(map(_line, values(answer)))


def _line(row: dict[str, Any]) -> str:
    evidence = row["evidence"]
    return dumps({"format": FORMAT, **row, "evidence": None if evidence is None else asdict(evidence)}, indent=None)
