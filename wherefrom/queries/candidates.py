"""Candidates: documents that share terms with a window of the query, and where they appear."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress

from wherefrom.analyzers.fingerprints import are_places
from wherefrom.engines.engine import Engine, LocalClones, Promising
from wherefrom.model import Candidate, Occurrence, RepositoryRecord, Representation
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.occurrences import current_occurrences
from wherefrom.queries.preparation.query import LookedUpTerms

BATCH = 50  # the number of candidates that are read at once. Then the search decides whether to read more
MOST_CANDIDATES = 1000  # a search stops after this many candidates of one window, and is marked as truncated

LOOKED_AT = 4 * BATCH
"""Filters look at the places of candidates as long as they leave a batch of this many. Then all that they admit is
listed. If there are too many files for that, the places of `MOST_CANDIDATES` are looked at."""


def for_length(candidate: Candidate) -> float:
    """The score of a whole file for its length. A long file shares many terms with any file, so the score is divided by
    the root of the length.
    """
    return candidate.score / math.sqrt(max(candidate.blob.token_count, 1))


class Candidates:
    """The candidates of one query, whose terms are `looked_up`, with the places that the filters and `admitted` admit.
    `are_cut` tells whether more candidates may have such a place.
    """

    def __init__(
        self,
        engine: Engine,
        looked_up: LookedUpTerms,
        filters: Filters,
        admitted_blobs: AdmittedBlobs,
        admitted: Callable[[Sequence[Occurrence]], list[Occurrence]] = list,
        *,
        at_once: int | None = None,
    ) -> None:
        self._at_once = BATCH if at_once is None else at_once
        self.places: dict[str, list[Occurrence]] = {}  # of each blob that was read
        self.languages: defaultdict[str, float] = defaultdict(float)  # the summed score of the candidates of each
        self.records: dict[str, RepositoryRecord] = {}  # the repositories of the places, by key
        self._engine, self.filters, self._admitted = engine, filters, admitted
        self._looked_up, self._admitted_blobs = looked_up, admitted_blobs
        self._only = admitted_blobs.few(filters)
        self._is_listed = self.are_cut = False
        self._occurrences: dict[str, list[Occurrence]] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """One for each pattern of the filters that matches nothing."""
        return self._admitted_blobs.warnings(self.filters, chain.from_iterable(self._occurrences.values()))

    def batches(
        self, terms: Mapping[Representation, Mapping[int, float]], promising: Promising | None = None
    ) -> Iterator[list[Candidate]]:
        """The candidates with these weighted terms that the filters admit, the best first, in batches of `at_once`, by
        default `BATCH`, or a few more; the last may have fewer. `promising` is as in `Engine.candidates`.
        """
        batch: list[Candidate] = []
        offset = given = 0
        has_more = any(self._looked_up.counts[key][term] for key, own in terms.items() for term in own)
        while has_more:
            is_asking = self._only is None and not self.filters.admit_every_place
            if is_asking and not self._is_listed and offset >= LOOKED_AT * (1 + given // BATCH):
                self._only, self._is_listed = self._admitted_blobs.of(self.filters), True
                if self._only is not None:
                    is_asking, batch, offset = False, [], given
            found = self._read(terms, offset, promising)
            offset += len(found)
            has_more = len(found) >= self._at_once
            if is_asking:
                facts = [(candidate.score, candidate.blob.token_count) for candidate in found]
                worth = found if promising is None else [*compress(found, promising(facts))]
                # What comes after a candidate that is not worth reading is not worth it either.
                has_more &= len(worth) == len(found)
                self._look_up(candidate.blob.blob for candidate in worth)
                found = [it for it in worth if any(map(self.filters.admits, self._occurrences[it.blob.blob]))]
                self.are_cut |= has_more and offset >= MOST_CANDIDATES
                has_more &= offset < MOST_CANDIDATES
            batch += found
            if len(batch) >= self._at_once or not has_more:
                yield batch
                given += len(batch)
                batch = []

    def _read(
        self, terms: Mapping[Representation, Mapping[int, float]], offset: int, promising: Promising | None
    ) -> list[Candidate]:
        """The `at_once` candidates from `offset` on; fewer only if there are no more."""
        candidates = self._engine.candidates(
            terms,
            limit=self._at_once,
            offset=offset,
            languages=self.filters.languages or None,
            blobs=self._only,
            promising=promising,
        )
        if self._engine.clones is not None:
            candidates = self._with_tokens(candidates, self._engine.clones)
        for candidate in candidates:
            self.languages[candidate.blob.language] += candidate.score
        return candidates

    def _with_tokens(self, candidates: Sequence[Candidate], clones: LocalClones) -> list[Candidate]:
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
        self._look_up(fresh)
        for blob in fresh:
            self.places[blob] = self._admitted([at for at in self._occurrences[blob] if self.filters.admits(at)])
        return [candidate for candidate in candidates if self.places[candidate.blob.blob]]

    def _look_up(self, blobs: Iterable[str]) -> None:
        fresh = [blob for blob in blobs if blob not in self._occurrences]
        self._occurrences |= current_occurrences(self._engine, fresh, self.records)
