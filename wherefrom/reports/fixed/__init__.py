"""Reports of who still has the code that a change fixed."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.reports import data
from wherefrom.reports.fixed import text
from wherefrom.reports.renderer import Renderer, on_use
from wherefrom.results import FixedReport

RENDERERS: Mapping[str, Renderer[FixedReport]] = {
    "text": Renderer(text.write),
    **data.formats("fixed-result.schema.json"),
    "sarif": Renderer(on_use("wherefrom.reports.fixed.sarif")),
}
"""The formats; the first one is the default."""
