"""Candidates: documents that share terms with a window of the query, and whether they count as found."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import CHANCE_WEIGHT, LESS, OTHERS, SLACK
from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import Alignment, Document, align
from wherefrom.queries.alignment.common import Common
from wherefrom.queries.alignment.runs import Sides, ordered_runs, plain_runs
from wherefrom.queries.judging.literals import literal_place, literal_share
from wherefrom.queries.judging.rule import STRONG, chance, probability
from wherefrom.queries.occurrences import current_occurrences
from wherefrom.results import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from wherefrom.engines.engine import Engine
    from wherefrom.model import Candidate, Occurrence, RepositoryRecord
    from wherefrom.queries.alignment.aligning import Shared
    from wherefrom.queries.alignment.runs import Run
    from wherefrom.queries.filters import AdmittedBlobs, Filters
    from wherefrom.queries.preparation.preparing import Lookup, Part, Query

BATCH = 50
"""Candidates looked at before asking whether more are worth it."""

MOST_CANDIDATES = 1000
"""Candidates of one window of the query after which the search stops and says so."""

REFUSED = 3
"""Candidates that are looked at closely however little they promise: where none is found, the best of them is named."""

HELD_TOKENS = 1 << 19
"""Tokens of the documents that were aligned last, of which what is derived is held: the next window of the query has
many of them as well. It takes about 50 bytes for each."""

HELD_KGRAMS = 1 << 21
"""K-grams that the documents that were judged last have in common with the query, and that are held likewise. It takes
8 bytes for each."""

NEARLY = 1 - STRONG
"""Probability of a document that is nearly an answer: it is looked at again, without what a formatter may have added or
moved."""


@dataclass(slots=True)
class Found:
    """A document beside a window (`part`) of the query.

    Attributes:
        first_stage: the engine's score.
        runs: what matches, ascending, none overlapping another on either side.
        signs: what tells whether it is a copy.
        probability: how probable that is, 0 to 1.
        literal_share, agreement: see `queries.judging.literals`.
    """

    document: Document
    first_stage: float
    part: Part
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


class Candidates:
    """The candidates of one query.

    Attributes:
        unit: ln(1 + N), which the idf of a rare term grows with.
        windows: of the query.
        refused: the most probable documents that were looked at closely and are no answers, by blob; at most `REFUSED`.
        warnings: which patterns of the filters match nothing.
        places: for each blob that was looked at its occurrences that the filters and `admitted` let through.
        languages: of the candidates; the sum of their scores for each.
        records: of the repositories that these places name.
    """

    def __init__(
        self,
        engine: Engine,
        query: Query,
        filters: Filters,
        admitted_blobs: AdmittedBlobs,
        admitted: Callable[[Sequence[Occurrence]], list[Occurrence]] = list,
    ) -> None:
        self.unit = math.log1p(max(query.blobs.values(), default=0)) or 1.0
        self.windows = sum(len(part.distances) for part in query.parts)
        self.refused: dict[str, Found] = {}
        self._counted: dict[tuple[int, int], tuple[int, int]] = {}
        self.places: dict[str, list[Occurrence]] = {}
        self.languages: defaultdict[str, float] = defaultdict(float)
        self.records: dict[str, RepositoryRecord] = {}
        held = (each for each in query.fingerprints if each.document_frequency)
        self._held_terms = frozenset((each.representation, each.term) for each in held)
        self._engine, self.query, self._filters, self._admitted = engine, query, filters, admitted
        self._only = admitted_blobs.of(filters)
        self.warnings = admitted_blobs.warnings(filters)
        # By blob id, the one that was used longest ago first.
        self._held: dict[str, Document] = {}
        self._held_tokens = 0
        # Likewise.
        self._common: dict[str, Common] = {}
        self._held_kgrams = 0

    def batch(self, part: Part, offset: int) -> list[Candidate]:
        """The next `BATCH` candidates of a window, the best first; fewer only where there are no more."""
        if self._held_terms.isdisjoint((key, term) for key, terms in part.terms.items() for term in terms):
            return []
        candidates = self._engine.candidates(
            part.terms, limit=BATCH, offset=offset, languages=self._filters.languages or None, blobs=self._only
        )
        for candidate in candidates:
            self.languages[candidate.blob.language] += candidate.score
        return candidates

    def with_locations(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those that appear somewhere that the filters admit."""
        fresh = [candidate.blob.blob for candidate in candidates if candidate.blob.blob not in self.places]
        for blob, occurrences in current_occurrences(self._engine, fresh, self.records).items():
            self.places[blob] = self._admitted([each for each in occurrences if self._filters.admits(each)])
        return [candidate for candidate in candidates if self.places[candidate.blob.blob]]

    def document(self, candidate: Candidate) -> Document:
        """The document of a candidate, as it was aligned where that was not long ago."""
        return self._held.get(candidate.blob.blob) or Document(candidate)

    def judge(self, part: Part, candidate: Candidate, scores: Sequence[float], least: float) -> Found | None:
        """A candidate beside a window, of which `scores` are those of the first candidates, the highest first; None if
        it shares no more than others do by chance, or if it is less probable a copy than `least`.
        """
        chance = self._chance(part, candidate.score, scores)
        terms, tokens = candidate.score / self.unit, candidate.blob.token_count // self.query.patterns.unit

        def is_probable(patterns: int, literals: int) -> bool:
            most = Signs(patterns, self._counts(part)[0], literals, terms, chance, tokens)
            return len(self.refused) < REFUSED or probability(most, self.windows) >= least

        # Most candidates share too little, which each of these tells at a fraction of the cost of what follows it.
        if terms <= chance or not is_probable(*self._counts(part)):
            return None
        document, lookup = self.document(candidate), part.lookup()
        shared = self._common_with(document, lookup).within(lookup)
        if not is_probable(*self.query.patterns.among(part.begin, _reached(part, shared))):
            return None
        self._hold(document)
        alignment = align(part, document, self.query.masked, shared)
        found = self._signed(part, document, alignment, candidate.score, chance)
        if NEARLY <= found.probability < least:
            found = self._signed(part, document, alignment, candidate.score, chance, ordered_runs)
        if found.probability >= least:
            return self._by_literals(found)
        self._refuse(found)
        return None

    def _refuse(self, found: Found) -> None:
        known = self.refused.get(found.document.blob.blob)
        if known is None or found.probability > known.probability:
            self.refused[found.document.blob.blob] = found
        if len(self.refused) > REFUSED:
            del self.refused[min(self.refused, key=lambda blob: self.refused[blob].probability)]

    def beside(self, part: Part, best: Found) -> Found | None:
        """A document that was found, beside another window: as probable as if it stood out there as it does in the
        window that it was found by. None if it shares no more there than others do by chance.
        """
        document, lookup = best.document, part.lookup()
        score = sum(
            weight
            for representation, weights in part.terms.items()
            for term, weight in weights.items()
            if term in document.terms[representation]
        )
        if score / self.unit <= self._chance(part, score, ()):
            return None
        self._hold(document)
        shared = self._common_with(document, lookup).within(lookup)
        alignment = align(part, document, self.query.masked, shared)
        found = self._signed(part, document, alignment, best.first_stage, best.signs.chance)
        return replace(found, probability=probability(found.signs))

    def _chance(self, part: Part, own: float, scores: Sequence[float]) -> float:
        """What others share with a window by chance, in units of ln(1 + N): what the candidate at place `OTHERS` does
        among those that share less than `LESS` of what this one does, for there may be many copies; at least `chance`.
        """
        less = [score for score in scores if score < LESS * own]
        weights = [weight for terms in part.terms.values() for weight in terms.values()]
        if max(self.query.blobs.values(), default=0) > OTHERS:
            seen = less[OTHERS - 1] / self.unit if len(less) >= OTHERS else 0.0
            # Of terms that are frequent here, as where most of the index are copies, what is shared weighs less.
            return max(seen, chance(len(weights)) * min(1.0, sum(weights) / (self.unit * len(weights))))
        # An index of a few files has nothing to compare with, and the terms that it holds weigh little, so what is
        # shared by chance does too.
        held = [
            weight
            for representation, terms in part.terms.items()
            for term, weight in terms.items()
            if (representation, term) in self._held_terms
        ]
        return chance(len(weights)) * min(1.0, sum(held) / (CHANCE_WEIGHT * self.unit * max(len(held), 1)))

    def _counts(self, part: Part) -> tuple[int, int]:
        """The patterns and literals of a window."""
        if part.left is not None:
            return self.query.patterns.among(part.begin, part.left)
        key = part.begin, part.end
        if key not in self._counted:
            self._counted[key] = self.query.patterns.among(part.begin, np.ones(part.end - part.begin, np.bool_))
        return self._counted[key]

    def _signed(  # noqa: PLR0917 the two texts, what is known of them, and how they are laid beside each other
        self,
        part: Part,
        document: Document,
        alignment: Alignment,
        first_stage: float,
        chance: float,
        runs_of: Callable[[Sides, Iterable[Run], NDArray[np.bool_]], list[Run]] = plain_runs,
    ) -> Found:
        query = self.query
        sides = Sides.of(query.stream, document.stream, query.kept)
        runs = runs_of(sides, alignment.runs(), query.masked)
        signs = Signs(
            shared=query.patterns.shared(runs),
            patterns=self._counts(part)[0],
            literals=query.patterns.in_place(document.stream, runs),
            terms=first_stage / self.unit,
            chance=chance,
            tokens=document.blob.token_count // query.patterns.unit,
        )
        return Found(document, first_stage, part, alignment, runs, signs, probability(signs, self.windows))

    def _by_literals(self, found: Found) -> Found:
        """A document with its `literal_share`; beside the stretch of it that has more of the query's literals, where
        that is better in all. Among rows of one form chains cannot tell which of them were copied.
        """
        query, part, document = self.query, found.part, found.document
        found.literal_share = literal_share(query, document, found.alignment)
        if found.literal_share == 1 or len(query.parts) > 1:
            return found
        begin = literal_place(query, document, found.literal_share)
        if begin is None:
            return found
        slack = len(query.stream) // SLACK
        window = begin - slack, begin + len(query.stream) + slack
        lookup = part.lookup()
        shared = {}
        for representation, (positions, numbers) in self._common_with(document, lookup).within(lookup).items():
            low, high = positions.searchsorted(window).tolist()
            if low < high:
                shared[representation] = positions[low:high], numbers[low:high]
        alignment = align(part, document, query.masked, shared)
        share = literal_share(query, document, alignment)
        if alignment.score * (1 + share) <= found.score:
            return found
        other = self._signed(part, document, alignment, found.first_stage, found.signs.chance)
        surer = max(found, other, key=lambda each: each.probability)
        return replace(other, literal_share=share, signs=surer.signs, probability=surer.probability)

    def _common_with(self, document: Document, lookup: Lookup) -> Common:
        """What a document has in common with the query."""
        blob = document.blob.blob
        common = self._common.pop(blob, None)
        if common is None:
            common = Common(document, lookup)
            self._held_kgrams += len(common)
        self._common[blob] = common
        while self._held_kgrams > HELD_KGRAMS and len(self._common) > 1:
            self._held_kgrams -= len(self._common.pop(next(iter(self._common))))
        return common

    def _hold(self, document: Document) -> None:
        """Holds what is derived of a document that is used now, and lets those that were used longest ago forget it."""
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


def _reached(part: Part, shared: Shared) -> NDArray[np.bool_]:
    """The tokens of a window that a document may match that shares these k-grams: those in one of them, and as far as
    runs grow from them without another k-gram of `exact`.
    """
    grams = part.lookup().grams
    reached = np.zeros(part.end - part.begin, np.bool_)
    for representation, (_, numbers) in shared.items():
        reached |= grams[representation].reached(numbers, SCHEMES[Representation.EXACT].k - 1)
    return reached
