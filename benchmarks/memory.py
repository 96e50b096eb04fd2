"""The memory of a process and all its descendants, over time."""

from __future__ import annotations

import resource
import statistics
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.25
"""Seconds between two measurements."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has ended: its output, how long it took, and the bytes of memory that it had at each measurement.

    `processor` are the seconds that it and its descendants were on a processor. Memory is PSS: a page that several
    processes share counts once. `anonymous` counts the pages that are not pages of files: mapped pages grow with the
    index, but the system takes them back when it needs memory.
    """

    code: int
    stdout: str
    stderr: str
    seconds: float
    processor: float
    memory: tuple[int, ...]
    anonymous: tuple[int, ...]

    @property
    def peak(self) -> int:
        """The highest measurement in bytes."""
        return max(self.memory, default=0)

    @property
    def growth(self) -> float:
        """The median of the last third of `anonymous` by that of the middle third: about 1 if memory does not grow."""
        third = len(self.anonymous) // 3
        if not third:
            return 1.0
        return statistics.median(self.anonymous[2 * third :]) / statistics.median(self.anonymous[third : 2 * third])


def run(command: Sequence[str]) -> Finished:
    """Runs a command to its end."""
    begin, before = time.perf_counter(), _processor()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        memory: list[tuple[int, int]] = []
        ended = threading.Event()
        looking = threading.Thread(target=_look, args=(process.pid, memory, ended))
        looking.start()
        stdout, stderr = process.communicate()
        seconds = time.perf_counter() - begin
        ended.set()
        looking.join()
    proportional, anonymous = zip(*memory, strict=True) if memory else ((), ())
    used = _processor() - before
    return Finished(process.returncode, stdout, stderr, seconds, used, proportional, anonymous)


def _processor() -> float:
    """Processor seconds of all ended descendants of this process."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _look(process: int, memory: list[tuple[int, int]], ended: threading.Event) -> None:
    while not ended.wait(INTERVAL):
        held = [_held(each) for each in _tree(process)]
        memory.append((sum(each for each, _ in held), sum(each for _, each in held)))


def _tree(process: int) -> list[int]:
    """The process and its descendants, except those that are just starting: until it runs its own program, a new
    process shares all memory of its parent, which would count twice.
    """
    found = [process]
    for parent in found:
        with suppress(OSError):
            for tasks in Path(f"/proc/{parent}/task").glob("*/children"):
                children = map(int, tasks.read_text().split())
                found.extend(child for child in children if _command(child) != _command(parent))
    return found


def _command(process: int) -> bytes:
    """The command line of a process; empty if the process has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


def _held(process: int) -> tuple[int, int]:
    """The PSS of one process in bytes, and its anonymous part; 0 if the process has ended."""
    found = {}
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]:
            name, value = line.split()[:2]
            found[name] = int(value) * 1024
    return found.get("Pss:", 0), found.get("Pss_Anon:", 0)
