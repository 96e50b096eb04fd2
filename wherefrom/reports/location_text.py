"""Locations in words: where something is, and from which line to which it matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wherefrom.model import Occurrence
from wherefrom.reports.layout import count, lines
from wherefrom.results import Hit, HitPlace, Region, RegionPair
from wherefrom.results.regions import line_range
from wherefrom.support.printable import visible

REVISION_DIGITS = 12
"""How much of a revision is shown, as in the list of repositories."""


def location(at: Occurrence, pairs: Sequence[RegionPair] = (), *, revision: bool = False) -> str:
    """`REPOSITORY  PATH:3-25`: a location, with the first and the last line in it that match.

    Args:
        at: the location.
        pairs: what matches there; without any the lines are left out.
        revision: whether the revision is told as well, as `REPOSITORY@REVISION`, where there is one.
    """
    shown = f"@{visible(at.revision[:REVISION_DIGITS])}" if revision and at.revision else ""
    return f"{visible(at.repository)}{shown}  {visible(at.path)}{matched_lines(pairs)}"


def matched_lines(pairs: Sequence[RegionPair]) -> str:
    """`:3-25`: from the first line of a document that matches to the last; nothing where there are no regions."""
    found = line_range(pair.document for pair in pairs)
    return f":{lines(found.first, found.last)}" if found else ""


def best_location(hit: Hit) -> str:
    """The location of a hit that matches best; the blob where that has been removed since."""
    return location(hit.best, hit.regions) if hit.best else f"blob {visible(hit.blob)}"


def region_lines(region: Region) -> str:
    """`line 3`, `lines 3-25`."""
    noun = "line" if region.start_line == region.end_line else "lines"
    return f"{noun} {lines(region.start_line, region.end_line)}"


def more_locations(places: Sequence[HitPlace]) -> str:
    """`12 more locations (10 attributed, 2 unattributed)`; without the verdicts where no source was given."""
    verdicts = Counter(str(place.attribution.verdict) for place in places if place.attribution)
    if len(verdicts) == 1 and len(places) > 1:
        shown = f" (all {next(iter(verdicts))})"
    elif verdicts:
        shown = f" ({', '.join(f'{number:,} {verdict}' for verdict, number in sorted(verdicts.items()))})"
    else:
        shown = ""
    return f"{count(len(places), 'more location')}{shown}"
