"""JSON: what `to_dict` of a result gives, as text.

The text is ASCII: whatever an indexed path or a snippet's name holds, nothing reaches a terminal raw.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
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


def dump_list(value: Mapping[str, object], key: str, items: Iterable[object]) -> Iterator[str]:
    """A JSON object with a list behind its other values, in parts: the list may be longer than memory.

    Args:
        value: the other values, one at least.
        key: of the list.
        items: of the list.
    """
    yield dumps(value).removesuffix("\n}\n") + f",\n  {json.dumps(key)}: ["
    is_empty = True
    for item in items:
        yield ("\n" if is_empty else ",\n") + textwrap.indent(dumps(item).rstrip("\n"), "    ")
        is_empty = False
    yield "]\n}\n" if is_empty else "\n  ]\n}\n"


def write_line(result: Result, _look: Look) -> Iterator[str]:
    """An answer on one line."""
    yield dumps(result.to_dict(), indent=None)
