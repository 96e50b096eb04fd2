"""A Ctrl-C at any moment of what an engine does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

CALLS = frozenset({"call"})
EVENTS = CALLS | {"c_return"}
"""Also after each call of a function that is not Python, such as one that opens a file."""


def interrupted_at(stop: int, act: Callable[[], object], *modules: str, events: frozenset[str] = CALLS) -> bool:
    """Raises `KeyboardInterrupt` at that event in functions of these modules; whether there were so many.

    Args:
        stop: counted from 1.
        act: what is interrupted.
        modules: the names of their files.
        events: those of `sys.setprofile` that count.
    """
    seen = 0

    def interrupt(frame: FrameType, event: str, _: object) -> None:
        nonlocal seen
        # What is raised in an abandoned generator is lost.
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
