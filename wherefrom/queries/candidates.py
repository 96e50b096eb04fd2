"""Candidates: documents that share terms with a window of the query, and where they appear."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from wherefrom.analyzers.term_places import are_places
from wherefrom.engines.engine import Engine, LocalClones, Promising
from wherefrom.model import Candidate, Occurrence, RepositoryRecord, Representation
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.looked_up import LookedUpTerms
from wherefrom.queries.occurrences import current_occurrences

BATCH = 50
"""The number of candidates that are read at once. After each batch, the search decides whether to read more."""

MOST_CANDIDATES = 1000
"""A search stops after this many candidates of one window of the query. Its result is then marked as truncated."""


class Candidates:
    """The candidates of one query, whose terms are `looked_up`.

    Attributes:
        warnings: one for each pattern of the filters that matches nothing.
        places: for each blob that was read, the occurrences that the filters and `admitted` let through.
        languages: the summed score of the candidates of each language.
        records: the repositories of the places, by key.
    """

    def __init__(
        self,
        engine: Engine,
        looked_up: LookedUpTerms,
        filters: Filters,
        admitted_blobs: AdmittedBlobs,
        admitted: Callable[[Sequence[Occurrence]], list[Occurrence]] = list,
    ) -> None:
        self.places: dict[str, list[Occurrence]] = {}
        self.languages: defaultdict[str, float] = defaultdict(float)
        self.records: dict[str, RepositoryRecord] = {}
        self._engine, self._filters, self._admitted = engine, filters, admitted
        self._looked_up = looked_up
        self._only = admitted_blobs.of(filters)
        self.warnings = admitted_blobs.warnings(filters)

    def batch(
        self,
        terms: Mapping[Representation, Mapping[int, float]],
        offset: int,
        promising: Promising | None = None,
    ) -> list[Candidate]:
        """The `BATCH` candidates with these weighted terms from `offset` on, the best first; fewer only if there are no
        more. `promising` is as in `Engine.candidates`.
        """
        if not self._looked_up.has_any(terms):
            return []
        candidates = self._engine.candidates(
            terms,
            limit=BATCH,
            offset=offset,
            languages=self._filters.languages or None,
            blobs=self._only,
            promising=promising,
        )
        if self._engine.clones is not None:
            candidates = self._with_tokens(candidates, self._engine.clones)
        for candidate in candidates:
            self.languages[candidate.blob.language] += candidate.score
        return candidates

    def _with_tokens(self, candidates: Sequence[Candidate], clones: LocalClones) -> list[Candidate]:
        """The candidates, with the token streams that the index lacks and that clones have."""
        blobs = [candidate.blob.blob for candidate in candidates if are_places(candidate.blob.tokens)]
        places = current_occurrences(self._engine, blobs, self.records)
        return [
            replace(it, blob=clones.with_tokens(it.blob, places[it.blob.blob], self.records))
            if it.blob.blob in places
            else it
            for it in candidates
        ]

    def with_locations(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that have an admitted occurrence."""
        fresh = [candidate.blob.blob for candidate in candidates if candidate.blob.blob not in self.places]
        for blob, occurrences in current_occurrences(self._engine, fresh, self.records).items():
            self.places[blob] = self._admitted([at for at in occurrences if self._filters.admits(at)])
        return [candidate for candidate in candidates if self.places[candidate.blob.blob]]
