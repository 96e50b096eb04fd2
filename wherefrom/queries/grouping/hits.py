"""Makes hits from groups: compares each with the whole query, and adds regions, places and attributions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wherefrom.model import INDEXED, Candidate, Strength
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.regions import region_pairs
from wherefrom.queries.alignment.runs import matched_weight
from wherefrom.queries.attributing.attribution import Attributions
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.grouping.all_windows import AllWindows, all_runs
from wherefrom.queries.grouping.copies import Copies, containment
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.rule import ANSWER, furthest_short, parts, strength
from wherefrom.queries.preparation.query import Query
from wherefrom.results import ContentMatch, Explanation, Hit, Refused, TermExplanation
from wherefrom.results.search import token_percent

RANKED, MOST_RANKED = 2, 200
"""How many groups are compared with every window of a long query: `RANKED` for each hit, but at most `MOST_RANKED`
unless more hits than that are shown. The other groups would hardly change the order, since the windows that found the
groups already rank them well."""

_STRENGTHS = tuple(Strength)

_TOGETHER = 32
"""The number of groups that are compared at a time. Each takes 3 bytes for each token of the query."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The results of the steps of a search."""

    options: SearchOptions
    query: Query
    candidates: Candidates
    judge: Judge
    copies: Copies
    attributions: Attributions

    def is_too_weak(self, found: Judged) -> bool:
        """Whether a copy is weaker evidence than `options.min_strength`."""
        return _STRENGTHS.index(strength(found.probability)) < _STRENGTHS.index(self.options.min_strength)


def hits_of(search: Finished) -> tuple[list[Hit], int]:
    """The hits that are shown, the best first, and how many groups were left out before the last of them."""
    hits: list[Hit] = []
    left_out = 0
    for group, beside in _ranked(search):
        if len(hits) == search.options.limit:
            break
        hit = _hit(search, group, beside)
        if hit is None:
            left_out += 1
        else:
            hits.append(hit)
    return hits, left_out


def _ranked(search: Finished) -> list[tuple[str, AllWindows]]:
    """The groups that may be shown, the best first, each with its best blob aligned with the whole query."""
    copies, limit = search.copies, search.options.limit
    if search.options.min_strength is not Strength.WEAK:
        # Weak hits are left out later, so more groups are needed here.
        limit = max(limit, MOST_RANKED)
    groups = sorted(copies.groups, key=lambda group: (-copies.scores[copies.leader(group)], group))
    chosen = groups[: limit if len(search.query.parts) == 1 else max(limit, min(RANKED * limit, MOST_RANKED))]
    ranked = zip(chosen, _beside_all(search, [copies.leader(group) for group in chosen]), strict=True)
    return sorted(ranked, key=lambda pair: (-pair[1].score, pair[0]))[:limit]


def _beside_all(search: Finished, blobs: Sequence[str]) -> Iterator[AllWindows]:
    """Aligns found blobs with every window of the query; yields them in the order of `blobs`."""
    for begin in range(0, len(blobs), _TOGETHER):
        some = [AllWindows(search.query, search.copies.best[blob]) for blob in blobs[begin : begin + _TOGETHER]]
        # One window after the other, so that the lookup of a window is made once for all documents.
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
    """The hit of a group; None if it is too weak, or if attribution filters leave out all of its places."""
    if search.is_too_weak(beside.best):
        return None
    first = _content_match(search.query, beside)
    blobs = [blob for blob in search.copies.groups[group] if blob != first.blob]
    found = [(first, beside), *((_content_match(search.query, other), other) for other in _beside_all(search, blobs))]
    found.sort(key=lambda pair: (-pair[0].score, pair[0].blob))
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
    looked_up = {(found.representation, found.term): found for found in query.fingerprints}
    terms = (
        looked_up[representation, term]
        for representation in INDEXED
        for term in sorted(best.part.terms.get(representation, ()))
        if term in best.document.terms[representation]
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
        blobs=query.looked_up.blobs,
        chains=beside.chains,
        terms=tuple(
            TermExplanation(found.representation, found.term, found.document_frequency, round(found.weight, 6))
            for found in terms
        ),
    )


def _log_odds(query: Query, found: Judged) -> dict[str, float]:
    return {name: round(part, 6) for name, part in parts(found.signs, query.windows).items()}


def refused(search: Finished) -> Refused | None:
    """The most probable document that is not an answer; None if none has an admitted place."""
    candidates, query = search.candidates, search.query
    too_weak = [found for found in search.copies.best.values() if search.is_too_weak(found)]
    for found in sorted((*too_weak, *search.judge.refused.values()), key=lambda judged: -judged.probability):
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
