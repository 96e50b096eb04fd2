"""The parts of a change that are looked up."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.fixed.code import file, side
from wherefrom.projects.fixed.sites import CONTEXT, LONGEST_SITE, Difference, TokenSpan, grouped, sites

OLD, NEW = side(file(*range(40))), side(file(*range(50)))


@st.composite
def changes(draw: st.DrawFn) -> list[Difference]:
    """Differences, in order, in texts of up to 1,500 tokens."""
    found, old, new = [], 0, 0
    for _ in range(draw(st.integers(1, 8))):
        equal = draw(st.integers(1, 200))
        old, new = old + equal, new + equal
        old_end, new_end = old + draw(st.integers(0, 40)), new + draw(st.integers(0, 40))
        found.append(Difference((old, old_end), (new, new_end)))
        old, new = old_end, new_end
    return found


@given(changes())
def test_every_difference_is_looked_up_with_what_is_around_it(found: list[Difference]) -> None:
    looked_up = list(sites(TokenSpan(OLD, 0, len(OLD.stream)), TokenSpan(NEW, 0, len(NEW.stream)), found))
    for site, group in zip(looked_up, grouped(found), strict=True):
        first, last = group[0], group[-1]
        for part, begin, end in (
            (site.old, first.old[0], last.old[1]),
            (site.new, first.new[0], last.new[1]),
        ):
            assert part is not None
            assert part.begin == max(begin - CONTEXT, 0)
            assert part.end == min(end + CONTEXT, len(part.side.stream))
            assert len(part) <= LONGEST_SITE
        assert site.old is not None
        marked = np.flatnonzero(site.old.differs) + site.old.begin
        assert marked.tolist() == [at for difference in group for at in range(*difference.old)]


@given(changes())
def test_groups_are_of_neighbors(found: list[Difference]) -> None:
    groups = grouped(found)
    assert [difference for group in groups for difference in group] == found
    for group in groups:
        assert all(other.old[0] - one.old[1] <= 2 * CONTEXT for one, other in pairwise(group))


def test_a_function_of_one_form_is_looked_up_from_its_begin() -> None:
    whole = Difference((100, 1100), (0, 0))
    [site] = sites(TokenSpan(OLD, 100, 1100), None, [whole])
    assert site.new is None
    assert site.old is not None
    assert (site.old.begin, site.old.end) == (100, 100 + LONGEST_SITE)
    assert not site.old.differs.any()
