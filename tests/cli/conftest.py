"""Runs the command as a user does: a process of its own, a home of its own."""

from __future__ import annotations

import heapq
import inspect
import io
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests import windows
from tests.processes import HANGS, HERE, run_here
from wherefrom.cli import main

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def clean_environment(folder: Path) -> dict[str, str]:
    """An environment with only a new home and an index, both in this folder."""
    home = folder / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WHEREFROM_", "XDG_"))}
    for name in ("NO_COLOR", "COLUMNS", "TERM"):
        kept.pop(name, None)
    return {**kept, **windows.home(home), "WHEREFROM_INDEX": str(folder / "index"), "LC_ALL": "C.UTF-8"}


def runner(environment: dict[str, str], folder: Path) -> Run:
    """`run("search", "-", input=..., WHEREFROM_LIMIT="3")`: arguments, options of `subprocess.run`, and variables.

    A command of `HERE` without such options but `input` runs in this process.
    """

    def call(*arguments: str | bytes, **options: Any) -> subprocess.CompletedProcess[str]:
        variables = {name: options.pop(name) for name in [*options] if name.isupper()}
        if arguments[:1] and arguments[0] in HERE and options.keys() <= {"input"}:
            given = [*map(os.fsdecode, arguments)]
            code, output, errors = run_here(
                given, {**environment, **variables}, folder, options.get("input", "").encode()
            )
            return subprocess.CompletedProcess(given, code, output.decode(), errors.decode())
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.run(
            [sys.executable, "-m", "wherefrom", *arguments],
            env={**environment, **variables},
            cwd=folder,
            encoding="utf-8",
            timeout=HANGS,
            check=False,
            **options,
        )

    return call


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of `run`."""
    return clean_environment(tmp_path)


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Run:
    """Runs the command without an index."""
    return runner(environment, tmp_path)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index of two clones in it: `clones/first` and `clones/second`, of the standard library's code.

    Both hold `wrap.py`; only the second holds `queue.py`.
    """
    folder = tmp_path_factory.mktemp("world")
    wrap, queue = (inspect.getsource(module).encode() for module in (textwrap, heapq))
    for name, contents in (
        ("first", {"src/wrap.py": wrap, "data.bin": b"\0" * 100}),
        ("second", {"vendor/wrap.py": wrap, "lib/queue.py": queue}),
    ):
        clone = folder / "clones" / name
        for path, content in contents.items():
            (clone / path).parent.mkdir(parents=True, exist_ok=True)
            (clone / path).write_bytes(content)
        git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "code"]):
            subprocess.run([*git, *arguments], check=True, timeout=HANGS)
    return folder


@pytest.fixture(scope="module")
def indexed(world: Path) -> Run:
    """Runs the command with the index of `world`, in that folder."""
    call = runner(clean_environment(world), world)
    done = call("index", "clones")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 repositories: 2 indexed" in done.stdout
    return call


@pytest.fixture
def refused(
    environment: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Callable[..., str]:
    """Runs a command in this process that must fail with one line of error and no result; gives what the line says."""

    def call(*arguments: str) -> str:
        for name in os.environ:
            monkeypatch.delenv(name)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        assert main(arguments) == 2
        output = capfd.readouterr()
        assert output.out == ""
        assert output.err.startswith("wherefrom: error: ")
        assert output.err.count("\n") == 1
        return output.err.removeprefix("wherefrom: error: ").rstrip("\n")

    return call
