"""The demo, as `./dev demo` runs it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


def test_the_demo_shows_each_attribution_and_leaves_an_index_to_go_on_with(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("WHEREFROM_", "XDG_"))}
    environment |= {"HOME": str(tmp_path), "COLUMNS": "80"}

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    for _ in range(2):  # it may be run again
        shown = run(sys.executable, str(DEMO), str(tmp_path / "demo"))
    brief = [line for line in shown.splitlines() if re.match(r" *\d+%  ", line)]
    assert [line.split()[-1] for line in brief] == ["source", "attributed", "unattributed"]
    assert "The index stays in demo/index." in shown

    next_step = next(line for line in shown.splitlines() if line.startswith("  ") and "--unattributed" in line)
    found = run(sys.executable, "-m", "wherefrom", *shlex.split(next_step)[1:])
    assert "github.com/example/news-reader" in found
    assert "github.com/example/mail-tools" not in found
