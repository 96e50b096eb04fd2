"""Temporary folders of a run go with it, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.runs import start
from tests.processes import HANGS, children, is_stopped
from tests.repositories import Repository


@pytest.fixture
def temporary(wherefrom: Wherefrom) -> Path:
    """The folder for temporary files, and `clone`."""
    files = {f"{number}.py": b"def f%d(a, b):\n    return [a, b]\n" % number for number in range(500)}
    Repository.make(wherefrom.folder / "clone", files)
    folder = wherefrom.folder / "temporary"
    folder.mkdir()
    wherefrom.environment["TMPDIR"] = str(folder)
    return folder


@contextmanager
def held_up(wherefrom: Wherefrom) -> Iterator[subprocess.Popen[bytes]]:
    """A run that waits for git, which has stopped itself before it reads anything."""
    stopping = wherefrom.folder / "stopping"
    stopping.mkdir(exist_ok=True)
    git = stopping / "git"
    if not git.exists():
        git.write_text(f'#!/bin/sh\ncase "$*" in *"cat-file --batch") kill -STOP $$;; esac\nexec {which("git")} "$@"\n')
        git.chmod(0o755)
    path = wherefrom.environment["PATH"]
    wherefrom.environment["PATH"] = f"{stopping}{os.pathsep}{path}"
    try:
        running = start(wherefrom, *wherefrom.command, "index", "clone", "--jobs", "1")
    finally:
        wherefrom.environment["PATH"] = path
    stopped: list[int] = []
    while not stopped or not any((wherefrom.folder / "temporary").glob("wherefrom-git-*")):
        assert running.poll() is None
        stopped = [child for child in children(running.pid) if is_stopped(child)]
    try:
        yield running
    finally:
        stopped += children(running.pid)
        running.kill()
        running.communicate(timeout=HANGS)
        for child in stopped:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1])
def test_no_signal_that_can_be_handled_leaves_a_folder(
    wherefrom: Wherefrom, temporary: Path, number: signal.Signals
) -> None:
    with held_up(wherefrom) as running:
        assert [path.name.rpartition("-")[0] for path in temporary.iterdir()] == ["wherefrom-git"]
        running.send_signal(number)
        assert running.wait(HANGS) == (130 if number == signal.SIGINT else -number)
    assert list(temporary.iterdir()) == []


def test_the_next_run_removes_what_a_killed_one_left_and_nothing_else(wherefrom: Wherefrom, temporary: Path) -> None:
    (temporary / "wherefrom-notes-of-mine").mkdir()
    with held_up(wherefrom) as killed:
        killed.kill()
    left = set(temporary.iterdir())
    assert len(left) == 2
    with held_up(wherefrom):
        contained = set(temporary.iterdir()) - left
        assert len(contained) == 1
        assert wherefrom.run_installed("index", "clone", "--index", "other.wherefrom")[0] == 0
        assert {path.name for path in temporary.iterdir()} == {
            "wherefrom-notes-of-mine",
            *(path.name for path in contained),
        }
    assert wherefrom.run_installed("index", "clone")[0] == 0
    assert [path.name for path in temporary.iterdir()] == ["wherefrom-notes-of-mine"]
