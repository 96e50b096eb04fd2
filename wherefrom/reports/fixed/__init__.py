"""Reports of the places that still have the code that a change fixed."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.reports.fixed import text
from wherefrom.reports.renderer import Renderer, formats, on_use
from wherefrom.results import FixedReport

RENDERERS: Mapping[str, Renderer[FixedReport]] = {
    **formats(text.write),
    "sarif": Renderer(on_use("wherefrom.reports.fixed.sarif")),
}
