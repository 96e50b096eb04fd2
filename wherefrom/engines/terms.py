"""Shortens terms to the leading bits that an index stores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.model import TERM_BITS, Hashes


def shortened(terms: Hashes, bits: int) -> Hashes:
    """The leading bits of each term, in the order of the terms."""
    return terms >> np.uint64(TERM_BITS - bits)


def narrowed(terms: Hashes, bits: int) -> Hashes:
    """The distinct leading bits of some terms, ascending. The terms must be ascending, too."""
    return all_narrowed([terms], bits)[0]


def all_narrowed(of_each: Sequence[Hashes], bits: int) -> tuple[Hashes, NDArray[np.int64]]:
    """What `narrowed` makes of the terms of each content, one after the other; with the content of each term."""
    short = shortened(np.concatenate(of_each), bits)
    owners = np.repeat(np.arange(len(of_each)), [len(terms) for terms in of_each])
    is_first = np.ones(len(short), np.bool_)
    is_first[1:] = (short[1:] != short[:-1]) | (owners[1:] != owners[:-1])
    return short[is_first], owners[is_first]
