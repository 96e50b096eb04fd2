from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.effectiveness import whole
from benchmarks.effectiveness.obfuscation import is_program
from benchmarks.effectiveness.programs import DRAWS, Program, some
from benchmarks.effectiveness.whole import Answer, Query, fallen, figures, ocd, thinned, wrong

ROOT = Path(__file__).parents[2]


def query(group: str, name: str, place: str | None) -> Query:
    return Query(group, name, "java", b"", place)


def test_shares_are_counted_by_half_group_and_kind() -> None:
    copies = [query("changed, java: CFR", f"{number}", f"p/{number}.java") for number in range(8)]
    answers = [Answer(each, "search", 1 if number % 2 else 2, "x", 1.0) for number, each in enumerate(copies)]
    stranger = query("no copy, java", "a", None)
    answers += [Answer(stranger, "search", None, None, 0.0), Answer(stranger, "search", None, "b", 3.0)]
    seen = figures(answers, "AB")
    assert seen["changed, java: CFR, by search"] == seen["changed, java, by search"]
    assert seen["changed, java, by search"]["queries"] == 8
    assert [seen["no copy, java, by search"].get(half) for half in "AB"] in ([0.5, None], [None, 0.5])


def test_a_figure_below_what_is_expected_is_named_where_the_queries_are_as_many() -> None:
    expected = {"a": {"queries": 4.0, "A": 0.5, "B": 1.0}}
    assert fallen({"a": {"queries": 4.0, "A": 0.5, "B": 1.0}}, expected) == []
    assert fallen({"a": {"queries": 4.0, "A": 0.6, "B": 0.9}}, expected) == ["a, part B: 0.9000, expected 1.0000"]
    assert fallen({"a": {"queries": 5.0, "A": 0.0, "B": 0.0}}, expected) == []


def test_of_each_group_one_query_in_so_many_is_taken() -> None:
    queries = [query(group, str(number), None) for number in range(5) for group in ("a", "b")]
    assert [(each.group, each.name) for each in thinned(queries, 3)] == [("a", "0"), ("a", "3"), ("b", "0"), ("b", "3")]


def test_the_choice_follows_from_the_seed_and_takes_each_content_once() -> None:
    programs = [Program("o/n", f"{number:02}.py", b"%d" % (number // 2)) for number in range(20)]
    assert some(programs, 4, "a") == some(programs, 4, "a") != some(programs, 4, "b")
    assert len({program.content for program in some(programs, 20, "a")}) == len(some(programs, 20, "a")) == 10


@pytest.mark.parametrize(
    ("path", "lines", "expected"),
    [
        ("src/Sort.java", 100, True),
        ("src/test/Sort.java", 100, False),
        ("lib/test_sort.py", 100, False),
        ("src/Sort.java", 10, False),
        ("src/Sort.java", 900, False),
        ("src/SortTest.java", 100, False),
    ],
)
def test_programs_are_neither_tests_nor_tiny_nor_huge(path: str, lines: int, expected: bool) -> None:
    assert is_program(Program("o/n", path, b"x\n" * lines)) is expected


def test_ocds_versions_are_queries_for_their_original(tmp_path: Path) -> None:
    for version, name in (("0_orig", "Main.java"), ("1_artifice", "Main.java"), ("2_pg", "a.java")):
        file = tmp_path / "resources/tests/queens" / version / name
        file.parent.mkdir(parents=True)
        file.write_text(version)
    originals, queries = ocd(tmp_path)
    assert [original.place for original in originals] == ["ocd/queens/Main.java"]
    assert {(each.group, each.place) for each in queries} == {
        ("changed, OCD: 1_artifice", "ocd/queens/Main.java"),
        ("changed, OCD: 2_pg", "ocd/queens/Main.java"),
    }


def test_an_answer_that_was_read_and_is_a_copy_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "COPIES", {"a": {"p/b.java": "the same table"}})
    stranger = query("no copy, java", "a", None)
    answers = [Answer(stranger, "search", None, first, 3.0) for first in ("p/b.java", "p/c.java")]
    assert [each.is_right for each in answers] == [True, False]
    assert list(wrong(answers)) == ["no copy, java\tsearch\ta\tp/c.java\t3.0"]


@pytest.mark.parametrize(
    ("script", "is_idiomatic"),
    [
        ("if (typeof define === 'function' && define.amd) { define(factory) }", True),
        ("for (var key in source) { if (source.hasOwnProperty(key)) copy(key) }", True),
        ("var args = Array.prototype.slice.call(arguments, 1)", True),
        ("for (var i = 0; i < n; i++) args[i] = arguments[i]", True),
        ("function define(factory) { return factory() }", False),
    ],
)
def test_idioms_of_scripts_are_told(script: str, is_idiomatic: bool) -> None:
    assert any(idiom.search(script.encode()) for idiom in whole.IDIOMS) is is_idiomatic


def test_the_expected_figures_have_queries_and_shares() -> None:
    expected = json.loads((ROOT / "benchmarks/effectiveness/whole_expected.json").read_text())
    assert set(expected) == set(DRAWS)
    for draw, figures_of in expected.items():
        assert all(each["queries"] >= 1 and set(DRAWS[draw].parts) & set(each) for each in figures_of.values())
