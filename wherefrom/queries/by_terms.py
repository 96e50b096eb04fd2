"""Searches by terms alone, without the code of the query, of the documents, or of both.

The rule is the one of every search. Of the bits that a document shares with the query, the terms tell only about how
many there are, so a hit is less sure, and has lines in place of matched tokens.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from wherefrom.analyzers import fingerprints
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.engine import Engine
from wherefrom.model import TERM_BITS, Candidate, Occurrence, Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.attributing.attribution import Attributions
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.candidates import BATCH, MOST_CANDIDATES, Candidates
from wherefrom.queries.filters import Filters, OwnPlaces
from wherefrom.queries.fingerprinted import FingerprintedQuery, FingerprintedReading, FingerprintedWindow
from wherefrom.queries.judging.odds import ANSWER, is_weaker, probability, stated, strength
from wherefrom.queries.occurrences import texts, with_records
from wherefrom.queries.preparation.query import LookedUpTerms
from wherefrom.queries.spans import Numbers
from wherefrom.results import ContentMatch, Hit, Region, RegionPair, SearchResult
from wherefrom.support.values import dataclass, replace

SLACK = 2  # the lines of a match in a document are at most this many times as many as those of the query


class _Weights:
    """The weighted terms of a window, by representation; the places of those in `placed` are stored."""

    def __init__(self, window: FingerprintedWindow, looked_up: LookedUpTerms) -> None:
        self.window, self.terms = window, (terms := looked_up.weights(window.terms))
        self.placed = {key: own for key, own in terms.items() if key in fingerprints.PLACED}
        self._totals = {key: math.fsum(own.values()) for key, own in terms.items()}
        self.total = math.fsum(self._totals.values())

    def most(self, score: float) -> float:
        """The greatest share of the terms of any representation that a document with this score may have."""
        return max(min(1.0, score / total) for total in self._totals.values())

    def share(self, score: float, lines: Collection[int]) -> float:
        """The share of the terms of a representation that a document has: the largest of any representation.

        A renamed copy has terms of `p_match` alone. The engine tells only the sum over all representations (`score`).
        But the terms with known `lines` are counted, and a document that has a share of the terms of `renamed` has at
        most this share of those of `exact`, which are stricter. What is left of the sum is of `p_match`.
        """
        shares = {}
        rest = score
        for key, own in self.placed.items():
            held = math.fsum(weight for term, weight in own.items() if term in lines)
            shares[key] = held / self._totals[key]
            rest -= held
        exact = self._totals.get(Representation.EXACT, 0.0)
        if Representation.P_MATCH in self._totals:
            rest -= exact * shares.get(Representation.RENAMED, 0.0)
            shares[Representation.P_MATCH] = max(0.0, rest) / self._totals[Representation.P_MATCH]
        return min(1.0, max(score / self.total, *shares.values()))


@dataclass(frozen=True, slots=True)
class _Found:
    """A candidate that is probably a copy, beside the window where it is most probable. `lines` are those of its terms,
    and `share` is as in `_Weights`.
    """

    candidate: Candidate
    window: FingerprintedWindow
    lines: Mapping[int, Numbers]
    share: float
    probability: float

    def order(self) -> tuple[float, float, float, str]:
        """The key that sorts the most probable first."""
        return -self.probability, -self.share, -self.candidate.score, self.candidate.blob.blob


def search_by_terms(
    engine: Engine,
    query: FingerprintedQuery,
    options: SearchOptions,
    references: IndexReferences,
    without: Collection[str] = (),
) -> SearchResult:
    """Finds the documents that have the terms of a query, without some blobs. The answer is about the reading whose
    terms match most. Options that need the code (`NEED_CODE`) have no effect. Its `took_ms` is 0: the caller sets it.
    """
    references.refresh()
    own = OwnPlaces.named(engine, options.own)
    answers = [_answer(engine, it, options, references, own=own, without=without) for it in query.readings]
    best = max(answers, key=lambda answer: answer.hits[0].match if answer.hits else 0.0)
    return replace(
        best,
        truncated=any(answer.truncated for answer in answers),
        warnings=(*best.warnings, *own.warnings),
    )


def _answer(
    engine: Engine,
    query: FingerprintedReading,
    options: SearchOptions,
    references: IndexReferences,
    *,
    own: OwnPlaces,
    without: Collection[str],
) -> SearchResult:
    terms: defaultdict[Representation, set[int]] = defaultdict(set)
    for window in query.windows:
        for key, own_terms in window.terms.items():
            terms[key].update(own_terms)
    looked_up = LookedUpTerms.of(engine, terms)
    attributions = Attributions(options, references, own)
    filters = Filters.of(engine, options)
    candidates = Candidates(engine, looked_up, filters, references.admitted_blobs, attributions.admitted)
    search = _TermSearch(query, looked_up, candidates)
    search.run(without)
    hits = [
        hit
        for found in sorted(search.best.values(), key=_Found.order)
        if (hit := _hit(found, candidates.places[found.candidate.blob.blob], attributions, options)) is not None
    ]
    explained = max((hit.match for hit in hits[: options.limit]), default=0.0)
    shown, repositories = with_records(engine, hits[: options.limit], candidates.records)
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=query.info,
        total=len(hits),
        truncated=search.truncated or candidates.are_cut,
        took_ms=0.0,
        hits=shown,
        explained=explained,
        explained_tokens=int(explained * query.info.remaining_tokens / 100),
        warnings=candidates.warnings,
        repositories=repositories,
        texts=texts(engine),
    )


class _TermSearch:
    def __init__(self, query: FingerprintedReading, looked_up: LookedUpTerms, candidates: Candidates) -> None:
        self._query, self._looked_up, self._candidates = query, looked_up, candidates
        self.best: dict[str, _Found] = {}  # the probable copies with an admitted place, by blob
        self.truncated = False

    def run(self, without: Collection[str]) -> None:
        """Looks up all windows; blobs in `without` are left out."""
        for window in self._query.windows if self._query.info.needed is None else ():
            weights = _Weights(window, self._looked_up)
            read = 0
            for batch in self._candidates.batches(weights.terms, partial(self._promising, weights)):
                read += len(batch)
                found = self._judged(weights, [it for it in batch if it.blob.blob not in without])
                for candidate in self._candidates.with_locations([it.candidate for it in found.values()]):
                    blob = candidate.blob.blob
                    if blob not in self.best or found[blob].probability > self.best[blob].probability:
                        self.best[blob] = found[blob]
                self.truncated |= bool(found) and read >= MOST_CANDIDATES
                if len(batch) < BATCH or not found or read >= MOST_CANDIDATES:
                    break

    def _promising(self, weights: _Weights, facts: Sequence[tuple[float, int]]) -> list[bool]:
        return [self._probability(weights, score, weights.most(score)) >= ANSWER for score, _ in facts]

    def _judged(self, weights: _Weights, candidates: Sequence[Candidate]) -> dict[str, _Found]:
        facts = [(candidate.score, candidate.blob.token_count) for candidate in candidates]
        found = {}
        for candidate, is_worth in zip(candidates, self._promising(weights, facts), strict=True):
            if is_worth:
                blob = candidate.blob
                lines = fingerprints.load(blob.tokens).lines_of(weights.placed, TERM_BITS)
                share = weights.share(candidate.score, lines)
                likely = self._probability(weights, candidate.score, share)
                if likely >= ANSWER:
                    found[blob.blob] = _Found(candidate, weights.window, lines, share, likely)
        return found

    def _probability(self, weights: _Weights, score: float, share: float) -> float:
        return probability(share * weights.window.bits, self._query.counted, score / self._looked_up.unit)


def _hit(found: _Found, places: Sequence[Occurrence], attributions: Attributions, options: SearchOptions) -> Hit | None:
    """The hit of a copy; None if it is too weak or has too little of the query, or if attribution filters leave out all
    of its places.
    """
    if is_weaker(found.probability, options.min_strength) or found.share < options.min_containment:
        return None
    blob = found.candidate.blob
    regions = _regions(found)
    occurrences, named = attributions.of(places, {blob.blob: regions})
    if not occurrences:
        return None
    match = ContentMatch(
        blob=blob.blob,
        score=round(found.candidate.score, 6),
        match=math.floor(found.share * 10_000) / 100,
        containment=round(found.share, 6),
        longest_run=0,
        regions=regions,
        strength=strength(found.probability),
        probability=stated(found.probability),
    )
    return Hit((match,), blob.language, tuple(occurrences), attributions=named, by_terms=True)


def _regions(found: _Found) -> tuple[RegionPair, ...]:
    """The lines of the query and of the document that the terms point at: those where most of them are together."""
    spans = {term: span for own in found.window.terms.values() for term, span in own.items()}
    first, last = min(span[0] for span in spans.values()), max(span[1] for span in spans.values())
    places = sorted((int(line), term) for term, lines in found.lines.items() for line in lines)
    if not places:
        return ()
    reach = SLACK * (last - first + 1)
    near: Counter[int] = Counter()
    best = begin = 0
    chosen = (0, 0)
    for end, (line, term) in enumerate(places):
        near[term] += 1
        while line - places[begin][0] > reach:
            near -= Counter([places[begin][1]])
            begin += 1
        if len(near) > best:
            best, chosen = len(near), (begin, end)
    those = places[chosen[0] : chosen[1] + 1]
    asked = [spans[term] for _, term in those]
    tail = max(last - first for first, last in asked)
    here = Region(0, 0, min(first for first, _ in asked), max(last for _, last in asked))
    return (RegionPair(here, Region(0, 0, those[0][0], those[-1][0] + tail), 0, Representation.RENAMED),)


def with_hits_by_terms(found: SearchResult, other: SearchResult, limit: int) -> SearchResult:
    """An answer, followed by the hits that another search found by terms alone. If only those exist, the query is shown
    as that search read it.
    """
    hits = (*found.hits, *other.hits)[:limit]
    return replace(
        found,
        query=found.query if found.hits or not other.hits else other.query,
        hits=hits,
        total=found.total + other.total,
        truncated=found.truncated or other.truncated,
        explained=max(found.explained, other.explained),
        explained_tokens=max(found.explained_tokens, other.explained_tokens),
        repositories={**other.repositories, **found.repositories},
        refused=None if hits else found.refused,
    )
