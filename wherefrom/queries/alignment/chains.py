"""Chains: the k-grams that two texts share, and the heaviest sequence of them in the same order on both sides."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from functools import cached_property

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import ascending
from wherefrom.model import Hashes
from wherefrom.queries.spans import Flags, Floats, Numbers, parted
from wherefrom.support.values import dataclass

BAND = 4
"""Limits the pairs of a hash that occurs often in both texts. Occurrence number i in one text is paired only with the
occurrences i - `BAND` to i + `BAND` in the other text."""

OFTEN = 256
"""`BAND` applies only to hashes with more pairs than this. Without it, repetitive tables would have n^2 pairs."""


class Sieve:
    """A cheap filter for hashes that may be in a set. It compares only their 16 leading bits, and lets about one in a
    hundred of a document's k-grams through.
    """

    def __init__(self, hashes: Hashes) -> None:
        self._leading = np.zeros(1 << 16, np.bool_)
        self._leading[hashes >> np.uint64(48)] = True

    def may_hold(self, hashes: Hashes) -> Flags:
        """For each hash whether it may be in the set."""
        may_hold: Flags = self._leading[hashes >> np.uint64(48)]
        return may_hold

    def positions(self, hashes: Hashes) -> Numbers:
        """The indices of the hashes that may be in the set, ascending."""
        return np.flatnonzero(self.may_hold(hashes))


class Grams:
    """The k-grams of a query, or of a stretch of it, in one representation, ready to be looked up. K-grams of weight 0
    are left out. Memory is proportional to the stretch, which has `tokens` tokens of the query from `begin` on.

    The arguments `hashes`, `positions` (the token of the query at which it begins, ascending among equal hashes) and
    `weights` have a value for each k-gram. The attribute `hashes` has only the distinct hashes, ascending.
    """

    def __init__(
        self, k: int, hashes: Hashes, positions: Numbers, weights: Floats, tokens: int, *, begin: int = 0
    ) -> None:
        weighed = weights > 0
        hashes = hashes[weighed]
        order = ascending(hashes)
        ordered = hashes[order]
        self.k = k
        self._tokens, self._begin = tokens, begin
        self._begins = np.flatnonzero(np.diff(ordered, prepend=~ordered[:1]))
        self._ends = np.append(self._begins[1:], len(ordered))[: len(self._begins)]
        self.hashes = ordered[self._begins]
        self._positions = positions[weighed][order]
        self._weights = weights[weighed][order]

    # Not every caller needs all of the following values, so each is computed on first use.

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve(self.hashes)

    @cached_property
    def weight_at(self) -> Floats:
        """float64, for each token of the stretch the weight of the k-gram that begins there, or 0."""
        found = np.zeros(self._tokens)
        found[self._positions - self._begin] = self._weights
        return found

    @cached_property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self.sums.sum())

    @cached_property
    def sums(self) -> Floats:
        """float64, for each distinct hash the summed weight of its occurrences."""
        return np.add.reduceat(self._weights, self._begins) if len(self.hashes) else np.empty(0)

    def matches(self, hashes: Hashes) -> tuple[Numbers, Numbers]:
        """Finds the k-grams of a document that the query also has: their indices in the given `hashes`, ascending, and
        for each the index of its hash in the attribute `hashes`.
        """
        likely = self._sieve.positions(hashes)
        if not len(likely):
            return likely, likely
        numbers = np.minimum(np.searchsorted(self.hashes, hashes[likely]), len(self.hashes) - 1)
        found = self.hashes[numbers] == hashes[likely]
        return likely[found], numbers[found]

    def shared(self, hashes: Hashes) -> Flags:
        """Which of the distinct hashes a document with these hashes has."""
        found = np.zeros(len(self.hashes), np.bool_)
        found[self.matches(hashes)[1]] = True
        return found

    def pairs(self, numbers: Numbers, documents: Numbers, *, often: int = OFTEN) -> tuple[Numbers, Numbers]:
        """All pairs of a k-gram of the query and a k-gram of the document that have the same hash: the tokens at which
        each begins in the query and in the document. Pairs ascend in the document; at the same token of the document,
        they descend in the query. `numbers` are those of `matches`, for k-grams of the document that begin at the
        tokens `documents` (ascending). `BAND` applies to a hash with more than `often` pairs.
        """
        begins, counts = self._begins[numbers], self._ends[numbers] - self._begins[numbers]
        in_document = np.bincount(numbers, minlength=len(self.hashes))[numbers]
        banded = counts * in_document > often
        if np.any(banded):
            # `ranks` numbers the document's k-grams with the same hash: 0 for the first, 1 for the next, and so on.
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
        # Pairs with the same document position are ordered by falling query position. Positions in a chain rise, so a
        # chain takes at most one of these pairs.
        query = self._positions[np.repeat(begins + counts - 1, counts) - within]
        return query, np.repeat(documents, counts)


@dataclass(frozen=True, slots=True)
class Chain:
    """The heaviest chain of one representation. `query` and `document` have the token at which each k-gram of the chain
    begins in the two texts, ascending.
    """

    k: int
    score: float
    query: Numbers
    document: Numbers

    @property
    def longest_run(self) -> int:
        """The number of tokens in the longest run of k-grams that follow each other in both texts."""
        spans = parted((np.diff(self.query) != 1) | (np.diff(self.document) != 1))
        return int(np.max(np.diff(spans))) + self.k - 1


def heaviest_chain(query: Numbers, weights: Floats) -> tuple[float, Numbers]:
    """The heaviest chain of pairs whose positions rise on both sides: a weighted longest increasing subsequence.

    `query` has the query position of each pair, in the order of `Grams.pairs`. All weights are above 0. The algorithm
    keeps a staircase of (query position, best weight of a chain that ends there). Both numbers rise along the
    staircase, so each pair costs one binary search. Returns the weight of the chain, and the ascending indices of its
    pairs.
    """
    native = kernel.active()
    if native is not None:
        return native.heaviest_chain(query, weights)
    ends: list[int] = []
    sums: list[float] = []
    lasts: list[int] = []
    before = array("q")
    # Iterating over memory views makes one Python number at a time. Lists would need five times the memory.
    for index, (position, weight) in enumerate(zip(query.data, weights.data, strict=True)):
        at = bisect_left(ends, position)
        total: float = weight
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
