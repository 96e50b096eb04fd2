"""Writes posts for a terminal: each block with one location of each hit, and the sites of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from wherefrom.reports.attribution_text import sentences
from wherefrom.reports.figures import match, query_facts
from wherefrom.reports.hit_fields import figures
from wherefrom.reports.layout import as_lines, table
from wherefrom.reports.location_text import location, more_locations
from wherefrom.reports.look import Look
from wherefrom.reports.posts.rows import least_attributed
from wherefrom.results import SearchResult
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.posts.blocks import PostBlock
    from wherefrom.posts.search.answers import PostAnswer
    from wherefrom.posts.store import SiteCounts


def write(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The lines of a block; nothing if no hit was found."""
    if answer.result is not None and answer.result.hits:
        yield as_lines(_lines(answer.block, answer.result))


def _lines(block: PostBlock, result: SearchResult) -> Iterator[str]:
    post = block.post
    facts = f"{query_facts(result.query)}, {post.created.isoformat()}, {visible(post.license)}"
    yield f"{visible(block.name)}  ({facts})"
    for hit in result.hits:
        least = least_attributed(hit)
        yield "  ".join(
            [f"  {match(hit):>4}", *figures(hit, "probability"), location(least.occurrence, hit.regions, revision=True)]
        )
        others = [place for place in hit.places if place != least]
        if others:
            yield f"        and {more_locations(others)}"
        if least.attribution:
            said = sentences(least.attribution, posted=post.created.isoformat())
            yield from (f"        {sentence}" for sentence in said)


def write_sites(sites: Iterable[SiteCounts], _look: Look) -> Iterator[str]:
    """One line for each site."""
    rows = [
        (
            visible(site.site),
            f"{site.posts:,}",
            f"{site.blocks:,}",
            site.first or "",
            site.last or "",
            f"{site.unfinished:,}" if site.unfinished else "",
        )
        for site in sites
    ]
    header = ("site", "posts", "blocks", "first", "last", "dumps not read to their end")
    yield as_lines(table(header, rows, (1, 2, 5)))
