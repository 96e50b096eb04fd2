"""JSON: what `to_dict` of a result gives, as text.

The text is ASCII: whatever an indexed path or a snippet's name holds, nothing reaches a terminal raw.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from wherefrom.contract import FORMAT
from wherefrom.reports.renderer import Renderer

if TYPE_CHECKING:
    from wherefrom.reports.look import Look


class Result(Protocol):
    """What can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""


def dumps(value: object, *, indent: int | None = 2) -> str:
    """A JSON text with a newline at its end; without `indent` it is one line."""
    return json.dumps(value, indent=indent, allow_nan=False) + "\n"


def write(result: Result, _look: Look) -> Iterator[str]:
    """An answer, indented."""
    yield dumps(result.to_dict())


def write_line(result: Result, _look: Look) -> Iterator[str]:
    """An answer on one line."""
    yield dumps(result.to_dict(), indent=None)


def listing(name: str) -> Renderer[Iterable[Result]]:
    """A renderer of values as an object with a list of them.

    Args:
        name: the key of the list.
    """

    def write_all(results: Iterable[Result], _look: Look) -> Iterator[str]:
        yield dumps({"format": FORMAT, name: [result.to_dict() for result in results]})

    return Renderer(write_all)
