"""How a result shows itself in a notebook.

What renders a result belongs to a higher layer, `wherefrom.reports.notebook`, which registers it here.
"""

from __future__ import annotations

from functools import singledispatch


@singledispatch
def to_html(_result: object) -> str | None:
    """A result as a piece of HTML; None where nothing is registered that renders it, so that its `repr` is shown."""
    return None
