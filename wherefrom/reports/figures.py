"""The figures of hits and the reasons for them in words, the same in every report."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.reports.hit_fields import location
from wherefrom.reports.layout import count, in_order, percent, probable
from wherefrom.results import ContentMatch, CopyEvidence, Explanation, Hit, QueryInfo, Refused, SearchResult
from wherefrom.support.printable import one_line


def match(hit: Hit | ContentMatch) -> str:
    """The match of a hit as `92%`."""
    return percent(hit.match / 100)


def query_facts(query: QueryInfo) -> str:
    """The language and the number of tokens of a query, as `python, 62 tokens`."""
    return ", ".join(fact for fact in (one_line(query.language), count(query.tokens, "token")) if fact)


def left_out(query: QueryInfo) -> list[str]:
    """A line that tells what of a query did not count, if anything."""
    parts = [f"{count(query.excluded_tokens, 'token')} as boilerplate"] if query.excluded_tokens else []
    parts += [
        f"{count(number, 'k-gram')} as {'too frequent (--max-df)' if cause == 'max_df' else one_line(cause)}"
        for cause, number in sorted(query.excluded.items())
        if number and cause != "boilerplate"
    ]
    if not parts:
        return []
    rest = "; nothing was left to look up" if query.fingerprints == 0 and query.needed is None else ""
    return [f"left out of the query: {', '.join(parts)}{rest}"]


def reasons(explanation: Explanation | None) -> Iterator[str]:
    """Why a hit is in the answer: its evidence, or, if whole files were compared, the score that a hit has to reach."""
    if explanation is None:
        return
    if explanation.evidence is not None:
        yield from evidence(explanation.evidence)
    elif explanation.threshold is not None:
        yield f"an answer, since the score reached {explanation.threshold:.2f}"


SURE = 30  # the bits of a language with fewer projects in the model are less sure


def evidence(found: CopyEvidence) -> Iterator[str]:
    """The evidence of a copy in sentences."""
    yield f"{found.in_order:,} of {count(found.tokens, 'token')} are there in the same order: {_words(found)}"
    yield f"that is {max(found.bits, 0):,.0f} bits of evidence: each bit halves the probability of a coincidence"
    yield f"an answer of this length and rarity needs {found.needed:,.0f} bits"
    yield f"the shared pieces are as rare here as {found.rarity:.1f} pieces that no other content has"
    if found.projects < SURE:
        yield f"the model knows {count(found.projects, 'project')} of this language, so the bits are less sure"


def _words(found: CopyEvidence) -> str:
    names, literals = found.same_names + found.other_names, found.same_literals + found.other_literals
    parts = [f"{found.same_names:,} of {count(names, 'name')} the same"] if names else []
    parts += [f"{found.same_literals:,} of {count(literals, 'literal')} the same"] if literals else []
    return ", ".join(parts) or "no names or literals"


def nearest(refused: Refused) -> str:
    """The content that came nearest to a hit, and what it has: `the nearest is github.com/x/y  src/x.py:3-9: 0.31
    probable, 30 of 90 tokens in the same order`.
    """
    others = len(refused.occurrences) - 1
    more = f" and {count(others, 'more location')}" if others else ""
    place = location(refused.occurrences[0], refused.regions)
    found = refused.evidence
    words = in_order(found.in_order, found.tokens, found.other_names + found.other_literals)
    return f"the nearest is {place}{more}: {probable(refused.probability)}, {words}"


def too_short(query: QueryInfo) -> str | None:
    """`too short to be looked up: at least 15 tokens are needed`, with the number of remaining tokens if some were left
    out; None if a query is long enough.
    """
    if query.needed is None:
        return None
    if query.excluded_tokens:
        remaining = f"{query.remaining_tokens:,} of {count(query.tokens, 'token')} remain"
        return f"too short to be looked up: {remaining}, at least {query.needed:,} are needed"
    return f"too short to be looked up: at least {count(query.needed, 'token')} are needed"


def explained(result: SearchResult, query: str) -> str | None:
    """`All 3 hits together match 92% of the snippet.`, with the word `query` in place of `snippet`; None for fewer than
    two hits.
    """
    if len(result.hits) < 2:
        return None
    shown = count(len(result.hits), "hit")
    which = f"All {shown}" if result.total <= len(result.hits) else f"The {shown} shown"
    return f"{which} together match {percent(result.explained / 100)} of the {query}."
