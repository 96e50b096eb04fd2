"""What is looked up of a change: differences that are near each other, and the code around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import FEW_LINES
from wherefrom.model import Representation
from wherefrom.projects.fixed.differences import Difference, Tokens
from wherefrom.projects.fixed.sides import Span

CONTEXT = 2 * FEW_LINES
"""Tokens before and after a difference that are looked up with it."""

LONGEST_SITE = 560
"""Tokens that are looked up together, below `LONG_QUERY`."""

MARGIN = SCHEMES[Representation.EXACT].k
"""Tokens of a document around a changed place in which its k-grams are looked for: what is equal on both sides of a
difference may be counted to either."""

NEAR = 2 * MARGIN
"""Equal tokens between two differences up to which they are judged as one: their margins touch."""


@dataclass(frozen=True, slots=True)
class SiteForm(Span):
    """One form of a site. `differs` marks the tokens that the other form does not have, and none if there is no other
    form.
    """

    differs: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Site:
    """What is looked up together: some differences with the code around them.

    Attributes:
        old, new: both forms.
        differences: in their order.
        changes: the differences as they are shown and judged: those near each other as one.
    """

    old: SiteForm | None
    new: SiteForm | None
    differences: tuple[Difference, ...]
    changes: tuple[Difference, ...]


def sites(old: Span | None, new: Span | None, differences: Sequence[Difference]) -> Iterator[Site]:
    """What is looked up of a changed function."""
    has_both = old is not None and new is not None
    for group in grouped(differences):
        olds, news = [difference.old for difference in group], [difference.new for difference in group]
        yield Site(
            None if old is None else _part(old, olds, olds if has_both else ()),
            None if new is None else _part(new, news, news if has_both else ()),
            tuple(group),
            tuple(changes(group)),
        )


def grouped(differences: Sequence[Difference]) -> list[list[Difference]]:
    """Differences near each other, in groups that are short enough to be looked up with what is around them."""

    def is_near(group: list[Difference], difference: Difference) -> bool:
        whole = group[0].joined(difference)
        longer = max(end - begin for begin, end in (whole.old, whole.new))
        return difference.old[0] - group[-1].old[1] <= 2 * CONTEXT and longer <= LONGEST_SITE - 2 * CONTEXT

    return _groups(differences, is_near)


def changes(differences: Sequence[Difference]) -> list[Difference]:
    """Differences as they are judged: those near each other as one."""

    def is_near(group: list[Difference], difference: Difference) -> bool:
        last = group[-1]
        return difference.old[0] - last.old[1] <= NEAR and difference.new[0] - last.new[1] <= NEAR

    return [group[0].joined(group[-1]) for group in _groups(differences, is_near)]


def _groups(
    differences: Sequence[Difference], is_near: Callable[[list[Difference], Difference], bool]
) -> list[list[Difference]]:
    groups: list[list[Difference]] = []
    for difference in differences:
        if groups and is_near(groups[-1], difference):
            groups[-1].append(difference)
        else:
            groups.append([difference])
    return groups


def around(begin: int, end: int, first: int, last: int) -> Tokens:
    """The span `begin` to `end` with its context from `first` to `last`, at most `LONGEST_SITE` tokens."""
    begin = max(begin - CONTEXT, first)
    return begin, min(end + CONTEXT, last, begin + LONGEST_SITE)


def _part(whole: Span, changed: Sequence[Tokens], marked: Sequence[Tokens]) -> SiteForm:
    begin, end = around(changed[0][0], changed[-1][1], whole.begin, whole.end)
    differs = np.zeros(end - begin, np.bool_)
    for first, last in marked:
        differs[max(first - begin, 0) : max(last - begin, 0)] = True
    return SiteForm(whole.side, begin, end, differs)
