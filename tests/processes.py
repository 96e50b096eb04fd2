"""Processes that tests start: the longest wait for them, and their children; and the limits of this process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import resource

    LIMITS = (resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)

HANGS = 1_800.0
"""After this many seconds a command certainly hangs. A busy machine may pause a command for minutes."""


def children(parent: int) -> list[int]:
    """The processes that a process has started and not yet reaped."""
    threads = Path(f"/proc/{parent}/task")
    while threads.exists():
        try:
            return [int(child) for thread in threads.iterdir() for child in (thread / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread has ended meanwhile, and another one has its children
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    return [int(pid) for pid, its_parent, name in rows if int(its_parent) == parent and name != "ps"]


def is_stopped(process: int) -> bool:
    """Whether a process waits for SIGCONT."""
    shown = subprocess.run(["ps", "-o", "state=", "-p", str(process)], capture_output=True, text=True, check=False)
    return shown.stdout.startswith("T")


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
