"""Shares, clusters and the order of pairs."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from wherefrom.compare.pairing import MatchedSubmissions, clusters, covered, pair_id
from wherefrom.support.chunks import linked


def pair(left: int, right: int, similarity: float) -> MatchedSubmissions:
    return MatchedSubmissions(left, right, (), 0, 0, 0.0, 0.0, 0.0, similarity, similarity)


def test_positions_are_counted_once() -> None:
    assert covered([]) == 0
    assert covered([(0, 5, 9), (0, 2, 6), (1, 2, 6), (0, 3, 4), (0, 9, 10)]) == 8 + 4


def test_clusters_are_what_strong_pairs_link() -> None:
    pairs = [pair(0, 1, 0.9), pair(4, 5, 0.8), pair(1, 2, 0.7), pair(2, 3, 0.4), pair(0, 2, 0.6), pair(6, 7, 0.5)]

    found = [(cluster.submissions, cluster.pairs) for cluster in clusters(pairs, 0.5)]

    assert found == [((0, 1, 2), (0, 2, 4)), ((4, 5), (1,)), ((6, 7), (5,))]
    assert list(clusters(pairs, 0.95)) == []
    [everything, *_] = clusters(pairs, 0.4)
    assert everything.submissions == (0, 1, 2, 3)


def test_a_small_part_of_another_joins_its_cluster() -> None:
    part = replace(pair(0, 2, 0.2), right_containment=0.9)
    pairs = [pair(0, 1, 0.9), part, replace(part, left=3), replace(part, right=4, right_containment=0.7)]
    [cluster] = clusters(pairs, 0.5)
    assert (cluster.submissions, cluster.pairs) == ((0, 1, 2), (0, 1))  # its best pair alone links it
    assert list(clusters(pairs, 0.91)) == []


def test_a_pair_has_one_id_whatever_its_order() -> None:
    assert pair_id("a", "b") == pair_id("b", "a") != pair_id("a", "c")
    assert len(pair_id("a", "\udcff")) == 12


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=15))
def test_numbers_are_in_one_group_if_pairs_link_them(pairs: list[tuple[int, int]]) -> None:
    groups = linked(pairs)
    assert sorted(number for group in groups for number in group) == sorted(
        {number for pair in pairs for number in pair}
    )
    assert all(any(one in group and other in group for group in groups) for one, other in pairs)
    for group in groups:
        reached = {group[0]}
        for _ in group:
            reached |= {number for pair in pairs if reached & {*pair} for number in pair}
        assert sorted(reached) == group
    assert groups == sorted(groups, key=lambda group: (-len(group), group[0]))
