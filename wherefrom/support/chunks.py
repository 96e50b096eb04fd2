"""Splits sequences and streams into parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def chunks(values: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Consecutive parts of `size` items; the last one may be shorter."""
    return (values[begin : begin + size] for begin in range(0, len(values), size))


def batches(values: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Consecutive lists of `size` values of an iterable; the last one may be shorter."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch
