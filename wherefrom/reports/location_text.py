"""Locations in words, with the lines that match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wherefrom.model import Occurrence
from wherefrom.reports.layout import count
from wherefrom.results import Hit, HitPlace, Region, RegionPair
from wherefrom.results.regions import line_range
from wherefrom.support.printable import visible

REVISION_DIGITS = 12
"""Reports show this many digits of a revision, the first ones."""


def location(at: Occurrence, pairs: Sequence[RegionPair] = (), *, revision: bool = False) -> str:
    """`REPOSITORY  PATH:3-25`: a location with its first and last line that match, if regions match. With `revision`:
    `REPOSITORY@REVISION  PATH:3-25`, if there is one.
    """
    shown = f"@{visible(at.revision[:REVISION_DIGITS])}" if revision and at.revision else ""
    matched = line_range(pair.document for pair in pairs)
    return f"{visible(at.repository)}{shown}  {visible(at.path)}{f':{matched}' if matched else ''}"


def best_location(hit: Hit) -> str:
    """The location that matches best; the blob if the location has been removed since."""
    return location(hit.best, hit.regions) if hit.best else f"blob {visible(hit.blob)}"


def region_lines(region: Region) -> str:
    """`line 3`, `lines 3-25`."""
    noun = "line" if region.start_line == region.end_line else "lines"
    return f"{noun} {region.lines}"


def more_locations(places: Sequence[HitPlace]) -> str:
    """`12 more locations (10 attributed, 2 unattributed)`; without verdicts if no source was given."""
    verdicts = Counter(str(place.attribution.verdict) for place in places if place.attribution)
    shown = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(verdicts.items()))
    if len(verdicts) == 1 and len(places) > 1:
        shown = f"all {next(iter(verdicts))}"
    return f"{count(len(places), 'more location')}{f' ({shown})' if shown else ''}"
