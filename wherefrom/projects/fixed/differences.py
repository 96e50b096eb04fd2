"""Finds the tokens that differ between two texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise, takewhile
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.fitted import SHORT_RUN
from wherefrom.model import Hashes
from wherefrom.queries.alignment.chains import heaviest_chain

MOST_PAIRS = 100_000
"""If there are more pairs of equal tokens between two anchors than this, as in long tables, all tokens between the
anchors count as changed."""


Tokens: TypeAlias = tuple[int, int]
"""A half-open span of the tokens of one text."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens `old` of one text are replaced by the tokens `new` in the other. Either span may be empty."""

    old: Tokens
    new: Tokens

    def moved(self, old: int, new: int) -> Difference:
        """The same difference, shifted by `old` tokens in the old text and by `new` tokens in the new one."""
        return Difference((self.old[0] + old, self.old[1] + old), (self.new[0] + new, self.new[1] + new))

    def joined(self, later: Difference) -> Difference:
        """The difference from the begin of this one to the end of a later one."""
        return Difference((self.old[0], later.old[1]), (self.new[0], later.new[1]))


def differences(old: Hashes, new: Hashes) -> list[Difference]:
    """The differences between two texts, given as codes of tokens, in order."""
    found: list[Difference] = []
    for stretch in _apart(old, new):
        for inner in _compared(old[slice(*stretch.old)].tolist(), new[slice(*stretch.new)].tolist()):
            difference = inner.moved(stretch.old[0], stretch.new[0])
            if found and difference.old[0] - found[-1].old[1] < SHORT_RUN:
                difference = found.pop().joined(difference)
            found.append(difference)
    return found


def _apart(old: Hashes, new: Hashes) -> Iterator[Difference]:
    """The stretches between anchors, except those that are empty in both texts."""
    anchors = [(-SHORT_RUN, -SHORT_RUN), *_anchors(old, new), (len(old), len(new))]
    for (ours, theirs), (next_ours, next_theirs) in pairwise(anchors):
        # Anchors may overlap. If the overlap is equally long in both texts, there is no difference between them.
        shift = min(SHORT_RUN, next_ours - ours, next_theirs - theirs)
        begin, other = ours + shift, theirs + shift
        if (begin, other) != (next_ours, next_theirs):
            yield Difference((begin, next_ours), (other, next_theirs))


def _anchors(old: Hashes, new: Hashes) -> list[tuple[int, int]]:
    """The positions (old, new) of runs of `SHORT_RUN` tokens that each text has exactly once, ascending in both."""
    ours, theirs = (_once(kgram_hashes(text, SHORT_RUN)) for text in (old, new))
    _, at_ours, at_theirs = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    here, there = ours[1][at_ours], theirs[1][at_theirs]
    order = np.argsort(here)
    _, rising = heaviest_chain(there[order], np.ones(len(order)))
    return list(zip(here[order[rising]].tolist(), there[order[rising]].tolist(), strict=True))


def _once(hashes: Hashes) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes that occur once, and their positions."""
    values, where, counts = np.unique(hashes, return_index=True, return_counts=True)
    return values[counts == 1], where[counts == 1]


def _equal(one: list[int], other: list[int]) -> int:
    """The length of the common beginning of two lists."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _compared(old: list[int], new: list[int]) -> Iterator[Difference]:
    first = _equal(old, new)
    last = _equal(old[first:][::-1], new[first:][::-1])
    ours, theirs = old[first : len(old) - last], new[first : len(new) - last]
    counts = Counter(theirs)
    if not ours or not theirs or sum(counts[token] for token in ours) > MOST_PAIRS:
        if ours or theirs:
            yield Difference((first, first + len(ours)), (first, first + len(theirs)))
        return
    for kind, *spans in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            begin, end, other, other_end = (first + at for at in spans)
            yield Difference((begin, end), (other, other_end))
