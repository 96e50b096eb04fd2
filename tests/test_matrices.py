"""With the marker `matrix`, a draw has every value once, is the same for the same seed, and `all` runs all cases."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import HANGS

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]

TESTS = """
import pytest

@pytest.mark.matrix("language")
@pytest.mark.parametrize("language", ["c", "go", "java"])
@pytest.mark.parametrize("encoding", ["e1", "e2", "e3", "e4", "e5"])
def test_a_matrix(language, encoding):
    pass

@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_list(number):
    pass

@pytest.mark.nightly
def test_at_night():
    pass

@pytest.mark.slow
@pytest.mark.parametrize("number", range(9))
def test_a_slow_list(number):
    pass
"""


def collected(folder: Path, *arguments: str) -> tuple[list[str], str]:
    """The cases of the matrix as `encoding-language`, and all output."""
    (folder / "test_drawn.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", "/dev/null", "-p", "tests.matrices", "--collect-only", *arguments, "."],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
    )
    assert "test_a_list[1]" in done.stdout, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    return [line.partition("[")[2].partition("]")[0] for line in lines if "test_a_matrix[" in line], done.stdout


@pytest.mark.slow
def test_a_draw_has_every_value_once_and_is_repeated_by_its_seed(tmp_path: Path) -> None:
    cases, _ = collected(tmp_path)
    assert sorted(case.partition("-")[2] for case in cases) == ["c", "go", "java"]
    assert collected(tmp_path)[0] == cases
    drawn, output = collected(tmp_path, "--matrix", "random")
    seed = output.partition("--matrix ")[2].split()[0]
    assert seed.isdigit()
    assert collected(tmp_path, "--matrix", seed)[0] == drawn


def test_all_is_the_whole_matrix(tmp_path: Path) -> None:
    assert len(collected(tmp_path, "--matrix", "all")[0]) == 15


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_case_that_is_chosen_by_other_means_is_not_left_out(tmp_path: Path, seed: str) -> None:
    assert collected(tmp_path, "-k", "e4-go or a_list", "--matrix", seed)[0] == ["e4-go"]


@pytest.mark.slow
def test_one_case_of_a_slow_test_is_drawn(tmp_path: Path) -> None:
    assert collected(tmp_path, "-k", "slow or a_list")[1].count("test_a_slow_list[") == 1
    assert collected(tmp_path, "-k", "slow or a_list", "--matrix", "all")[1].count("test_a_slow_list[") == 9


@pytest.mark.slow
def test_a_long_test_runs_at_night_only(tmp_path: Path) -> None:
    assert "test_at_night" not in collected(tmp_path)[1]
    assert "test_at_night" in collected(tmp_path, "--matrix", "random")[1]
    assert "test_at_night" in collected(tmp_path, "--matrix", "all")[1]
