"""Shared k-grams, chains and windows against brute force."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.queries.alignment.chains import (
    BAND,
    Grams,
    best_window,
    first_in_reach,
    heaviest_chain,
    longest_runs,
)

pytestmark = pytest.mark.usefixtures("both_ways")

Positions = np.ndarray[tuple[int], np.dtype[np.int64]]
Pairs = tuple[Positions, Positions]
"""The positions of pairs in the query, and those in the document."""

# Few hashes, two of them negative if compared as signed numbers; too few pairs for banding.
HASH = st.sampled_from([3, 5, 1 << 63, (1 << 64) - 1])
WEIGHT = st.integers(0, 5)
QUERY = st.lists(st.tuples(HASH, WEIGHT), max_size=16)
DOCUMENT = st.lists(HASH, max_size=16)


def grams_of(query: list[tuple[int, int]]) -> Grams:
    """The k-grams at the tokens of a query, with their weights."""
    hashes = np.array([code for code, _ in query], np.uint64)
    weights = np.array([weight for _, weight in query], np.float64)
    return Grams(1, hashes, np.arange(len(query)), weights, len(query))


def pairs_of(grams: Grams, document: list[int]) -> list[tuple[int, int]]:
    """(document position, query position) of each pair, in the order of `pairs`."""
    found, numbers = grams.matches(np.array(document, np.uint64))
    query, there = grams.pairs(numbers, found)
    return list(zip(there.tolist(), query.tolist(), strict=True))


@given(QUERY)
def test_only_kgrams_with_a_weight_are_looked_up(query: list[tuple[int, int]]) -> None:
    grams = grams_of(query)
    by_hash: dict[int, list[int]] = {}
    for code, weight in query:
        if weight:
            by_hash.setdefault(code, []).append(weight)
    assert grams.hashes.tolist() == sorted(by_hash)
    assert grams.heaviest.tolist() == [max(by_hash[code]) for code in sorted(by_hash)]
    assert grams.weight_at.tolist() == [weight for _, weight in query]
    assert grams.total == sum(weight for _, weight in query)


@given(QUERY, st.sets(st.integers(0, 20)), st.integers(1, 3))
def test_kgrams_that_hold_a_token_can_be_left_out(query: list[tuple[int, int]], tokens: set[int], k: int) -> None:
    """The result is the same as if the k-grams with these tokens had the weight 0."""
    length = len(query) + k - 1
    hashes = np.array([code for code, _ in query], np.uint64)
    weights = np.array([weight for _, weight in query], np.float64)
    left = [0 if tokens & set(range(at, at + k)) else weight for at, (_, weight) in enumerate(query)]
    left_out = np.isin(np.arange(length), list(tokens))
    found = Grams(k, hashes, np.arange(len(query)), weights, length).without(left_out)
    expected = Grams(k, hashes, np.arange(len(query)), np.array(left, np.float64), length)
    assert found.k == k
    assert found.weight_at.tolist() == expected.weight_at.tolist()
    assert found.hashes.tolist() == expected.hashes.tolist()
    every = np.unique(hashes)
    numbers = [grams.matches(every)[1] for grams in (found, expected)]
    pairs = [grams.pairs(number, number) for grams, number in zip((found, expected), numbers, strict=True)]
    assert pairs[0][0].tolist() == pairs[1][0].tolist()


@given(QUERY, DOCUMENT)
def test_matches_are_the_documents_kgrams_that_the_query_has(query: list[tuple[int, int]], document: list[int]) -> None:
    grams = grams_of(query)
    found, numbers = grams.matches(np.array(document, np.uint64))
    weighted = {code for code, weight in query if weight}
    assert found.tolist() == [at for at, code in enumerate(document) if code in weighted]
    assert grams.hashes[numbers].tolist() == [code for code in document if code in weighted]


@given(QUERY, DOCUMENT)
def test_the_shared_weight_counts_each_occurrence_in_the_query(
    query: list[tuple[int, int]], document: list[int]
) -> None:
    expected = sum(weight for code, weight in query if code in document)
    assert grams_of(query).shared_weight(np.array(document, np.uint64)) == expected


@given(QUERY, DOCUMENT)
def test_pairs_are_all_pairs_of_equal_kgrams(query: list[tuple[int, int]], document: list[int]) -> None:
    """Pairs are ordered by ascending document position, and then by descending query position."""
    expected = [
        (there, here)
        for there, code in enumerate(document)
        for here, (own, weight) in reversed(list(enumerate(query)))
        if own == code and weight
    ]
    assert pairs_of(grams_of(query), document) == expected


@pytest.mark.parametrize(("tokens", "period"), [(17, 1), (300, 1), (2000, 1), (2000, 3), (2000, 7)])
def test_a_repetitive_text_still_finds_its_own_diagonal(tokens: int, period: int) -> None:
    text = [(at % period, 1) for at in range(tokens)]
    grams = grams_of(text)
    found, numbers = grams.matches(np.array([code for code, _ in text], np.uint64))
    query, document = grams.pairs(numbers, found)
    assert len(query) <= tokens * (2 * BAND + 1)
    weight, chosen = heaviest_chain(query, grams.weight_at[query])
    assert weight == tokens
    assert query[chosen].tolist() == document[chosen].tolist() == list(range(tokens))


@given(st.integers(1, 40), st.integers(1, 600), st.integers(1, 3))
def test_banded_pairs_are_pairs_and_leave_no_occurrence_out(here: int, there: int, period: int) -> None:
    query, document = [(at % period, 1) for at in range(here)], [at % period for at in range(there)]
    pairs = pairs_of(grams_of(query), document)
    assert pairs == sorted(set(pairs), key=lambda pair: (pair[0], -pair[1]))
    assert all(document[at] == query[own][0] for at, own in pairs)
    assert {at for at, _ in pairs} == {at for at, code in enumerate(document) if code < here}


@st.composite
def weighted_pairs(draw: st.DrawFn) -> tuple[Pairs, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """The query's and the document's positions of some pairs, and their weights."""
    drawn = draw(st.dictionaries(st.tuples(st.integers(0, 12), st.integers(0, 12)), st.integers(1, 6), max_size=30))
    ordered = sorted(drawn, key=lambda pair: (pair[0], -pair[1]))
    document, query = (np.array([pair[side] for pair in ordered], np.int64) for side in (0, 1))
    return (query, document), np.array([drawn[pair] for pair in ordered], np.float64)


def heaviest_by_brute_force(pairs: Pairs, weights: list[float]) -> float:
    """The weight of the heaviest chain, by the quadratic recurrence."""
    best: list[float] = []
    for at, weight in enumerate(weights):
        behind = [best[other] for other in range(at) if all(side[other] < side[at] for side in pairs)]
        best.append(weight + max(behind, default=0))
    return max(best, default=0)


@given(weighted_pairs())
def test_the_heaviest_chain_is_as_heavy_as_any(
    drawn: tuple[Pairs, np.ndarray[tuple[int], np.dtype[np.float64]]],
) -> None:
    pairs, weights = drawn
    weight, chosen = heaviest_chain(pairs[0], weights)
    assert weight == heaviest_by_brute_force(pairs, weights.tolist())
    assert weight == weights[chosen].sum()
    for side in pairs:
        assert all(a < b for a, b in itertools.pairwise(side[chosen].tolist()))


WEIGHED_POSITIONS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), min_size=1, max_size=25).map(sorted)


@given(WEIGHED_POSITIONS, st.integers(1, 30))
def test_the_best_window_is_the_first_heaviest(found: list[tuple[int, int]], width: int) -> None:
    sums = {begin: sum(weight for position, weight in found if begin <= position < begin + width) for begin, _ in found}
    begin = min(sums, key=lambda begin: (-sums[begin], begin))
    positions, weights = (np.array(column) for column in zip(*found, strict=True))
    assert best_window(positions, weights.astype(np.float64), width) == (begin, begin + width)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=25, unique=True).map(sorted), WEIGHT)
def test_an_occurrence_is_first_when_no_earlier_one_is_in_reach(found: list[tuple[int, int]], reach: int) -> None:
    positions, numbers = np.array(found, np.int64).reshape(-1, 2).T
    expected = [
        not any(number == other and 0 < position - before < reach for before, other in found)
        for position, number in found
    ]
    assert first_in_reach(numbers, positions, reach).tolist() == expected


def greedy(found: list[tuple[int, int]], weights: list[int]) -> list[tuple[int, int]]:
    """The (query, document) pairs of the heaviest runs, chosen one by one."""
    left = dict(zip(found, weights, strict=True))
    runs: list[list[tuple[int, int]]] = []
    for query, document in sorted(left, key=lambda pair: (pair[1] - pair[0], pair[0])):
        if runs and runs[-1][-1] == (query - 1, document - 1):
            runs[-1].append((query, document))
        else:
            runs.append([(query, document)])
    chosen: list[tuple[int, int]] = []
    for run in sorted(runs, key=lambda run: (-sum(left[pair] for pair in run), run[0])):
        here, there = {query for query, _ in chosen}, {document for _, document in chosen}
        chosen += [(query, document) for query, document in run if query not in here and document not in there]
    return sorted(chosen)


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30), st.randoms(use_true_random=False))
def test_runs_are_taken_by_weight_wherever_they_stand(found: set[tuple[int, int]], chance: random.Random) -> None:
    ordered = sorted(found, key=lambda pair: (pair[1], -pair[0]))
    weights = [chance.randint(1, 4) for _ in ordered]
    query, document = (np.array([pair[side] for pair in ordered], np.int64) for side in (0, 1))
    weight, chosen = longest_runs(query, document, np.array(weights, np.float64))
    taken = [ordered[at] for at in chosen.tolist()]
    assert taken == greedy(ordered, weights)
    assert weight == sum(weights[at] for at in chosen.tolist())


def test_a_run_that_moved_counts_as_one_that_did_not() -> None:
    query = [*range(10), *range(10, 20)]
    document = [*range(10, 20), *range(10)]
    assert longest_runs(np.array(query), np.array(document), np.ones(20))[0] == 20
