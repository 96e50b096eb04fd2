"""Parts of a `repr`: short, on one line, and without control characters."""

from __future__ import annotations

from collections.abc import Sequence

from wherefrom.model import Occurrence
from wherefrom.results.regions import Region, line_range
from wherefrom.support.printable import visible

SHOWN = 3
"""At most this many hits, documents or findings are listed."""


def named(occurrence: Occurrence, regions: Sequence[Region], places: int) -> str:
    """`REPOSITORY PATH:12-30, 4 more`: a location, its matched lines, and the number of further locations.

    Args:
        occurrence: the location.
        regions: the matches there.
        places: the number of all locations.
    """
    found = line_range(regions)
    lines = f":{found}" if found else ""
    more = f", {places - 1} more" if places > 1 else ""
    return f"{visible(occurrence.repository)} {visible(occurrence.path)}{lines}{more}"


def listed(values: Sequence[object], total: int) -> str:
    """`: A; B; C; ...`: the first `SHOWN` values, or an empty text if there are no values.

    Args:
        values: all values, or the first ones.
        total: the number of all values.
    """
    shown = [*map(str, values[:SHOWN]), *(["..."] if total > min(len(values), SHOWN) else [])]
    return f": {'; '.join(shown)}" if values else ""
