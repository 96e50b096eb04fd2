from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.effectiveness.mutation import Case
from benchmarks.effectiveness.peers import DEFAULT, OURS, best_setting, chance_among, judge, report

CASE = Case("exact", "python", "f", frozenset({"a"}), "")


def test_a_file_without_a_score_is_not_found() -> None:
    assert chance_among({"b": 3.0}, {"a"}, 10) == 0
    assert chance_among({}, {"a"}, 10) == 0


def test_a_file_is_among_the_first_where_fewer_score_higher() -> None:
    scores = {"a": 2.0, "b": 3.0, "c": 1.0}
    assert [chance_among(scores, {"a"}, k) for k in (1, 2, 3)] == [0, 1, 1]


def test_ties_are_worth_their_share() -> None:
    scores = {"a": 2.0, "b": 2.0, "c": 2.0, "d": 5.0}
    assert chance_among(scores, {"a"}, 1) == 0
    assert chance_among(scores, {"a"}, 2) == pytest.approx(1 / 3)
    assert chance_among(scores, {"a", "b"}, 2) == pytest.approx(2 / 3)
    assert chance_among(scores, {"a"}, 4) == 1


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 3).map(float)), st.integers(1, 9))
def test_a_longer_list_never_finds_less_and_the_chances_of_all_files_make_its_length(
    scores: dict[str, float], k: int
) -> None:
    chances = [chance_among(scores, {name}, k) for name in scores]
    assert all(chance <= chance_among(scores, {name}, k + 1) for name, chance in zip(scores, chances, strict=True))
    assert sum(chances) == pytest.approx(min(k, len(scores)))


def test_a_query_of_which_a_tool_says_nothing_is_not_found() -> None:
    assert judge({"one": {"a": 1.0}}, {"one": CASE, "two": CASE}) == {"exact": [(1, 1), (0, 0)]}


def test_the_best_setting_stands_beside_the_default() -> None:
    judged = {
        (OURS, DEFAULT, "exact"): [(1.0, 1.0)],
        ("jscpd", "default: x", "exact"): [(0.0, 0.5)],
        ("jscpd", "-k 1", "exact"): [(0.0, 1.0)],
        ("jscpd", "-k 2", "exact"): [(0.0, 0.0)],
    }
    assert best_setting(judged, "jscpd") == "-k 1"
    lines = report(judged, [OURS, "jscpd"]).splitlines()
    assert lines[0] == "| variant | queries | whence | jscpd | jscpd, best |"
    assert lines[2] == "| exact | 1 | 1.00 / 1.00 | 0.00 / 0.50 | 0.00 / 1.00 |"
