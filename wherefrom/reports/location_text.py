"""Locations in words: where something is, and from which line to which it matches."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wherefrom.reports.layout import count, lines
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wherefrom.model import Occurrence
    from wherefrom.results import Attribution, RegionPair

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
    if not pairs:
        return ""
    return f":{lines(min(pair.document.start_line for pair in pairs), max(pair.document.end_line for pair in pairs))}"


def more_locations(number: int, attributions: Sequence[Attribution] = ()) -> str:
    """`12 more locations (10 attributed, 2 unattributed)`.

    Args:
        number: how many.
        attributions: one for each of them, or none where no source was given.
    """
    verdicts = Counter(str(attribution.verdict) for attribution in attributions)
    if len(verdicts) == 1 and number > 1:
        told = f" (all {next(iter(verdicts))})"
    elif verdicts:
        told = f" ({', '.join(f'{number:,} {verdict}' for verdict, number in sorted(verdicts.items()))})"
    else:
        told = ""
    return f"{count(number, 'more location')}{told}"
