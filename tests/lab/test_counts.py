"""Counts in bounded memory against plain counts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.lab.measures import HashCounts, log_spaced, shared, slope

PARTS = st.lists(st.lists(st.integers(0, 40), max_size=30), max_size=8)


def counted(parts: list[list[int]], limit: int) -> HashCounts:
    counts = HashCounts(limit)
    for part in parts:
        counts.add(np.array(part, np.uint64))
    return counts


@given(PARTS)
def test_counts_are_exact_while_they_fit(parts: list[list[int]]) -> None:
    expected = Counter(value for part in parts for value in part)
    counts = counted(parts, 41)
    values, frequency = counts.values()
    assert (len(values), sorted(frequency.tolist())) == (len(expected), sorted(expected.values()))
    assert (counts.total, counts.share) == (expected.total(), 1)


@given(PARTS, st.integers(1, 10))
def test_a_sample_holds_at_most_the_limit_with_exact_counts(parts: list[list[int]], limit: int) -> None:
    every = dict(zip(*(each.tolist() for each in counted(parts, 41).values()), strict=True))
    sample = counted(parts, limit)
    values, frequency = sample.values()
    assert len(values) <= limit
    sampled = {value: count for value, count in every.items() if value <= sample.bound}
    assert dict(zip(values.tolist(), frequency.tolist(), strict=True)) == sampled


def test_a_sample_estimates_how_many_there_are() -> None:
    counts = HashCounts(10_000)
    for begin in range(0, 400_000, 7_000):
        counts.add(np.arange(begin, min(begin + 7_000, 400_000), dtype=np.uint64))
    assert len(counts.values()[0]) / counts.share == pytest.approx(400_000, rel=0.05)


@given(st.sets(st.integers(0, 99)), st.sets(st.integers(0, 99)))
def test_shared_is_the_share_of_the_first_where_all_is_counted(one: set[int], other: set[int]) -> None:
    expected = len(one & other) / len(one) if one else 0.0
    assert shared(counted([list(one)], 100), counted([list(other)], 100)) == pytest.approx(expected)


def test_shared_is_estimated_from_samples_of_unlike_sizes() -> None:
    small, great = HashCounts(20_000), HashCounts(20_000)
    small.add(np.arange(50_000, dtype=np.uint64))
    great.add(np.arange(25_000, 1_025_000, dtype=np.uint64))
    assert shared(small, great) == pytest.approx(0.5, abs=0.06)
    assert shared(great, small) == pytest.approx(0.025, abs=0.006)


@pytest.mark.parametrize("count", [1, 2, 9, 10, 1000, 123_456])
def test_log_spaced_indices_rise_from_the_first_to_the_last(count: int) -> None:
    at = log_spaced(count).tolist()
    assert (at[0], at[-1]) == (0, count - 1)
    assert at == sorted(set(at))


def test_the_slope_of_a_power_law_is_its_exponent() -> None:
    ranks = np.unique(np.logspace(0, 5, 60).astype(np.int64))
    frequency = np.rint(1e6 * ranks**-0.7).astype(np.int64)
    assert slope(ranks, frequency) == pytest.approx(-0.7, abs=0.01)
    assert slope(ranks, np.full(len(ranks), 5)) == pytest.approx(0, abs=1e-9)


def test_there_is_no_slope_of_what_occurs_once() -> None:
    ranks = np.arange(1, 100)
    assert slope(ranks, np.ones(99, np.int64)) is None
