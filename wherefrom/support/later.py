"""Names of a package whose modules are loaded on first use, so that a program loads only those that it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


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
