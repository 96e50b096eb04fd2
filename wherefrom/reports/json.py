"""JSON: what `to_dict` of a result gives, as text.

The text is ASCII: whatever an indexed path or a snippet's name holds, nothing reaches a terminal raw.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from wherefrom.reports.look import Look


class Result(Protocol):
    """What can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""


def dumps(value: object, *, indent: int | None = 2) -> str:
    """A JSON text with a newline at its end; without `indent` it is one line."""
    return json.dumps(value, indent=indent, allow_nan=False) + "\n"


def write_line(result: Result, _look: Look) -> Iterator[str]:
    """An answer on one line."""
    yield dumps(result.to_dict(), indent=None)
