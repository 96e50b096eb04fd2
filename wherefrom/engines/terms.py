"""Shortens terms to the bits that an index stores, sorts their postings, and scales their weights for a ranking.

Lucene adds up 32-bit floats, in an order that depends on how the index was written. So the weights of a query are
scaled to whole numbers whose sum stays within the 24 bits that such a float holds exactly. Then blobs with equal sums
have equal scores, in whatever order Lucene adds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.engine import TIES, Postings
from wherefrom.model import INDEXED, TERM_BITS, Hashes, Representation


def shortened(terms: Hashes, bits: int) -> Hashes:
    """The leading bits of each term, in the order of the terms."""
    return terms >> np.uint64(TERM_BITS - bits)


def narrowed(terms: Hashes, bits: int) -> Hashes:
    """The distinct leading bits of some terms, ascending. The terms must be ascending, too."""
    return all_narrowed(terms, [len(terms)], bits)[0]


def all_narrowed(terms: Hashes, counts: Sequence[int], bits: int) -> tuple[Hashes, NDArray[np.int64]]:
    """What `narrowed` makes of the terms of each content, one after the other, with their `counts`; and the content
    of each term.
    """
    short = shortened(terms, bits)
    owners = np.repeat(np.arange(len(counts)), counts)
    is_first = np.ones(len(short), np.bool_)
    is_first[1:] = (short[1:] != short[:-1]) | (owners[1:] != owners[:-1])
    return short[is_first], owners[is_first]


PART = 1 << 22  # the approximate number of postings that are sorted at a time


def in_term_order(representation: Representation, of_each: Sequence[Hashes]) -> Iterator[Postings]:
    """The postings of some contents, sorted by term, then by the content's position; in parts of about `PART` postings.
    `of_each` has the terms of each content, ascending.
    """
    count = sum(map(len, of_each))
    term_bits = max((int(terms[-1]).bit_length() for terms in of_each if len(terms)), default=0)
    parts = min(1 + count // PART, 1 << term_bits)
    bounds = np.array([(number << term_bits) // parts for number in range(1, parts)], np.uint64)
    cuts = [[0, *np.searchsorted(terms, bounds).tolist(), len(terms)] for terms in of_each]
    for number in range(parts):
        slices = [terms[cut[number] : cut[number + 1]] for terms, cut in zip(of_each, cuts, strict=True)]
        owners = np.repeat(np.arange(len(of_each)), [len(terms) for terms in slices])
        terms = np.concatenate([np.zeros(0, np.uint64), *slices])
        yield Postings(representation, *by_term(terms, owners, term_bits))


def by_term(terms: Hashes, owners: NDArray[np.int64], term_bits: int) -> tuple[Hashes, NDArray[np.int64]]:
    """Sorts postings by term, then by owner (the number of a content). Terms have at most `term_bits` bits."""
    place_bits = int(owners.max(initial=0)).bit_length()
    if term_bits + place_bits > 64:
        sort = np.lexsort((owners, terms))
        return terms[sort], owners[sort]
    # If term and owner are packed into one word, sorting is several times as fast.
    packed = (terms << np.uint64(place_bits)) | owners.astype(np.uint64)
    packed.sort()
    return packed >> np.uint64(place_bits), (packed & np.uint64((1 << place_bits) - 1)).astype(np.int64)


_Ranked = TypeVar("_Ranked", bound=tuple[Any, ...])

ScaledWeights: TypeAlias = Sequence[tuple[Representation, int, float]]
"""The representation, the stored bits and the weight of each term. Weights are whole numbers, at least 1."""

EXACT_BITS = 24  # a 32-bit float holds every whole number up to 2 to this power


def scale(weights: Mapping[Representation, Mapping[int, float]], term_bits: int) -> tuple[ScaledWeights, float]:
    """Rounds weights to whole multiples of a unit, and returns the multiples and the unit, a power of two. The unit is
    large enough that the sum of the multiples is exact in a 32-bit float. A few weights with few bits are not rounded.
    """
    shift = TERM_BITS - term_bits
    plain = [(key, term >> shift, weight) for key in INDEXED for term, weight in weights.get(key, {}).items()]
    unit = 2.0 ** (math.frexp(math.fsum(weight for _, _, weight in plain))[1] - EXACT_BITS)
    while True:
        scaled = [(key, term, max(1.0, round(weight / unit))) for key, term, weight in plain]
        if sum(weight for _, _, weight in scaled) <= 2**EXACT_BITS:
            return scaled, unit
        unit *= 2


def with_ties(ranked: Sequence[_Ranked], limit: int, offset: int) -> Sequence[_Ranked]:
    """Takes `limit` entries (score first) from `offset` on, and at most `TIES` more with the same score as the last."""
    end = offset + limit
    while end < min(len(ranked), offset + limit + TIES) and ranked[end][0] == ranked[offset + limit - 1][0]:
        end += 1
    return ranked[offset:end]
