from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.effectiveness import mutation
from benchmarks.effectiveness.corpus import load
from benchmarks.effectiveness.mutation import UNKNOWN, Answer, Case, Figures, cases, fallen, figures, targets
from benchmarks.effectiveness.variants import VARIANTS

FUNCTION = """\
def {name}_{n}(first, second):
    total = first.{name} + second * {n}
    for each in first.items(total, "{name}"):
        total += each.weight - {n}
        second.append(each)
    report(total, second)
    return total
"""


def answer(variant: str, rank: int | None, *, wrong: float = 0.0, places: bool = True) -> Answer:
    case = Case(variant, "python", "f", frozenset({"a.py"} if places else ()), "", 20)
    return Answer(case, rank, 20.0 if rank else 0.0, wrong, 30, "")


def test_what_is_shorter_than_a_run_that_is_noticed_is_a_stub() -> None:
    case = Case("exact", "python", "f", frozenset({"a.py"}), "", 15)
    assert not Answer(case, 1, 9.0, 0.0, 15, "").is_stub
    assert Answer(case, 1, 9.0, 0.0, 14, "").is_stub
    assert Answer(replace(case, tokens=14), 1, 9.0, 0.0, 2000, "").is_stub


def test_figures_are_shares_of_cases() -> None:
    seen = figures(
        [
            answer("exact", 1),
            answer("exact", 2, wrong=30.0),
            answer("exact", None),
            answer("exact", 1),
            answer(UNKNOWN, None, places=False),
            answer(UNKNOWN, None, places=False, wrong=9.0),
        ]
    )
    assert seen["exact"] == seen["exact: python"] == Figures(0.5, 0.75)
    assert seen[UNKNOWN] == Figures(0.5, 0.5)


def test_a_figure_that_falls_or_is_missing_is_told_with_the_difference() -> None:
    seen = {"exact": Figures(0.98, 1.0), "half": Figures(1.0, 1.0)}
    assert fallen(seen, {"exact": {"top_1": 0.98, "top_10": 1.0}, "half": {"top_1": 0.5}}) == []
    assert fallen(seen, {"exact": {"top_1": 0.99, "top_10": 1.0}}) == ["exact, top_1: 0.9800, expected 0.9900"]
    assert fallen(seen, {"renamed": {"top_1": 0.9}}) == ["renamed, top_1: 0.0000, expected 0.9000"]
    assert set(targets(["c"])) == {f"{name}: c" for name in (*VARIANTS, "numbered")}


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    """Three projects, each a git repository with functions of its own; two of them share a file."""
    for project in ("one", "two", "three"):
        folder = tmp_path / "projects" / project
        folder.mkdir(parents=True)
        for n in range(60):
            name = "shared" if n == 0 and project != "three" else project
            padding = "\n".join(f"value_{project}_{n}_{line} = {line}" for line in range(300 if n == 1 else 20))
            (folder / f"m{n}.py").write_text(FUNCTION.format(name=name, n=n) + padding + "\n")
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
            subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *command], cwd=folder, check=True)
    return tmp_path / "projects"


@pytest.mark.thorough
def test_one_project_of_several_is_held_out_and_gives_hosts_and_strangers(projects: Path, tmp_path: Path) -> None:
    corpus = load([str(projects)], ["python"], 40, 1, tmp_path)
    known = {file.project for file in corpus.indexed["python"]}
    strange = {file.project for file in corpus.unknown["python"]}
    assert len(known) == 2
    assert len(strange) == 1
    assert not known & strange
    assert len(corpus.indexed["python"]) == 40
    again = load([str(projects)], ["python"], 40, 1, tmp_path)
    assert [file.place for file in again.indexed["python"]] == [file.place for file in corpus.indexed["python"]]


@pytest.mark.thorough
def test_every_function_comes_in_every_variant(projects: Path, tmp_path: Path) -> None:
    corpus = load([str(projects)], ["python"], 120, 1, tmp_path)
    made = list(cases(corpus, 3, 1))
    known = [case for case in made if case.places]
    assert {case.variant for case in known} >= {*VARIANTS, "numbered"}
    assert len({case.label for case in known}) == 3
    places = {file.place for file in corpus.indexed["python"]}
    assert all(case.places <= places for case in known)
    strangers = [case for case in made if case.variant == UNKNOWN]
    assert 0 < len(strangers) <= 3
    assert made == list(cases(corpus, 3, 1))


@pytest.mark.nightly
@pytest.mark.slow
def test_the_quick_run_keeps_what_is_expected(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["mutation", "--quick"])
    mutation.main()
    printed = capsys.readouterr().out
    assert "| exact | " in printed
    assert "weakest true" in printed


def test_expected_figures_are_shares_and_named() -> None:
    known = json.loads(mutation.EXPECTED.read_text())
    assert "quick" in known
    for entry in known.values():
        assert entry["name"]
        assert all(0 <= value <= 1 for each in entry["figures"].values() for value in each.values())
