"""Covers a file by few documents, and divides its tokens and lines among them.

Finding the fewest documents is NP-hard. The greedy cover takes the document that covers most of the rest, again and
again. It needs at most H(d) = 1 + 1/2 + ... + 1/d times as many documents as necessary, if one document covers at most
the weight d (a whole number): Chvatal 1979 (Mathematics of Operations Research 4) for equal weights, Wolsey 1982
(Combinatorica 2) for others.

Each token has the number of its owner: a document, from 0 in the order of the cover, or a negative number for none.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.model import Representation
from wherefrom.queries.spans import Flags, Numbers, parted
from wherefrom.results import Lines
from wherefrom.support.chunks import by_key
from wherefrom.support.values import dataclass

NEAR = SCHEMES[Representation.EXACT].k
"""Runs with at most this many tokens between them count as one run, as long as their sum. Edits split a copied function
into runs that would be too short by themselves."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A text of the cover: its `number`, the `positions` that no earlier text covers (ascending), their `weight`."""

    number: int
    positions: Numbers
    weight: int


def long_runs(positions: Numbers, least: int) -> list[Numbers]:
    """Splits ascending positions at gaps of more than `NEAR`. Returns the runs with at least `least` positions."""
    runs = np.split(positions, np.flatnonzero(np.diff(positions) > NEAR + 1) + 1)
    return [run for run in runs if len(run) >= least]


def greedy_cover(texts: Sequence[Numbers], weights: Numbers, *, least: int = 1, most: int | None = None) -> list[Taken]:
    """Takes the text whose long runs (of `least` uncovered positions) weigh most, until no text has a long run.

    If several texts weigh the same, the text with the longest run comes first, then the text that was given first. The
    weight that a text adds can only fall while others are taken, so an earlier weight is an upper bound (Minoux 1978).
    `texts` has the ascending positions that each covers. `weights` are whole numbers, 0 for what does not count.
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


def _worth(runs: Sequence[Numbers], weights: Numbers) -> tuple[int, int]:
    """A sort key for the best runs first: the negative weight of all runs, the negative length of the longest run."""
    return -sum(int(weights[run].sum()) for run in runs), -max(map(len, runs))


def settle(owners: Numbers, claims: Sequence[tuple[Numbers, Flags]], start_lines: Numbers) -> None:
    """Moves the border between two documents within a stretch that both cover, so that most tokens are identical in
    their owner. The run of the first document may have grown too far, into the head of the next function. `owners` is
    changed in place. `claims` has the ascending positions that each document covers, and which tokens are identical.
    """
    is_line = np.append(np.diff(start_lines, prepend=0) > 0, True)
    for number, (positions, same) in enumerate(claims):
        both = positions[(owners[positions] >= 0) & (owners[positions] < number)]
        breaks = (np.diff(both) > 1) | (np.diff(owners[both]) != 0)
        for stretch in np.split(both, np.flatnonzero(breaks) + 1) if len(both) else ():
            first, last = int(stretch[0]), int(stretch[-1]) + 1
            theirs, ours = claims[owners[first]][1][first:last], same[first:last]
            borders = is_line[first : last + 1]
            is_after = first > 0 and owners[first - 1] == number
            is_before = last < len(owners) and owners[last] == number
            if is_before and not is_after:
                owners[first + _kept(theirs, ours, borders) : last] = number
            elif is_after and not is_before:
                owners[first : last - _kept(theirs[::-1], ours[::-1], borders[::-1])] = number
            elif is_after and np.count_nonzero(ours) > np.count_nonzero(theirs):
                owners[first:last] = number


def _kept(theirs: Flags, ours: Flags, borders: Flags) -> int:
    """How many tokens at the beginning of a stretch its first document keeps: the number at which most tokens are
    identical in their owner. In a tie, a border at the beginning of a line is preferred, then the largest number.
    """
    same = np.concatenate(([0], np.cumsum(theirs))) + np.concatenate((np.cumsum(ours[::-1])[::-1], [0]))
    return max(range(len(same)), key=lambda at: (int(same[at]), bool(borders[at]), at))


def lines_of(stream: TokenStream, owners: Numbers) -> dict[int, tuple[Lines, ...]]:
    """The lines of each owner, in ranges, ascending.

    A line belongs to the owner of most of its tokens; in a tie, to the owner that comes first in the line. A line
    without tokens is in a range if the lines around it are.
    """
    if not len(stream):
        return {}
    heights = stream.end_lines - stream.start_lines + 1
    token = np.repeat(np.arange(len(stream)), heights)
    line = stream.start_lines[token] + np.arange(len(token)) - np.repeat(np.cumsum(heights) - heights, heights)
    pairs, firsts, counts = np.unique(
        np.stack((line, owners[token]), axis=1), axis=0, return_index=True, return_counts=True
    )
    ordered = pairs[np.lexsort((firsts, -counts, pairs[:, 0]))]
    lines, owner = ordered[np.flatnonzero(np.diff(ordered[:, 0], prepend=0))].T
    found = by_key(
        (int(owner[first]), Lines(int(lines[first]), int(lines[end - 1])))
        for first, end in parted(np.diff(owner) != 0).tolist()
    )
    return {own: tuple(ranges) for own, ranges in found.items()}
