"""Which tokens of two texts differ."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.fitted import SHORT_RUN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wherefrom.model import Hashes

MOST_PAIRS = 100_000
"""Pairs of equal tokens that are considered between two anchors; where there are more, as in long tables of like
entries, all of the tokens there count as changed: the time grows as the pairs by the matches.
"""


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens `old_begin` to `old_end` of one text (half-open) are `new_begin` to `new_end` of the other; either may
    be none.
    """

    old_begin: int
    old_end: int
    new_begin: int
    new_end: int

    def moved(self, old: int, new: int) -> Difference:
        """The same, so many tokens further on in the two texts."""
        return Difference(self.old_begin + old, self.old_end + old, self.new_begin + new, self.new_end + new)


def differences(old: Hashes, new: Hashes) -> list[Difference]:
    """Where two texts differ, in their order; all that is between two differences is equal.

    Args:
        old: the codes of the tokens of one.
        new: those of the other.
    """
    found: list[Difference] = []
    for part in _apart(old, new):
        ours = old[part.old_begin : part.old_end].tolist()
        theirs = new[part.new_begin : part.new_end].tolist()
        for inner in _compared(ours, theirs):
            difference = inner.moved(part.old_begin, part.new_begin)
            if found and difference.old_begin - found[-1].old_end < SHORT_RUN:
                before = found.pop()
                difference = Difference(before.old_begin, difference.old_end, before.new_begin, difference.new_end)
            found.append(difference)
    return found


def _apart(old: Hashes, new: Hashes) -> Iterator[Difference]:
    """The stretches between anchors, those that are empty in both texts left out."""
    anchors = [(-SHORT_RUN, -SHORT_RUN), *_anchors(old, new), (len(old), len(new))]
    for (ours, theirs), (next_ours, next_theirs) in pairwise(anchors):
        begin, other = ours + SHORT_RUN, theirs + SHORT_RUN
        if begin > next_ours or other > next_theirs:
            # They overlap: where they do so by as much on both sides they are one run.
            shift = min(next_ours - ours, next_theirs - theirs)
            begin, other = ours + shift, theirs + shift
        if (begin, other) != (next_ours, next_theirs):
            yield Difference(begin, next_ours, other, next_theirs)


def _anchors(old: Hashes, new: Hashes) -> list[tuple[int, int]]:
    """Where runs that occur once in either text begin, ascending in both."""
    if len(old) < SHORT_RUN or len(new) < SHORT_RUN:
        return []
    ours, theirs = (_once(kgram_hashes(text, SHORT_RUN)) for text in (old, new))
    _, at_ours, at_theirs = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    positions = sorted(zip(ours[1][at_ours].tolist(), theirs[1][at_theirs].tolist(), strict=True))
    return _rising(positions)


def _once(hashes: Hashes) -> tuple[Hashes, Hashes]:
    """The hashes that occur once, and where."""
    values, where, counts = np.unique(hashes, return_index=True, return_counts=True)
    return values[counts == 1], where[counts == 1]


def _rising(positions: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest sequence of pairs, ascending by the first, that is ascending by the second too."""
    ends: list[int] = []
    lasts: list[int] = []
    before: list[int] = []
    for index, (_, other) in enumerate(positions):
        at = bisect_left(ends, other)
        before.append(lasts[at - 1] if at else -1)
        ends[at : at + 1] = [other]
        lasts[at : at + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = lasts[-1] if lasts else -1
    while index >= 0:
        chain.append(positions[index])
        index = before[index]
    return chain[::-1]


def _compared(old: list[int], new: list[int]) -> Iterator[Difference]:
    """Where two short lists differ."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    ours, theirs = old[first : len(old) - last], new[first : len(new) - last]
    if not ours and not theirs:
        return
    counts = Counter(theirs)
    if not ours or not theirs or sum(counts[token] for token in ours) > MOST_PAIRS:
        yield Difference(first, first + len(ours), first, first + len(theirs))
        return
    for kind, begin, end, other, other_end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Difference(first + begin, first + end, first + other, first + other_end)
