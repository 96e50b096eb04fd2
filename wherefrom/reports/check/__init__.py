"""Reports of a check."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from wherefrom.errors import ExtraMissing
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.check import text
from wherefrom.reports.renderer import Renderer, formats, made_at, on_use
from wherefrom.support.version import remedy


def _cyclonedx_ready() -> None:
    if find_spec("cyclonedx") is None:
        raise ExtraMissing(f"CycloneDX needs cyclonedx-python-lib, which is not installed; {remedy('sbom')}")
    made_at()


RENDERERS: Mapping[str, Renderer[CheckReport]] = {
    **formats(text.write),
    "agent": Renderer(text.write_agent),
    "html": Renderer(on_use("wherefrom.reports.check.html"), ready=made_at),
    "sarif": Renderer(on_use("wherefrom.reports.sarif", "write_check")),
    "gitlab": Renderer(on_use("wherefrom.reports.sarif", "write_gitlab")),
    "cyclonedx": Renderer(on_use("wherefrom.reports.check.cyclonedx"), ready=_cyclonedx_ready),
    "spdx": Renderer(on_use("wherefrom.reports.check.spdx"), ready=made_at),
}
