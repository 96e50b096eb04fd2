"""A pool of processes for tasks that may crash them, a fork for a single one, and the measuring of both."""

from __future__ import annotations

import time
from typing import Literal

from wherefrom.errors import UsageError
from wherefrom.support.system import system
from wherefrom.support.values import dataclass

Reason = Literal["died", "timeout"]
PARSE_MEMORY = 1_500_000_000  # default limit on the memory of a process that parses, in bytes
LEAST_PARSE_MEMORY = 100_000_000  # the smallest limit: with all grammars loaded, such a process takes 60 MB
LOOK_SECONDS = 0.1  # seconds between two measurements of a worker that works on a task
_MOST = 1.0  # one look counts at most this many seconds of clock time: more may be a pause of this process


def check_memory(memory: int) -> None:
    """Raises `UsageError` if no worker could work with this limit."""
    if memory < LEAST_PARSE_MEMORY:
        raise UsageError(
            f"a limit of {memory} bytes leaves no memory for any task; give {LEAST_PARSE_MEMORY} or more, or none"
        )


@dataclass(frozen=True, slots=True)
class Died:
    """The result of a task that ended its worker."""

    reason: Reason


class Meter:
    """Measures a process from now on. `seconds` and `memory` (in bytes) are the values at the last `look`. While the
    process runs, its processor time counts, so being paused or waiting for a processor costs nothing. While it sleeps,
    clock time counts, because a task that waits for something is stuck. Memory does not include mapped files, such as
    an index, if the system tells them apart.
    """

    def __init__(self, process: int) -> None:
        import psutil  # noqa: PLC0415 -- it takes time to load, and most tasks are done before they are measured

        self.seconds = 0.0
        self.memory = 0
        self._process = psutil.Process(process)
        self._used: float | None = None
        self._at = 0.0
        self.look()

    def look(self) -> None:
        """Measures again; changes nothing once the process has ended."""
        import psutil  # noqa: PLC0415 -- as above

        try:
            with self._process.oneshot():
                times, status = self._process.cpu_times(), self._process.status()
                memory = self._process.memory_info()
                self.memory = memory.rss - getattr(memory, "shared", 0)
        except psutil.Error:
            return
        used, now = times.user + times.system, time.monotonic()
        if self._used is not None:
            worked = used - self._used
            slept = min(now - self._at, _MOST) if system.sleeps(status, worked) else 0.0
            self.seconds += max(worked, slept)
        self._used, self._at = used, now
