"""Reports of posts: one row for each hit of each block of code, and the sites of a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wherefrom.reports.posts import rows, text
from wherefrom.reports.renderer import Renderer, list_formats

if TYPE_CHECKING:
    from wherefrom.posts.search.answers import PostAnswer

RENDERERS: Mapping[str, Renderer[PostAnswer]] = {
    "text": Renderer(text.write),
    "csv": Renderer(rows.write_csv, header=rows.HEADER),
    "jsonl": Renderer(rows.write_lines),
}
"""The formats of a block; the first one is the default."""

SITES = list_formats(text.write_sites, "sites")
