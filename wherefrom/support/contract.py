"""What all JSON output has in common; `to_dict` of every result keeps to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

_Name = TypeVar("_Name", bound=str)

FORMAT = 1
"""The version of the output: a field may be added, none changes its meaning."""


def sorted_counts(counts: Mapping[_Name, int]) -> dict[str, int]:
    """Counts by the plain text of their keys, ascending; the keys may be members of an enum."""
    return {str(key): number for key, number in sorted(counts.items())}


def plain_keys(values: Mapping[_Name, str]) -> dict[str, str]:
    """Texts by the plain text of their keys, in their order; the keys may be members of an enum."""
    return {str(key): value for key, value in values.items()}
