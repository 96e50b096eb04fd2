"""Tells at a glance which new contents may have watched code: by their terms, without looking at their tokens."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.model import TERM_BITS, BlobDocument
from wherefrom.queries.judging.rule import STRONG, chance, for_length, terms_needed
from wherefrom.queries.preparation.query import Query
from wherefrom.results import Signs

SPARSE = 32
"""The table of leading bits has at least this many times as many places as there are watched terms."""

ENOUGH_BLOBS = 1_000
"""In an index of fewer contents, the frequency of a term says little, and every term counts as rare."""

_TYPES = {"terms": "<u8", "weights": "<f4", "windows": "<i4", "owners": "<i4", "chance": "<f4", "needed": "<f4"}


class Windows(NamedTuple):
    """The windows of searches for watched code, as their terms were weighed when they were made.

    Attributes:
        terms: the terms of all windows.
        weights: the weight of each term, where that of a rare one is 1.
        windows: the number of the window of each term.
        owners: for each window the part of the watch and the number of the search for it, one after the other.
        chance: the weight that other contents share with each window by chance.
        needed: the weight that a content without tokens must share with each window to be a copy, at least.
    """

    terms: NDArray[np.uint64]
    weights: NDArray[np.float32]
    windows: NDArray[np.int32]
    owners: NDArray[np.int32]
    chance: NDArray[np.float32]
    needed: NDArray[np.float32]

    @staticmethod
    def of(queries: Iterable[tuple[int, int, Query]]) -> Windows:
        """The windows of some queries, each with the number of its part and its own."""
        columns: dict[str, list[Any]] = {name: [] for name in _TYPES}
        for part, number, query in queries:
            is_known = max(query.blobs.values(), default=0) >= ENOUGH_BLOBS
            for window in query.parts:
                weighed = [pair for terms in window.terms.values() for pair in terms.items()]
                weights = [min(weight / query.unit, 1.0) if is_known else 1.0 for _, weight in weighed]
                by_chance = chance(len(weighed)) * sum(weights) / len(weighed)
                patterns, literals = query.patterns.among(window.begin, np.ones(window.end - window.begin, np.bool_))
                most = Signs(patterns, patterns, literals, by_chance, by_chance, 0)
                columns["windows"] += [len(columns["chance"])] * len(weighed)
                columns["terms"] += [term for term, _ in weighed]
                columns["weights"] += weights
                columns["owners"] += [part, number]
                columns["chance"].append(by_chance)
                columns["needed"].append(terms_needed(most, STRONG, query.windows))
        return Windows(*(np.array(values, _TYPES[name]) for name, values in columns.items()))

    def dump(self) -> dict[str, str]:
        """The arrays as texts."""
        return {name: b64encode(values.tobytes()).decode() for name, values in self._asdict().items()}

    @staticmethod
    def load(texts: Mapping[str, str]) -> Windows:
        """The reverse of `dump`."""
        return Windows(*(np.frombuffer(b64decode(texts[name]), kind) for name, kind in _TYPES.items()))


class Screen:
    """Tells which new contents may have watched code.

    A table of the leading bits of all watched terms tells in one look which terms of a content may be watched ones.
    """

    def __init__(self, watched: Sequence[Windows]) -> None:
        sizes = [len(windows.chance) for windows in watched]
        firsts = np.cumsum([0, *sizes[:-1]])
        moved = [windows.windows + first for windows, first in zip(watched, firsts.tolist(), strict=True)]
        terms = np.concatenate([windows.terms for windows in watched])
        order = terms.argsort(kind="stable")
        self._terms = terms[order]
        self._weights = np.concatenate([windows.weights for windows in watched])[order]
        self._windows = np.concatenate(moved)[order].astype(np.int64)
        self._chance = np.concatenate([windows.chance for windows in watched])
        self._needed = np.concatenate([windows.needed for windows in watched])
        own = [windows.owners.reshape(-1, 2) for windows in watched]
        watch = np.repeat(np.arange(len(watched)), sizes)
        self._owners = np.column_stack((watch, np.concatenate(own)))
        bits = max(16, (SPARSE * len(terms)).bit_length())
        self._shift = np.uint64(max(TERM_BITS - bits, 0))
        self._is_watched = np.zeros(1 << bits, np.bool_)
        self._is_watched[self._terms >> self._shift] = True

    def suspects(self, documents: Sequence[BlobDocument]) -> Iterator[tuple[int, int, int, int]]:
        """Yields the number of a content, and those of a watch, of a part of it and of a search for that part, for each
        search that may find the content.
        """
        of_each = [terms for document in documents for terms in document.terms.values()]
        if not of_each:
            return
        together = np.concatenate(of_each)
        may = np.flatnonzero(self._is_watched[together >> self._shift])
        begins = self._terms.searchsorted(together[may], "left")
        counts = self._terms.searchsorted(together[may], "right") - begins
        entries = np.arange(counts.sum()) + np.repeat(begins - counts.cumsum() + counts, counts)
        if not len(entries):
            return
        sizes = [sum(map(len, document.terms.values())) for document in documents]
        own = np.searchsorted(np.cumsum(sizes), np.repeat(may, counts), "right")
        keys, number = np.unique(own * len(self._chance) + self._windows[entries], return_inverse=True)
        scores = np.bincount(number, self._weights[entries])
        found, windows = np.divmod(keys, len(self._chance))
        longer = for_length(np.array([document.stored.token_count for document in documents]))
        least = np.maximum(self._chance[windows], self._needed[windows] * longer[found])
        is_suspect = scores > least
        suspects = np.column_stack((found[is_suspect], self._owners[windows[is_suspect]]))
        yield from (tuple(suspect) for suspect in np.unique(suspects, axis=0).tolist())
