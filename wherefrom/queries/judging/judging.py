"""Judging: whether a document beside a window of the query is a copy of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import CHANCE_WEIGHT, LESS, OTHERS, SLACK
from wherefrom.model import Candidate, Representation
from wherefrom.queries.alignment.aligning import Alignment, Common, Document, Shared, align
from wherefrom.queries.alignment.runs import Run, Sides, ordered_runs, plain_runs
from wherefrom.queries.judging.literals import agreement, literal_place, literal_share
from wherefrom.queries.judging.rule import STRONG, chance, probability
from wherefrom.queries.preparation.query import Query, QueryWindow, WindowGrams
from wherefrom.results import Signs

REFUSED = 3
"""Candidates that are looked at closely however little they promise: where none is found, the best of them is named."""

HELD_TOKENS, HELD_KGRAMS = 1 << 19, 1 << 21
"""Tokens of the documents that were aligned last, of which what is derived is held (50 bytes for each), and k-grams
that they have in common with the query (8 bytes for each): the next window of the query has many of them as well.
"""

NEARLY = 1 - STRONG
"""Probability of a document that is nearly an answer: it is looked at again, without what a formatter may have added or
moved."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A document beside a window of the query.

    Attributes:
        first_stage: the engine's score.
        runs: what matches, ascending, none overlapping another on either side.
        signs: what tells whether it is a copy.
        probability: how probable that is, 0 to 1.
        literal_share, agreement: see `queries.judging.literals`.
    """

    document: Document
    first_stage: float
    part: QueryWindow
    alignment: Alignment
    runs: Sequence[Run]
    signs: Signs
    probability: float
    literal_share: float = 0.0
    agreement: float = 1.0

    @property
    def score(self) -> float:
        """What it is ranked by: up to twice the score of its chains for the literals, less for what does not agree."""
        return self.alignment.score * (1 + self.literal_share) * self.agreement


class Judge:
    """Judges the candidates of a query.

    Attributes:
        refused: the most probable documents that were looked at closely and are no answers, by blob; at most `REFUSED`.
    """

    def __init__(self, query: Query) -> None:
        self.query = query
        self.refused: dict[str, Judged] = {}
        self._counted: dict[tuple[int, int], tuple[int, int]] = {}
        # By blob id, the one that was used longest ago first.
        self._held: dict[str, Document] = {}
        self._held_tokens = 0
        self._common: dict[str, Common] = {}
        self._held_kgrams = 0

    def judge(self, part: QueryWindow, candidate: Candidate, scores: Sequence[float], least: float) -> Judged | None:
        """A candidate beside a part, of which `scores` are those of the first candidates, the highest first; None if it
        shares no more than others do by chance, or if it is less probable a copy than `least`.
        """
        query = self.query
        expected = self._chance(part, candidate.score, scores)
        terms, tokens = candidate.score / query.unit, candidate.blob.token_count // query.patterns.unit

        def is_probable(patterns: int, literals: int) -> bool:
            most = Signs(patterns, self._counts(part)[0], literals, terms, expected, tokens)
            return len(self.refused) < REFUSED or probability(most, query.windows) >= least

        # Most candidates share too little, which each of these tells at a fraction of the cost of what follows it.
        if terms <= expected or not is_probable(*self._counts(part)):
            return None
        document = self._held.get(candidate.blob.blob) or Document(candidate)
        shared = self._shared(document, part.lookup())
        if not is_probable(*query.patterns.among(part.begin, _reached(part, shared))):
            return None
        alignment = self._aligned(part, document, shared)
        found = self._signed(part, document, alignment, candidate.score, expected)
        if NEARLY <= found.probability < least:
            found = self._signed(part, document, alignment, candidate.score, expected, ordered_runs)
        if found.probability < least:
            self._refuse(found)
            return None
        if len(query.parts) > 1:
            return found
        found = self._by_literals(found)
        return found if query.is_prose else replace(found, agreement=agreement(query, part, document, found.runs))

    def beside(self, part: QueryWindow, best: Judged) -> Judged | None:
        """A document that was found, beside another window: as probable as if it stood out there as it does in the
        window that it was found by. None if it shares no more there than others do by chance.
        """
        document = best.document
        score = sum(
            weight
            for representation, weights in part.terms.items()
            for term, weight in weights.items()
            if term in document.terms[representation]
        )
        if score / self.query.unit <= self._chance(part, score, ()):
            return None
        alignment = self._aligned(part, document, self._shared(document, part.lookup()))
        found = self._signed(part, document, alignment, best.first_stage, best.signs.chance)
        return replace(found, probability=probability(found.signs))

    def _chance(self, part: QueryWindow, own: float, scores: Sequence[float]) -> float:
        """What others share with a window by chance, in units of ln(1 + N): what the candidate at place `OTHERS` does
        among those that share less than `LESS` of what this one does, for there may be many copies; at least `chance`.
        """
        weights = [weight for terms in part.terms.values() for weight in terms.values()]
        if max(self.query.blobs.values(), default=0) > OTHERS:
            less = [score for score in scores if score < LESS * own]
            seen = less[OTHERS - 1] / self.query.unit if len(less) >= OTHERS else 0.0
            # Of terms that are frequent here, as where most of the index are copies, what is shared weighs less.
            return max(seen, chance(len(weights)) * min(1.0, sum(weights) / (self.query.unit * len(weights))))
        # An index of a few files has nothing to compare with, and the terms that it holds weigh little, so what is
        # shared by chance does too.
        there = [
            weight
            for representation, terms in part.terms.items()
            for term, weight in terms.items()
            if (representation, term) in self.query.held_terms
        ]
        return chance(len(weights)) * min(1.0, sum(there) / (CHANCE_WEIGHT * self.query.unit * max(len(there), 1)))

    def _counts(self, part: QueryWindow) -> tuple[int, int]:
        """The patterns and literals of a window."""
        if part.left is not None:
            return self.query.patterns.among(part.begin, part.left)
        key = part.begin, part.end
        if key not in self._counted:
            everything = np.ones(part.end - part.begin, np.bool_)
            self._counted[key] = self.query.patterns.among(part.begin, everything)
        return self._counted[key]

    def _signed(  # noqa: PLR0917 the two texts, what is known of them, and how they are laid beside each other
        self,
        part: QueryWindow,
        document: Document,
        alignment: Alignment,
        first_stage: float,
        expected: float,
        runs_of: Callable[[Sides, Iterable[Run], NDArray[np.bool_]], list[Run]] = plain_runs,
    ) -> Judged:
        query = self.query
        runs = runs_of(query.beside(document.stream), alignment.runs(), query.masked)
        signs = Signs(
            shared=query.patterns.shared(runs),
            patterns=self._counts(part)[0],
            literals=query.patterns.in_place(document.stream, runs),
            terms=first_stage / query.unit,
            chance=expected,
            tokens=document.blob.token_count // query.patterns.unit,
        )
        return Judged(document, first_stage, part, alignment, runs, signs, probability(signs, query.windows))

    def _by_literals(self, found: Judged) -> Judged:
        """A document with its `literal_share`; beside the stretch of it that has more of the query's literals, where
        that is better in all. Among rows of one form chains cannot tell which of them were copied.
        """
        query, part, document = self.query, found.part, found.document
        found = replace(found, literal_share=literal_share(query, document, found.alignment))
        begin = literal_place(query, document, found.literal_share) if found.literal_share < 1 else None
        if begin is None:
            return found
        slack = len(query.stream) // SLACK
        near = begin - slack, begin + len(query.stream) + slack
        shared = {}
        for representation, (positions, numbers) in self._shared(document, part.lookup()).items():
            low, high = positions.searchsorted(near).tolist()
            if low < high:
                shared[representation] = positions[low:high], numbers[low:high]
        alignment = align(part, document, query.masked, shared)
        share = literal_share(query, document, alignment)
        if alignment.score * (1 + share) <= found.score:
            return found
        other = self._signed(part, document, alignment, found.first_stage, found.signs.chance)
        surer = max(found, other, key=lambda each: each.probability)
        return replace(other, literal_share=share, signs=surer.signs, probability=surer.probability)

    def _refuse(self, found: Judged) -> None:
        known = self.refused.get(found.document.blob.blob)
        if known is None or found.probability > known.probability:
            self.refused[found.document.blob.blob] = found
        if len(self.refused) > REFUSED:
            del self.refused[min(self.refused, key=lambda blob: self.refused[blob].probability)]

    def _shared(self, document: Document, lookup: WindowGrams) -> Shared:
        """What a document shares with a window; what it has in common with the whole query is held."""
        blob = document.blob.blob
        common = self._common.pop(blob, None)
        if common is None:
            common = Common(document, lookup)
            self._held_kgrams += len(common)
        self._common[blob] = common
        while self._held_kgrams > HELD_KGRAMS and len(self._common) > 1:
            self._held_kgrams -= len(self._common.pop(next(iter(self._common))))
        return common.within(lookup)

    def _aligned(self, part: QueryWindow, document: Document, shared: Shared) -> Alignment:
        """A document is held that is used now, and those that were used longest ago forget what is derived of them."""
        blob = document.blob.blob
        before = self._held.pop(blob, None)
        if before is None:
            self._held_tokens += document.blob.token_count
        elif before is not document:
            before.forget()
        self._held[blob] = document
        while self._held_tokens > HELD_TOKENS and len(self._held) > 1:
            oldest = self._held.pop(next(iter(self._held)))
            oldest.forget()
            self._held_tokens -= oldest.blob.token_count
        return align(part, document, self.query.masked, shared)


def _reached(part: QueryWindow, shared: Shared) -> NDArray[np.bool_]:
    """The tokens of a window that a document may match that shares these k-grams: those in one of them, and as far as
    runs grow from them without another k-gram of `exact`.
    """
    grams = part.lookup().grams
    reached = np.zeros(part.end - part.begin, np.bool_)
    for representation, (_, numbers) in shared.items():
        reached |= grams[representation].reached(numbers, SCHEMES[Representation.EXACT].k - 1)
    return reached
