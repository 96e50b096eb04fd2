"""The fewest texts that cover one: a greedy weighted cover.

Finding the fewest is NP-hard. Taking the text that covers most of what is not yet covered, again and again, needs at
most H(d) = 1 + 1/2 + ... + 1/d times as many, for the greatest weight d (a whole number) that one text covers: Chvatal
1979 (Mathematics of Operations Research 4) for equal weights, Wolsey 1982 (Combinatorica 2) for others.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation

NEAR = SCHEMES[Representation.EXACT].k
"""Runs with at most this many tokens between them count as one where their length is asked for: an edit parts a copied
function into runs, each of which would be too short by itself.
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """A text that is part of the cover: its `number`, the `positions` (ascending) that it covers and none before it
    did, and what these weigh.
    """

    number: int
    positions: NDArray[np.int64]
    weight: int


def long_runs(positions: NDArray[np.int64], least: int) -> list[NDArray[np.int64]]:
    """The runs of ascending positions, parted at gaps of more than `NEAR`, that hold at least so many of them."""
    runs = np.split(positions, np.flatnonzero(np.diff(positions) > NEAR + 1) + 1)
    return [run for run in runs if len(run) >= least]


def greedy_cover(
    texts: Sequence[NDArray[np.int64]], weights: NDArray[np.int64], *, least: int = 1, most: int | None = None
) -> list[Taken]:
    """Takes the text whose long runs (of `least` positions) that are not yet covered weigh most, until none has any: at
    `most` so many texts, by falling weight.

    Of texts that weigh the same, the one with the longest run comes first, then the one that was given first. What one
    adds only falls while others are taken, so what it would have added before is a bound (Minoux 1978). Weights are
    whole numbers, above 0 where a position counts.
    """
    is_open = weights > 0
    waiting = [
        (*_worth(runs, weights), number)
        for number, text in enumerate(texts)
        if (runs := long_runs(text[is_open[text]], least))
    ]
    heapq.heapify(waiting)
    taken: list[Taken] = []
    while waiting and (most is None or len(taken) < most):
        *bound, number = heapq.heappop(waiting)
        runs = long_runs(texts[number][is_open[texts[number]]], least)
        if not runs:
            continue
        worth = _worth(runs, weights)
        if worth != tuple(bound):
            heapq.heappush(waiting, (*worth, number))
            continue
        positions = np.concatenate(runs)
        is_open[positions] = False
        taken.append(Taken(number, positions, -worth[0]))
    return taken


def _worth(runs: Sequence[NDArray[np.int64]], weights: NDArray[np.int64]) -> tuple[int, int]:
    """What sorts first the best: the negative weight of some runs, and the negative length of the longest."""
    return -sum(int(weights[run].sum()) for run in runs), -max(map(len, runs))
