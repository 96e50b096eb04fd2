"""The language server in Neovim, without a screen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.polygons import AREA

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("neovim.lua")


def test_neovim_shows_a_finding_and_credits_it(code_index: Path, tmp_path: Path) -> None:
    if shutil.which("nvim") is None:
        assert not os.environ.get("CI"), "Neovim is not found"
        pytest.skip("needs Neovim")
    file, out = tmp_path / "mine.py", tmp_path / "out.json"
    file.write_text(AREA)
    command = [sys.executable, "-m", "wherefrom", "lsp", "--index", str(code_index)]
    variables = {"COMMAND": json.dumps(command), "FILE": str(file), "OUT": str(out)}
    done = subprocess.run(
        ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}", "-c", "cquit"],
        env={**os.environ, **variables, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(out.read_text())
    assert answers["diagnostic"]["source"] == "wherefrom"
    assert answers["diagnostic"]["code"] == "copied-unattributed"
    assert answers["lens"] == "3 places · MIT · not credited"
    assert "geometry" in answers["hover"]
    first, *_, last = answers["lines"]
    assert first.startswith("# From https://github.com/example/geometry/")
    assert last == "# SPDX-SnippetEnd"
