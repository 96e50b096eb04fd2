"""Reports of posts: where their code appears, one row for each hit of each block; and what a store of them holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wherefrom.reports import data
from wherefrom.reports.posts import rows, text
from wherefrom.reports.renderer import Renderer

if TYPE_CHECKING:
    from wherefrom.posts.search.answers import PostAnswer
    from wherefrom.posts.store import SiteCounts

RENDERERS: Mapping[str, Renderer[PostAnswer]] = {
    "text": Renderer(text.write),
    "csv": Renderer(rows.write_csv, header=rows.HEADER),
    "jsonl": Renderer(rows.write_lines),
}
"""Of a block; the first one is the default."""

SITES: Mapping[str, Renderer[Sequence[SiteCounts]]] = {"text": Renderer(text.write_sites), **data.list_formats("sites")}
