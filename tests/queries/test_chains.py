"""Shared k-grams and chains against brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.queries.alignment.chains import BAND, Grams, heaviest_chain

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
    assert grams.sums.tolist() == [sum(by_hash[code]) for code in sorted(by_hash)]
    assert grams.weight_at.tolist() == [weight for _, weight in query]
    assert grams.total == sum(weight for _, weight in query)


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
    grams = grams_of(query)
    shared = grams.shared(np.array(document, np.uint64))
    assert grams.sums[shared].sum() == sum(weight for code, weight in query if code in document)


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
