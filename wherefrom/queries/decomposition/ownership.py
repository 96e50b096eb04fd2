"""Which of several documents the tokens and the lines of a file belong to.

Owners are numbers, one for each token: the documents count from 0 in the order in which they were taken, what is none
of theirs is negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.tokens import TokenStream
from wherefrom.results import Lines


@dataclass(frozen=True, slots=True)
class Claim:
    """The `positions` (ascending) of the tokens that a document explains, and which of all tokens of the file are the
    very `same` in it.
    """

    positions: NDArray[np.int64]
    same: NDArray[np.bool_]


def settle(owners: NDArray[np.int64], claims: Sequence[Claim], start_lines: NDArray[np.int64]) -> None:
    """Divides the stretches that two documents explain, beside what the later one alone does, so that most of the very
    tokens agree: the first one's run may have grown into the head of the function that comes next. `owners` is changed
    in place; `claims` are those of each document, by its number.
    """
    is_line = np.append(np.diff(start_lines, prepend=0) > 0, True)
    for number, claim in enumerate(claims):
        held = claim.positions[(owners[claim.positions] >= 0) & (owners[claim.positions] < number)]
        breaks = (np.diff(held) > 1) | (np.diff(owners[held]) != 0)
        for stretch in np.split(held, np.flatnonzero(breaks) + 1) if len(held) else ():
            first, last = int(stretch[0]), int(stretch[-1]) + 1
            theirs, ours = claims[owners[first]].same[first:last], claim.same[first:last]
            borders = is_line[first : last + 1]
            is_after = first > 0 and owners[first - 1] == number
            is_before = last < len(owners) and owners[last] == number
            if is_before and not is_after:
                owners[first + _kept(theirs, ours, borders) : last] = number
            elif is_after and not is_before:
                owners[first : last - _kept(theirs[::-1], ours[::-1], borders[::-1])] = number
            elif is_after and np.count_nonzero(ours) > np.count_nonzero(theirs):
                owners[first:last] = number


def _kept(theirs: NDArray[np.bool_], ours: NDArray[np.bool_], borders: NDArray[np.bool_]) -> int:
    """How many tokens at the beginning of a stretch stay theirs: so many that most are the same on their side of the
    border, of equals where a line begins, then the most.
    """
    same = np.concatenate(([0], np.cumsum(theirs))) + np.concatenate((np.cumsum(ours[::-1])[::-1], [0]))
    return max(range(len(same)), key=lambda at: (int(same[at]), bool(borders[at]), at))


def lines_of(stream: TokenStream, owners: NDArray[np.int64]) -> dict[int, tuple[Lines, ...]]:
    """The lines of each owner, in ranges, ascending.

    A line is the one's who has most of its tokens, of equals the one's whose token comes first. A line without tokens
    is in a range where the lines with tokens around it are.
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
    starts = np.concatenate(([0], np.flatnonzero(np.diff(owner)) + 1))
    ends = np.append(starts[1:], len(lines)) - 1
    found: dict[int, list[Lines]] = {}
    for first, last in zip(starts.tolist(), ends.tolist(), strict=True):
        found.setdefault(int(owner[first]), []).append(Lines(int(lines[first]), int(lines[last])))
    return {own: tuple(ranges) for own, ranges in found.items()}
