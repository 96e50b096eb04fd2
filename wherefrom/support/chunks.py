"""A sequence in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Item = TypeVar("Item")


def chunks(values: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Consecutive parts of `size` items; the last one may be shorter."""
    return (values[begin : begin + size] for begin in range(0, len(values), size))
