"""The common rules of all JSON output: answers are dataclasses, and `JsonObject` turns them into JSON values."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType
from typing import Any, ClassVar

FORMAT = 1  # the version of the output. Within it, fields may be added, but none changes its meaning


def now() -> str:
    """The time in UTC and ISO 8601, in whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def day_of(seconds: int) -> str | None:
    """A day (UTC, ISO 8601); None if the calendar does not have it."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return None


class JsonObject:
    """A dataclass that becomes a JSON object."""

    __slots__ = ()
    # the attributes to write, with blanks between them; empty for all fields in their order. `NAME=ATTRIBUTE` writes an
    # attribute under another name. `+ATTRIBUTE` sorts the names in a nested object. `*ATTRIBUTE` merges a nested object
    # into this one
    JSON: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """The object as JSON values."""
        return encoded(self)


class JsonDocument(JsonObject):
    """A whole answer, which begins with the version of the output."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON values, after the version."""
        return {"format": FORMAT, **encoded(self)}


def encoded(answer: JsonObject) -> dict[str, Any]:
    """The JSON values of an answer by name, in the form that its class defines."""
    kind: Any = type(answer)
    names, attributes, sorted_names, spread = _names(kind)
    values = dict(zip(names, attributes(answer), strict=True))
    for name, value in values.items():
        if type(value) not in _PLAIN:
            values[name] = json_value(value)
    for name in sorted_names:
        values[name] = dict(sorted(values[name].items()))
    if not spread:
        return values
    pairs = ([*value.items()] if name in spread else [(name, value)] for name, value in values.items())
    return dict(chain.from_iterable(pairs))


_PLAIN = {str, int, float, bool, NoneType}  # types of values that are JSON already; most values have one of them


def json_value(value: Any) -> Any:
    """The JSON form of a value."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, JsonObject):
        return value.to_dict()
    if isinstance(value, str):
        return str(value)  # a member of an enum
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    return [item if type(item) in _PLAIN else json_value(item) for item in value]


@cache
def _names(kind: type[Any]) -> tuple[list[str], Callable[[Any], tuple[Any, ...]], list[str], list[str]]:
    """For a class: the names to write, a function that returns their values, the names with `+`, the names with `*`."""
    names = kind.JSON.split() or [field.name for field in dataclasses.fields(kind)]
    found = [match for name in names if (match := re.fullmatch(r"([*+]?)(?:(\w+)=)?(\w+)", name))]
    named = [(match[1], match[2] or match[3]) for match in found]
    return (
        [name for _, name in named],
        attrgetter(*(match[3] for match in found)),
        [name for how, name in named if how == "+"],
        [name for how, name in named if how == "*"],
    )
