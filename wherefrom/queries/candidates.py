"""Candidates: documents that share terms with a window of the query, and whether they count as found."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.queries.alignment import FIRST_STAGE_WEIGHT, Alignment, Document, align, at_most
from wherefrom.queries.common import Common
from wherefrom.queries.judgement import FOUND
from wherefrom.queries.literals import is_same_shape_alone, literal_place, literal_share
from wherefrom.queries.occurrences import current_occurrences
from wherefrom.queries.prepare import SHORT_QUERY
from wherefrom.queries.regions import aligned_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wherefrom.engines.engine import Engine
    from wherefrom.model import Candidate, Occurrence, RepositoryRecord
    from wherefrom.queries.filters import AdmittedBlobs, Filters
    from wherefrom.queries.prepare import Lookup, Part, Query

BATCH = 50
"""Candidates looked at before asking whether more are worth it."""

MOST_CANDIDATES = 1000
"""Candidates of one window of the query after which the search stops and says so."""

LITERALS = 2
"""Different literals that a query and a document have in common at least, where these tell that it is found."""

LITERAL_SLACK = 8
"""One token in so many of the query is added on both sides of the stretch of a document that has its literals."""

HELD_TOKENS = 1 << 19
"""Tokens of the documents that were aligned last, of which what is derived is held: the next window of the query has
many of them as well. It takes about 50 bytes for each."""

HELD_KGRAMS = 1 << 21
"""K-grams that the documents that were judged last have in common with the query, and that are held likewise. It takes
8 bytes for each."""


@dataclass(slots=True)
class Found:
    """A document that counts as found, with a window of the query; its score was raised by `literal_share`, and is less
    for what does not agree (see `queries.literals`).
    """

    document: Document
    score: float
    first_stage: float
    part: Part
    alignment: Alignment
    reason: str
    literal_share: float = 0.0
    agreement: float = 1.0


class Candidates:
    """The candidates of one query.

    Args:
        engine: the index.
        query: what is looked up.
        filters: which places count.
        admitted_blobs: the blobs of the index that filters admit.
        admitted: which of some occurrences count beyond the filters.

    Attributes:
        threshold: T(N) of the index.
        summed_threshold: T(N W) for W windows of the query, in which chance has W times as many occasions.
        warnings: which patterns of the filters match nothing.
        places: for each blob that was looked at its occurrences that the filters admit.
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
        blobs, windows = max(query.blobs.values(), default=0), sum(len(part.distances) for part in query.parts)
        self.threshold = FOUND.threshold(blobs)
        self.summed_threshold = FOUND.threshold(blobs * windows)
        self.places: dict[str, list[Occurrence]] = {}
        self.languages: defaultdict[str, float] = defaultdict(float)
        self.records: dict[str, RepositoryRecord] = {}
        held = (each for each in query.fingerprints if each.document_frequency)
        self._held_terms = frozenset((each.representation, each.term) for each in held)
        self._engine, self._query, self._filters, self._admitted = engine, query, filters, admitted
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

    def judge(self, part: Part, document: Document, first_stage: float, *, likely: bool = False) -> Found | None:
        """A document beside a window; None where it does not count as found.

        Args:
            part: the window.
            document: the candidate.
            first_stage: the engine's score.
            likely: give one as well that only may be found, with the reason `substance`.
        """
        lookup = part.lookup()
        common = self._common_with(document, lookup)
        most = at_most(part, common)
        added = FIRST_STAGE_WEIGHT * first_stage
        if self._reason(most.score + added, most, part, likely) is None and not self._may_be_whole(part, most):
            return None
        self._hold(document)
        alignment = align(part, document, self._query.masked, common.within(lookup))
        score = alignment.score + added
        reason = self._reason(score, alignment, part, likely)
        if reason in (None, "substance") and self._has_all_literals(part, document, alignment):
            reason = "coverage"
        if reason is not None and is_same_shape_alone(
            self._query, part.begin, part.end, document, aligned_runs(alignment)
        ):
            reason = None
        return None if reason is None else Found(document, score, first_stage, part, alignment, reason)

    def weigh_literals(self, found: Found) -> bool:
        """Sets the `literal_share` of a document that is found, and says whether its alignment is another one now.

        Among rows of one form chains cannot tell which of them were copied; literals can.
        """
        query, part, document = self._query, found.part, found.document
        found.literal_share = literal_share(query, document, found.alignment)
        if found.literal_share == 1 or len(query.parts) > 1:
            return False
        begin = literal_place(query, document, found.literal_share)
        if begin is None:
            return False
        slack = len(query.stream) // LITERAL_SLACK
        window = begin - slack, begin + len(query.stream) + slack
        lookup = part.lookup()
        shared = {}
        for representation, (positions, numbers) in self._common_with(document, lookup).within(lookup).items():
            low, high = positions.searchsorted(window).tolist()
            if low < high:
                shared[representation] = positions[low:high], numbers[low:high]
        alignment = align(part, document, query.masked, shared)
        share = literal_share(query, document, alignment)
        if alignment.score * (1 + share) <= found.alignment.score * (1 + found.literal_share):
            return False
        found.score += alignment.score - found.alignment.score
        found.alignment, found.literal_share = alignment, share
        return True

    def _reason(self, score: float, alignment: Alignment, part: Part, likely: bool) -> str | None:
        reason = FOUND.reason(score, alignment, part.tokens, self.threshold)
        if reason is None and likely and score >= FOUND.likely * self.threshold:
            return "substance"
        return reason

    def _has_all_literals(self, part: Part, document: Document, alignment: Alignment) -> bool:
        """Whether a document has the whole query with its literals, but for the names."""
        return self._may_be_whole(part, alignment) and literal_share(self._query, document, alignment) == 1

    def _may_be_whole(self, part: Part, alignment: Alignment) -> bool:
        """Whether a chain covers a whole short query with literals, or so much of a longer one that chains cannot say
        enough of, for it has rows of one form, or numbers in their order.
        """
        if part.tokens < SHORT_QUERY:
            is_covered = FOUND.is_whole(alignment, part.tokens)
        else:
            least = FOUND.partly_covered * part.tokens
            is_covered = self._query.is_repetitive and any(c.covered >= least for c in alignment.chains.values())
        return is_covered and self._query.distinct_literals >= LITERALS

    def is_summed(self, found: Found) -> bool:
        """Whether a window of a document that is found by another one adds to its score."""
        return FOUND.reason(found.score, found.alignment, found.part.tokens, self.summed_threshold) is not None

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
