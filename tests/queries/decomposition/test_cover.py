"""The greedy cover against brute force, and properties of every cover."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.queries.decomposition.decompose import NEAR, Taken, greedy_cover, long_runs

LENGTH = 12
TEXTS = st.lists(st.sets(st.integers(0, LENGTH - 1)), max_size=7)
WEIGHTS = st.lists(st.integers(0, 4), min_size=LENGTH, max_size=LENGTH)


def cover(texts: list[set[int]], weights: list[int], least: int = 1, most: int | None = None) -> list[Taken]:
    arrays = [np.array(sorted(text), np.int64) for text in texts]
    return greedy_cover(arrays, np.array(weights, np.int64), least=least, most=most)


def weighing(texts: list[set[int]], weights: list[int]) -> set[int]:
    """The positions with a weight above 0 that one of the texts covers."""
    return {at for text in texts for at in text if weights[at]}


def fewest(texts: list[set[int]], weights: list[int]) -> int:
    """The smallest number of the texts that cover as much as all of them."""
    everything = weighing(texts, weights)
    return next(
        size
        for size in range(len(texts) + 1)
        if any(weighing(list(some), weights) == everything for some in combinations(texts, size))
    )


@given(TEXTS, WEIGHTS)
def test_what_can_be_covered_is_covered_once(texts: list[set[int]], weights: list[int]) -> None:
    taken = cover(texts, weights)
    positions = [at for each in taken for at in each.positions.tolist()]
    assert sorted(positions) == sorted(weighing(texts, weights))
    for each in taken:
        assert set(each.positions.tolist()) <= texts[each.number]
        assert each.positions.tolist() == sorted(each.positions.tolist())
        assert each.weight == sum(weights[at] for at in each.positions.tolist()) > 0


@given(TEXTS, WEIGHTS)
def test_it_needs_at_most_h_of_d_times_as_many_as_the_fewest(texts: list[set[int]], weights: list[int]) -> None:
    heaviest = max((sum(weights[at] for at in text) for text in texts), default=0)
    harmonic = sum(Fraction(1, number) for number in range(1, heaviest + 1))
    assert len(cover(texts, weights)) <= harmonic * fewest(texts, weights)


@given(TEXTS, st.integers(1, 4))
def test_so_it_does_where_all_weigh_the_same_by_the_number_of_positions(texts: list[set[int]], weight: int) -> None:
    weights = [weight] * LENGTH
    harmonic = sum(Fraction(1, number) for number in range(1, max(map(len, texts), default=0) + 1))
    assert len(cover(texts, weights)) <= harmonic * fewest(texts, weights)


@given(TEXTS, WEIGHTS, st.integers(1, 4))
def test_each_text_is_the_best_that_is_left(texts: list[set[int]], weights: list[int], least: int) -> None:
    """So the added weights never grow. Among equal texts the one with the longest run, then the first one, is taken."""

    def worth(text: set[int]) -> tuple[int, int]:
        runs = long_runs(np.array(sorted(text & is_open), np.int64), least)
        return sum(weights[at] for run in runs for at in run), max(map(len, runs), default=0)

    is_open = {at for at in range(LENGTH) if weights[at]}
    taken = cover(texts, weights, least)
    for each in taken:
        assert each.number == max(range(len(texts)), key=lambda number: (*worth(texts[number]), -number))
        is_open -= set(each.positions.tolist())
    assert all(worth(text)[0] == 0 for text in texts)
    assert all(one.weight >= other.weight for one, other in pairwise(taken))


@given(TEXTS, WEIGHTS, st.integers(1, 3))
def test_a_cover_of_so_many_is_the_beginning_of_the_whole_one(
    texts: list[set[int]], weights: list[int], most: int
) -> None:
    shown = [[(each.number, each.weight) for each in cover(texts, weights, most=limit)] for limit in (None, most)]
    assert shown[1] == shown[0][:most]


@given(st.sets(st.integers(0, 60)), st.integers(1, 6))
def test_runs_are_parted_at_wide_gaps_and_short_ones_left_out(positions: set[int], least: int) -> None:
    runs = [run.tolist() for run in long_runs(np.array(sorted(positions), np.int64), least)]
    assert all(len(run) >= least for run in runs)
    assert all(after - before <= NEAR + 1 for run in runs for before, after in pairwise(run))
    assert all(after[0] - before[-1] > NEAR + 1 for before, after in pairwise(runs))
    left = sorted(positions - {at for run in runs for at in run})
    assert not [run for run in long_runs(np.array(left, np.int64), least) if len(run) >= least]


@pytest.mark.parametrize("least", [1, 5])
def test_what_remains_beside_another_is_too_short_to_be_a_source(least: int) -> None:
    whole, beyond = set(range(10)), set(range(6, 14))
    taken = cover([whole, beyond], [1] * 20, least)
    assert [each.number for each in taken] == ([0, 1] if least == 1 else [0])
