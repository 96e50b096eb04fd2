"""Rows of posts for a terminal: the block, and under it one location of each hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.reports.attribution_text import sentences
from wherefrom.reports.figures import evidence, match
from wherefrom.reports.layout import count
from wherefrom.reports.location_text import location, more_locations
from wherefrom.reports.posts.rows import least_attributed
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.posts import PostBlock
    from wherefrom.posts.search import PostAnswer
    from wherefrom.reports.look import Look
    from wherefrom.results import SearchResult


def write(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The lines of a block, nothing where nothing was found."""
    if answer.result is not None and answer.result.hits:
        yield from (f"{line}\n" for line in _lines(answer.block, answer.result))


def _lines(block: PostBlock, result: SearchResult) -> Iterator[str]:
    post = block.post
    facts = [
        result.query.language,
        count(result.query.tokens, "token"),
        post.created.isoformat(),
        visible(post.license),
    ]
    yield f"{visible(block.name)}  ({', '.join(facts)})"
    for hit in result.hits:
        least, attribution = least_attributed(hit)
        at = least.occurrence
        yield "  ".join([f"  {match(hit):>4}", *evidence(hit), location(at, hit.regions, revision=True)])
        others = [other for place, other in zip(hit.occurrences, hit.attributions, strict=True) if place is not at]
        if others:
            yield f"        and {more_locations(len(others), others)}"
        yield from (f"        {sentence}" for sentence in sentences(attribution))
