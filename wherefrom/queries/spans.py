"""Spans of tokens, as arrays."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Flags: TypeAlias = "NDArray[np.bool_]"
Numbers: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"


def covered(begins: Numbers, ends: Numbers, tokens: int) -> Flags:
    """Which of `tokens` tokens lie in at least one of some half-open spans. A span may reach beyond the tokens."""
    opened, closed = (np.bincount(np.clip(edges, 0, tokens), minlength=tokens + 1) for edges in (begins, ends))
    return np.cumsum(opened - closed)[:-1] > 0


def number_inside(which: Flags, begins: Numbers, k: int) -> Numbers:
    """For each span of k tokens, how many of its tokens are true in `which`."""
    before = np.concatenate(([0], np.cumsum(which)))
    return before[begins + k] - before[begins]


def stretches(which: Flags) -> Numbers:
    """The longest half-open spans of true values, a row for each: int64, shape (n, 2)."""
    return np.flatnonzero(np.diff(which, prepend=False, append=False)).reshape(-1, 2)


def parted(breaks: Flags) -> Numbers:
    """The half-open spans into which a row of values is split: int64, shape (n, 2).

    `breaks` tells for each value except the last whether a new span begins after it.
    """
    edges = np.concatenate(([0], np.flatnonzero(breaks) + 1, [len(breaks) + 1]))
    return np.stack((edges[:-1], edges[1:]), axis=1)
