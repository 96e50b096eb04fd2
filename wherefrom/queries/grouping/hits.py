"""Groups as hits: each beside the whole query, with its regions, its places and what these say of the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.model import INDEXED, Candidate, Strength
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.regions import region_pairs
from wherefrom.queries.alignment.runs import matched_weight
from wherefrom.queries.attributing.attribution import Attributions
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.grouping.all_windows import AllWindows
from wherefrom.queries.grouping.copies import Copies, containment
from wherefrom.queries.grouping.moved import all_runs
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.rule import ANSWER, furthest_short, parts, strength
from wherefrom.queries.preparation.query import Query
from wherefrom.results import ContentMatch, Explanation, Hit, Refused, TermExplanation
from wherefrom.results.search import token_percent

RANKED, MOST_RANKED = 2, 200
"""Groups that are laid beside every window of a long query, for each that is shown, and at most where fewer are shown:
the windows of which they were candidates say nearly as well how they rank.
"""

_STRENGTHS = tuple(Strength)

_TOGETHER = 32
"""Groups that are laid beside one window after the other together; each takes 3 bytes for each token of the query."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What each step of a search gave."""

    options: SearchOptions
    query: Query
    candidates: Candidates
    judge: Judge
    copies: Copies
    attributions: Attributions

    def is_too_weak(self, found: Judged) -> bool:
        """Whether it is weaker evidence than what is asked for."""
        return _STRENGTHS.index(strength(found.probability)) < _STRENGTHS.index(self.options.min_strength)


def hits_of(search: Finished) -> tuple[list[Hit], int]:
    """The hits that are shown, the best first, and how many groups were left out before the last of them."""
    hits: list[Hit] = []
    left_out = 0
    for group, beside in _ranked(search):
        hit = _hit(search, group, beside) if len(hits) < search.options.limit else None
        if hit is not None:
            hits.append(hit)
        elif len(hits) < search.options.limit:
            left_out += 1
    return hits, left_out


def _ranked(search: Finished) -> list[tuple[str, AllWindows]]:
    """The groups that are shown, the best first: each with its best blob beside the whole query."""
    copies, limit = search.copies, search.options.limit
    if search.options.min_strength is not Strength.WEAK:
        # Which of them are left out is known once their regions are.
        limit = max(limit, MOST_RANKED)
    groups = sorted(copies.groups, key=lambda group: (-copies.scores[copies.leader(group)], group))
    chosen = groups[: limit if len(search.query.parts) == 1 else max(limit, min(RANKED * limit, MOST_RANKED))]
    ranked = zip(chosen, _beside_all(search, [copies.leader(group) for group in chosen]), strict=True)
    return sorted(ranked, key=lambda each: (-each[1].score, each[0]))[:limit]


def _beside_all(search: Finished, blobs: Sequence[str]) -> Iterator[AllWindows]:
    """Some of the blobs that were found beside every window of the query."""
    for begin in range(0, len(blobs), _TOGETHER):
        some = [AllWindows(search.query, search.copies.best[blob]) for blob in blobs[begin : begin + _TOGETHER]]
        # One window after the other, and not one document after the other: what a window is looked up by is made once.
        for part in search.query.parts:
            for beside in some:
                if part is not beside.best.part:
                    other = search.judge.beside(part, beside.best)
                    if other is not None and other.probability >= ANSWER:
                        beside.add(part, other.alignment)
        for beside in some:
            beside.finish()
        yield from some


def _hit(search: Finished, group: str, beside: AllWindows) -> Hit | None:
    """The hit of a group; None if it is weaker than what is asked for, or if its lines show that the source is named at
    all of its places.
    """
    if search.is_too_weak(beside.best):
        return None
    first = _content_match(search.query, beside)
    blobs = [blob for blob in search.copies.groups[group] if blob != first.blob]
    found = [(first, beside), *((_content_match(search.query, other), other) for other in _beside_all(search, blobs))]
    found.sort(key=lambda each: (-each[0].score, each[0].blob))
    _, beside = found[0]
    regions = {content.blob: content.regions for content, _ in found}
    places = [occurrence for blob in regions for occurrence in search.candidates.places[blob]]
    occurrences, attributions = search.attributions.of(places, regions)
    if not occurrences:
        return None
    return Hit(
        contents=tuple(content for content, _ in found),
        language=beside.best.document.blob.language,
        occurrences=tuple(occurrences),
        explanation=_explanation(search.query, beside) if search.options.explain else None,
        attributions=attributions,
    )


def _content_match(query: Query, beside: AllWindows) -> ContentMatch:
    """What a blob matches."""
    document = beside.best.document
    sides = query.beside(document.stream)
    runs = all_runs(query, sides, beside)
    regions = region_pairs(sides, runs)
    match = ContentMatch(
        blob=document.blob.blob,
        score=round(beside.score, 6),
        match=token_percent(matched_weight(runs, query.weights), int(query.weights.sum())),
        containment=round(min(containment(query, document), 1.0), 6),
        longest_run=max((region.tokens for region in regions), default=0),
        regions=regions,
        strength=strength(beside.best.probability),
        probability=round(beside.best.probability, 3),
    )
    document.forget()
    return match


def _explanation(query: Query, beside: AllWindows) -> Explanation:
    best = beside.best
    held = document_terms(best.document.stream)
    looked_up = {(each.representation, each.term): each for each in query.fingerprints}
    terms = (
        looked_up[representation, term]
        for representation in INDEXED
        for term in sorted(best.part.terms.get(representation, ()))
        if representation in held and np.isin(np.uint64(term), held[representation])
    )
    return Explanation(
        score=round(beside.score, 6),
        probability=round(best.probability, 6),
        signs=best.signs,
        threshold=None,
        log_odds=_log_odds(query, best),
        first_stage=round(best.first_stage, 6),
        literal_share=round(best.literal_share, 6),
        agreement=round(best.agreement, 6),
        windows=query.windows,
        blobs=query.blobs,
        chains=beside.chains,
        terms=tuple(
            TermExplanation(each.representation, each.term, each.document_frequency, round(each.weight, 6))
            for each in terms
        ),
    )


def _log_odds(query: Query, found: Judged) -> dict[str, float]:
    return {name: round(part, 6) for name, part in parts(found.signs, query.windows).items()}


def refused(search: Finished) -> Refused | None:
    """The most probable copy that is no answer, with the places that a hit may have."""
    candidates, query = search.candidates, search.query
    too_weak = [found for found in search.copies.best.values() if search.is_too_weak(found)]
    for found in sorted((*too_weak, *search.judge.refused.values()), key=lambda each: -each.probability):
        stored = found.document.blob
        candidates.with_locations([Candidate(0.0, stored)])
        regions = region_pairs(query.beside(found.document.stream), found.runs)
        found.document.forget()
        places, _ = search.attributions.of(candidates.places[stored.blob], {stored.blob: regions})
        if places:
            missing, usual = furthest_short(found.signs, query.windows)
            return Refused(
                blob=stored.blob,
                language=stored.language,
                occurrences=tuple(places),
                regions=regions,
                probability=round(found.probability, 6),
                signs=found.signs,
                log_odds=_log_odds(query, found),
                missing=missing,
                usual=round(usual, 6),
            )
    return None
