"""Values of fields that do not apply to a language: empty, with the reason."""

from __future__ import annotations

from typing import Literal, Never


class Nothing(tuple[Never, ...]):
    """The value of a field that does not apply to a language: an empty tuple with the reason.

    Attributes:
        reason: why the field does not apply.
    """

    reason: str

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"none({self.reason!r})"


def none(reason: str) -> Nothing:
    """An empty value with the reason, so that a forgotten field differs from one that does not apply."""
    value = Nothing()
    value.reason = reason
    return value


def words(text: str) -> tuple[str, ...]:
    """Splits a text at white space; for fields that list many short words."""
    return tuple(text.split())
