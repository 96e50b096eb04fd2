"""A Ctrl-C at any moment of the work of an engine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

CALLS = frozenset({"call"})
EVENTS = CALLS | {"c_return"}
"""Includes the end of each call of a function in C, such as one that opens a file."""


def interrupted_at(stop: int, act: Callable[[], object], *modules: str, events: frozenset[str] = CALLS) -> bool:
    """Raises `KeyboardInterrupt` at one event in functions of some modules; returns False if there were fewer events.

    Args:
        stop: the number of the event, counted from 1.
        act: the work to interrupt.
        modules: the names of their files.
        events: the events of `sys.setprofile` that count.
    """
    seen = 0

    def interrupt(frame: FrameType, event: str, _: object) -> None:
        nonlocal seen
        # An error in an abandoned generator is lost.
        is_ours = Path(frame.f_code.co_filename).name in modules
        if event in events and is_ours and frame.f_code.co_name != "<genexpr>":
            seen += 1
            if seen == stop:
                raise KeyboardInterrupt

    sys.setprofile(interrupt)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False
