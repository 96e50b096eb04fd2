"""Candidates: documents that share terms with a window of the query, and where they appear."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from wherefrom.engines.engine import Engine
from wherefrom.model import Candidate, Occurrence, RepositoryRecord
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.occurrences import current_occurrences
from wherefrom.queries.preparation.query import Query, QueryWindow

BATCH = 50
"""Candidates looked at before asking whether more are worth it."""

MOST_CANDIDATES = 1000
"""Candidates of one window of the query after which the search stops and says so."""


class Candidates:
    """The candidates of one query.

    Attributes:
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
        self.places: dict[str, list[Occurrence]] = {}
        self.languages: defaultdict[str, float] = defaultdict(float)
        self.records: dict[str, RepositoryRecord] = {}
        self._engine, self._query, self._filters, self._admitted = engine, query, filters, admitted
        self._only = admitted_blobs.of(filters)
        self.warnings = admitted_blobs.warnings(filters)

    def batch(self, part: QueryWindow, offset: int) -> list[Candidate]:
        """The next `BATCH` candidates of a part, the best first; fewer only where there are no more."""
        if self._query.held_terms.isdisjoint((key, term) for key, terms in part.terms.items() for term in terms):
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
