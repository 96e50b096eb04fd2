"""Shows results in notebooks.

A higher layer renders results, and names its module here. The module is imported when a notebook shows the first
result, so that the command line does not load it.
"""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module

_modules: set[str] = set()


def rendered_by(module: str) -> None:
    """Names a module that registers functions with `to_html_by_type`."""
    _modules.add(module)


def to_html(result: object) -> str | None:
    """A result as HTML, or None if no function is registered for its type. A notebook then shows its `repr`."""
    for module in _modules:
        import_module(module)
    return to_html_by_type(result)


@singledispatch
def to_html_by_type(_result: object) -> str | None:
    """Renders a result; functions for types register here."""
    return None
