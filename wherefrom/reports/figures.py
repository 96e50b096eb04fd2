"""The figures of a hit in words: `match`, `score`, `containment` and `longest run`, the same in every report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.reports.layout import count, percent

if TYPE_CHECKING:
    from wherefrom.results import Hit, QueryInfo


def match(hit: Hit) -> str:
    """`92%`, for a place in which nothing else can be meant."""
    return percent(hit.match / 100)


def figures(hit: Hit) -> list[str]:
    """All four, the match first."""
    return [f"match {match(hit)}", *other_figures(hit)]


def other_figures(hit: Hit) -> list[str]:
    """All but the match, where that is beside them."""
    return [
        f"score {hit.score:.2f}",
        f"containment {hit.containment:.2f}",
        f"longest run {count(hit.longest_run, 'token')}",
    ]


def matched(hit: Hit, query: QueryInfo) -> str:
    """`matched 40 of 62 tokens; 48 excluded`."""
    remaining = count(query.remaining_tokens, "token")
    return f"matched {hit.matched_tokens:,} of {remaining}; {query.excluded_tokens:,} excluded"
