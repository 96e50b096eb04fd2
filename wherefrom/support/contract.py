"""What all JSON output has in common: answers are dataclasses, and `JsonObject` writes each of them as JSON values."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType
from typing import Any, ClassVar

FORMAT = 1
"""The version of the output: a field may be added, none changes its meaning."""


class JsonObject:
    """A dataclass that is written as JSON: an object with its fields, in their order.

    Attributes:
        JSON: names what is written where that is not each field: attributes, with blanks between them. `NAME=ATTRIBUTE`
            writes one under another name, `+ATTRIBUTE` writes counts by name in the order of the names, and
            `*ATTRIBUTE` writes the values of an object among the others.
    """

    __slots__ = ()
    JSON: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return encoded(self)


class JsonDocument(JsonObject):
    """A whole answer: it begins with the version of the output."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {"format": FORMAT, **encoded(self)}


def encoded(answer: JsonObject) -> dict[str, Any]:
    """The JSON values of an answer by their names, as its class says."""
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


_PLAIN = {str, int, float, bool, NoneType}
"""What most values are: it is written as it is."""


def json_value(value: Any) -> Any:
    """A value as JSON has it."""
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
    """What is written of a class: the names, what gives the values, and which names have a `+` or a `*` before them."""
    names = kind.JSON.split() or [field.name for field in dataclasses.fields(kind)]
    found = [match for name in names if (match := re.fullmatch(r"([*+]?)(?:(\w+)=)?(\w+)", name))]
    named = [(match[1], match[2] or match[3]) for match in found]
    return (
        [name for _, name in named],
        attrgetter(*(match[3] for match in found)),
        [name for how, name in named if how == "+"],
        [name for how, name in named if how == "*"],
    )
