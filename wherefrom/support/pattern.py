"""Patterns that are compiled, and names of a package that are loaded, when they are first used: most runs need few."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any, AnyStr, cast


def later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, which it calls on first use. The result is not for functions of `re`, but has all methods."""
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))


def compiled(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, also for possessive repeats of groups, which Python misreads before 3.11.5 (gh-106052)."""
    return re.compile(atomic(pattern) if sys.version_info < (3, 11, 5) else pattern, flags)


def atomic(pattern: AnyStr) -> AnyStr:
    """A pattern with atomic groups in place of possessive repeats of groups. It matches the same, but each time that a
    group is repeated takes memory.
    """
    if isinstance(pattern, str):
        return atomic(pattern.encode()).decode()
    parts: list[bytes] = []
    begun: list[int] = []
    for part in _PART.findall(pattern):
        if part == b"(":
            begun.append(len(parts))
        elif part.startswith(b")") and begun:
            begin = begun.pop()
            if part != b")":
                parts[begin], part = b"(?>(", part[:-1] + b")"  # noqa: PLW2901
        parts.append(part)
    return b"".join(parts)


_PART = re.compile(rb"\\.|\[\^?\]?(?:\\.|[^\\\]])*\]|\)(?:(?:[*+?]|\{[\d,]+\})\+)?|[^\\\[)]", re.DOTALL)


class _Pattern:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._of = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(compiled(*self._of), name)
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


_IMPORT = later(r"^    from ([\w.]+) import (?:(\w+) as \2|\*)$", re.MULTILINE)


def names_in(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a module whose public names are those that it imports for type checkers, each
    `as` itself, or all of a module by `*`.
    """
    source = cast("Any", sys.modules[module].__loader__).get_source(module)
    found = _IMPORT.findall(source)
    owners = {name: owner for owner, name in found if name}
    open_ones = [owner for owner, name in found if not name]

    def all_names() -> list[str]:
        return sorted({*owners, *(name for owner in open_ones for name in _public(owner))})

    def load(name: str) -> Any:
        if name == "__all__":
            return all_names()
        owner = owners.get(name) or next((owner for owner in open_ones if name in _public(owner)), "")
        if not owner:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        try:
            value = getattr(import_module(owner), name)
        except AttributeError:  # a module of a package
            value = import_module(f"{owner}.{name}")
        setattr(sys.modules[module], name, value)
        return value

    return load, all_names


def _public(module: str) -> Collection[str]:
    """The names of a module that `*` imports, without those that it imports itself."""
    loaded = import_module(module)
    if (given := getattr(loaded, "__all__", None)) is not None:
        return cast("Collection[str]", given)
    return [name for name, value in vars(loaded).items() if getattr(value, "__module__", "") == module]
