"""Processes that tests start: the longest wait for them, and their children; and the limits of this process."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from wherefrom.cli import main

if sys.platform != "win32":
    import resource

    LIMITS = (resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)

HANGS = 1_800.0
"""After this many seconds a command certainly hangs. A busy machine may pause a command for minutes."""

HERE = {
    *("search", "similar", "first", "check", "fixed", "sources", "list", "stats", "remove", "boilerplate"),
    *("index", "copy", "publish", "watch", "compare", "posts", "prune", "releases", "trace"),
}
"""Commands that run in the process of the tests, which takes a tenth of the time; `test_installed.py` compares."""

KILL = 9
"""SIGKILL, which Windows does not name: there, `os.kill` ends a process with this exit code."""


def interrupt(process: subprocess.Popen[str]) -> None:
    """Interrupts a process as Ctrl-C does. On Windows, where only a console can do that, it is ended."""
    if sys.platform == "win32":
        process.terminate()
    else:
        process.send_signal(signal.SIGINT)


def children(parent: int) -> list[int]:
    """The processes that a process has started and not yet reaped."""
    try:
        return [child.pid for child in psutil.Process(parent).children()]
    except psutil.NoSuchProcess:
        return []


def is_stopped(process: int) -> bool:
    """Whether a process waits for SIGCONT; false if it has ended."""
    try:
        return psutil.Process(process).status() == psutil.STATUS_STOPPED
    except psutil.NoSuchProcess:
        return False


@contextmanager
def own_limits() -> Iterator[Callable[[], bool]]:
    """Restores the limits of this process at the end. The value says whether they have changed; on Windows, which has
    none, it is always False.
    """
    if sys.platform == "win32":
        yield lambda: False
        return
    before = [resource.getrlimit(limit) for limit in LIMITS]
    try:
        yield lambda: [resource.getrlimit(limit) for limit in LIMITS] != before
    finally:
        for limit, was in zip(LIMITS, before, strict=True):
            resource.setrlimit(limit, was)


def run_here(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path, stdin: bytes
) -> tuple[int, bytes, bytes]:
    """Runs the command in this process, with the environment, the folder and the streams that the program would have;
    gives the exit code, standard output and standard error. The limits of this process stay as they are: a command with
    an index on a server lowers that on memory.
    """
    output, errors = io.BytesIO(), io.BytesIO()
    with own_limits(), pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        for name, stream in {"stdin": io.BytesIO(stdin), "stdout": output, "stderr": errors}.items():
            patch.setattr(sys, name, io.TextIOWrapper(stream, "utf-8", "surrogateescape", write_through=True))
        return main(arguments), output.getvalue(), errors.getvalue()
