"""Which documents hold the terms of a query: counted, and ranked by weights."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.merging import LiveRun
from wherefrom.engines.embedded.packing import Positions, Words


def blob_key(blob: str) -> int:
    """The first 64 bits of a blob id: in the order of the ids."""
    return int(blob[:16], 16)


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a query: for each its representation, as a position in `INDEXED`, and itself."""

    representations: NDArray[np.int64]
    terms: Words


def frequencies(runs: Sequence[LiveRun], asked: Terms) -> NDArray[np.int64]:
    """How many living documents hold each term.

    Raises:
        RunDamaged: a run is not what was written.
    """
    counts = np.zeros(len(asked.terms), np.int64)
    for live in runs:
        owners, positions = live.run.find(asked.representations, asked.terms)
        if not live.is_whole:
            owners = owners[live.is_alive[live.run.documents_of(positions)]]
        counts += np.bincount(owners, minlength=len(counts))
    return counts


def best(
    runs: Sequence[LiveRun],
    asked: Terms,
    weights: NDArray[np.float64],
    wanted: int,
    *,
    languages: Collection[str] | None,
    keys: Words | None,
) -> list[tuple[float, int]]:
    """The documents with the greatest sums of the weights of the terms that they hold; among equals by blob id.

    Args:
        runs: all of them.
        asked: the terms.
        weights: of each term: whole numbers, whose sums are exact.
        wanted: how many.
        languages: only documents in one of these.
        keys: only documents of blobs with these keys, ascending.

    Returns:
        the sum of each, and the number of its content.

    Raises:
        RunDamaged: a run is not what was written.
    """
    parts = []
    for live in runs:
        owners, positions = live.run.find(asked.representations, asked.terms)
        documents, sums = _summed(live.run.documents_of(positions), weights[owners], len(live.is_alive))
        columns = live.run.columns
        admitted = live.is_alive[documents]
        if languages is not None:
            allowed = np.array([name in languages for name in live.run.description.languages], np.bool_)
            admitted &= allowed[columns.languages[documents]]
        if keys is not None:
            admitted &= _is_among(columns.keys[documents], keys)
        documents = documents[admitted]
        parts.append((sums[admitted], columns.keys[documents], columns.numbers[documents]))
    if not parts:
        return []
    sums, found, numbers = (np.concatenate(column) for column in zip(*parts, strict=True))
    if len(sums) > wanted:
        least = np.partition(sums, len(sums) - wanted)[len(sums) - wanted]
        kept = sums >= least
        sums, found, numbers = sums[kept], found[kept], numbers[kept]
    order = np.lexsort((found, -sums))[:wanted]
    return list(zip(sums[order].tolist(), numbers[order].tolist(), strict=True))


def _summed(documents: Positions, weights: NDArray[np.float64], count: int) -> tuple[Positions, NDArray[np.float64]]:
    """Each document once, with the sum of its weights; `count` is how many there are in all."""
    if 8 * len(documents) > count:
        sums = np.bincount(documents, weights, count).astype(np.float64, copy=False)
        held: Positions = np.flatnonzero(sums)
        return held, sums[held]
    distinct, places = np.unique(documents, return_inverse=True)
    return distinct, np.bincount(places, weights, len(distinct)).astype(np.float64, copy=False)


def _is_among(keys: Words, wanted: Words) -> NDArray[np.bool_]:
    if not len(wanted):
        return np.zeros(len(keys), np.bool_)
    found: NDArray[np.bool_] = wanted[np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)] == keys
    return found
