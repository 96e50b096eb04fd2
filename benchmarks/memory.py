"""The memory of a process and all that it started, over time."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.25
"""Seconds between two looks."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has ended: what it wrote, how long it took, and the bytes that it held at each look.

    Memory is PSS: a page that several processes share counts once.
    """

    code: int
    stdout: str
    stderr: str
    seconds: float
    memory: tuple[int, ...]

    @property
    def peak(self) -> int:
        """The most that was seen."""
        return max(self.memory, default=0)

    @property
    def growth(self) -> float:
        """The median of the last third divided by that of the middle third: about 1 where memory stays flat."""
        third = len(self.memory) // 3
        if not third:
            return 1.0
        middle, last = sorted(self.memory[third : 2 * third]), sorted(self.memory[2 * third :])
        return last[len(last) // 2] / middle[len(middle) // 2]


def run(command: Sequence[str]) -> Finished:
    """Runs a command to its end."""
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        memory: list[int] = []
        ended = threading.Event()
        looking = threading.Thread(target=_look, args=(process.pid, memory, ended))
        looking.start()
        stdout, stderr = process.communicate()
        seconds = time.perf_counter() - begin
        ended.set()
        looking.join()
    return Finished(process.returncode, stdout, stderr, seconds, tuple(memory))


def _look(process: int, memory: list[int], ended: threading.Event) -> None:
    while not ended.wait(INTERVAL):
        memory.append(sum(map(_proportional, _tree(process))))


def _tree(process: int) -> list[int]:
    """The process and its descendants."""
    found = [process]
    for parent in found:
        for tasks in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):
                found.extend(map(int, tasks.read_text().split()))
    return found


def _proportional(process: int) -> int:
    """The PSS of one process in bytes, 0 once it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
