"""Packs whole numbers of at most 56 bits in as few bits as they need. A number is read without unpacking the others.

Numbers are packed in frames of `FRAME` numbers, little-endian, without gaps. A frame of n-bit numbers is n words of 64
bits. So several columns can share a frame: first the words of one column, then those of the next.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FRAME = 64  # how many numbers a frame has

Words = NDArray[np.uint64]
Positions = NDArray[np.int64]


def pack(values: Words, bits: int) -> Words:
    """Packs a multiple of `FRAME` numbers; returns the words of each frame: shape (frames, bits)."""
    columns = np.ascontiguousarray(values.reshape(-1, FRAME).T)
    words = np.zeros((bits, columns.shape[1]), np.uint64)
    for number in range(FRAME if bits else 0):
        word, bit = divmod(number * bits, 64)
        words[word] |= columns[number] << np.uint64(bit)
        if bit + bits > 64:
            words[word + 1] |= columns[number] >> np.uint64(64 - bit)
    return np.ascontiguousarray(words.T)


def words_at_every_byte(data: Any) -> Words:
    """A view of bytes as overlapping words: word i is the little-endian number in the eight bytes from byte i on."""
    view = memoryview(data)
    return np.ndarray((max(0, len(view) - 7),), "<u8", view, strides=(1,))


def places(positions: Positions, frame_words: int, first_word: int, bits: int) -> tuple[Positions, Words]:
    """Where to read numbers of `bits` bits at some positions of a column: the first of eight bytes that contain each,
    and the bits to shift it right. The words of the column begin at `first_word` in a frame of `frame_words`.
    """
    bit = (positions & (FRAME - 1)) * bits
    byte = (positions >> 6) * (frame_words * 8) + (first_word * 8) + (bit >> 3)
    return byte, (bit & 7).astype(np.uint64)


def low_bits(bits: int) -> np.uint64:
    """A mask of this many lowest bits."""
    return np.uint64((1 << bits) - 1)


def spread(first: Positions, end: Positions) -> tuple[Positions, Positions]:
    """All numbers in some half-open ranges. Returns the position of the range of each number, and the numbers."""
    lengths = end - first
    owners = np.repeat(np.arange(len(first)), lengths)
    return owners, np.arange(len(owners)) + (first - (np.cumsum(lengths) - lengths))[owners]
