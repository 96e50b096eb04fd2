"""Chains: which k-grams two texts share, and the heaviest sequence of them in the same order on both sides."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import ascending
from wherefrom.model import Hashes
from wherefrom.queries.spans import covered, number_inside

BAND = 4
"""A hash that occurs often on both sides pairs an occurrence only with those whose rank differs by at most this."""

OFTEN = 256
"""Pairs of one hash from which on they are banded: repetitive tables would otherwise give n^2 pairs."""

_AT_ONCE = 1 << 16
"""Pairs that are turned into Python's numbers together."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Shared k-grams: query position, document position (both token positions), by document then falling query
    position.
    """

    query: NDArray[np.int64]
    document: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.query)


class Sieve:
    """Tells at little cost which hashes can not be in a set, by one bit for each value of their 16 leading bits: all
    but about one in a hundred of a document's k-grams fall through.
    """

    def __init__(self, hashes: Hashes) -> None:
        self._held = np.zeros(1 << 16, np.bool_)
        self._held[hashes >> np.uint64(48)] = True

    def may_hold(self, hashes: Hashes) -> NDArray[np.bool_]:
        """For each hash whether it may be in the set."""
        may_hold: NDArray[np.bool_] = self._held[hashes >> np.uint64(48)]
        return may_hold

    def positions(self, hashes: Hashes) -> NDArray[np.int64]:
        """The places of hashes that may be in the set, ascending."""
        return np.flatnonzero(self.may_hold(hashes))


class Grams:
    """The k-grams of a query, or of a stretch of it, in one representation, ready to be looked up. Those of weight 0
    are not in it. Memory is proportional to the stretch.

    Args:
        k: tokens in each.
        hashes: of the k-grams; the attribute has the distinct ones, ascending.
        positions: the token of the query at which each begins, ascending among equal hashes.
        weights: one for each.
        tokens: of the stretch.
        begin: the token of the query at which the stretch begins.
    """

    def __init__(
        self,
        k: int,
        hashes: Hashes,
        positions: NDArray[np.int64],
        weights: NDArray[np.float64],
        tokens: int,
        *,
        begin: int = 0,
    ) -> None:
        weighed = weights > 0
        hashes, positions, self._given = hashes[weighed], positions[weighed], weights[weighed]
        self._order = ascending(hashes)
        ordered = hashes[self._order]
        self.k = k
        self._tokens, self._begin = tokens, begin
        self._begins = np.flatnonzero(np.diff(ordered, prepend=~ordered[:1]))
        self._ends = np.append(self._begins[1:], len(ordered))[: len(self._begins)]
        self.hashes = ordered[self._begins]
        self._positions = positions[self._order]

    # What only some callers ask for is made when they do.

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve(self.hashes)

    @property
    def counts(self) -> NDArray[np.uint32]:
        """How often each distinct hash occurs."""
        return (self._ends - self._begins).astype(np.uint32)

    @cached_property
    def heaviest(self) -> NDArray[np.float64]:
        """float64, for each distinct hash the greatest weight of its occurrences."""
        return np.maximum.reduceat(self._ordered_weights, self._begins) if len(self.hashes) else np.empty(0)

    @cached_property
    def weight_at(self) -> NDArray[np.float64]:
        """float64, the weight of the k-gram that begins at each token of the stretch (0: none)."""
        found = np.zeros(self._tokens)
        found[self._positions - self._begin] = self._ordered_weights
        return found

    @cached_property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self.sums.sum())

    @cached_property
    def _ordered_weights(self) -> NDArray[np.float64]:
        """The weights in the order of the hashes."""
        return self._given[self._order]

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """float64, for each distinct hash the weight of all its occurrences."""
        return np.add.reduceat(self._ordered_weights, self._begins) if len(self.hashes) else np.empty(0)

    def matches(self, hashes: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which of a document's k-grams the query has: indices into `hashes`, ascending, and the numbers of their
        hashes.
        """
        likely = self._sieve.positions(hashes)
        if not len(likely):
            return likely, likely
        numbers = np.minimum(np.searchsorted(self.hashes, hashes[likely]), len(self.hashes) - 1)
        found = self.hashes[numbers] == hashes[likely]
        return likely[found], numbers[found]

    def occurrences(
        self,
    ) -> tuple[int, NDArray[np.uint32], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """k, and as the kernel takes them: by distinct hash how often it occurs and its greatest weight; by occurrence,
        in the order of the hashes, its position and its weight.
        """
        return self.k, self.counts, self.heaviest, self._positions, self._ordered_weights

    def shared_weight(self, hashes: Hashes) -> float:
        """The summed weight of those of the query's k-grams that a document with these hashes holds."""
        return float(self.sums[np.unique(self.matches(hashes)[1])].sum())

    def reached(self, numbers: NDArray[np.int64], around: int) -> NDArray[np.bool_]:
        """Which tokens of the stretch are in k-grams with hashes of these numbers, or `around` tokens from one."""
        held = np.zeros(len(self.hashes), np.bool_)
        held[numbers] = True
        begins = self._positions[np.repeat(held, self._ends - self._begins)] - self._begin
        return covered(begins - around, begins + self.k + around, self._tokens)

    def without(self, tokens: NDArray[np.bool_]) -> Grams:
        """Those k-grams that hold none of these tokens of the stretch."""
        clear = number_inside(tokens, self._positions - self._begin, self.k) == 0
        hashes = np.repeat(self.hashes, self._ends - self._begins)[clear]
        positions = self._positions[clear]
        return Grams(self.k, hashes, positions, self.weights(positions), len(self.weight_at), begin=self._begin)

    def weights(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        """The weight of the k-gram that begins at each of these tokens of the query."""
        return self.weight_at[positions - self._begin]

    def pairs(self, numbers: NDArray[np.int64], documents: NDArray[np.int64], *, often: int = OFTEN) -> Pairs:
        """All pairs of occurrences of the same hash.

        Args:
            numbers: of the hashes of the document's k-grams, as `matches` gives them.
            documents: their token positions, ascending.
            often: pairs of one hash beyond which they are banded.
        """
        begins, counts = self._begins[numbers], self._ends[numbers] - self._begins[numbers]
        in_document = np.bincount(numbers, minlength=len(self.hashes))[numbers]
        banded = counts * in_document > often
        if np.any(banded):
            # Ranks of the occurrences of one hash in the document, in order.
            order = np.argsort(numbers, kind="stable")
            first = np.flatnonzero(np.diff(numbers[order], prepend=-1))
            ranks = np.empty(len(numbers), np.int64)
            ranks[order] = np.arange(len(numbers)) - np.repeat(first, np.diff(first, append=len(numbers)))
            low = np.minimum(np.maximum(ranks - BAND, 0), np.maximum(counts - 1, 0))
            high = np.minimum(ranks + BAND + 1, counts)
            begins = np.where(banded, begins + low, begins)
            counts = np.where(banded, np.maximum(high - low, 0), counts)
        total = int(counts.sum())
        ends = np.cumsum(counts)
        within = np.arange(total) - np.repeat(ends - counts, counts)
        # Within one document position the query's positions fall, so that a chain takes at most one of them.
        query = self._positions[np.repeat(begins + counts - 1, counts) - within]
        return Pairs(query, np.repeat(documents, counts))


def heaviest_chain(pairs: Pairs, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.int64]]:
    """The heaviest chain of pairs whose positions rise on both sides (a weighted longest increasing subsequence), each
    with a weight above 0: its weight, and the indices of its pairs, ascending.

    A staircase of (query position, best weight of a chain that ends there), rising in both, is kept; each pair costs a
    binary search.
    """
    native = kernel.active()
    if native is not None:
        return native.heaviest_chain(pairs.query, weights)
    ends: list[int] = []
    sums: list[float] = []
    lasts: list[int] = []
    before = array("q")
    for index, (position, weight) in enumerate(_in_turn(pairs.query, weights)):
        at = bisect_left(ends, position)
        total = weight
        if at:
            total += sums[at - 1]
            before.append(lasts[at - 1])
        else:
            before.append(-1)
        if at < len(ends) and ends[at] == position and sums[at] >= total:
            continue
        worse = at
        while worse < len(ends) and sums[worse] <= total:
            worse += 1
        ends[at:worse] = [position]
        sums[at:worse] = [total]
        lasts[at:worse] = [index]
    if not ends:
        return 0.0, np.empty(0, np.int64)
    chain, index = [], lasts[-1]
    while index >= 0:
        chain.append(index)
        index = before[index]
    return sums[-1], np.array(chain[::-1], np.int64)


def longest_runs(pairs: Pairs, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.int64]]:
    """The heaviest runs of pairs that are neighbors on both sides, wherever they are: the heaviest first, each without
    what those before it hold on either side. What the chosen pairs weigh, and their indices, by query position.
    """
    if not len(pairs):
        return 0.0, np.empty(0, np.int64)
    shifts = pairs.document - pairs.query
    order = np.lexsort((pairs.query, shifts))
    query, document = pairs.query[order], pairs.document[order]
    is_begin = np.ones(len(order), np.bool_)
    is_begin[1:] = (np.diff(shifts[order]) != 0) | (np.diff(query) != 1)
    begins = np.flatnonzero(is_begin)
    sums = np.add.reduceat(weights[order], begins)
    ends = np.append(begins[1:], len(order))
    first, first_there = int(query.min()), int(document.min())
    taken = np.zeros(int(query.max()) - first + 1, np.bool_)
    taken_there = np.zeros(int(document.max()) - first_there + 1, np.bool_)
    chosen = []
    for number in np.lexsort((document[begins], query[begins], -sums)).tolist():
        inside = np.arange(begins[number], ends[number])
        here, there = query[inside] - first, document[inside] - first_there
        is_free = ~(taken[here] | taken_there[there])
        taken[here[is_free]] = taken_there[there[is_free]] = True
        chosen.append(inside[is_free])
    indices = order[np.concatenate(chosen)]
    indices = indices[np.argsort(pairs.query[indices], kind="stable")]
    return float(weights[indices].sum()), indices


def _in_turn(positions: NDArray[np.int64], weights: NDArray[np.float64]) -> Iterator[tuple[int, float]]:
    """Each pair as Python's numbers, which take five times the memory of the arrays: so not all of them at once."""
    for begin in range(0, len(positions), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        yield from zip(positions[some].tolist(), weights[some].tolist(), strict=True)


def best_window(positions: NDArray[np.int64], weights: NDArray[np.float64], width: int) -> tuple[int, int]:
    """The window of `width` tokens in which the weights (one for each of the ascending `positions`, at least one) sum
    to most, as a half-open token span; of equal ones the first.
    """
    sums = np.concatenate(([0.0], np.cumsum(weights)))
    behind = np.searchsorted(positions, positions + width)
    best = int(np.argmax(sums[behind] - sums[:-1]))
    return int(positions[best]), int(positions[best]) + width


def first_in_reach(numbers: NDArray[np.int64], positions: NDArray[np.int64], reach: int) -> NDArray[np.bool_]:
    """Which occurrences have no earlier one of the same number within `reach` tokens: counted once, a repeated k-gram
    does not outweigh many different ones. `positions` ascend.
    """
    order = np.argsort(numbers, kind="stable")
    repeated = np.zeros(len(numbers), np.bool_)
    repeated[order[1:]] = (numbers[order[1:]] == numbers[order[:-1]]) & (
        positions[order[1:]] - positions[order[:-1]] < reach
    )
    return ~repeated
