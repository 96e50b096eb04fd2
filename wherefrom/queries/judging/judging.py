"""Judging: whether a document beside a window of the query is a copy of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wherefrom.analyzers.fingerprints import are_places
from wherefrom.analyzers.tokens import count
from wherefrom.model import Candidate
from wherefrom.queries.alignment.aligning import Aligned
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.judging.odds import needed, probability
from wherefrom.queries.preparation.query import Query, QueryWindow
from wherefrom.support.values import dataclass

REFUSED = 3
"""This many candidates are aligned even if they share little, so that an answer without hits can name the best one."""

KEPT_TOKENS = 1 << 20
"""The documents that were aligned last are kept up to this many tokens (13 bytes each), since neighboring windows of a
query have many of the same candidates."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A document beside a window of the query."""

    document: DocumentTokens
    first_stage: float  # the engine's score
    part: QueryWindow
    aligned: Aligned  # the best alignment with the window and the tokens around it
    rarity: float  # `first_stage` as `odds.parts` takes it
    probability: float  # the probability of a copy, 0 to 1


class Judge:
    """Judges the candidates of a query."""

    def __init__(self, query: Query, *, refused: int = REFUSED) -> None:
        self.query = query
        self._most_refused = refused
        self._refused: dict[str, Judged] = {}
        # Candidates that have too few of the symbols of the only window, and the order of all that were refused.
        self._skipped: list[tuple[QueryWindow, Candidate]] = []
        self._order: dict[str, int] = {}
        # Keys are blob ids, in the order of the last use, the least recent first.
        self._documents: dict[str, DocumentTokens] = {}
        self._kept_tokens = 0
        self._aligned: dict[str, tuple[QueryWindow, Aligned]] = {}

    def judge(self, part: QueryWindow, candidate: Candidate, least: float) -> Judged | None:
        """Compares a candidate with a window. None if the probability of a copy is below `least`."""
        if not self.promising(part, least, [(candidate.score, candidate.blob.token_count)])[0]:
            return None
        if self._is_skipped(part, candidate, least):
            if self._most_refused:
                self._skipped.append((part, candidate))
                self._order.setdefault(candidate.blob.blob, len(self._order))
            return None
        known = self._documents.get(candidate.blob.blob)
        found = self._judged(part, known or DocumentTokens(candidate.blob), candidate.score)
        if found.probability >= least:
            return found
        self._refuse(found)
        if len(self.query.parts) == 1:  # no other window asks for it
            self._drop(candidate.blob.blob)
        return None

    def promising(self, part: QueryWindow, least: float, facts: Sequence[tuple[float, int]]) -> list[bool]:
        """Which candidates of a window, given their scores and token counts, can be copies: whether the probability
        reaches `least` if they have all of the query that they are aligned with.
        """
        if len(self._refused) + len(self._skipped) < self._most_refused:
            return [True] * len(facts)
        query = self.query
        return [probability(part.bits, query.counted, score / query.looked_up.unit) >= least for score, _ in facts]

    def beside(self, part: QueryWindow, best: Judged) -> Judged | None:
        """Compares a found document with another window. None if it shares no term with that window."""
        score = sum(
            weight
            for representation, weights in part.terms.items()
            for term, weight in weights.items()
            if term in best.document.terms[representation]
        )
        return self._judged(part, best.document, score) if score else None

    def _judged(self, part: QueryWindow, document: DocumentTokens, score: float) -> Judged:
        # The tokens around a window have the next window, too, so a document is aligned with every second one.
        blob = document.blob.blob
        last = self._aligned.get(blob)
        rarity = score / self.query.looked_up.unit
        if last is None or not last[0].around[0] <= part.begin <= part.end <= last[0].around[1]:
            bits = needed(self.query.counted, rarity)
            last = self._aligned[blob] = part, part.aligner().align(self._kept(document).text, bits)
        aligned = last[1]
        likely = probability(aligned.bits, self.query.counted, rarity)
        return Judged(document, score, part, aligned, rarity, likely)

    def _is_skipped(self, part: QueryWindow, candidate: Candidate, least: float) -> bool:
        """Whether no alignment can be an answer, since the document lacks symbols of the query. If there are several
        windows, an alignment with one may be used for another one, so none is left out.
        """
        if len(self.query.parts) > 1 or are_places(candidate.blob.tokens):
            return False
        most = part.aligner().most(candidate.blob.tokens)
        return probability(most, self.query.counted, candidate.score / self.query.looked_up.unit) < least

    @property
    def refused(self) -> Mapping[str, Judged]:
        """The most probable documents that are not answers, by blob; as many as are wanted."""
        if self._skipped:
            judged = (self._judged(part, DocumentTokens(it.blob), it.score) for part, it in self._skipped)
            every = self._refused | {found.document.blob.blob: found for found in judged}
            self._refused, self._skipped = {}, []
            for blob in sorted(every, key=self._order.__getitem__):
                self._refuse(every[blob])
        return self._refused

    def _refuse(self, found: Judged) -> None:
        if not self._most_refused:
            return
        blob = found.document.blob.blob
        self._order.setdefault(blob, len(self._order))
        known = self._refused.get(blob)
        if known is None or found.probability > known.probability:
            self._refused[blob] = found
        if len(self._refused) > self._most_refused:
            del self._refused[min(self._refused, key=lambda blob: self._refused[blob].probability)]

    def _kept(self, document: DocumentTokens) -> DocumentTokens:
        blob = document.blob.blob
        before = self._documents.pop(blob, None)
        if before is None:
            self._kept_tokens += count(document.blob.tokens)
        elif before is not document:
            before.forget()
        self._documents[blob] = document
        while self._kept_tokens > KEPT_TOKENS and len(self._documents) > 1:
            self._drop(next(iter(self._documents))).forget()
        return document

    def _drop(self, blob: str) -> DocumentTokens:
        self._aligned.pop(blob, None)
        dropped = self._documents.pop(blob)
        self._kept_tokens -= count(dropped.blob.tokens)
        return dropped
