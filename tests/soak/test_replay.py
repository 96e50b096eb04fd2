"""The cases on which `./dev soak` once failed pass now, and the code that stores, replays and judges cases works."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from soak.__main__ import main
from soak.analysis import SANITIZED, analyze, faults_of, faults_of_death, reports_of
from soak.cases import Case, Outcome, State
from soak.damage import index_answers, outcome, packed
from soak.inputs import fuzzed
from soak.kinds import KINDS
from soak.world import STEPPING, Ground, World, module_source
from wherefrom import index_sources
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.support.workers import Died

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))

MADE_UP = Case("analysis", 3, "a.py", b"def f(a):\n    return [a, '\xff'\n")


@pytest.mark.thorough
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_that_failed_fails_no_longer(path: Path, tmp_path: Path) -> None:
    case = Case.load(path)
    assert KINDS[case.kind].replay(case, Ground(tmp_path / "world", tmp_path)).wrong == []


@pytest.mark.thorough
def test_a_failing_case_is_kept_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = State(tmp_path).add(Outcome(MADE_UP, wrong=["made up"]), "analysis", 1.0)
    assert kept is not None
    assert Case.load(kept) == MADE_UP
    assert main(["--replay", str(kept)]) == 0
    assert capsys.readouterr().out == "analysis, seed 3: 1 analyzed\n"


def test_the_figures_of_all_runs_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seeds = [State(tmp_path).take_seed() for _ in range(2)]
    for seed in seeds:
        State(tmp_path).add(Outcome(Case("kills", seed), Counter(faults=2)), "kills", 90.0)
    assert seeds == [1, 2]
    assert main(["--state", str(tmp_path), "--figures"]) == 0
    assert capsys.readouterr().out == "\nkills, 3 minutes in all\n           4 faults\n\n0 wrong\n"


def test_the_same_seed_gives_the_same_input() -> None:
    assert fuzzed(Random("1/2")) == fuzzed(Random("1/2")) != fuzzed(Random("1/3"))


def test_a_token_stream_that_cannot_be_is_told() -> None:
    content = module_source("bisect")
    made = analyze_file("a.py", content)
    assert isinstance(made, Analysis)
    assert faults_of(content, made.tokens) == []
    assert faults_of(content[:100], made.tokens) == [
        "not so: inside of the content",
        "not so: lines of the content",
    ]
    assert "not so: no empty token" in faults_of(content, replace(made.tokens, ends=made.tokens.starts))
    assert analyze("a.py", content, is_snippet=True) == ("analyzed", [])


@pytest.mark.slow
def test_damage_that_changes_an_answer_is_told_from_damage_that_is_found(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "heapq.py").write_bytes(module_source("heapq"))
    index = tmp_path / "index"
    index_sources([tmp_path / "code"], str(index), jobs=1)
    right = index_answers(index)
    assert outcome(index, right) == ("without effect", [])
    assert outcome(index, {**right, "heapq": None})[0] == "another answer"
    (run,) = (index / "runs").iterdir()
    whole = run.read_bytes()
    shutil.copytree(index, tmp_path / "copy")
    run.write_bytes(whole[:50] + bytes([whole[50] ^ 1]) + whole[51:])
    assert outcome(index, right)[0] in {"found by stats --verify", "told by an answer"}
    assert packed(index) != packed(tmp_path / "copy")


def test_a_report_of_a_sanitizer_is_a_failure_and_a_limit_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults_of_death(Died("died")) == []
    monkeypatch.setenv(SANITIZED, "1")
    assert faults_of_death(Died("timeout")) == []
    assert faults_of_death(Died("died")) == ["the worker died without a report"]
    reports_of(os.getpid()).write_text("heap-buffer-overflow")
    assert faults_of_death(Died("died")) == ["heap-buffer-overflow"]
    assert not reports_of(os.getpid()).exists()


@pytest.mark.thorough
def test_the_command_in_small_steps_begins(tmp_path: Path) -> None:
    (tmp_path / "stepping.py").write_text(STEPPING)
    done = subprocess.run([*World(tmp_path).command, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[0]) == (0, "wherefrom"), done.stderr
