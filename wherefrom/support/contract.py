"""What all JSON output has in common: answers are dataclasses, and `JsonObject` writes each of them as JSON values."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import cache
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
    values: dict[str, Any] = {}
    for how, name, attribute in _names(kind):
        value = json_value(getattr(answer, attribute))
        if how == "*":
            values.update(value)
        else:
            values[name] = dict(sorted(value.items())) if how == "+" else value
    return values


def json_value(value: Any) -> Any:
    """A value as JSON has it."""
    match value:
        case str():
            return str(value)  # a member of an enum too
        case None | int() | float():
            return value
        case JsonObject():
            return value.to_dict()
        case Mapping():
            return {str(key): json_value(item) for key, item in value.items()}
        case _:
            return [json_value(item) for item in value]


@cache
def _names(kind: type[Any]) -> list[tuple[str, str, str]]:
    """What is written of a class: how, under which name, which attribute."""
    names = kind.JSON.split() or [field.name for field in dataclasses.fields(kind)]
    found = [re.fullmatch(r"([*+]?)(?:(\w+)=)?(\w+)", name) for name in names]
    return [(match[1], match[2] or match[3], match[3]) for match in found if match]
