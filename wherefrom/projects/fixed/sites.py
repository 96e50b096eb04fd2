"""The parts of a change that are looked up: differences near each other, with the code around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import FEW_LINES
from wherefrom.model import Representation
from wherefrom.projects.fixed.differences import Difference, Tokens
from wherefrom.projects.fixed.sides import TokenSpan

CONTEXT = 2 * FEW_LINES
"""A difference is looked up together with this many tokens before it and after it."""

LONGEST_SITE = 560
"""The highest number of tokens of one search, less than `LONG_QUERY`."""

MARGIN = SCHEMES[Representation.EXACT].k
"""The k-grams of a change are also searched in this many tokens of a document before and after the changed place: if
equal tokens are beside a difference, its exact position is arbitrary."""

NEAR = 2 * MARGIN
"""Two differences with at most this many equal tokens between them are judged as one, since their margins touch."""


@dataclass(frozen=True, slots=True)
class SiteForm(TokenSpan):
    """One form of a site. `differs` marks the tokens that the other form lacks, or none if there is no other form."""

    differs: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Site:
    """Some differences with the code around them, looked up by one search for each form.

    Attributes:
        old, new: both forms; None if the function did not exist then.
        changes: the differences as they are shown and judged: those near each other joined into one.
    """

    old: SiteForm | None
    new: SiteForm | None
    changes: tuple[Difference, ...]


def sites(old: TokenSpan | None, new: TokenSpan | None, differences: Sequence[Difference]) -> Iterator[Site]:
    """The sites of a changed function."""
    has_both = old is not None and new is not None
    for group in grouped(differences):
        olds, news = [difference.old for difference in group], [difference.new for difference in group]
        yield Site(
            None if old is None else _part(old, olds, olds if has_both else ()),
            None if new is None else _part(new, news, news if has_both else ()),
            tuple(changes(group)),
        )


def grouped(differences: Sequence[Difference]) -> list[list[Difference]]:
    """Groups differences near each other. Each group is short enough for one search with the code around it."""

    def is_near(group: list[Difference], difference: Difference) -> bool:
        whole = group[0].joined(difference)
        longer = max(end - begin for begin, end in (whole.old, whole.new))
        return difference.old[0] - group[-1].old[1] <= 2 * CONTEXT and longer <= LONGEST_SITE - 2 * CONTEXT

    return _groups(differences, is_near)


def changes(differences: Sequence[Difference]) -> list[Difference]:
    """Joins differences near each other into one, since they are judged together."""

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
    """The span `begin` to `end` with its context, within `first` to `last` and at most `LONGEST_SITE` tokens long."""
    begin = max(begin - CONTEXT, first)
    return begin, min(end + CONTEXT, last, begin + LONGEST_SITE)


def _part(whole: TokenSpan, changed: Sequence[Tokens], marked: Sequence[Tokens]) -> SiteForm:
    begin, end = around(changed[0][0], changed[-1][1], whole.begin, whole.end)
    differs = np.zeros(end - begin, np.bool_)
    for first, last in marked:
        differs[max(first - begin, 0) : max(last - begin, 0)] = True
    return SiteForm(whole.side, begin, end, differs)
