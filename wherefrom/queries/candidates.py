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
"""The number of candidates that are read at once. After each batch, the search decides whether to read more."""

MOST_CANDIDATES = 1000
"""A search stops after this many candidates of one window of the query. Its result is then marked as truncated."""


class Candidates:
    """The candidates of one query.

    Attributes:
        warnings: one for each pattern of the filters that matches nothing.
        places: for each blob that was read, the occurrences that the filters and `admitted` let through.
        languages: the summed score of the candidates of each language.
        records: the repositories of the places, by key.
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
        """The `BATCH` candidates of a window from `offset` on, the best first; fewer only if there are no more."""
        if self._query.indexed_terms.isdisjoint((key, term) for key, terms in part.terms.items() for term in terms):
            return []
        candidates = self._engine.candidates(
            part.terms, limit=BATCH, offset=offset, languages=self._filters.languages or None, blobs=self._only
        )
        for candidate in candidates:
            self.languages[candidate.blob.language] += candidate.score
        return candidates

    def with_locations(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that have an admitted occurrence."""
        fresh = [candidate.blob.blob for candidate in candidates if candidate.blob.blob not in self.places]
        for blob, occurrences in current_occurrences(self._engine, fresh, self.records).items():
            self.places[blob] = self._admitted([at for at in occurrences if self._filters.admits(at)])
        return [candidate for candidate in candidates if self.places[candidate.blob.blob]]
