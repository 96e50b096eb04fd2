"""Counts hashes in bounded memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import mix
from wherefrom.model import Hashes

_ALL = (1 << 64) - 1


class HashCounts:
    """Counts how often each hash was added. With more than `limit` different hashes, counts only a sample of them.

    The sample has all hashes whose mixed value is at most `bound`, which is halved until the sample fits (FracMinHash).
    So each different hash has the same chance to be in the sample, and the samples of two counts can be compared.

    Attributes:
        bound: the largest mixed value that is counted.
        total: how many hashes were added, counted or not.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bound = _ALL
        self.total = 0
        self._values: Hashes = np.empty(0, np.uint64)
        self._counts: NDArray[np.int64] = np.empty(0, np.int64)
        self._pending: list[Hashes] = []
        self._waiting = 0

    def add(self, hashes: Hashes) -> None:
        """Adds some hashes, each as often as it occurs."""
        self.total += len(hashes)
        mixed = mix(hashes)
        mixed = mixed[mixed <= np.uint64(self.bound)]
        self._pending.append(mixed)
        self._waiting += len(mixed)
        if self._waiting > self.limit // 2:
            self._merge()

    @property
    def share(self) -> float:
        """The share of the distinct hashes that are counted."""
        return (self.bound + 1) / (_ALL + 1)

    def values(self) -> tuple[Hashes, NDArray[np.int64]]:
        """The counted mixed values, ascending, and how often each was added."""
        self._merge()
        return self._values, self._counts

    def _merge(self) -> None:
        values, places = np.unique(np.concatenate([self._values, *self._pending]), return_inverse=True)
        counts = np.bincount(places, minlength=len(values))
        counts[places[: len(self._values)]] += self._counts - 1
        self._pending, self._waiting = [], 0
        while len(values) > self.limit:
            self.bound >>= 1
            values = values[: np.searchsorted(values, np.uint64(self.bound), side="right")]
        self._values, self._counts = values, counts[: len(values)]


def shared(one: HashCounts, other: HashCounts) -> float:
    """Estimates which share of the distinct hashes of `one` is also in `other`, from samples; 0 if `one` is empty."""
    bound = np.uint64(min(one.bound, other.bound))
    values = one.values()[0]
    values = values[: np.searchsorted(values, bound, side="right")]
    return float(np.isin(values, other.values()[0], assume_unique=True).mean()) if len(values) else 0.0
