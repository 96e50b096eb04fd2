"""Hashes: token codes (mmh3), Karp-Rabin k-gram hashes, the final mix, terms.

Everything here is pinned by golden vectors (`tests/analyzers/test_hashing.py`): a hash that changes silently makes
every index in the field useless, so a change here needs a new `HASH_VERSION`.
"""

from __future__ import annotations

from functools import cache

import mmh3
import numpy as np
from numpy.typing import NDArray

from wherefrom.model import TERM_BITS, Hashes

HASH_VERSION = 1
SEED = 0x77686E63
"""The mmh3 seed of every token code: an arbitrary number that is part of every scheme."""

CODE_BITS = 40
"""Bits of a token code. They are stored once for each distinct token of a blob, so every byte counts (5 bytes here
against 8: about 0.1 byte per source byte); two distinct symbols collide with probability 2^-40, and a k-gram only if
its other tokens agree as well."""

BASE = np.uint64(0x9E3779B97F4A7C15)
"""The base of the polynomial: 2^64 divided by the golden ratio, odd, so that multiplying by it loses no bit."""


def token_code(symbol: bytes) -> int:
    """The code of a token's symbol: the leading `CODE_BITS` bits of the first half of mmh3's x64 128-bit hash."""
    return int(mmh3.hash64(symbol, SEED, x64arch=True, signed=False)[0]) >> (64 - CODE_BITS)


class CodeCache(dict[bytes, int]):
    """Symbol to `token_code`, computed once; emptied when it holds `limit` symbols, so that memory stays flat."""

    def __init__(self, limit: int = 200_000) -> None:
        super().__init__()
        self.limit = limit

    def __missing__(self, symbol: bytes) -> int:
        if len(self) >= self.limit:
            self.clear()
        code = self[symbol] = token_code(symbol)
        return code


@cache
def powers(k: int) -> Hashes:
    """BASE^k, ..., BASE^1 modulo 2^64: the factors of the k positions of a k-gram, first position first."""
    result = np.empty(k, np.uint64)
    value = 1
    for position in range(k - 1, -1, -1):
        value = value * int(BASE) & 0xFFFFFFFFFFFFFFFF
        result[position] = value
    result.flags.writeable = False
    return result


def kgram_hashes(codes: Hashes, k: int) -> Hashes:
    """The Karp-Rabin hash of every k-gram, in order.

    H(c1 ... ck) = c1 B^k + ... + ck B^1 modulo 2^64. The last factor is B and not 1, as in the paper's H' (section
    3.1.1), so that every token moves every bit. One correlation with the powers takes the place of rolling; the values
    are the same.

    Args:
        codes: shape (n,), uint64, one code for each token.
        k: tokens in a k-gram, at least 1.

    Returns:
        Shape (max(n - k + 1, 0),), uint64; entry i is the k-gram that begins at token i.
    """
    if len(codes) < k:
        return np.empty(0, np.uint64)
    hashes: Hashes = np.correlate(codes, powers(k))
    return hashes


def mix(hashes: Hashes) -> Hashes:
    """MurmurHash3's 64-bit finaliser: a bijection that makes the kept (so: small) hashes uniform again."""
    mixed: Hashes = hashes ^ (hashes >> np.uint64(33))
    mixed *= np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(33)
    mixed *= np.uint64(0xC4CEB9FE1A85EC53)
    mixed ^= mixed >> np.uint64(33)
    return mixed


def term_of(hashes: Hashes) -> Hashes:
    """The term of each of these fingerprint hashes: the leading `TERM_BITS` bits of the mixed hash."""
    return mix(hashes) >> np.uint64(64 - TERM_BITS)


def terms(hashes: Hashes) -> Hashes:
    """The distinct terms of these fingerprint hashes, ascending."""
    return _distinct_in(term_of(hashes))


def distinct(hashes: Hashes) -> Hashes:
    """The distinct ones of some hashes, ascending; by a sort, which takes a tenth of the time of `np.unique`."""
    return _distinct_in(hashes.copy())


def are_among(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Which of some hashes are among others, which are ascending. Faster than `isin`, which would sort the others."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    nearest = np.minimum(known.searchsorted(hashes), len(known) - 1)
    found: NDArray[np.bool_] = known[nearest] == hashes
    return found


PLACE_BITS = np.uint64(24)
"""The lowest bits of a number that is sorted together with its place, which is in them."""

_PLACE_MASK = np.uint64((1 << int(PLACE_BITS)) - 1)


def places_in_order(keys: Hashes) -> NDArray[np.int64]:
    """The places of numbers in ascending order, equal ones as they come: one sort of number and place together is
    faster than a stable argsort.

    Args:
        keys: numbers whose lowest `PLACE_BITS` are 0, at most 2^24 of them. The array is written over.
    """
    keys |= np.arange(len(keys), dtype=np.uint64)
    keys.sort()
    keys &= _PLACE_MASK
    return keys.view(np.int64)


def ascending(hashes: Hashes) -> NDArray[np.int64]:
    """The places of hashes in ascending order, equal ones as they come: what a stable argsort gives, in a tenth of its
    time for ten thousand hashes.

    The leading 40 bits and the place are sorted as one number. Where that is not the order, as two hashes differ in
    the other bits alone, the stable argsort is asked.
    """
    if len(hashes) <= _PLACE_MASK:
        places = places_in_order(hashes & ~_PLACE_MASK)
        ordered = hashes[places]
        if not np.count_nonzero(ordered[1:] < ordered[:-1]):
            return places
    return np.argsort(hashes, kind="stable")


def _distinct_in(ordered: Hashes) -> Hashes:
    """The same, with an array that may be changed."""
    ordered.sort()
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
