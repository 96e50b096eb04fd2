"""Patterns that are compiled when they are first used: most runs need few of them."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, which it calls on first use. The result is not for functions of `re`, but has all methods."""
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))


class _Pattern:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._of = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._of), name)
        setattr(self, name, value)  # the next look-up does not come here
        return value
