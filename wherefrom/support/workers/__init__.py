"""A pool of processes for tasks that may crash them, and a fork for a single one."""

from __future__ import annotations

from typing import Literal

from wherefrom.errors import UsageError
from wherefrom.support.values import dataclass

Reason = Literal["died", "timeout"]

PARSE_MEMORY = 1_500_000_000
"""Default limit on the memory of a process that parses, in bytes."""

LEAST_PARSE_MEMORY = 100_000_000
"""The smallest limit that is allowed: with all grammars loaded, such a process takes 60 MB."""

LOOK_SECONDS = 0.1
"""Seconds between two measurements of a worker that works on a task."""


def check_memory(memory: int) -> None:
    """Raises `UsageError` if no worker could work with this limit."""
    if memory < LEAST_PARSE_MEMORY:
        raise UsageError(
            f"a limit of {memory} bytes leaves no memory for any task; give {LEAST_PARSE_MEMORY} or more, or none"
        )


@dataclass(frozen=True, slots=True)
class Died:
    """The result of a task that ended its worker."""

    reason: Reason
