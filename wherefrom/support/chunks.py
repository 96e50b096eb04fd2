"""Splits sequences and streams into parts, and groups values: by key, or by the pairs that link them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


def chunks(values: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Consecutive parts of `size` items; the last one may be shorter."""
    return (values[begin : begin + size] for begin in range(0, len(values), size))


def batches(values: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Consecutive lists of `size` values of an iterable; the last one may be shorter."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch


def weighed(values: Iterable[Item], weight: Callable[[Item], int], *, most: int, count: int) -> Iterator[list[Item]]:
    """Consecutive lists of values: each ends at `count` values, or once they weigh `most`."""
    batch: list[Item] = []
    left = most
    for value in values:
        batch.append(value)
        left -= weight(value)
        if left <= 0 or len(batch) >= count:
            yield batch
            batch, left = [], most
    if batch:
        yield batch


def by_key(pairs: Iterable[tuple[Key, Item]]) -> defaultdict[Key, list[Item]]:
    """The values of each key, in their order; the keys in the order of their first pairs."""
    found: defaultdict[Key, list[Item]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def linked(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Groups the numbers in `pairs`: two are in one group if a pair links them, or several pairs through other numbers.
    Groups are ascending, the largest first; of equally large ones, that with the smallest number.
    """
    groups: dict[int, list[int]] = {}
    for one, other in pairs:
        smaller, larger = sorted((groups.setdefault(one, [one]), groups.setdefault(other, [other])), key=len)
        if smaller is not larger:
            larger += smaller
            groups.update(dict.fromkeys(smaller, larger))
    distinct = {id(group): sorted(group) for group in groups.values()}
    return sorted(distinct.values(), key=lambda group: (-len(group), group))
