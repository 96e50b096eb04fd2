"""Spans of tokens, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def covered(begins: NDArray[np.int64], ends: NDArray[np.int64], tokens: int) -> NDArray[np.bool_]:
    """Which of so many tokens are in one of some half-open spans, which may reach beyond them."""
    opened, closed = (np.bincount(np.clip(edges, 0, tokens), minlength=tokens + 1) for edges in (begins, ends))
    found: NDArray[np.bool_] = np.cumsum(opened - closed)[:-1] > 0
    return found


def number_inside(which: NDArray[np.bool_], begins: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """How many of the tokens `which` are in each of some spans of k tokens."""
    before = np.concatenate(([0], np.cumsum(which)))
    inside: NDArray[np.int64] = before[begins + k] - before[begins]
    return inside


def stretches(which: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The longest half-open spans of true values, a row for each: int64, shape (n, 2)."""
    return np.flatnonzero(np.diff(which, prepend=False, append=False)).reshape(-1, 2)
