"""Rows of posts as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.reports.cells import cell, row
from wherefrom.reports.posts.rows import COLUMNS, values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.posts.search import PostAnswer
    from wherefrom.reports.look import Look

HEADER = row(COLUMNS)
"""The first line."""


def write(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The rows of a block."""
    for found in values(answer):
        yield row(map(cell, found.values()))
