"""What the process of an `Analyzer` runs. The calling process, which also imports this module, loads no parser."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from wherefrom.errors import WherefromError

T = TypeVar("T")


def load() -> None:
    """Imports the modules that the first call needs."""
    import_module("wherefrom.analyzers.analysis")


def answer(call: Callable[[], T]) -> T | WherefromError:
    """Makes a call and returns its result, or the `WherefromError` that it raises."""
    try:
        return call()
    except WherefromError as error:
        return error


def run(module: str, function: str, *given: Any, **options: Any) -> Any:
    """Calls a function of a module of this package."""
    return getattr(import_module(f"wherefrom.analyzers.{module}"), function)(*given, **options)
