"""Scales weights so that they add up exactly in 32-bit floats, and cuts batches out of a ranking.

Lucene adds up 32-bit floats, in an order that depends on how the index was written. So the weights of a query are
scaled to whole numbers whose sum stays within the 24 bits that such a float holds exactly. Then blobs with equal sums
have equal scores, in whatever order Lucene adds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from wherefrom.engines.engine import TIES
from wherefrom.model import INDEXED, TERM_BITS, Representation

_Ranked = TypeVar("_Ranked", bound=tuple[Any, ...])

ScaledWeights: TypeAlias = Sequence[tuple[Representation, int, float]]
"""The representation, the stored bits and the weight of each term. Weights are whole numbers, at least 1."""

EXACT_BITS = 24
"""A 32-bit float holds every whole number up to 2 to this power."""


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
