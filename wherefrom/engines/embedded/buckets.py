"""A table that tells which postings of a run are in each bucket, in about two bits for each posting.

The table is a sequence of bits. For each bucket, in order, it has a 1 for each posting and then a 0 (the upper half of
Elias-Fano coding). So the 1s of a bucket follow the 0 of the previous bucket, and the number of all earlier 1s is the
position of the bucket's first posting. The position of every `STRIDE`-th 0 is stored beside the table, so that any 0 is
found quickly. Bits are counted from the lowest bit of the first byte on.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.packing import Positions, spread
from wherefrom.support.values import dataclass

STRIDE = 64  # the position of one 0 in this many is stored
WINDOW = 64  # the number of bytes that are checked at a time, and the number of zero bytes after a table
PART = 1 << 20  # the number of bits that are written at a time
IN_MEMORY = 1 << 20  # a table that is written is in memory until it has this many bytes


@dataclass(frozen=True, slots=True)
class BucketTable:
    """A bucket table for reading: its bytes, then `WINDOW` zero bytes; and in `kept` the position of every `STRIDE`-th
    0, then the number of bits. `check` is called before items are read, with the name of their section (`table` or
    `kept`) and the first and last item of each stretch.
    """

    bits: NDArray[np.uint8]
    kept: NDArray[Any]
    check: Callable[[str, Positions, Positions], None]

    def bounds(self, buckets: Positions) -> tuple[Positions, Positions]:
        """The half-open range of the postings of each bucket."""
        ends = self._zeros(np.concatenate([buckets - 1, buckets]))
        return ends[: len(buckets)] - (buckets - 1), ends[len(buckets) :] - buckets

    def members(self, first: int, last: int) -> tuple[int, Positions]:
        """The postings in buckets `first` to `last` (inclusive): the first posting, and the bucket of each posting."""
        before, end = self._zeros(np.array([first - 1, last])).tolist()
        ones = np.flatnonzero(self._bits_between(before + 1, end + 1))
        return before + 1 - first, first + ones - np.arange(len(ones))

    def _bits_between(self, begin: int, end: int) -> NDArray[np.uint8]:
        """The bits from `begin` to `end` (exclusive), each as one byte."""
        low, high = begin // 8, -(-end // 8)
        if begin == end:
            return np.zeros(0, np.uint8)
        places = np.arange(low, high, WINDOW)
        self.check("table", places, np.minimum(places + WINDOW, high) - 1)
        bits: NDArray[np.uint8] = np.unpackbits(self.bits[low:high], bitorder="little")
        return bits[begin - 8 * low : end - 8 * low]

    def _zeros(self, numbers: Positions) -> Positions:
        """The positions of the 0s with these numbers, counted from 0. The position is -1 for the number -1."""
        at, more = np.divmod(np.maximum(numbers, 0), STRIDE)
        self.check("kept", at, at + 1)
        begin, end = self.kept[at].astype(np.int64), self.kept[at + 1].astype(np.int64)
        # Only the position of every `STRIDE`-th 0 is stored, so the bytes between two such positions are searched.
        owners, places = spread(begin // 8, -(-end // 8))
        self.check("table", places, places)
        zeros = np.flatnonzero(np.unpackbits(self.bits[places], bitorder="little") == 0)
        found, owner = 8 * places[zeros // 8] + zeros % 8, owners[zeros // 8]
        is_behind = found >= begin[owner]
        found, owner = found[is_behind], owner[is_behind]
        zero: Positions = found[np.searchsorted(owner, np.arange(len(numbers))) + more]
        return np.where(numbers < 0, -1, zero)


class BucketTableWriter:
    """Builds a bucket table. A table that is large grows in temporary files of `folder`. After `finish`, the files
    `bits` and `kept` have the contents of `BucketTable`, each number of `kept` in 8 bytes.
    """

    def __init__(self, folder: Path) -> None:
        self.bits, self.kept = (
            SpooledTemporaryFile(IN_MEMORY, dir=str(folder))  # noqa: SIM115 - `close` closes it
            for _ in range(2)
        )
        self._postings = self._zeros = self._end = 0
        self._begun = np.zeros(0, np.uint8)
        """The bits that do not fill a byte yet."""

    def add(self, buckets: Positions) -> None:
        """Adds postings, given by the bucket of each. Buckets must ascend over all calls."""
        ones = buckets + np.arange(self._postings, self._postings + len(buckets))
        self._postings += len(buckets)
        self._extend(ones, int(ones[-1]) + 1)

    def finish(self, buckets: int) -> None:
        """Completes the table, which has this number of buckets."""
        self._extend(np.zeros(0, np.int64), self._postings + buckets)
        self.bits.write(np.packbits(self._begun, bitorder="little").tobytes() + bytes(WINDOW))
        self.kept.write(self._end.to_bytes(8, "little"))

    def _extend(self, ones: Positions, end: int) -> None:
        """Adds bits up to `end` (exclusive), which are 0 except for `ones`."""
        while self._end < end:
            begin, self._end = self._end, min(self._end + PART, end)
            bits = np.zeros(self._end - begin, np.uint8)
            low, high = ones.searchsorted((begin, self._end)).tolist()
            bits[ones[low:high] - begin] = 1
            places = np.flatnonzero(bits == 0)
            self.kept.write((begin + places[-self._zeros % STRIDE :: STRIDE]).astype("<u8").tobytes())
            self._zeros += len(places)
            bits = np.concatenate([self._begun, bits])
            whole = len(bits) // 8 * 8
            self.bits.write(np.packbits(bits[:whole], bitorder="little").tobytes())
            self._begun = bits[whole:]

    def close(self) -> None:
        """Removes the temporary files."""
        self.bits.close()
        self.kept.close()


def table_sizes(postings: int, buckets: int) -> tuple[int, int]:
    """The number of items in `BucketTable.bits` and in `BucketTable.kept`."""
    return -(-(postings + buckets) // 8) + WINDOW, -(-buckets // STRIDE) + 1
