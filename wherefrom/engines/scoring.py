"""Weights that add up exactly in the 32-bit floats of a search library, and batches of what they rank.

Scores are sums of 32-bit floats in Lucene, in an order that depends on how the index was written. The
weights of a query are therefore scaled to whole numbers whose sum stays within the 24 bits that such a float holds
exactly: equal sums are equal scores, whatever the order, and ties are ties.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from wherefrom.engines.engine import TIES
from wherefrom.model import INDEXED, TERM_BITS, Representation

_Ranked = TypeVar("_Ranked", bound=tuple[Any, ...])

EXACT_BITS = 24
"""A 32-bit float holds every whole number up to 2 to this power."""


def scale(
    weights: Mapping[Representation, Mapping[int, float]], term_bits: int
) -> tuple[list[tuple[Representation, int, float]], float]:
    """The weights as whole numbers (at least 1) of a unit, a power of two, so small that their sum is exact:
    representation, stored term and number of each; and the unit. Weights that are few and round are not changed at all.
    """
    shift = TERM_BITS - term_bits
    plain = [(key, term >> shift, weight) for key in INDEXED for term, weight in weights.get(key, {}).items()]
    if not plain:
        return [], 1.0
    unit = 2.0 ** (math.frexp(math.fsum(weight for _, _, weight in plain))[1] - EXACT_BITS)
    while True:
        scaled = [(key, term, max(1.0, round(weight / unit))) for key, term, weight in plain]
        if sum(weight for _, _, weight in scaled) <= 2**EXACT_BITS:
            return scaled, unit
        unit *= 2


def with_ties(ranked: Sequence[_Ranked], limit: int, offset: int) -> Sequence[_Ranked]:
    """`limit` entries (score first) from `offset` on, and at most `TIES` more that tie with the last."""
    end = offset + limit
    while end < min(len(ranked), offset + limit + TIES) and ranked[end][0] == ranked[offset + limit - 1][0]:
        end += 1
    return ranked[offset:end]
