"""What all JSON output has in common; `to_dict` of every result keeps to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Name = TypeVar("_Name", bound=str)

FORMAT = 1
"""The version of the output: a field may be added, none changes its meaning."""


def sorted_counts(counts: Mapping[_Name, int]) -> dict[str, int]:
    """Counts by the plain text of their keys, ascending; the keys may be members of an enum."""
    return {str(key): number for key, number in sorted(counts.items())}


def plain_keys(values: Mapping[_Name, str]) -> dict[str, str]:
    """Texts by the plain text of their keys, in their order; the keys may be members of an enum."""
    return {str(key): value for key, value in values.items()}


class Encoded:
    """A dataclass whose JSON values are its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return attributes(self, *(field.name for field in fields(cast("DataclassInstance", self))))


def attributes(value: object, *names: str) -> dict[str, Any]:
    """Some attributes as JSON values, by name."""
    return {name: as_json(getattr(value, name)) for name in names}


def as_json(value: Any) -> Any:
    """A value as JSON values: what has a `to_dict` by that, a named tuple by its fields."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, tuple | list):
        return value._asdict() if hasattr(value, "_asdict") else list(map(as_json, value))
    if isinstance(value, Mapping):
        return {str(key): as_json(part) for key, part in value.items()}
    return str(value) if isinstance(value, StrEnum) else value
