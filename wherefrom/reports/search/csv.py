"""Writes CSV: one row for each location of each hit."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.reports.cells import cell, row
from wherefrom.reports.hit_fields import FIELDS, found_places
from wherefrom.reports.look import Look
from wherefrom.results import SearchResult

_FIELDS = [field for field in FIELDS if field.csv]

COLUMNS = ("query", *(field.name for field in _FIELDS))

HEADER = row(COLUMNS)


def write(result: SearchResult, _look: Look) -> Iterator[str]:
    """The rows of an answer. Each row has the figures of its location."""
    for found in found_places(result):
        yield row(map(cell, (result.query.name, *(field.value(found) for field in _FIELDS))))
