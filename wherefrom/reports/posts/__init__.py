"""Where the code of posts appears: one row for each hit of each block, in any of the formats of `RENDERERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.reports.posts import csv, jsonl, text

if TYPE_CHECKING:
    from wherefrom.post_search import PostAnswer

__all__ = ["RENDERERS", "Renderer"]


@dataclass(frozen=True, slots=True)
class Renderer:
    """A format.

    Attributes:
        rows: the rows of a block, with their line feeds; nothing where nothing was found.
        header: what stands before the first row.
    """

    rows: Callable[[PostAnswer], str]
    header: str = ""


RENDERERS: Mapping[str, Renderer] = {
    "text": Renderer(text.rows),
    "csv": Renderer(csv.rows, csv.HEADER),
    "jsonl": Renderer(jsonl.rows),
}
