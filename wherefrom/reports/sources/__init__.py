"""Reports of what a file is made of."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.reports import json
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.sources import text
from wherefrom.results import SourcesResult

RENDERERS: Mapping[str, Renderer[SourcesResult]] = {
    "text": Renderer(text.write),
    "json": Renderer(json.write, schema="sources-result.schema.json"),
}
"""The formats; the first one is the default."""
