"""Hashes: token codes (mmh3), Karp-Rabin k-gram hashes, the final mix, terms.

Golden vectors (`tests/analyzers/test_hashing.py`) check everything here: if a hash changed, all existing indexes would
be useless. So a change here needs a new `HASH_VERSION`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import mmh3
import numpy as np
from numpy.typing import NDArray

from wherefrom.model import TERM_BITS, Hashes

_Number = TypeVar("_Number", bound=np.generic)

HASH_VERSION = 1
SEED = 0x77686E63  # the mmh3 seed of every token code: an arbitrary number that is part of every scheme

CODE_BITS = 40
"""Bits of a token code. An index stores the code of each distinct token of a blob; 5 bytes instead of 8 save about 0.1
byte for each source byte. Two symbols collide with probability 2^-40. Two k-grams then collide only if their other
tokens are equal."""

BASE = np.uint64(0x9E3779B97F4A7C15)
"""The base of the polynomial: 2^64 divided by the golden ratio. It is odd, so multiplying by it loses no bit."""


def token_code(symbol: bytes) -> int:
    """The code of a token's symbol: the leading `CODE_BITS` bits of the first half of mmh3's x64 128-bit hash."""
    return int(mmh3.hash64(symbol, SEED, x64arch=True, signed=False)[0]) >> (64 - CODE_BITS)


class CodeCache(dict[bytes, int]):
    """A cache of `token_code` by symbol. It is emptied at `limit` symbols, so that its memory is bounded."""

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
    result = np.array([pow(int(BASE), power, 1 << 64) for power in range(k, 0, -1)], np.uint64)
    result.flags.writeable = False
    return result


def kgram_hashes(codes: Hashes, k: int) -> Hashes:
    """The Karp-Rabin hash of every k-gram, in order.

    H(c1 ... ck) = c1 B^k + ... + ck B^1 modulo 2^64. The last factor is B and not 1, as in the paper's H' (section
    3.1.1), so that every token changes every bit. One correlation with the powers gives the values of a rolling hash.
    Entry i is the hash of the k-gram that begins at token i; without k tokens there is none. k is at least 1.
    """
    if len(codes) < k:
        return np.empty(0, np.uint64)
    hashes: Hashes = np.correlate(codes, powers(k))
    return hashes


def mix(hashes: Hashes) -> Hashes:
    """MurmurHash3's 64-bit finalizer, a bijection. Samplers keep small hashes; mixing makes them uniform again."""
    mixed: Hashes = hashes ^ (hashes >> np.uint64(33))
    mixed *= np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(33)
    mixed *= np.uint64(0xC4CEB9FE1A85EC53)
    mixed ^= mixed >> np.uint64(33)
    return mixed


def term_of(hashes: Hashes) -> Hashes:
    """The term of each hash: the leading `TERM_BITS` bits of the mixed hash."""
    return mix(hashes) >> np.uint64(64 - TERM_BITS)


def terms(hashes: Hashes) -> Hashes:
    """The distinct terms of hashes, ascending."""
    return distinct(term_of(hashes))


def distinct(values: NDArray[_Number]) -> NDArray[_Number]:
    """The distinct values, ascending. Sorting takes a tenth of the time of `np.unique`."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def are_among(hashes: NDArray[np.generic], known: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Which hashes are among `known`, which must be ascending. Faster than `np.isin`, which would sort `known`."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    nearest = np.minimum(known.searchsorted(hashes), len(known) - 1)
    found: NDArray[np.bool_] = known[nearest] == hashes
    return found


def packed(ascending: NDArray[np.unsignedinteger]) -> NDArray[np.uint8]:
    """Ascending numbers in a form that compresses well.

    The first row has the lowest byte of each difference between neighbors, the second the next byte of each, and so on.
    """
    differences = np.diff(ascending, prepend=ascending.dtype.type(0))
    width = ascending.itemsize
    return differences.astype(f"<u{width}").view(np.uint8).reshape(-1, width).T.copy()


def unpacked(rows: NDArray[np.uint8]) -> NDArray[np.unsignedinteger]:
    """The numbers that `packed` turned into these rows."""
    kind = np.dtype(f"<u{len(rows)}")
    return np.cumsum(np.ascontiguousarray(rows.T).view(kind).ravel(), dtype=kind)


_PLACE_BITS = np.uint64(24)


def ascending(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """A stable argsort of whole numbers, in a tenth of the time of `np.argsort` for ten thousand numbers.

    The leading 40 bits of each number are sorted together with its place. If two numbers differ only in their other
    bits, their order may be wrong; `np.argsort` is then used instead.
    """
    if not 0 < len(numbers) <= 1 << int(_PLACE_BITS) or numbers.min() < 0:
        return np.argsort(numbers, kind="stable")
    dropped = np.uint64(max(int(numbers.max()).bit_length() + int(_PLACE_BITS) - 64, 0))
    keys = numbers.astype(np.uint64) >> dropped << _PLACE_BITS
    keys |= np.arange(len(keys), dtype=np.uint64)
    keys.sort()
    keys &= np.uint64((1 << int(_PLACE_BITS)) - 1)
    places = keys.view(np.int64)
    ordered = numbers[places]
    return np.argsort(numbers, kind="stable") if np.count_nonzero(ordered[1:] < ordered[:-1]) else places
