from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.effectiveness.metrics import average_precision, judged, mean, r_precision, recall_at, reciprocal_rank


def test_average_precision_of_hits_at_ranks_1_3_and_4() -> None:
    # 1/1, 2/3 and 3/4, by three relevant documents.
    assert average_precision([True, False, True, True, False], 3) == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


def test_what_is_not_found_counts_nothing_in_average_precision() -> None:
    assert average_precision([True, False], 4) == 0.25
    assert average_precision([False, False], 1) == 0


def test_reciprocal_rank_is_that_of_the_first_relevant_document() -> None:
    assert reciprocal_rank([True, False, True]) == 1
    assert reciprocal_rank([False, False, True, True]) == pytest.approx(1 / 3)
    assert reciprocal_rank([False, False]) == 0
    assert reciprocal_rank([]) == 0


def test_recall_at_k_is_a_share_of_all_relevant_documents() -> None:
    judgements = [True, False, True, False, False, True]
    assert recall_at(judgements, 4, 1) == 0.25
    assert recall_at(judgements, 4, 3) == 0.5
    assert recall_at(judgements, 4, 6) == 0.75
    assert recall_at(judgements, 4, 100) == 0.75


def test_r_precision_looks_at_as_many_as_are_relevant() -> None:
    assert r_precision([True, False, True, True], 3) == pytest.approx(2 / 3)
    assert r_precision([False, True], 1) == 0
    assert r_precision([True], 3) == pytest.approx(1 / 3)


def test_the_query_itself_is_left_out_or_counted_in() -> None:
    ranked, relevant = ["q", "no", "a", "b"], {"a", "b"}
    assert judged(ranked, relevant, "q", count_query=False) == [False, True, True]
    assert judged(ranked, relevant, "q", count_query=True) == [True, False, True, True]
    left_out = average_precision(judged(ranked, relevant, "q", count_query=False), 2)
    counted_in = average_precision(judged(ranked, relevant, "q", count_query=True), 3)
    assert left_out == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert counted_in == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


def test_the_mean() -> None:
    assert mean([1, 0.5, 0]) == 0.5


def test_more_relevant_documents_found_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="1 relevant documents, but 2"):
        average_precision([True, True], 1)
    with pytest.raises(ValueError, match="0 relevant documents"):
        recall_at([], 0, 1)


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 5))
def test_a_hit_that_moves_up_never_lowers_a_measure(judgements: list[bool], missing: int) -> None:
    relevant = sum(judgements) + missing
    perfect = sorted(judgements, reverse=True)
    assert 0 <= average_precision(judgements, relevant) <= average_precision(perfect, relevant) <= 1
    assert 0 <= r_precision(judgements, relevant) <= r_precision(perfect, relevant) <= 1
    assert 0 <= reciprocal_rank(judgements) <= reciprocal_rank(perfect) <= 1
