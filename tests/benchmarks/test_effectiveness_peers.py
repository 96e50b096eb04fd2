from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.effectiveness.corpus import standard_library
from benchmarks.effectiveness.mutation import UNKNOWN, Case
from benchmarks.effectiveness.peer_report import (
    DEFAULT,
    OURS,
    by_setting,
    by_variant,
    chosen,
    numbered_cost,
    wrong_answers,
)
from benchmarks.effectiveness.verdicts import Verdict, chance_among, figures, judge

EXACT = Case("exact", "python", "f", frozenset({"a"}), "", 20)
NUMBERED = Case("numbered", "python", "f", frozenset({"a"}), "", 20)
STRANGER = Case(UNKNOWN, "python", "g", frozenset(), "", 20)
QUERIES = {"exact": EXACT, "numbered": NUMBERED, "stranger": STRANGER}


def verdicts(**scores: Mapping[str, float]) -> list[Verdict]:
    return judge(scores, QUERIES)


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


def test_a_verdict_names_the_best_wrong_file() -> None:
    one, two, three = verdicts(exact={"a": 3.0, "b": 1.0, "c": 2.0}, stranger={"b": 1.0})
    assert one == Verdict(EXACT, 1, 1, 3.0, "c", 2.0)
    assert two == Verdict(NUMBERED, 0, 0, 0.0, "", 0.0)
    assert three == Verdict(STRANGER, 0, 0, 0.0, "b", 1.0)
    assert [each.is_misled for each in (one, two, three)] == [False, False, True]


def test_an_answer_to_a_stranger_discards_true_ones_that_do_not_score_above_it() -> None:
    quiet = figures(verdicts(exact={"a": 3.0}, numbered={"a": 1.0}))
    assert (quiet.first, quiet.certain, quiet.answered) == (1, 1, 0)
    loud = figures(verdicts(exact={"a": 3.0}, numbered={"a": 1.0}, stranger={"b": 1.0}))
    assert (loud.first, loud.certain, loud.answered) == (1, 0.5, 1)


def test_a_stranger_of_one_language_discards_nothing_of_another() -> None:
    other = Case("exact", "java", "h", frozenset({"a"}), "", 20)
    queries = {"one": EXACT, "two": other, "stranger": STRANGER}
    seen = figures(judge({"one": {"a": 1.0}, "two": {"a": 1.0}, "stranger": {"b": 2.0}}, queries))
    assert (seen.first, seen.certain) == (1, 0.5)


def test_wrong_files_above_the_true_one_and_silence_are_told_apart() -> None:
    seen = figures(verdicts(exact={"a": 1.0, "b": 2.0}))
    assert (seen.misled, seen.silent) == (0.5, 0.5)
    tied = figures(verdicts(exact={"a": 1.0, "b": 1.0}, numbered={"a": 1.0}))
    assert (tied.misled, tied.silent, tied.first) == (0, 0, 0.75)


ASKED = {
    (OURS, DEFAULT): verdicts(exact={"a": 2.0}, numbered={"a": 1.0}),
    ("jscpd", "default: x"): verdicts(exact={"a": 1.0, "b": 2.0}),
    ("jscpd", "-k 1"): verdicts(exact={"a": 4.0}, stranger={"b": 7.0}),
    ("jscpd", "-k 2"): verdicts(),
}


def test_the_best_setting_stands_beside_the_default() -> None:
    assert chosen(ASKED) == {
        (OURS, DEFAULT): OURS,
        ("jscpd", "default: x"): "jscpd",
        ("jscpd", "-k 1"): "jscpd, best",
    }
    lines = by_variant(ASKED).splitlines()
    assert lines[0] == "| variant | queries | wherefrom | jscpd | jscpd, best |"
    assert lines[2] == "| exact | 1 | 1.00 / 1.00 | 0.00 / 1.00 | 1.00 / 1.00 |"
    assert lines[-1] == "| all | 2 | 1.00 / 1.00 | 0.00 / 0.50 | 0.50 / 0.50 |"


def test_every_setting_has_its_line() -> None:
    lines = by_setting(ASKED).splitlines()[2:]
    assert lines == [
        "| wherefrom | default | 1.00 / 1.00 | 1.00 | 0.00 | 0.00 | 0.00 |",
        "| jscpd | default: x | 0.00 / 0.50 | 0.00 | 0.50 | 0.50 | 0.00 |",
        "| jscpd | -k 1 | 0.50 / 0.50 | 0.00 | 0.00 | 0.50 | 1.00 |",
        "| jscpd | -k 2 | 0.00 / 0.00 | 0.00 | 0.00 | 1.00 | 0.00 |",
    ]


def test_wrong_answers_are_named_as_many_as_are_asked_for() -> None:
    lines = wrong_answers(ASKED, 1).splitlines()[2:]
    assert lines == ["| jscpd | exact: f | b | 2 | 1 |", f"| jscpd, best | {UNKNOWN}: g | b | 7 | nothing |"]
    assert "and 1 more" in wrong_answers(ASKED, 0)


def test_what_line_numbers_cost_is_a_share_of_the_score_without_them() -> None:
    lines = numbered_cost(ASKED).splitlines()[2:]
    assert lines == ["| wherefrom | 1 | 0.50 |", "| jscpd | 1 | 0.00 |", "| jscpd, best | 1 | 0.00 |"]


@pytest.mark.slow
def test_the_command_asks_about_planted_functions_and_strangers(tmp_path: Path) -> None:
    kept = tmp_path / "answers.jsonl"
    (tmp_path / "peers").mkdir()
    module = [sys.executable, "-m", "benchmarks.effectiveness.peers"]
    counts = ["--language", "python", "--files", "12", "--functions", "1"]
    files = ["--peers", str(tmp_path / "peers"), "--answers", str(kept)]
    folders = [f"{standard_library()}/{name}" for name in ("json", "email", "asyncio")]
    done = subprocess.run(
        [*module, *folders, *counts, *files],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Not run: jplag: not installed." in done.stdout
    answers = [json.loads(line) for line in kept.read_text().splitlines()]
    assert {answer["tool"] for answer in answers} == {OURS}
    exact = next(answer for answer in answers if answer["variant"] == "exact")
    assert exact["named"][0][0] in exact["true"]
    stranger = next(answer for answer in answers if answer["variant"] == UNKNOWN)
    assert stranger["true"] == []
