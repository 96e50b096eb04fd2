"""Boilerplate in words while it is gathered, and what is proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.reports.text import clip, count, visible

if TYPE_CHECKING:
    from whence.queries import BoilerplateProgress


def live_line(progress: BoilerplateProgress, width: int = 100) -> str:
    """Where the gathering stands, on one line of at most `width` columns, without a newline."""
    parts = [count(progress.files, "file"), count(progress.kgrams, "k-gram"), visible(progress.source)]
    return clip(" · ".join(parts), width)
