"""Reports of a comparison of submissions."""

from __future__ import annotations

from wherefrom.reports.compare import csv, text
from wherefrom.reports.renderer import Renderer, formats

RENDERERS = {**formats(text.write), "csv": Renderer(csv.write)}
