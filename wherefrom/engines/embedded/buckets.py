"""Which postings of a run are in which bucket, in about two bits for each posting.

The table is a row of bits: for each bucket, in their order, a 1 for each of its postings and then a 0 (the upper half
of Elias-Fano coding). So the postings of a bucket begin behind the 0 of the bucket before it, and there are as many
postings before them as 1s. Where every `STRIDE`-th 0 is, is kept beside the bits. Bits are counted from the lowest one
of the first byte on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.packing import Positions, spread

STRIDE = 64
"""Of so many 0s the place of one is kept."""

WINDOW = 64
"""Bytes that are looked at together, and so many zeros are behind a table."""

PART = 1 << 20
"""Bytes of a table that are looked at together when the places of its 0s are gathered."""


@dataclass(frozen=True, slots=True)
class BucketTable:
    """A table to be read.

    Attributes:
        bits: the bytes of the table, and `WINDOW` more.
        kept: where every `STRIDE`-th 0 is, and last the number of bits.
        check: is called with the first and last byte of each stretch of `bits` that is about to be read.
        check_kept: the same for positions in `kept`.
    """

    bits: NDArray[np.uint8]
    kept: NDArray[Any]
    check: Callable[[Positions, Positions], None]
    check_kept: Callable[[Positions, Positions], None]

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
        self.check(places, np.minimum(places + WINDOW, high) - 1)
        bits: NDArray[np.uint8] = np.unpackbits(self.bits[low:high], bitorder="little")
        return bits[begin - 8 * low : end - 8 * low]

    def _zeros(self, numbers: Positions) -> Positions:
        """Where the 0s with these numbers are; -1 for the number -1."""
        at, more = np.divmod(np.maximum(numbers, 0), STRIDE)
        self.check_kept(at, at + 1)
        begin, end = self.kept[at].astype(np.int64), self.kept[at + 1].astype(np.int64)
        # From each kept 0 on, byte by byte up to the next one.
        owners, places = spread(begin // 8, -(-end // 8))
        self.check(places, places)
        zeros = np.flatnonzero(np.unpackbits(self.bits[places], bitorder="little") == 0)
        found, owner = 8 * places[zeros // 8] + zeros % 8, owners[zeros // 8]
        is_behind = found >= begin[owner]
        found, owner = found[is_behind], owner[is_behind]
        zero: Positions = found[np.searchsorted(owner, np.arange(len(numbers))) + more]
        return np.where(numbers < 0, -1, zero)


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
