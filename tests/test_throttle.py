"""Progress is reported at most a few times a second."""

from __future__ import annotations

import time

import pytest

from wherefrom.support import throttle
from wherefrom.support.throttle import Throttle


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock as a list with one item: the time."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_events_between_two_reports_are_not_even_made(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "SECONDS", 4.0)
    seen: list[float] = []
    made = []

    def event() -> float:
        made.append(clock[0])
        return clock[0]

    progress = Throttle(seen.append)
    for _ in range(40):
        clock[0] += 1
        progress.report(event)
    assert seen == made == list(range(104, 141, 4))


def test_the_last_event_is_always_reported(clock: list[float]) -> None:
    seen: list[str] = []
    progress = Throttle(seen.append)
    progress.report(lambda: "first")
    progress.report(lambda: "last", last=True)
    assert seen == ["last"]


def test_no_event_is_made_without_a_listener() -> None:
    def event() -> str:
        raise AssertionError

    progress: Throttle[str] = Throttle(None)
    progress.report(event, last=True)


def test_the_time_since_it_was_made(clock: list[float]) -> None:
    progress: Throttle[str] = Throttle(None)
    clock[0] += 2.5
    assert progress.seconds == 2.5
