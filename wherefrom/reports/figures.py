"""The figures of a hit in words: `match`, its strength, `score`, `containment` and `longest run`, the same in every
report.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from wherefrom.reports.layout import count, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.results import ContentMatch, Explanation, Hit, QueryInfo, SearchResult, Signs


def match(hit: Hit | ContentMatch) -> str:
    """`92%`, for a place in which nothing else can be meant."""
    return percent(hit.match / 100)


def figures(hit: Hit) -> list[str]:
    """All of them, the match first."""
    return [f"match {match(hit)}", *other_figures(hit)]


def other_figures(hit: Hit) -> list[str]:
    """All but the match, where that is beside them."""
    strength = [] if hit.strength is None else [f"{hit.strength} evidence ({_probable(hit.probability)})"]
    return [
        *strength,
        f"score {hit.score:.2f}",
        f"containment {hit.containment:.2f}",
        f"longest run {count(hit.longest_run, 'token')}",
    ]


def reasons(explanation: Explanation) -> Iterator[str]:
    """Why a hit is an answer: a line for each sign, with what it adds to the logarithm of the odds."""
    signs = explanation.signs
    if signs is None:
        if explanation.threshold is not None:
            yield f"an answer, since the score reached {explanation.threshold:.2f}"
        return
    yield f"{_probable(explanation.probability)} a copy:"
    for words, odds in zip((*sign_words(signs), "for any document"), explanation.log_odds, strict=True):
        yield f"  {odds:+6.2f}  {words}"
    if explanation.windows > 1:
        yield f"  {-math.log(explanation.windows):+6.2f}  looked for in {explanation.windows:,} windows"


def sign_words(signs: Signs) -> tuple[str, ...]:
    """Each sign in words, in the order of its weights."""
    return (
        f"{signs.shared:,} of {count(signs.patterns, 'pattern')} of 4 tokens are there",
        f"its rare terms weigh {signs.terms / signs.chance:.1f} times what others share by chance",
        f"{count(signs.literals, 'literal')} the same in place",
        f"the file has {count(signs.tokens, 'token')}",
    )


def _probable(probability: float | None) -> str:
    """`0.97 probable`; never 1, for nothing is certain."""
    return f"{min(probability or 0.0, 0.999):.3g} probable"


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
