"""In how many families of repositories hashes occur, in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import distinct, mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wherefrom.model import Hashes

LEAST_BITS, MOST_BITS = 16, 26
"""Of the number of cells: at most 67 million, 400 MB."""


class FamilyCounts:
    """Counts families by cells, 6 bytes each, twice as many as hashes are `expected`. Hashes of one cell are counted
    together: a count is never too small, and seldom too large while there are fewer distinct hashes than cells.
    """

    def __init__(self, expected: int, most_bits: int = MOST_BITS) -> None:
        bits = min(max(LEAST_BITS, (2 * expected).bit_length()), most_bits)
        self._shift = np.uint64(64 - bits)
        self._counts = np.zeros(1 << bits, np.uint16)
        self._last = np.zeros(1 << bits, np.uint32)

    def add(self, family: int, hashes: Hashes) -> None:
        """Hashes of a family, in any number of calls; all of one family before those of the next."""
        cells = distinct(self._cells(hashes))
        cells = cells[self._last[cells] != family + 1]
        self._last[cells] = family + 1
        self._counts[cells] += self._counts[cells] < np.iinfo(np.uint16).max

    def of(self, hashes: Hashes) -> NDArray[np.uint16]:
        """The count of each hash."""
        return self._counts[self._cells(hashes)]

    def _cells(self, hashes: Hashes) -> Hashes:
        return mix(hashes) >> self._shift
