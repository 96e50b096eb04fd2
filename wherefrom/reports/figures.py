"""The figures of a hit in words: `match`, its strength, `score`, `containment` and `longest run`, the same in every
report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.reports.layout import count, percent

if TYPE_CHECKING:
    from wherefrom.results import ContentMatch, Hit, QueryInfo, SearchResult


def match(hit: Hit | ContentMatch) -> str:
    """`92%`, for a place in which nothing else can be meant."""
    return percent(hit.match / 100)


def figures(hit: Hit) -> list[str]:
    """All of them, the match first."""
    return [f"match {match(hit)}", *other_figures(hit)]


def other_figures(hit: Hit) -> list[str]:
    """All but the match, where that is beside them."""
    strength = [] if hit.strength is None else [f"{hit.strength} evidence"]
    return [
        *strength,
        f"score {hit.score:.2f}",
        f"containment {hit.containment:.2f}",
        f"longest run {count(hit.longest_run, 'token')}",
    ]


def too_short(query: QueryInfo) -> str | None:
    """`too short to be looked up: at least 15 tokens are needed`, and how many of them remain where some were left out;
    None where a query is long enough.
    """
    if query.needed is None:
        return None
    if query.excluded_tokens:
        remaining = f"{query.remaining_tokens:,} of {count(query.tokens, 'token')} remain"
        return f"too short to be looked up: {remaining}, at least {query.needed:,} are needed"
    return f"too short to be looked up: at least {count(query.needed, 'token')} are needed"


def explained(result: SearchResult, query: str) -> str | None:
    """`All 3 hits together match 92% of the snippet.`; None of fewer than two hits.

    Args:
        result: the answer.
        query: what the query is called.
    """
    if len(result.hits) < 2:
        return None
    shown = count(len(result.hits), "hit")
    which = f"All {shown}" if result.total <= len(result.hits) else f"The {shown} shown"
    return f"{which} together match {percent(result.explained / 100)} of the {query}."


def matched(hit: Hit, query: QueryInfo) -> str:
    """`matched 40 of 62 tokens; 48 excluded`."""
    remaining = count(query.remaining_tokens, "token")
    return f"matched {hit.matched_tokens:,} of {remaining}; {query.excluded_tokens:,} excluded"
