"""The tokens that differ between two texts."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wherefrom.fitted import SHORT_RUN
from wherefrom.projects.fixed import sites as module
from wherefrom.projects.fixed.sites import MOST_PAIRS, Difference, differences

if TYPE_CHECKING:
    from wherefrom.model import Hashes


def codes(tokens: list[int]) -> Hashes:
    return np.array(tokens, np.uint64)


def found(old: list[int], new: list[int]) -> list[Difference]:
    return differences(codes(old), codes(new))


def applied(old: list[int], new: list[int], changes: list[Difference]) -> list[int]:
    """The old text after all changes."""
    made, at = [], 0
    for change in changes:
        made += old[at : change.old[0]] + new[change.new[0] : change.new[1]]
        at = change.old[1]
    return made + old[at:]


FEW = st.lists(st.integers(0, 3), max_size=40)
"""Texts with many repeated tokens, such as tables."""

MANY = st.lists(st.integers(0, 10**6), max_size=60, unique=True)
"""Texts without repeated tokens."""


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """A text, and a copy with some stretches removed, replaced, copied or moved."""
    old = draw(st.one_of(FEW, MANY))
    new = [*old]
    for _ in range(draw(st.integers(0, 4))):
        begin, end = sorted((draw(st.integers(0, len(new))), draw(st.integers(0, len(new)))))
        stretch, at = new[begin:end], draw(st.integers(0, len(new)))
        match draw(st.integers(0, 2)):
            case 0:
                new[begin:end] = draw(FEW)
            case 1:
                new[at:at] = stretch
            case _:
                del new[begin:end]
                new[at:at] = stretch
    return old, new


@given(edited())
@example(([1] * 12, [1] * 11))
@example(([*range(20)], [*range(10), 0, *range(10, 20)]))
def test_the_new_text_is_the_old_one_with_its_differences(texts: tuple[list[int], list[int]]) -> None:
    old, new = texts
    changes = found(old, new)
    assert applied(old, new, changes) == new
    for change in changes:
        assert old[change.old[0] : change.old[1]] != new[change.new[0] : change.new[1]]
    for one, other in pairwise(changes):
        equal = old[one.old[1] : other.old[0]]
        assert equal == new[one.new[1] : other.new[0]]
        assert len(equal) >= SHORT_RUN


@given(st.one_of(FEW, MANY))
def test_a_text_does_not_differ_from_itself(text: list[int]) -> None:
    assert found(text, text) == []


@given(MANY, st.data())
def test_what_is_put_into_a_text_is_the_difference(text: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    more = data.draw(st.lists(st.integers(-(10**6), -1), min_size=1, max_size=9))
    longer = [*text[:at], *(10**7 - token for token in more), *text[at:]]
    assert found(text, longer) == [Difference((at, at), (at, at + len(more)))]
    assert found(longer, text) == [Difference((at, at + len(more)), (at, at))]


def test_a_moved_run_is_gone_here_and_new_there() -> None:
    run, rest = [*range(SHORT_RUN, 3 * SHORT_RUN)], [*range(100, 160)]
    changes = found([*run, *rest], [*rest, *run])
    assert changes == [Difference((0, len(run)), (0, 0)), Difference((len(run + rest),) * 2, (60, 60 + len(run)))]


def test_equal_tokens_between_two_differences_count_where_there_are_enough() -> None:
    between = [*range(SHORT_RUN)]
    assert len(found([50, *between, 60], [70, *between, 80])) == 2
    assert found([50, *between[1:], 60], [70, *between[1:], 80]) == [Difference((0, 6), (0, 6))]


class Counted(SequenceMatcher[int]):
    """Records the largest number of pairs of equal tokens in a comparison."""

    pairs = 0

    def __init__(self, isjunk: None, a: list[int], b: list[int], *, autojunk: bool) -> None:
        counts = Counter(b)
        Counted.pairs = max(Counted.pairs, sum(counts[token] for token in a))
        super().__init__(isjunk, a, b, autojunk=autojunk)


@pytest.mark.parametrize("size", [100, 2000])
def test_tables_of_like_entries_are_compared_in_bounds(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counted, "pairs", 0)
    monkeypatch.setattr(module, "SequenceMatcher", Counted)
    old, new = [7, *[0] * size, 8], [9, *[1, 0] * (size // 2), 10]
    changes = found(old, new)
    assert applied(old, new, changes) == new
    assert Counted.pairs <= MOST_PAIRS
    assert (Counted.pairs > 0) == (size == 100)
