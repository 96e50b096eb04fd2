"""Term places: where the fingerprints of a text are, stored in place of its tokens in an index without code.

Each place has 16 bits of the term of a k-gram, and the line at which the k-gram begins. The bits are enough to find a
given term in a text of thousands of lines; they do not tell what the text is. Only the places of `renamed` and of prose
are stored, since those of other representations are beside them.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import zstandard
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import term_of
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import PLACES, TokenStream, decode, reading
from wherefrom.model import Hashes, Representation

PLACED = (Representation.RENAMED, Representation.TEXT)
"""The representations whose places are stored."""

_HEADER = struct.Struct("<cI")
"""`PLACES`, and the number of places."""

_LEVEL = 12

_MOST = 1 << 26
"""The highest number of places of a text."""

_BITS = 16


@dataclass(frozen=True, slots=True)
class TermPlaces:
    """The places of the fingerprints of a text, in its order.

    Attributes:
        bits: uint16, the leading bits of the term of each place.
        lines: int64, the line at which its k-gram begins, from 1.
    """

    bits: NDArray[np.uint16]
    lines: NDArray[np.int64]

    def lines_of(self, terms: Mapping[Representation, Collection[int]], bits: int) -> dict[int, NDArray[np.int64]]:
        """The lines of each of these terms (which have this number of bits) that the text may have."""
        found = {}
        for representation in PLACED:
            for term in terms.get(representation, ()):
                lines = self.lines[self.bits == np.uint16(term >> (bits - _BITS))]
                if len(lines):
                    found[term] = lines
        return found


def are_places(stored: bytes) -> bool:
    """Whether the stored form of a text has places in place of tokens."""
    return stored[:1] == PLACES


def places_of(stored: bytes) -> bytes:
    """The places of a text as bytes, from its stored token stream. Places stay as they are.

    Raises:
        IndexDamaged: the stream cannot be read.
    """
    if are_places(stored):
        return stored
    stream = decode(stored)
    positions, terms = _fingerprints(stream)
    order = np.argsort(positions, kind="stable")
    lines = stream.start_lines[positions[order]]
    steps = np.diff(lines, prepend=0).astype("<u4")
    bits = (terms[order] >> np.uint64(48 - _BITS)).astype("<u2")
    planes = bits.tobytes() + b"".join((steps >> (8 * place)).astype(np.uint8).tobytes() for place in range(4))
    return _HEADER.pack(PLACES, len(bits)) + zstandard.ZstdCompressor(level=_LEVEL).compress(planes)


def _fingerprints(stream: TokenStream) -> tuple[NDArray[np.int64], Hashes]:
    """The first tokens and the terms of the sampled k-grams whose places are stored."""
    found = [(np.zeros(0, np.int64), np.zeros(0, np.uint64))]
    for representation in PLACED:
        scheme = SCHEMES[representation]
        grams = sampled_kgrams(stream, scheme)
        if len(grams.hashes):
            kept = sample(grams, scheme)
            found.append((grams.positions[kept], term_of(grams.hashes[kept])))
    positions, terms = zip(*found, strict=True)
    return np.concatenate(positions), np.concatenate(terms)


def load(stored: bytes) -> TermPlaces:
    """The places of a text, from its places as bytes or from its stored token stream.

    Raises:
        IndexDamaged: these bytes cannot be read.
    """
    data = places_of(stored)
    with reading():
        _, count = _HEADER.unpack_from(data)
        if count > _MOST:
            raise ValueError("too many places")
        planes = zstandard.ZstdDecompressor().decompress(data[_HEADER.size :], max_output_size=6 * count + 1)
        if len(planes) != 6 * count:
            raise ValueError("a place is missing")
        bits = np.frombuffer(planes, "<u2", count)
        bytes_ = np.frombuffer(planes, np.uint8, 4 * count, 2 * count).reshape(4, count).astype(np.int64)
    return TermPlaces(bits, np.cumsum(sum(bytes_[place] << (8 * place) for place in range(4))))
