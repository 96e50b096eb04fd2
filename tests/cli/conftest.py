"""Runs the command as a user does: a process of its own, a home of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which nothing is set but a new home."""
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WHENCE_", "XDG_"))}
    for name in ("NO_COLOR", "COLUMNS", "TERM"):
        kept.pop(name, None)
    return {**kept, "HOME": str(home), "WHENCE_INDEX": str(tmp_path / "index"), "LC_ALL": "C.UTF-8"}


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Run:
    """`run("search", "-", input=..., WHENCE_LIMIT="3")`: arguments, options of `subprocess.run`, and variables."""

    def call(*arguments: str | bytes, **options: Any) -> subprocess.CompletedProcess[str]:
        variables = {name: options.pop(name) for name in [*options] if name.isupper()}
        if "input" not in options and "stdin" not in options:
            options["stdin"] = subprocess.DEVNULL
        if "stdout" not in options:
            options["stdout"] = subprocess.PIPE
        return subprocess.run(
            [sys.executable, "-m", "whence", *arguments],
            env={**environment, **variables},
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=60,
            check=False,
            **options,
        )

    return call


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """Runs a command that must fail with one line of error and no result; gives what the line says."""

    def call(*arguments: str | bytes, **options: Any) -> str:
        done = run(*arguments, **options)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("whence: error: ")
        assert done.stderr.count("\n") == 1
        return done.stderr.removeprefix("whence: error: ").rstrip("\n")

    return call
