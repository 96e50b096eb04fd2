"""Reports of an indexing run."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.reports import data
from wherefrom.reports.index import text
from wherefrom.reports.renderer import Renderer
from wherefrom.results import IndexReport

RENDERERS: Mapping[str, Renderer[IndexReport]] = {"text": Renderer(text.write), **data.formats()}
"""The formats; the first one is the default."""
