"""The figures of hits and the reasons for them in words, the same in every report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wherefrom.reports.layout import count, percent, probable
from wherefrom.reports.place_text import location
from wherefrom.results import ContentMatch, Explanation, Hit, QueryInfo, Refused, SearchResult, Signs
from wherefrom.support.printable import one_line


def match(hit: Hit | ContentMatch) -> str:
    """The match of a hit as `92%`."""
    return percent(hit.match / 100)


def query_facts(query: QueryInfo) -> str:
    """The language and the number of tokens of a query, as `python, 62 tokens`."""
    return ", ".join(fact for fact in (one_line(query.language), count(query.tokens, "token")) if fact)


def reasons(explanation: Explanation) -> Iterator[str]:
    """Why a hit is in the answer: its signs, or, if whole files were compared, the score that a hit has to reach."""
    if explanation.signs is not None:
        yield from by_sign(explanation.signs, explanation.log_odds)
    elif explanation.threshold is not None:
        yield f"an answer, since the score reached {explanation.threshold:.2f}"


def by_sign(signs: Signs, log_odds: Mapping[str, float]) -> Iterator[str]:
    """One line for each sign for a copy, then one for each sign against it, the strongest first."""
    words = {
        "same": f"{_there(signs)}, whatever their names",
        "stands_out": f"what is rare in it weighs {_weight(signs)}",
        "literals": f"{_in_place(signs.literals)} in the same place",
        "length": f"the file has {count(signs.tokens, 'token')}, and the longer it is, the more of it is like anything",
        "bias": "what counts for every file alike",
        "windows": _LONG,
    }
    for name, part in sorted(log_odds.items(), key=lambda item: (item[1] < 0, -abs(item[1]))):
        if part or name == "literals":  # a lack of equal literals is shown even at 0
            side = "for" if part > 0 else "against" if part < 0 else "neither"
            yield f"{side + ':':<8} {words[name]}"


def _there(signs: Signs) -> str:
    return f"{signs.shared:,} of {count(signs.patterns, 'short piece')} are there"


def _weight(signs: Signs) -> str:
    return f"{signs.terms / signs.chance:.1f} times what files share by chance"


def _in_place(literals: int) -> str:
    return f"{count(literals, 'literal') if literals else 'no literal'} {'is' if literals < 2 else 'are'}"


_LONG = "the snippet is long, and in each of its parts something may be alike by chance"


def nearest(refused: Refused) -> str:
    """The content that came nearest to a hit, and what it lacks: `the nearest is github.com/x/y  src/x.py:3-9: 0.31
    probable, since 9 of 40 short pieces are there (copies mostly have 85%)`.
    """
    others = len(refused.occurrences) - 1
    more = f" and {count(others, 'more location')}" if others else ""
    place = location(refused.occurrences[0], refused.regions)
    return f"the nearest is {place}{more}: {probable(refused.probability)}, since {_lacks(refused)}"


def _lacks(refused: Refused) -> str:
    signs, usual = refused.signs, refused.usual
    match refused.missing:
        case "same" if signs.shared >= usual * signs.patterns:
            return f"the snippet has only {count(signs.patterns, 'short piece')}, too few to tell"
        case "same":
            return f"{_there(signs)} (copies mostly have {percent(usual)})"
        case "stands_out":
            return f"what is rare in it weighs only {_weight(signs)} (copies mostly {usual:.1f} times)"
        case "literals":
            return f"{_in_place(signs.literals)} in the same place (copies mostly have {max(round(usual), 1):,})"
        case "length":
            have = f"a file of {count(signs.tokens, 'token')} has something like anything"
            return f"{have} (most copies are in files of about {round(usual):,})"
        case _:
            return _LONG


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


def matched(hit: Hit, query: QueryInfo) -> str:
    """`matched 40 of 62 tokens; 48 excluded`."""
    remaining = count(query.remaining_tokens, "token")
    return f"matched {hit.matched_tokens:,} of {remaining}; {query.excluded_tokens:,} excluded"
