"""Shortens terms to the leading bits that an index stores."""

from __future__ import annotations

import numpy as np

from wherefrom.model import TERM_BITS, Hashes


def shortened(terms: Hashes, bits: int) -> Hashes:
    """The leading bits of each term, in the order of the terms."""
    return terms >> np.uint64(TERM_BITS - bits)


def narrowed(terms: Hashes, bits: int) -> Hashes:
    """The distinct leading bits of some terms, ascending. The terms must be ascending, too."""
    short = shortened(terms, bits)
    is_first = np.ones(len(short), np.bool_)
    np.not_equal(short[1:], short[:-1], out=is_first[1:])
    return short[is_first]
