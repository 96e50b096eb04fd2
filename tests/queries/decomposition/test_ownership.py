"""Which document a token and a line belong to."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.analyzers.streams import stream, words
from wherefrom.queries.decomposition.decompose import lines_of, settle
from wherefrom.results import Lines

LENGTH = 14
Claim = tuple[NDArray[np.int64], NDArray[np.bool_]]


def settled(owners: list[int], claims: list[Claim], start_lines: list[int] | None = None) -> list[int]:
    array = np.array(owners, np.int64)
    settle(array, claims, np.array(start_lines or [1] * len(owners), np.int64))
    numbers: list[int] = array.tolist()
    return numbers


def claim(positions: list[int], same: str) -> Claim:
    """A claim on these positions. `same` has a `=` for each token that is exactly the same."""
    return np.array(positions, np.int64), np.array([each == "=" for each in same])


def test_a_run_that_grew_into_the_next_function_gives_its_head_back() -> None:
    first = claim([0, 1, 2, 3, 4, 5], "====.=....")
    second = claim([3, 4, 5, 6, 7, 8, 9], "....======")
    assert settled([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], [first, second]) == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]


def test_a_run_that_began_too_early_gives_the_tail_of_the_function_before_back() -> None:
    first = claim([4, 5, 6, 7, 8, 9], "....=.====")
    second = claim([0, 1, 2, 3, 4, 5, 6], "======....")
    assert settled([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [first, second]) == [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(("begins", "kept"), [(2, 2), (3, 3), (4, 4), (5, 4)])
def test_where_all_borders_are_as_good_it_is_where_a_line_begins(begins: int, kept: int) -> None:
    """If no line begins at a possible border, the first document keeps the stretch."""
    first, second = claim([0, 1, 2, 3], "====...."), claim([1, 2, 3, 4, 5, 6, 7], "========")
    lines = [1 + (at >= begins) for at in range(8)]
    assert settled([0] * 4 + [1] * 4, [first, second], lines) == [0] * kept + [1] * (8 - kept)


def test_a_stretch_between_two_of_the_later_one_is_its_own_where_that_holds_more_of_the_very_tokens() -> None:
    for same, number in (("=====", 1), ("==.==", 0)):
        first, second = claim([2], "..=.." if same == "==.==" else "....."), claim([0, 1, 2, 3, 4], same)
        assert settled([1, 1, 0, 1, 1], [first, second]) == [1, 1, number, 1, 1]


def test_what_the_later_one_explains_beside_nothing_of_its_own_stays() -> None:
    first, second = claim([0, 1, 2, 3], "........"), claim([1, 2, 6, 7], "========")
    assert settled([0, 0, 0, 0, -1, -1, 1, 1], [first, second]) == [0, 0, 0, 0, -1, -1, 1, 1]


FLAGS = st.lists(st.booleans(), min_size=LENGTH, max_size=LENGTH)
CLAIMS = st.lists(st.tuples(st.sets(st.integers(0, LENGTH - 1)), FLAGS), max_size=4)


@given(CLAIMS, st.lists(st.integers(0, 1), min_size=LENGTH, max_size=LENGTH))
def test_nobody_is_given_what_he_does_not_explain_and_no_more_tokens_differ(
    drawn: list[tuple[set[int], list[bool]]], steps: list[int]
) -> None:
    claims = [(np.array(sorted(positions), np.int64), np.array(same)) for positions, same in drawn]
    owners = [-1] * LENGTH
    for number, (positions, _) in reversed(list(enumerate(claims))):
        owners = [number if at in positions else owner for at, owner in enumerate(owners)]
    after = settled(owners, claims, np.cumsum([1, *steps[1:]]).tolist())
    for at, (before, number) in enumerate(zip(owners, after, strict=True)):
        assert (before < 0) == (number < 0)
        assert number < 0 or (number >= before and at in claims[number][0])

    def same(found: list[int]) -> int:
        return sum(bool(claims[number][1][at]) for at, number in enumerate(found) if number >= 0)

    assert same(after) >= same(owners)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(-2, 1)), min_size=1, max_size=20))
def test_a_line_is_the_one_s_who_has_most_of_its_tokens(drawn: list[tuple[int, int, int]]) -> None:
    """A token is drawn as the lines between it and the previous one, the lines that it goes on, and its owner."""
    starts, ends, line = [], [], 1
    for gap, height, _ in drawn:
        starts.append(line + gap)
        line += gap + height
        ends.append(line)
    owners = [owner for _, _, owner in drawn]
    tokens = replace(
        stream(words(" ".join(["a"] * len(drawn)))), start_lines=np.array(starts), end_lines=np.array(ends)
    )
    found = lines_of(tokens, np.array(owners, np.int64))

    winners: dict[int, int] = {}
    for number in range(1, line + 1):
        here = [owner for first, last, owner in zip(starts, ends, owners, strict=True) if first <= number <= last]
        if here:
            winners[number] = max(here, key=lambda owner: (here.count(owner), -here.index(owner)))
    for owner, ranges in found.items():
        assert all(one.last < other.first for one, other in pairwise(ranges))
        for each in ranges:
            assert winners[each.first] == winners[each.last] == owner
            assert all(winners.get(number, owner) == owner for number in range(each.first, each.last + 1))
    covered = [number for ranges in found.values() for each in ranges for number in range(each.first, each.last + 1)]
    assert len(covered) == len(set(covered))
    assert set(winners) <= set(covered)


def test_a_blank_line_is_in_a_range_where_both_neighbours_are() -> None:
    tokens = replace(stream(words("a b c d")), start_lines=np.array([1, 3, 6, 7]), end_lines=np.array([1, 3, 6, 7]))
    assert lines_of(tokens, np.array([0, 0, 1, 1])) == {0: (Lines(1, 3),), 1: (Lines(6, 7),)}


def test_without_tokens_no_line_is_anybody_s() -> None:
    assert lines_of(stream(), np.empty(0, np.int64)) == {}
