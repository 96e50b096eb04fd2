"""How a result shows itself in a notebook.

What renders a result belongs to a higher layer, which names its module here. It is loaded when a notebook asks for the
first result, so that searches on a command line do not wait for it.
"""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module

_modules: list[str] = []


def rendered_by(module: str) -> None:
    """Names the module that registers what renders results with `to_html_by_type`."""
    if module not in _modules:
        _modules.append(module)


def to_html(result: object) -> str | None:
    """A result as a piece of HTML; None where nothing is registered that renders it, so that its `repr` is shown."""
    for module in _modules:
        import_module(module)
    return to_html_by_type(result)


@singledispatch
def to_html_by_type(_result: object) -> str | None:
    """What renders a result, by its type."""
    return None
