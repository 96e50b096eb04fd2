"""Which tokens of two texts differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.fitted import SHORT_RUN
from wherefrom.model import Hashes
from wherefrom.queries.alignment.chains import Pairs, heaviest_chain

MOST_PAIRS = 100_000
"""Pairs of equal tokens that are considered between two anchors. If there are more, as in long tables, all tokens there
count as changed."""


Tokens: TypeAlias = tuple[int, int]
"""A half-open span of the tokens of one text."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens `old` of one text are the tokens `new` of the other; either span may be empty."""

    old: Tokens
    new: Tokens

    def moved(self, old: int, new: int) -> Difference:
        """The same, so many tokens further on in the two texts."""
        return Difference((self.old[0] + old, self.old[1] + old), (self.new[0] + new, self.new[1] + new))

    def joined(self, later: Difference) -> Difference:
        """This one, a later one and all between them."""
        return Difference((self.old[0], later.old[1]), (self.new[0], later.new[1]))


def differences(old: Hashes, new: Hashes) -> list[Difference]:
    """Where two texts differ, by the codes of their tokens, in order."""
    found: list[Difference] = []
    for stretch in _apart(old, new):
        for inner in _compared(old[slice(*stretch.old)].tolist(), new[slice(*stretch.new)].tolist()):
            difference = inner.moved(stretch.old[0], stretch.new[0])
            if found and difference.old[0] - found[-1].old[1] < SHORT_RUN:
                difference = found.pop().joined(difference)
            found.append(difference)
    return found


def _apart(old: Hashes, new: Hashes) -> Iterator[Difference]:
    """The stretches between anchors that are not empty in both texts."""
    anchors = [(-SHORT_RUN, -SHORT_RUN), *_anchors(old, new), (len(old), len(new))]
    for (ours, theirs), (next_ours, next_theirs) in pairwise(anchors):
        # Anchors that overlap by as much on both sides are one run.
        shift = min(SHORT_RUN, next_ours - ours, next_theirs - theirs)
        begin, other = ours + shift, theirs + shift
        if (begin, other) != (next_ours, next_theirs):
            yield Difference((begin, next_ours), (other, next_theirs))


def _anchors(old: Hashes, new: Hashes) -> list[tuple[int, int]]:
    """Where runs that occur once in either text begin, ascending in both."""
    ours, theirs = (_once(hashes(text, SHORT_RUN)) for text in (old, new))
    _, at_ours, at_theirs = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    here, there = ours[1][at_ours], theirs[1][at_theirs]
    order = np.argsort(here)
    _, rising = heaviest_chain(Pairs(there[order], here[order]), np.ones(len(order)))
    return list(zip(here[order[rising]].tolist(), there[order[rising]].tolist(), strict=True))


def hashes(codes: Hashes, k: int) -> Hashes:
    """The k-grams of some tokens; none if there are fewer than k."""
    return kgram_hashes(codes, k) if len(codes) >= k else np.empty(0, np.uint64)


def _once(hashes: Hashes) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes that occur once, and where."""
    values, where, counts = np.unique(hashes, return_index=True, return_counts=True)
    return values[counts == 1], where[counts == 1]


def _equal(one: list[int], other: list[int]) -> int:
    """With how many equal elements two lists begin."""
    unequal = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return next(unequal, min(len(one), len(other)))


def _compared(old: list[int], new: list[int]) -> Iterator[Difference]:
    """Where two short lists differ."""
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
