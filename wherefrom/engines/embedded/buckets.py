"""Which postings of a run are in which bucket, in about two bits for each posting.

The table is a row of bits: for each bucket, in their order, a 1 for each of its postings and then a 0 (the upper half
of Elias-Fano coding). So the postings of a bucket begin behind the 0 of the bucket before it, and there are as many
postings before them as 1s. Where every `STRIDE`-th 0 is, is kept beside the bits. Bits are counted from the lowest one
of the first byte on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.packing import Positions

STRIDE = 64
"""Of so many 0s the place of one is kept."""

WINDOW = 64
"""Bytes from a kept 0 on that are searched for another; if the next kept one is behind them, all bytes up to it are."""

PART = 1 << 20
"""Bytes of a table that are looked at together when the places of its 0s are gathered."""


def _place_table() -> NDArray[np.uint8]:
    """For each byte the places of its 1s, ascending; shape (256, 8)."""
    table = np.zeros((256, 8), np.uint8)
    for byte in range(256):
        ones = [bit for bit in range(8) if byte >> bit & 1]
        table[byte, : len(ones)] = ones
    return table


_PLACES = _place_table()


class BucketTable:
    """A table to be read.

    Args:
        bits: the bytes of the table, and `WINDOW` more.
        kept: where every `STRIDE`-th 0 is, and last the number of bits.
        check: is called with the first and last byte of each stretch of `bits` that is about to be read.
        check_kept: the same for positions in `kept`.
    """

    def __init__(
        self,
        bits: NDArray[np.uint8],
        kept: NDArray[Any],
        check: Callable[[Positions, Positions], None],
        check_kept: Callable[[Positions, Positions], None],
    ) -> None:
        self._bits = bits
        self._kept = kept
        self._check = check
        self._check_kept = check_kept

    def bounds(self, buckets: Positions) -> tuple[Positions, Positions]:
        """The half-open range of the postings of each bucket."""
        ends = self._zeros(np.concatenate([buckets - 1, buckets]))
        return ends[: len(buckets)] - (buckets - 1), ends[len(buckets) :] - buckets

    def members(self, first: int, last: int) -> tuple[int, Positions]:
        """The postings of the buckets from `first` to `last` (inclusive): the first one, and the bucket of each."""
        before, end = self._zeros(np.array([first - 1, last])).tolist()
        ones = np.flatnonzero(self._bits_between(before + 1, end + 1))
        return before + 1 - first, first + ones - np.arange(len(ones))

    def _bits_between(self, begin: int, end: int) -> NDArray[np.uint8]:
        """The bits from `begin` to before `end`, one in each byte."""
        low, high = begin // 8, -(-end // 8)
        if begin == end:
            return np.zeros(0, np.uint8)
        places = np.arange(low, high, WINDOW)
        self._check(places, np.minimum(places + WINDOW, high) - 1)
        bits: NDArray[np.uint8] = np.unpackbits(self._bits[low:high], bitorder="little")
        return bits[begin - 8 * low : end - 8 * low]

    def _zeros(self, numbers: Positions) -> Positions:
        """Where the 0s with these numbers are; -1 for the number -1."""
        is_before_all = numbers < 0
        asked = np.where(is_before_all, 0, numbers)
        at, more = asked // STRIDE, asked % STRIDE
        self._check_kept(at, at + 1)
        begin, end = self._kept[at].astype(np.int64), self._kept[at + 1].astype(np.int64)
        first = begin // 8
        is_far = end - 8 * first > 8 * WINDOW
        near, far = np.flatnonzero(~is_far), np.flatnonzero(is_far)
        found: Positions = begin.copy()
        found[near] = self._near_zeros(begin[near], more[near])
        for place in far.tolist():
            bits = self._bits_between(int(begin[place]), int(end[place]))
            found[place] += np.flatnonzero(bits == 0)[more[place]]
        found[is_before_all] = -1
        return found

    def _near_zeros(self, begin: Positions, more: Positions) -> Positions:
        """The places of the 0s with so many 0s between `begin` and them, `begin` included, all in one window."""
        if not len(begin):
            return begin
        first = begin // 8
        self._check(first, first + WINDOW - 1)
        window = ~self._bits[first[:, None] + np.arange(WINDOW)]
        window[:, 0] &= (0xFF << (begin % 8)).astype(np.uint8)
        counted = np.cumsum(np.bitwise_count(window), axis=1, dtype=np.int64)
        byte = np.count_nonzero(counted <= more[:, None], axis=1)
        rows = np.arange(len(begin))
        before = np.where(byte > 0, counted[rows, byte - 1], 0)
        bit = _PLACES[window[rows, byte], more - before]
        places: Positions = 8 * (first + byte) + bit
        return places


class BucketTableWriter:
    """A table that is being made."""

    def __init__(self) -> None:
        self._postings = 0
        self._bytes = bytearray()
        self._begun = np.zeros(0, np.uint8)

    def add(self, buckets: Positions) -> None:
        """Adds postings, by their buckets, which ascend."""
        ones = buckets + np.arange(self._postings, self._postings + len(buckets))
        self._postings += len(buckets)
        self._extend(ones, int(ones[-1]) + 1)

    def _extend(self, ones: Positions, end: int) -> None:
        base = 8 * len(self._bytes)
        bits = np.zeros(end - base, np.uint8)
        bits[: len(self._begun)] = self._begun
        bits[ones - base] = 1
        whole = len(bits) // 8 * 8
        self._bytes += np.packbits(bits[:whole], bitorder="little").tobytes()
        self._begun = bits[whole:]

    def finish(self, buckets: int) -> tuple[NDArray[np.uint8], Positions]:
        """The bits of a table of so many buckets, and where every `STRIDE`-th 0 is, as `BucketTable` takes them."""
        end = self._postings + buckets
        self._extend(np.zeros(0, np.int64), end)
        self._bytes += np.packbits(self._begun, bitorder="little").tobytes() + bytes(WINDOW)
        bits = np.frombuffer(self._bytes, np.uint8)
        kept = []
        zeros = 0
        for begin in range(0, len(bits), PART):
            part = np.unpackbits(bits[begin : begin + PART], bitorder="little")[: end - 8 * begin]
            places = np.flatnonzero(part == 0)
            kept.append(places[-zeros % STRIDE :: STRIDE] + 8 * begin)
            zeros += len(places)
        return bits, np.concatenate([*kept, [end]])


def table_sizes(postings: int, buckets: int) -> tuple[int, int]:
    """How many bytes a table has, and how many places are kept beside it."""
    return -(-(postings + buckets) // 8) + WINDOW, -(-buckets // STRIDE) + 1
