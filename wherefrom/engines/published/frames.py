"""Frames: leaves of the tree of postings. Each has up to `FRAME` postings: pairs of a term and a document.

A frame has the differences of its terms, and its documents, each packed in as few bits as the widest one needs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.model import Hashes

FRAME = 256  # the number of postings of a frame; the last one of a representation may have fewer

_HEADER = struct.Struct("<BHBBQ")
"""The representation, the number of postings, the bits of a difference, those of a document, and the first term."""

_TERM_BYTES = 6

MOST_BITS = 64
LARGEST = _HEADER.size + 2 * FRAME * MOST_BITS // 8  # the highest number of bytes of a frame


class Frame(NamedTuple):
    """The postings of a frame: their representation (a position in `INDEXED`), terms and documents."""

    representation: int
    terms: Hashes
    documents: NDArray[np.int64]

    def has(self, representation: int, term: int) -> NDArray[np.bool_]:
        """Marks the postings of a term."""
        is_it: NDArray[np.bool_] = self.terms == np.uint64(term)
        return is_it if representation == self.representation else np.zeros(len(is_it), np.bool_)


def key(representation: int, term: int) -> bytes:
    """The key of a term in the tree; `representation` is a position in `INDEXED`."""
    return bytes([representation]) + term.to_bytes(_TERM_BYTES, "big")


def dump(representation: int, terms: Hashes, documents: NDArray[np.int64]) -> Iterator[tuple[bytes, bytes]]:
    """The key and the bytes of each frame of some postings of a representation, which are in their order."""
    for begin in range(0, len(terms), FRAME):
        own = terms[begin : begin + FRAME]
        differences = np.diff(own, prepend=own[:1])
        owners = documents[begin : begin + FRAME].astype(np.uint64)
        bits = [int(values.max()).bit_length() for values in (differences, owners)]
        header = _HEADER.pack(representation, len(own), *bits, int(own[0]))
        yield key(representation, int(own[0])), header + _packed(differences, bits[0]) + _packed(owners, bits[1])


def load(frame: bytes) -> Frame:
    """The reverse of `dump` for one frame. Raises ValueError or struct.error for other bytes."""
    representation, count, *bits, first = _HEADER.unpack_from(frame)
    if not 0 < count <= FRAME or max(bits) > MOST_BITS or len(frame) > LARGEST:
        raise ValueError("a frame has more postings than any")
    at = _HEADER.size
    differences = _unpacked(frame[at:], count, bits[0])
    documents = _unpacked(frame[at + -(-count * bits[0] // 8) :], count, bits[1])
    terms = np.uint64(first) + np.cumsum(differences, dtype=np.uint64)
    return Frame(representation, terms, documents.astype(np.int64))


def _packed(values: Hashes, bits: int) -> bytes:
    digits = (values[:, np.newaxis] >> np.arange(bits, dtype=np.uint64)) & np.uint64(1)
    return np.packbits(digits.astype(np.uint8).ravel(), bitorder="little").tobytes()


def _unpacked(data: bytes, count: int, bits: int) -> Hashes:
    if not bits:
        return np.zeros(count, np.uint64)
    digits = np.unpackbits(np.frombuffer(data, np.uint8, -(-count * bits // 8)), count=count * bits, bitorder="little")
    weights = np.uint64(1) << np.arange(bits, dtype=np.uint64)
    values: Hashes = digits.reshape(count, bits).astype(np.uint64) @ weights
    return values
