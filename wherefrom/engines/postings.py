"""Sorts the postings of several contents by term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.engine import Postings
from wherefrom.model import Hashes, Representation

PART = 1 << 22
"""The approximate number of postings that are sorted at a time."""


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
