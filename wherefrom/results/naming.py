"""The words of a `repr`: short, on one line, and nothing in them that a terminal acts on."""

from __future__ import annotations

from collections.abc import Sequence

from wherefrom.model import Occurrence
from wherefrom.results.regions import Region, line_range
from wherefrom.support.printable import visible

SHOWN = 3
"""Hits, documents and findings that are named."""


def named(occurrence: Occurrence, regions: Sequence[Region], places: int) -> str:
    """`REPOSITORY PATH:12-30, 4 more`: a place, from which line to which there is a match, how many more there are.

    Args:
        occurrence: the place.
        regions: what matches there.
        places: all of them.
    """
    found = line_range(regions)
    lines = f":{found}" if found else ""
    more = f", {places - 1} more" if places > 1 else ""
    return f"{visible(occurrence.repository)} {visible(occurrence.path)}{lines}{more}"


def listed(values: Sequence[object], total: int) -> str:
    """`: A; B; C; ...`: the first of some values, nothing where there are none.

    Args:
        values: all of them, or the first ones.
        total: how many there are.
    """
    shown = [*map(str, values[:SHOWN]), *(["..."] if total > min(len(values), SHOWN) else [])]
    return f": {'; '.join(shown)}" if values else ""
