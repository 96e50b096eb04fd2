"""Processes that tests start: the longest wait for them, and their children."""

from __future__ import annotations

import subprocess
from pathlib import Path

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
