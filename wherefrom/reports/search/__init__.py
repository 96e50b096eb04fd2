"""Reports of a search for code, and of a search for similar files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wherefrom.reports.json import dumps
from wherefrom.reports.renderer import JSON, Renderer
from wherefrom.reports.search import csv, short, text
from wherefrom.results import SearchResult

RENDERERS: Mapping[str, Renderer[SearchResult]] = {
    "text": Renderer(text.write, separator="\n"),
    "json": JSON,
    "jsonl": Renderer(lambda result, _look: [dumps(result.to_dict(), is_one_line=True)]),
    "csv": Renderer(csv.write, header=csv.HEADER),
}
"""The formats; the first one is the default."""

SHORT_FORMS: Mapping[str, Callable[[], Renderer[SearchResult]]] = {
    "--brief": short.brief,
    "--locations": short.locations,
    "--count": short.count,
}
"""The short forms of `text`, by flag. Each run makes a new renderer, since `--locations` remembers what it wrote."""
