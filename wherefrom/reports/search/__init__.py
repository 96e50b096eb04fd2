"""Reports of a search for code, and of a search for similar files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from wherefrom.reports.hit_fields import FIELDS, found_places
from wherefrom.reports.renderer import JSON, Look, Renderer, cell, dumps, row
from wherefrom.reports.search import text
from wherefrom.results import SearchResult

_FIELDS = [field for field in FIELDS if "code" in field.csv]

COLUMNS = ("query", *(field.name for field in _FIELDS))  # the columns of CSV


def _write_csv(result: SearchResult, _look: Look) -> Iterator[str]:
    for found in found_places(result):
        yield row(map(cell, (result.query.name, *(field.value(found) for field in _FIELDS))))


RENDERERS: Mapping[str, Renderer[SearchResult]] = {
    "text": Renderer(text.write, separator="\n"),
    "json": JSON,
    "jsonl": Renderer(lambda result, _look: [dumps(result.to_dict(), is_one_line=True)]),
    "csv": Renderer(_write_csv, header=row(COLUMNS)),
}

SHORT_FORMS: Mapping[str, Callable[[], Renderer[SearchResult]]] = {
    "--brief": text.brief_lines,
    "--locations": text.location_lines,
    "--count": text.location_count,
}
"""The short forms of `text`, by flag. Each run makes a new renderer, since `--locations` remembers what it wrote."""
