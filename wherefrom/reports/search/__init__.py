"""Reports of a search for code, and of a search for similar files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wherefrom.reports import json
from wherefrom.reports.renderer import Renderer, as_json
from wherefrom.reports.search import csv, short, text
from wherefrom.results import SearchResult

_SCHEMA = "search-result.schema.json"

RENDERERS: Mapping[str, Renderer[SearchResult]] = {
    "text": Renderer(text.write, separator="\n"),
    "json": as_json(_SCHEMA),
    "jsonl": Renderer(json.write_line, schema=_SCHEMA),
    "csv": Renderer(csv.write, header=csv.HEADER),
}
"""The formats; the first one is the default."""

SHORT_FORMS: Mapping[str, Callable[[], Renderer[SearchResult]]] = {
    "--brief": short.brief,
    "--locations": short.locations,
    "--count": short.count,
}
"""The short forms of `text`, by flag. Each run makes a new renderer, since `--locations` remembers what it wrote."""
