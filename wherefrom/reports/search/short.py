"""The short forms of the text: a line for each hit, a line for each location, or a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wherefrom.reports import layout
from wherefrom.reports.figures import match, too_short
from wherefrom.reports.hit_fields import brief as words
from wherefrom.reports.hit_fields import figures
from wherefrom.reports.look import Look
from wherefrom.reports.place_text import best_location, more_locations
from wherefrom.reports.renderer import Renderer
from wherefrom.results import Hit, QueryInfo, SearchResult
from wherefrom.results.regions import line_range
from wherefrom.support.printable import one_line, visible


def brief() -> Renderer[SearchResult]:
    """One line for each hit: match, location, verdict, and the number of further locations.

    With several snippets, each line begins with the name of its snippet.
    """
    return _named(lambda result, look: [f"{_brief(hit, result.query, look)}\n" for hit in result.hits], ": ")


def locations() -> Renderer[SearchResult]:
    """One line for each location: `REPOSITORY:PATH:LINE`, the first matching line. Each line is written only once."""
    written: set[str] = set()

    def write(result: SearchResult, _look: Look) -> Iterator[str]:
        for place in (place for hit in result.hits for place in hit.locations):
            at, matched = place.occurrence, line_range(place.matched_regions)
            line = f"{visible(at.repository)}:{visible(at.path)}{f':{matched.first}' if matched else ''}\n"
            if line not in written:
                written.add(line)
                yield line

    return Renderer(write)


def count() -> Renderer[SearchResult]:
    """The number of locations; with several snippets one line `NAME:NUMBER` for each."""
    return _named(
        lambda result, _look: [f"{len({(at.repository, at.path) for hit in result.hits for at in hit.occurrences})}\n"],
        ":",
    )


def _named(write: Callable[[SearchResult, Look], list[str]], separator: str) -> Renderer[SearchResult]:
    """Writes lines; with several snippets, each line after the name of its snippet and the separator."""

    def write_named(result: SearchResult, look: Look) -> Iterator[str]:
        yield from (f"{one_line(result.query.name)}{separator}{line}" for line in write(result, look))

    return Renderer(write, several=Renderer(write_named))


def missing(result: SearchResult) -> str | None:
    """One line that says that the answer is incomplete, which a short form does not show; None if it is complete."""
    query = result.query
    if too_few := too_short(query):
        return f"{one_line(query.name)} ({layout.count(query.tokens, 'token')}) is {too_few}"
    if result.hits and (result.truncated or result.total > len(result.hits)):
        return f"there may be more locations of {one_line(query.name)} (--limit)"
    return None


def _brief(hit: Hit, query: QueryInfo, look: Look) -> str:
    best = hit.best_place
    # Unlike in the longer text, the figures are aligned in columns.
    evidence = [] if hit.probability is None else [f"{hit.strength:<6}", layout.probable(hit.probability)]
    parts = [f"{match(hit):>4}", *evidence, look.bold(best_location(hit))]
    parts += figures(hit, query, "by_terms translated_from")
    parts += words(best) if best else []
    others = [place for place in hit.places if place != best]
    if others:
        parts.append(look.dim(f"and {more_locations(others)}"))
    return "  ".join(parts)
