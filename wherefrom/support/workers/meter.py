"""What another process has spent on the task that it is at."""

from __future__ import annotations

import time

import psutil

_MOST = 1.0
"""Seconds of the clock that one look can charge: between two looks this process may have been stopped as well."""


class Meter:
    """Measures a process from now on: the `seconds` that it has spent and its `memory` in bytes, at the last look.

    Time in which the process runs is measured by the processor, so time in which it is stopped or waits for one costs
    nothing. Time in which it sleeps is measured by the clock: a task that waits for something is stuck. Files that
    it has mapped, as an index, are no memory of its own where the system tells them apart.
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
