"""Terms as an index stores them: whole, or their leading bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.model import TERM_BITS

if TYPE_CHECKING:
    from wherefrom.model import Hashes


def shortened(terms: Hashes, bits: int) -> Hashes:
    """The leading bits of each of some terms, in their order; equal ones stay.

    Args:
        terms: uint64, of `TERM_BITS`.
        bits: one of `STORED_BITS`.
    """
    return terms >> np.uint64(TERM_BITS - bits)


def narrowed(terms: Hashes, bits: int) -> Hashes:
    """The distinct leading bits of some terms, ascending.

    Args:
        terms: uint64, of `TERM_BITS`, ascending.
        bits: one of `STORED_BITS`.
    """
    short = shortened(terms, bits)
    is_first = np.ones(len(short), np.bool_)
    np.not_equal(short[1:], short[:-1], out=is_first[1:])
    return short[is_first]
