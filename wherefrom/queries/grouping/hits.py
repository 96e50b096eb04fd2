"""Makes hits from groups: compares each with the whole query, and adds regions, places and attributions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from wherefrom.analyzers.tokens import TokenClass, is_literal
from wherefrom.fitted import CHARACTERS
from wherefrom.model import OF_TOKENS, Candidate
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.regions import region_pairs
from wherefrom.queries.alignment.runs import MatchedRun, matched_weight
from wherefrom.queries.attributing.attribution import Attributions
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.grouping.copies import Copies, containment
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.odds import ANSWER, is_weaker, needed, stated, strength
from wherefrom.queries.preparation.background import UNIT, background
from wherefrom.queries.preparation.query import Query
from wherefrom.results import ContentMatch, CopyEvidence, Explanation, Hit, Refused, TermExplanation
from wherefrom.results.search import token_percent
from wherefrom.support.values import dataclass

RANKED, MOST_RANKED = 2, 200
"""How many groups are compared with every window of a long query: `RANKED` for each hit, but at most `MOST_RANKED`
unless more hits than that are shown. The other groups would hardly change the order, since the windows that found the
groups already rank them well."""

_TOGETHER = 32  # the number of groups that are compared at a time. Each takes 3 bytes for each token of the query


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class Finished:
    """The results of the steps of a search."""

    options: SearchOptions
    query: Query
    candidates: Candidates
    judge: Judge
    copies: Copies
    attributions: Attributions

    @cached_property
    def groups(self) -> list[str]:
        """The groups that are strong enough to be shown."""
        copies, least = self.copies, self.options.min_strength
        return [it for it in copies.groups if not is_weaker(copies.best[copies.leader(it)].probability, least)]

    @cached_property
    def ranked(self) -> list[tuple[str, AllWindows]]:
        """The groups that may be shown, the best first, each with its best blob aligned with the whole query."""
        copies, limit = self.copies, self.options.limit
        if self.options.unattributed:
            # The lines of a group may show that it is earlier. It is left out then, so more groups are needed here.
            limit = max(limit, MOST_RANKED)
        groups = sorted(self.groups, key=lambda group: (-copies.scores[copies.leader(group)], group))
        chosen = groups[: limit if len(self.query.parts) == 1 else max(limit, min(RANKED * limit, MOST_RANKED))]
        ranked = zip(chosen, _beside_all(self, [copies.leader(group) for group in chosen]), strict=True)
        return sorted(ranked, key=lambda pair: (-pair[1].score, pair[0]))[:limit]

    @cached_property
    def hits(self) -> tuple[list[Hit], int, bool]:
        """The hits that are shown, the best first; how many there are in all; and whether there may be fewer than that,
        since not all groups were compared with the attribution filters.
        """
        hits: list[Hit] = []
        left_out = 0
        for group, beside in self.ranked:
            is_shown = len(hits) < self.options.limit
            hit = _hit(self, group, beside, is_shown=is_shown)
            left_out += hit is None
            hits += [hit] if hit is not None and is_shown else []
        total = len(self.groups) - left_out
        return hits, total, self.options.unattributed and len(self.ranked) < len(self.groups)

    @property
    def match(self) -> float:
        """How much of the query the first hit matches, in percent; 0 without hits."""
        if self.options.unattributed:  # the attribution filters may leave out the first group
            return next((hit.match for hit in self.hits[0]), 0.0)
        weights = self.query.weights
        found = (matched_weight(beside.runs, weights) for _, beside in self.ranked)
        return token_percent(next(found, 0), int(weights.sum()))


def _beside_all(search: Finished, blobs: Sequence[str]) -> Iterator[AllWindows]:
    for begin in range(0, len(blobs), _TOGETHER):
        some = [AllWindows(search.query, search.copies.best[blob]) for blob in blobs[begin : begin + _TOGETHER]]
        # One window after the other, so that the lookup of a window is made once for all documents.
        for part in search.query.parts:
            for beside in some:
                if part is not beside.best.part:
                    other = search.judge.beside(part, beside.best)
                    if other is not None and other.probability >= ANSWER:
                        beside.add(other)
        yield from some


def _hit(search: Finished, group: str, beside: AllWindows, *, is_shown: bool) -> Hit | None:
    """The hit of a group; None if attribution filters leave out all of its places."""
    first = beside.best.document
    found = [(_content_match(search.query, beside), beside)]
    for other in _beside_all(search, [blob for blob in search.copies.groups[group] if blob != first.blob.blob]):
        found.append((_content_match(search.query, other), other))
        other.best.document.forget()
    found.sort(key=lambda pair: (-pair[0].score, pair[0].blob))
    _, beside = found[0]
    regions = {content.blob: content.regions for content, _ in found}
    places = [occurrence for blob in regions for occurrence in search.candidates.places[blob]]
    occurrences, attributions = search.attributions.of(places, regions, is_shown=is_shown)
    explanation = _explanation(search, beside) if search.options.explain and occurrences else None
    for document in (first, beside.best.document):
        document.forget()
    if not occurrences:
        return None
    return Hit(
        contents=tuple(content for content, _ in found),
        language=beside.best.document.blob.language,
        occurrences=tuple(occurrences),
        explanation=explanation,
        attributions=attributions,
    )


def _content_match(query: Query, beside: AllWindows) -> ContentMatch:
    document = beside.best.document
    sides = query.beside(document.stream)
    regions = region_pairs(sides, beside.runs)
    return ContentMatch(
        blob=document.blob.blob,
        score=round(beside.score, 6),
        match=token_percent(matched_weight(beside.runs, query.weights), int(query.weights.sum())),
        containment=round(min(containment(query, document), 1.0), 6),
        longest_run=max((region.tokens for region in regions), default=0),
        regions=regions,
        strength=strength(beside.best.probability),
        probability=stated(beside.best.probability),
    )


def _explanation(search: Finished, beside: AllWindows) -> Explanation:
    query, best = search.query, beside.best
    looked_up = {(found.representation, found.term): found for found in query.fingerprints}
    terms = (
        looked_up[representation, term]
        for representation in (() if search.options.without_terms else OF_TOKENS)
        for term in sorted(best.part.terms.get(representation, ()))
        if term in best.document.terms[representation]
    )
    return Explanation(
        score=round(beside.score, 6),
        probability=stated(best.probability),
        evidence=_evidence(query, best, beside.runs_of_best),
        threshold=None,
        first_stage=round(best.first_stage, 6),
        blobs=query.looked_up.blobs,
        chains=(),
        terms=tuple(
            TermExplanation(found.representation, found.term, found.document_frequency, round(found.weight, 6))
            for found in terms
        ),
    )


def _evidence(query: Query, found: Judged, runs: Sequence[MatchedRun]) -> CopyEvidence:
    here = np.concatenate([np.empty(0, np.int64), *(np.arange(run.begin, run.end) for run in runs)])
    there = here + np.repeat([run.shift for run in runs], [run.tokens for run in runs]).astype(np.int64)
    is_same = query.stream.codes[here] == found.document.stream.codes[there]
    classes = query.stream.classes[here]
    is_name, literal = classes == TokenClass.NAME, is_literal(classes)
    return CopyEvidence(
        bits=round(found.aligned.bits, 2),
        needed=round(needed(query.counted, found.rarity), 2),
        tokens=round(query.counted),
        rarity=round(found.rarity, 6),
        in_order=round(len(here) / (CHARACTERS if query.is_prose else 1)),
        same_names=int(np.count_nonzero(is_name & is_same)),
        other_names=int(np.count_nonzero(is_name & ~is_same)),
        same_literals=int(np.count_nonzero(literal & is_same)),
        other_literals=int(np.count_nonzero(literal & ~is_same)),
        projects=background().projects.get(found.document.blob.language, 0),
    )


def refused(search: Finished) -> Refused | None:
    """The most probable document that is not an answer; None if none has an admitted place."""
    candidates, query = search.candidates, search.query
    least = search.options.min_strength
    too_weak = [found for found in search.copies.best.values() if is_weaker(found.probability, least)]
    for found in sorted((*too_weak, *search.judge.refused.values()), key=lambda judged: -judged.probability):
        stored = found.document.blob
        candidates.with_locations([Candidate(0.0, stored)])
        runs = query.runs_of([(found.part, found.aligned)])
        evidence = _evidence(query, found, runs)
        regions = region_pairs(query.beside(found.document.stream), runs)
        found.document.forget()
        places, _ = search.attributions.of(candidates.places[stored.blob], {stored.blob: regions})
        if places and runs:
            return Refused(
                blob=stored.blob,
                language=stored.language,
                occurrences=tuple(places),
                regions=regions,
                probability=stated(found.probability),
                evidence=evidence,
            )
    return None


class AllWindows:
    """A document, aligned with all windows of the query that find it.

    Attributes:
        best: the result for the window where the document is most probable.
        runs: what matches in all windows, without overlaps.
        score: the bits of the runs.
    """

    def __init__(self, query: Query, best: Judged) -> None:
        self.best = best
        self._query = query
        self._all = [best]

    def add(self, found: Judged) -> None:
        """Adds a window that finds the document."""
        self._all.append(found)

    @cached_property
    def runs(self) -> list[MatchedRun]:
        """What matches in all windows, ascending and without overlaps on either side, outside of masked tokens."""
        return self._query.runs_of((found.part, found.aligned) for found in self._all)

    @property
    def runs_of_best(self) -> list[MatchedRun]:
        """What matches in the window where the document is most probable."""
        best = self.best
        return self.runs if len(self._all) == 1 else self._query.runs_of([(best.part, best.aligned)])

    @cached_property
    def score(self) -> float:
        """The bits of the query in this document, which rank it."""
        if len(self._query.parts) == 1:
            return self.best.aligned.bits
        bits, codes = self._query.bits, self.best.document.symbols.codes
        is_same = [self._query.stream.codes[run.here] == codes[run.there] for run in self.runs]
        found = [
            np.sum(bits.structure[run.here]) + np.sum(bits.words[run.here][same])
            for run, same in zip(self.runs, is_same, strict=True)
        ]
        return float(sum(found)) / UNIT
