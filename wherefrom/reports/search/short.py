"""Short forms of the text: a line for each hit, a line for each location, or a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wherefrom.reports import layout
from wherefrom.reports.figures import match, too_short
from wherefrom.reports.location_text import best_location, more_locations
from wherefrom.reports.renderer import Renderer
from wherefrom.results import Hit, Location, SearchResult
from wherefrom.results.regions import line_range
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look


def brief() -> Renderer[SearchResult]:
    """One line for each hit: what share matches, where, what the location says of its source, how many more there are.

    Of several snippets each line begins with the snippet's name.
    """

    def write(result: SearchResult, look: Look) -> Iterator[str]:
        yield from (f"{_brief(hit, look)}\n" for hit in result.hits)

    def write_named(result: SearchResult, look: Look) -> Iterator[str]:
        yield from (f"{one_line(result.query.name)}: {_brief(hit, look)}\n" for hit in result.hits)

    return Renderer(write, several=Renderer(write_named))


def locations() -> Renderer[SearchResult]:
    """One line for each location, `REPOSITORY:PATH:LINE` with the first line that matches; one that several snippets
    are found at is written once.
    """
    written: set[str] = set()

    def write(result: SearchResult, _look: Look) -> Iterator[str]:
        for line in (_location(place) for hit in result.hits for place in hit.locations):
            if line not in written:
                written.add(line)
                yield line

    return Renderer(write)


def count() -> Renderer[SearchResult]:
    """The number of locations; of several snippets `NAME:NUMBER` on a line for each."""

    def write(result: SearchResult, _look: Look) -> Iterator[str]:
        yield f"{_count(result)}\n"

    def write_named(result: SearchResult, _look: Look) -> Iterator[str]:
        yield f"{one_line(result.query.name)}:{_count(result)}\n"

    return Renderer(write, several=Renderer(write_named))


def missing(result: SearchResult) -> str | None:
    """What a short form does not say of an answer that is not whole, in one line; None where it is."""
    query = result.query
    too_few = too_short(query)
    if too_few is not None:
        return f"{one_line(query.name)} ({layout.count(query.tokens, 'token')}) is {too_few}"
    if result.hits and (result.truncated or result.total > len(result.hits)):
        return f"there may be more locations of {one_line(query.name)} (--limit)"
    return None


def _location(place: Location) -> str:
    at, matched = place.occurrence, line_range(place.matched_regions)
    first = f":{matched.first}" if matched else ""
    return f"{visible(at.repository)}:{visible(at.path)}{first}\n"


def _count(result: SearchResult) -> int:
    return len({(at.repository, at.path) for hit in result.hits for at in hit.occurrences})


def _brief(hit: Hit, look: Look) -> str:
    best = hit.best_place
    # In columns, unlike the figures of the text.
    evidence = [] if hit.probability is None else [f"{hit.strength:<6}", layout.probable(hit.probability)]
    parts = [
        f"{match(hit):>4}",
        *evidence,
        look.bold(best_location(hit)),
    ]
    if best and best.attribution:
        parts.append(str(best.attribution.verdict))
    others = [place for place in hit.places if place != best]
    if others:
        parts.append(look.dim(f"and {more_locations(others)}"))
    return "  ".join(parts)
