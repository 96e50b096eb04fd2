"""Tells at a glance which new contents may have watched code: by their terms, without looking at their tokens."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.tokens import decode
from wherefrom.engines.engine import Engine
from wherefrom.fitted import SHARED_AT_MOST
from wherefrom.model import TERM_BITS, BlobDocument
from wherefrom.queries.judging.odds import STRONG, all_log_odds
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import Query

SPARSE = 32  # the table of leading bits has at least this many times as many places as there are watched terms

ENOUGH_BLOBS = 1_000
"""In an index of fewer contents, the frequency of a term says little, and every term counts as rare."""

_TYPES = {"terms": "<u8", "weights": "<f4", "windows": "<i4", "owners": "<i4", "bits": "<f4", "counted": "<f4"}


class Windows(NamedTuple):
    """The windows of searches for watched code, as their terms were weighed when they were made."""

    terms: NDArray[np.uint64]  # the terms of all windows
    weights: NDArray[np.float32]  # of each term, where that of a rare one is 1
    windows: NDArray[np.int32]  # the number of the window of each term
    owners: NDArray[np.int32]  # for each window the part of the watch, and the search for that part
    bits: NDArray[np.float32]  # the evidence in each window
    counted: NDArray[np.float32]  # how many tokens of the search count as evidence, for each window

    @staticmethod
    def of(queries: Iterable[tuple[int, int, Query]]) -> Windows:
        """The windows of some queries, each with the number of its part and its own."""
        columns: dict[str, list[Any]] = {name: [] for name in _TYPES}
        for part, number, query in queries:
            is_known = max(query.looked_up.blobs.values(), default=0) >= ENOUGH_BLOBS
            for window in query.parts:
                weighed = [pair for terms in window.terms.values() for pair in terms.items()]
                weights = [min(weight / query.looked_up.unit, 1.0) if is_known else 1.0 for _, weight in weighed]
                columns["windows"] += [len(columns["bits"])] * len(weighed)
                columns["terms"] += [term for term, _ in weighed]
                columns["weights"] += weights
                columns["owners"].append((part, number))
                columns["bits"].append(window.bits)
                columns["counted"].append(query.counted)
        return Windows(*(np.array(values, _TYPES[name]) for name, values in columns.items()))

    def dump(self) -> dict[str, str]:
        """The arrays as texts."""
        return {name: b64encode(values.tobytes()).decode() for name, values in self._asdict().items()}

    @staticmethod
    def load(texts: Mapping[str, str]) -> Windows:
        """The reverse of `dump`."""
        made = Windows(*(np.frombuffer(b64decode(texts[name]), kind) for name, kind in _TYPES.items()))
        return made._replace(owners=made.owners.reshape(-1, 2))


def windows_of(engine: Engine, parts: Iterable[Iterable[bytes]]) -> Windows:
    """The windows of the searches for the parts of a watch, given as encoded tokens and weighed as in an index."""
    return Windows.of(
        (at, number, prepare(decode(tokens), engine))
        for at, searches in enumerate(parts)
        for number, tokens in enumerate(searches)
    )


class Screen:
    """Tells which new contents may have watched code.

    A table of the leading bits of all watched terms tells in one look which terms of a content may be watched ones.
    """

    def __init__(self, watched: Sequence[Windows]) -> None:
        sizes = [len(windows.bits) for windows in watched]
        firsts = np.cumsum([0, *sizes[:-1]]).tolist()
        moved = [windows.windows + first for windows, first in zip(watched, firsts, strict=True)]
        terms, weights, windows = (
            np.concatenate(each) for each in ([own.terms for own in watched], [own.weights for own in watched], moved)
        )
        order = terms.argsort(kind="stable")
        self._terms, self._weights, self._windows = terms[order], weights[order], windows[order].astype(np.int64)
        last = np.flatnonzero(np.append(self._terms[1:] != self._terms[:-1], [True]))
        self._ends = 1 + last[last.searchsorted(np.arange(len(self._terms)))]
        """For each term the position after the last equal one."""
        self._bits = np.concatenate([own.bits for own in watched])
        self._counted = np.concatenate([own.counted for own in watched])
        self._totals = np.bincount(self._windows, self._weights, minlength=len(self._bits))
        watch = np.repeat(np.arange(len(watched)), sizes)
        self._owners = np.column_stack((watch, np.concatenate([own.owners for own in watched])))
        bits = max(16, (SPARSE * len(terms)).bit_length())
        self._shift = np.uint64(max(TERM_BITS - bits, 0))
        self._is_watched = np.zeros(1 << bits, np.bool_)
        self._is_watched[self._terms >> self._shift] = True

    def suspects(self, documents: Sequence[BlobDocument]) -> Iterator[tuple[int, int, int, int]]:
        """Yields the numbers of a content, a watch, its part, and a search for the part that may find the content."""
        of_each = [terms for document in documents for terms in document.terms.values()]
        if not of_each:
            return
        together = np.concatenate(of_each)
        may = np.flatnonzero(self._is_watched[together >> self._shift])
        begins = np.minimum(self._terms.searchsorted(together[may]), len(self._terms) - 1)
        is_there = self._terms[begins] == together[may]
        may, begins = may[is_there], begins[is_there]
        # The entries of all terms, one term after the other.
        counts = self._ends[begins] - begins
        entries = np.arange(counts.sum()) + np.repeat(begins - counts.cumsum() + counts, counts)
        if not len(entries):
            return
        ends = np.cumsum([sum(map(len, document.terms.values())) for document in documents])
        own = ends.searchsorted(np.repeat(may, counts), "right")
        keys, number = np.unique(own * len(self._bits) + self._windows[entries], return_inverse=True)
        scores = np.bincount(number, self._weights[entries]).astype(np.float64)
        found, windows = np.divmod(keys, len(self._bits))
        # A content has at most about this share of the bits.
        bits = self._bits[windows] * np.minimum(SHARED_AT_MOST * scores / self._totals[windows], 1)
        odds = all_log_odds(bits, self._counted[windows], scores)
        kept = np.flatnonzero(odds >= math.log(STRONG / (1 - STRONG)))
        suspects = np.column_stack((found[kept], self._owners[windows[kept]]))
        yield from map(tuple, np.unique(suspects, axis=0).tolist())
