"""Shows results in notebooks.

Another package renders results as HTML: it registers the module that does so with `rendered_by`. The module is imported
when a notebook shows the first result, so that the command line does not load it.
"""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module

_modules: set[str] = set()


def rendered_by(module: str) -> None:
    """Tells which module to import before a result is shown. It registers functions with `to_html_by_type`."""
    _modules.add(module)


def to_html(result: object) -> str | None:
    """A result as HTML. None if no function is registered for its type; a notebook then shows the `repr`."""
    for module in _modules:
        import_module(module)
    return to_html_by_type(result)


@singledispatch
def to_html_by_type(_result: object) -> str | None:
    """Renders a result as HTML. `register` adds a function for a type; for other types the answer is None."""
    return None
