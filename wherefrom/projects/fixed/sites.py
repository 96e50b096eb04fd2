"""What is looked up of a change: differences that are near each other, and the code around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.fitted import FEW_LINES
from wherefrom.projects.fixed.sides import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from wherefrom.projects.fixed.differences import Difference
    from wherefrom.projects.fixed.functions import ChangedFunction

CONTEXT = 2 * FEW_LINES
"""Tokens before and after a difference that are looked up with it."""

LONGEST_SITE = 560
"""Tokens that are looked up together, below `LONG_QUERY`."""


@dataclass(frozen=True, slots=True)
class Part(Span):
    """One form of a site. `differs` marks the tokens that the other form does not have, and none if there is no other
    form.
    """

    differs: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Site:
    """What is looked up together: some differences and what is around them, in both forms."""

    old: Part | None
    new: Part | None
    differences: tuple[Difference, ...]


def sites(function: ChangedFunction) -> Iterator[Site]:
    """What is looked up of a changed function."""
    has_both = function.old is not None and function.new is not None
    for group in grouped(function.differences):
        olds = [(difference.old_begin, difference.old_end) for difference in group]
        news = [(difference.new_begin, difference.new_end) for difference in group]
        old, new = (
            None if span is None else _part(span, changed, changed if has_both else ())
            for span, changed in ((function.old, olds), (function.new, news))
        )
        yield Site(old, new, tuple(group))


def grouped(differences: Iterable[Difference]) -> list[list[Difference]]:
    """Differences that are near each other, each group short enough to be looked up together with what is around it."""
    groups: list[list[Difference]] = []
    for difference in differences:
        is_near = groups and difference.old_begin - groups[-1][-1].old_end <= 2 * CONTEXT
        if is_near and _length(groups[-1][0], difference) <= LONGEST_SITE - 2 * CONTEXT:
            groups[-1].append(difference)
        else:
            groups.append([difference])
    return groups


def around(begin: int, end: int, first: int, last: int) -> tuple[int, int]:
    """The span `begin` to `end` with what is around it from `first` to `last`, no longer than is looked up together."""
    begin = max(begin - CONTEXT, first)
    return begin, min(end + CONTEXT, last, begin + LONGEST_SITE)


def _length(first: Difference, last: Difference) -> int:
    """From the one to the other, on the longer side."""
    return max(last.old_end - first.old_begin, last.new_end - first.new_begin)


def _part(whole: Span, changed: Sequence[tuple[int, int]], marked: Sequence[tuple[int, int]]) -> Part:
    begin, end = around(changed[0][0], changed[-1][1], whole.begin, whole.end)
    differs = np.zeros(end - begin, np.bool_)
    for first, last in marked:
        differs[max(first - begin, 0) : max(last - begin, 0)] = True
    return Part(whole.side, begin, end, differs)
