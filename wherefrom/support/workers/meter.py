"""Measures the time and the memory of another process."""

from __future__ import annotations

import time

import psutil

_MOST = 1.0
"""One look counts at most this many seconds of clock time. If more have passed, this process may have been paused."""


class Meter:
    """Measures a process from now on. `seconds` and `memory` (in bytes) are the values at the last `look`. While the
    process runs, its processor time counts, so being paused or waiting for a processor costs nothing. While it sleeps,
    clock time counts, because a task that waits for something is stuck. Memory does not include mapped files, such as
    an index, if the system tells them apart.
    """

    def __init__(self, process: int) -> None:
        self.seconds = 0.0
        self.memory = 0
        self._process = psutil.Process(process)
        self._used: float | None = None
        self._at = 0.0
        self.look()

    def look(self) -> None:
        """Measures again; changes nothing once the process has ended."""
        try:
            with self._process.oneshot():
                times, status = self._process.cpu_times(), self._process.status()
                memory = self._process.memory_info()
                self.memory = memory.rss - getattr(memory, "shared", 0)
        except psutil.Error:
            return
        used, now = times.user + times.system, time.monotonic()
        if self._used is not None:
            slept = min(now - self._at, _MOST) if status == psutil.STATUS_SLEEPING else 0.0
            self.seconds += max(used - self._used, slept)
        self._used, self._at = used, now
