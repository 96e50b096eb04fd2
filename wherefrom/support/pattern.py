"""Patterns that are compiled, and names of a package that are loaded, when they are first used: most runs need few."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
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


def names_of(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package. `modules` has the public names of each module of it, divided by spaces."""
    owners = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:
        if name == "__all__":
            return [*owners]
        if name not in owners:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{owners[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
