"""Limits how often a caller's `progress` is called."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

Event = TypeVar("Event")

SECONDS = 0.2  # least time between two calls of a caller's `progress`, in seconds


class Throttle(Generic[Event]):
    """Reports progress to a caller a few times a second, however often there is something to report."""

    def __init__(self, progress: Callable[[Event], None] | None) -> None:
        self._progress = progress
        self._begin = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """The seconds since this object was made."""
        return time.monotonic() - self._begin

    def report(self, event: Callable[[], Event], *, last: bool = False) -> None:
        """Calls `progress` with an event, unless the last call was less than `SECONDS` ago. The `last` event of a stage
        is always reported. `event` is called only if its result is reported.
        """
        if self._progress is None:
            return
        now = time.monotonic()
        if last or now - self._last >= SECONDS:
            self._last = now
            self._progress(event())
