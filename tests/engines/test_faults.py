"""A writer of the embedded engine may be stopped at any step: every commit stays whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.nightly
@pytest.mark.parametrize("fault", ["kill", "fill"])
def test_a_fault_at_every_step_of_commits_and_merges(tmp_path: Path, fault: str) -> None:
    command = [sys.executable, "-m", "tests.engines.faults_at_every_step", fault, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    steps, states = map(int, done.stdout.split())
    assert steps > 60
    assert states == 5
