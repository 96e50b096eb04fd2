"""Makes hits from groups: compares each with the whole query, and adds regions, places and attributions.

A document is compared with every window of a long query, and with blocks that were moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import SLACK
from wherefrom.model import INDEXED, Candidate, Representation, Strength
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.aligning import Alignment, DocumentTokens, align, covered_tokens, reach
from wherefrom.queries.alignment.regions import region_pairs
from wherefrom.queries.alignment.runs import (
    MatchedRun,
    Sides,
    diagonal_runs,
    matched_runs,
    matched_weight,
    nearest_runs,
)
from wherefrom.queries.attributing.attribution import Attributions
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.grouping.copies import Copies, containment
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.rule import ANSWER, furthest_short, is_weaker, parts, strength
from wherefrom.queries.preparation.query import ALIGNED, Query, QueryWindow
from wherefrom.queries.spans import Flags, number_inside, stretches
from wherefrom.results import ChainExplanation, ContentMatch, Explanation, Hit, Refused, TermExplanation
from wherefrom.results.search import token_percent

RANKED, MOST_RANKED = 2, 200
"""How many groups are compared with every window of a long query: `RANKED` for each hit, but at most `MOST_RANKED`
unless more hits than that are shown. The other groups would hardly change the order, since the windows that found the
groups already rank them well."""

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
    if is_weaker(beside.best.probability, search.options.min_strength):
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
    least = search.options.min_strength
    too_weak = [found for found in search.copies.best.values() if is_weaker(found.probability, least)]
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


_LEAST = SCHEMES[Representation.EXACT].k
"""Stretches of the query without a match are looked for elsewhere in the document if they have this many tokens."""


class AllWindows:
    """A document, aligned with all windows of the query that find it. Since windows overlap, a k-gram that is in
    several chains counts once.

    Attributes:
        best: the result for the window where the document is most probable.
        runs: the runs of all chains.
        parts: the windows.
        chains: what each representation adds to the score; empty before `finish`.
    """

    def __init__(self, query: Query, best: Judged) -> None:
        self.best = best
        self.runs: list[MatchedRun] = []
        self.parts: list[QueryWindow] = []
        self.chains: tuple[ChainExplanation, ...] = ()
        self._longest_run: dict[Representation, int] = {}
        self._query = query
        self._scores: dict[Representation, float] = {}
        self._chained: dict[Representation, Flags] = {}
        self.add(best.part, best.alignment)

    def add(self, part: QueryWindow, alignment: Alignment) -> None:
        """Adds a window that finds the document."""
        self.parts.append(part)
        self.runs += alignment.runs(part.distances)
        grams = part.lookup().grams
        for representation, chain in alignment.chains.items():
            if representation not in self._chained:
                self._chained[representation] = np.zeros(len(self._query.stream), np.bool_)
            chained = self._chained[representation]
            weights = grams[representation].weights(chain.query)
            for distance in part.distances:
                places = chain.query + distance
                fresh = float(weights[~chained[places]].sum()) / chain.k
                self._scores[representation] = self._scores.get(representation, 0.0) + fresh
                chained[places] = True
            self._longest_run[representation] = max(self._longest_run.get(representation, 0), chain.longest_run)

    def finish(self) -> None:
        """Explains the chains. Frees memory that is not needed once all windows are added."""
        remaining = self._query.remaining_tokens
        explained = []
        for representation, score in self._scores.items():
            places = np.flatnonzero(self._chained[representation])
            covered = covered_tokens(places, ALIGNED[representation], self._query.masked)
            explained.append(
                ChainExplanation(
                    representation=representation,
                    score=round(score, 6),
                    kgrams=len(places),
                    coverage=round(covered / remaining, 6) if remaining else 0.0,
                    longest_run=self._longest_run[representation],
                )
            )
        self.chains = tuple(explained)
        self._chained.clear()

    @property
    def score(self) -> float:
        """The rank score of all chains."""
        return self.best.ranked(sum(self._scores.values()))


def all_runs(query: Query, sides: Sides, beside: AllWindows) -> list[MatchedRun]:
    """All matching runs of a document: those of the chains, and blocks that were moved, which a chain leaves out. The
    runs ascend in the query, without overlaps on either side.

    A function near the copied one often has some of its blocks too. So the match inside a stretch of the document that
    is hardly longer than the query is preferred if it has as many tokens.
    """
    best = beside.best
    runs = _with_moved_blocks(query, sides, best.document, beside.runs, beside.parts)
    tokens = best.part.end - best.part.begin
    width = tokens + tokens // SLACK
    if len(query.parts) > 1 or not runs:
        return runs
    if max(run.end + run.shift for run in runs) - min(run.begin + run.shift for run in runs) <= width:
        return runs
    close = align(best.part, best.document, query.masked, width=width)
    closer = _with_moved_blocks(query, sides, best.document, close.runs(best.part.distances), beside.parts)
    return closer if sum(run.tokens for run in closer) >= sum(run.tokens for run in runs) else runs


def _with_moved_blocks(
    query: Query, sides: Sides, document: DocumentTokens, aligned: Sequence[MatchedRun], parts: Sequence[QueryWindow]
) -> list[MatchedRun]:
    """The runs of chains and of moved blocks. Moved blocks are near the chains, but in another order than in the query.
    If stretches of the document are equal, the nearest one counts.
    """
    runs = matched_runs(sides, aligned, query.masked)
    if not runs:
        return []
    taken, document_taken = sides.with_taken(runs, query.masked)
    found = []
    for part in parts:
        width = reach(part)
        low = max(min(run.begin + run.shift for run in runs) - width, 0)
        high = max(run.end + run.shift for run in runs) + width
        for distance in part.distances:
            span = slice(part.begin + distance, part.end + distance)
            if np.diff(stretches(~taken[span])).max(initial=0) >= _LEAST:
                candidates = _candidates(part.without(taken[span]), document, document_taken, (low, high))
                found += [run.repeated(distance) for run in candidates]
    return nearest_runs(sides, runs, found, taken, document_taken) if found else runs


def _candidates(
    part: QueryWindow, document: DocumentTokens, document_taken: Flags, window: tuple[int, int]
) -> Iterator[MatchedRun]:
    """The runs of k-grams that a window of the query shares with tokens of the document that no run matches yet."""
    lookup = part.lookup()
    for representation, (positions, numbers) in document.shared(lookup).items():
        grams = lookup.grams[representation]
        low, high = np.searchsorted(positions, window)
        inside = slice(int(low), int(high))
        is_free = number_inside(document_taken, positions[inside], grams.k) == 0
        query, beside = grams.pairs(numbers[inside][is_free], positions[inside][is_free])
        if len(query):
            shifts = beside - query
            order = np.lexsort((query, shifts))
            yield from diagonal_runs(query[order], shifts[order], grams.k, representation)
