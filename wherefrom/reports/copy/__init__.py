"""Reports of a copying run."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.reports import data
from wherefrom.reports.copy import text
from wherefrom.reports.renderer import Renderer
from wherefrom.results import CopyReport

RENDERERS: Mapping[str, Renderer[CopyReport]] = {"text": Renderer(text.write), **data.formats()}
"""The formats; the first one is the default."""
