"""Reports of a check."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports import data
from wherefrom.reports.check import text
from wherefrom.reports.dates import made_at
from wherefrom.reports.renderer import Renderer, on_use

_CYCLONEDX = "wherefrom.reports.check.cyclonedx"

RENDERERS: Mapping[str, Renderer[CheckReport]] = {
    "text": Renderer(text.write),
    **data.formats("check-result.schema.json"),
    "html": Renderer(on_use("wherefrom.reports.check.html"), ready=made_at),
    "sarif": Renderer(on_use("wherefrom.reports.check.sarif")),
    "cyclonedx": Renderer(on_use(_CYCLONEDX), ready=on_use(_CYCLONEDX, "ready")),
    "spdx": Renderer(on_use("wherefrom.reports.check.spdx"), ready=made_at),
}
"""The formats; the first one is the default."""
