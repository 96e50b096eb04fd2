"""Reports of what a file is made of."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.reports import data
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.sources import text
from wherefrom.results import SourcesResult

RENDERERS: Mapping[str, Renderer[SourcesResult]] = {
    "text": Renderer(text.write),
    **data.formats("sources-result.schema.json"),
}
"""The formats; the first one is the default."""
