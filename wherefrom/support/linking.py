"""Groups numbers by the pairs that link them."""

from __future__ import annotations

from collections.abc import Iterable


def linked(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Groups the numbers in `pairs`. Two numbers are in one group if a pair links them, or several pairs do through
    other numbers. Each group is ascending. The largest group comes first; of equally large ones, the group with the
    smallest number.
    """
    groups: dict[int, list[int]] = {}
    for one, other in pairs:
        smaller, larger = sorted((groups.setdefault(one, [one]), groups.setdefault(other, [other])), key=len)
        if smaller is not larger:
            larger += smaller
            groups.update(dict.fromkeys(smaller, larger))
    distinct = {id(group): sorted(group) for group in groups.values()}
    return sorted(distinct.values(), key=lambda group: (-len(group), group))
