"""How often a caller's `progress` is called."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

Event = TypeVar("Event")

SECONDS = 0.2
"""Between two calls of a caller's `progress`, at least."""


class Throttle(Generic[Event]):
    """Reports progress a few times a second, however often there is something to report.

    Args:
        progress: what the caller wants to be called, None for nothing.
    """

    def __init__(self, progress: Callable[[Event], None] | None) -> None:
        self._progress = progress
        self._begin = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """The time since this was made."""
        return time.monotonic() - self._begin

    def report(self, event: Callable[[], Event], *, last: bool = False) -> None:
        """Calls `progress`, unless it was called less than `SECONDS` ago. The event is made only if it is reported; the
        `last` one of a stage always is.
        """
        if self._progress is None:
            return
        now = time.monotonic()
        if last or now - self._last >= SECONDS:
            self._last = now
            self._progress(event())
