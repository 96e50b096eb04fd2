"""Writes watches, and the places that have watched code, for a person: one line for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wherefrom.reports.layout import SEPARATOR, as_lines, probable, table
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import list_formats
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:  # `--help` does not wait for them
    from wherefrom.projects.watch.places import WatchedPlace
    from wherefrom.projects.watch.watches import Watch


def _write_watches(watches: Sequence[Watch], _look: Look) -> Iterator[str]:
    if not watches:
        yield "nothing is watched for; `wherefrom watch add NAME FILE` adds a watch\n"
        return
    rows = [
        (
            watch.name,
            visible(watch.since),
            one_line(", ".join(watch.what)),
            "fix" if watch.is_fix else "code",
            one_line(watch.post or ""),
        )
        for watch in watches
    ]
    yield as_lines(table(("name", "since", "what", "kind", "posted to"), rows))


def _write_places(places: Sequence[WatchedPlace], look: Look) -> Iterator[str]:
    for place in places:
        at = place.occurrence
        where = f"{visible(at.repository)} {visible(at.path)}:{place.lines}"
        sure = "has the code from before the fix" if place.probability is None else probable(place.probability)
        part = f"{one_line(place.part)} and {place.more:,} more" if place.more else one_line(place.part)
        facts = SEPARATOR.join([sure, part, *([place.url] if place.url else [])])
        yield f"{look.bold(place.watch)}: {where}  {look.dim(facts)}\n"


WATCHES = list_formats(_write_watches, "watches")

PLACES = list_formats(_write_places, "places")
