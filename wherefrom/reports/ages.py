"""Writes in words since when code is somewhere."""

from __future__ import annotations

from wherefrom.results import Appearance


def since(appearance: Appearance | None) -> str:
    """`since 2019-03-02`, with the reasons why the day may be wrong; empty if it is not known."""
    if appearance is None or appearance.day is None:
        return ""
    doubts = f" (in doubt: {', '.join(appearance.doubts)})" if appearance.doubts else ""
    return f"since {appearance.day}{doubts}"
