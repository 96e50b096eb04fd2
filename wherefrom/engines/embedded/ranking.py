"""Finds the documents with the terms of a query; counts them, and ranks them by weights."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.merging import LiveRun
from wherefrom.engines.embedded.packing import Positions, Words, spread
from wherefrom.engines.embedded.runs import Run
from wherefrom.engines.engine import TIES
from wherefrom.model import INDEXED, Representation

COUNTED = 1 << 20  # the approximate number of postings that are read at a time to count the living documents


def blob_key(blob: str) -> int:
    """The first 64 bits of a blob id. Keys sort like the ids."""
    return int(blob[:16], 16)


class Ranked(NamedTuple):
    """Found documents: the sum of the weights of each, the position of its run, and its number in the run."""

    sums: NDArray[np.float64]
    runs: NDArray[np.uint16]
    documents: Positions


class TermLookup:
    """Terms of a query, and the ranges of their postings in each run."""

    def __init__(self, runs: Sequence[LiveRun], terms: Sequence[tuple[Representation, int]]) -> None:
        self.terms = terms
        self._runs = runs
        representations = np.array([INDEXED.index(representation) for representation, _ in terms], np.int64)
        values = np.array([term for _, term in terms], np.uint64)
        self._bounds = [live.run.bounds(representations, values) for live in runs]

    def frequencies(self) -> NDArray[np.int64]:
        """The number of living documents with each term."""
        counts = np.zeros(len(self.terms), np.int64)
        for live, (first, end) in zip(self._runs, self._bounds, strict=True):
            counts += (end - first) if live.is_whole else _count_living(live, first, end)
        return counts

    def ranked(self, weights: NDArray[np.float64], *, languages: Collection[str] | None, keys: Words | None) -> Ranked:
        """The living documents that have any of the terms, in no order. `weights` has a whole number for each term, so
        sums are exact. `languages` and `keys` (of blobs, ascending) are filters.
        """
        parts = [Ranked(np.zeros(0), np.zeros(0, np.uint16), np.zeros(0, np.int64))]
        for number, (live, (first, end)) in enumerate(zip(self._runs, self._bounds, strict=True)):
            documents, sums = live.run.summed(first, end, weights)
            admitted = live.is_alive[documents]
            if languages is not None:
                allowed = np.array([name in languages for name in live.run.description.languages], np.bool_)
                admitted &= allowed[live.run.languages_of(documents)]
            if keys is not None:
                admitted &= _is_among(live.run.keys_of(documents), keys)
            documents = documents[admitted]
            parts.append(Ranked(sums[admitted], np.full(len(documents), number, np.uint16), documents))
        return Ranked(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def best(runs: Sequence[LiveRun], ranked: Ranked, limit: int, offset: int) -> list[tuple[float, int]]:
    """The sums and the numbers of the contents of the batch of documents that `terms.with_ties` would take from all,
    ordered by sum and blob id. The greatest sums are first, equal ones in no order. Reads an id only if a cut goes
    through documents with equal sums, because ids would fill most of the pages of a search.
    """
    sums, owners, documents = ranked
    if offset >= len(sums):
        return []
    end = min(offset + limit, len(sums))
    falling = -np.partition(-sums, (offset, end - 1))
    first, last = falling[offset], falling[end - 1]
    chosen = [np.flatnonzero((sums < first) & (sums > last))]
    for equal in dict.fromkeys((first, last)):
        tied = np.flatnonzero(sums == equal)
        before = np.count_nonzero(sums > equal)
        low, high = max(0, offset - before), min(len(tied), end + TIES - before)
        if (low, high) != (0, len(tied)):
            tied = tied[np.argsort(_of_runs(runs, owners[tied], documents[tied], Run.keys_of), kind="stable")]
        chosen.append(tied[low:high])
    found = np.concatenate(chosen)
    found = found[np.argsort(-sums[found])]
    numbers = _of_runs(runs, owners[found], documents[found], Run.numbers_of)
    return list(zip(sums[found].tolist(), numbers.tolist(), strict=True))


def _of_runs(
    runs: Sequence[LiveRun],
    owners: NDArray[np.uint16],
    documents: Positions,
    read: Callable[[Run, Positions], NDArray[Any]],
) -> Words:
    found = np.zeros(len(documents), np.uint64)
    for number in sorted(set(owners.tolist())):
        own = owners == number
        found[own] = read(runs[number].run, documents[own])
    return found


def _count_living(live: LiveRun, first: Positions, end: Positions) -> NDArray[np.int64]:
    """The number of living documents in each range of postings; reads about `COUNTED` postings at a time."""
    counts = np.zeros(len(first), np.int64)
    parts = np.cumsum(end - first) // COUNTED
    for part in sorted(set(parts.tolist())):
        chosen = np.flatnonzero(parts == part)
        owners, positions = spread(first[chosen], end[chosen])
        lives = live.is_alive[live.run.documents_of(positions)]
        counts[chosen] = np.bincount(owners[lives], minlength=len(chosen))
    return counts


def _is_among(keys: Words, wanted: Words) -> NDArray[np.bool_]:
    if not len(wanted):
        return np.zeros(len(keys), np.bool_)
    found: NDArray[np.bool_] = wanted[np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)] == keys
    return found
