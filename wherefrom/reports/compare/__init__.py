"""Reports of what submissions share with each other."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.reports import data
from wherefrom.reports.compare import csv, text
from wherefrom.reports.renderer import Renderer
from wherefrom.results import Comparison

RENDERERS: Mapping[str, Renderer[Comparison]] = {
    "text": Renderer(text.write),
    **data.formats("compare-result.schema.json"),
    "csv": Renderer(csv.write),
}
"""The formats; the first one is the default."""
