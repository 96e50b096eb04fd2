"""Rows of posts as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from wherefrom.reports.attribution_text import quoted
from wherefrom.reports.cells import guarded
from wherefrom.reports.posts.rows import COLUMNS, values
from wherefrom.results import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wherefrom.posts.search import PostAnswer
    from wherefrom.reports.look import Look


def write(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The rows of a block."""
    for row in values(answer):
        yield _line(map(_cell, row.values()))


def _cell(value: Any) -> str | int | float:
    """A value in CSV: lines as `L3-L9 L12-L12`, other lists with commas, nothing for None."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int() | float():
            return value
        case [[_, _], *_]:
            return " ".join(f"L{first}-L{last}" for first, last in value)
        case list():
            return guarded(", ".join(value))
        case Evidence():
            return guarded(quoted(value))
        case _:
            return guarded(str(value))


def _line(cells: Iterable[str | int | float]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


HEADER = _line(COLUMNS)
"""The first line."""
