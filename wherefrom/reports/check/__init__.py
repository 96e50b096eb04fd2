"""Reports of a check."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports import data
from wherefrom.reports.check import text
from wherefrom.reports.renderer import Renderer, on_use, ready_on_use

RENDERERS: Mapping[str, Renderer[CheckReport]] = {
    "text": Renderer(text.write),
    **data.formats("check-result.schema.json"),
    "html": Renderer(on_use("wherefrom.reports.check.html"), ready=ready_on_use("wherefrom.reports.check.html")),
    "sarif": Renderer(on_use("wherefrom.reports.check.sarif")),
    **{
        name: Renderer(on_use(module), ready=ready_on_use(module))
        for name, module in (
            ("cyclonedx", "wherefrom.reports.check.cyclonedx"),
            ("spdx", "wherefrom.reports.check.spdx"),
        )
    },
}
"""The formats; the first one is the default."""
