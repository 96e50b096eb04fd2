"""Pairs counted from postings against pairs counted one by one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.compare import counting
from wherefrom.compare.collection import Members
from wherefrom.compare.counting import Counted, count_pairs
from wherefrom.engines.engine import Postings
from wherefrom.model import Representation
from wherefrom.results import Role

EXACT, RENAMED = Representation.EXACT, Representation.RENAMED

TERMS = st.lists(st.sets(st.integers(0, 12), max_size=6), min_size=1, max_size=9)


def members(submissions: list[int], authors: list[int] | None = None, roles: list[Role] | None = None) -> Members:
    """Files with different blobs, each in one of the submissions."""
    count = max(submissions) + 1
    return Members(
        [str(number) for number in range(len(submissions))],
        np.arange(len(submissions)),
        np.array(submissions),
        np.array(authors or range(count)),
        roles or [Role.SUBMISSION] * count,
    )


def postings(terms_of: list[set[int]], parts: int = 2) -> Iterator[Postings]:
    """The postings of one representation, in some parts."""
    pairs = sorted((term, blob) for blob, terms in enumerate(terms_of) for term in terms)
    for part in range(parts):
        own = [(term, blob) for term, blob in pairs if term % parts == part]
        yield Postings(
            EXACT, np.array([term for term, _ in own], np.uint64), np.array([blob for _, blob in own], np.int64)
        )


def sums(counted: Counted) -> dict[tuple[int, int], float]:
    columns = (counted.left, counted.right, counted.weights)
    return {(left, right): weight for left, right, weight in zip(*(c.tolist() for c in columns), strict=True)}


def expected(terms_of: list[set[int]], who: Members) -> dict[tuple[int, int], float]:
    """The sums, by looking at every pair."""
    owners = who.submission_of.tolist()
    units, total = who.units.tolist(), who.unit_count
    found = {}
    for left, right in itertools.combinations(range(len(terms_of)), 2):
        meet = who.may_meet(np.array([owners[left]]), np.array([owners[right]]))[0]
        weight = 0.0
        for term in terms_of[left] & terms_of[right]:
            having = len({unit for unit, terms in zip(units, terms_of, strict=True) if term in terms})
            weight += math.log1p((total - having + 0.5) / (having + 0.5))
        if meet and terms_of[left] & terms_of[right]:
            found[left, right] = weight
    return found


@given(terms_of=TERMS, data=st.data())
def test_the_pairs_and_weights_are_those_of_every_pair(terms_of: list[set[int]], data: st.DataObject) -> None:
    submissions = sorted(data.draw(st.lists(st.integers(0, 3), min_size=len(terms_of), max_size=len(terms_of))))
    numbers = {old: new for new, old in enumerate(sorted(set(submissions)))}
    count = len(numbers)
    who = members(
        [numbers[each] for each in submissions],
        data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)),
        sorted(data.draw(st.lists(st.sampled_from([Role.SUBMISSION, Role.WITH]), min_size=count, max_size=count))),
    )
    counted = count_pairs(postings(terms_of), who, max_share=1.0, excluded={})

    assert sums(counted) == pytest.approx(expected(terms_of, who))
    pairs = list(zip(counted.left.tolist(), counted.right.tolist(), strict=True))
    assert pairs == sorted(pairs)
    assert counted.unused_terms == len(counted.common) == counted.dropped_pairs == 0


def test_common_and_excluded_terms_give_no_pairs() -> None:
    terms_of = [{1, 2, number + 10} for number in range(20)]
    terms_of[3].add(5)
    terms_of[7].add(5)

    counted = count_pairs(
        postings(terms_of), members(list(range(20))), max_share=0.6, excluded={EXACT: np.array([2], np.uint64)}
    )

    assert {*sums(counted)} == {(3, 7)}
    assert [len(terms) for terms in counted.common.values()] == [1]
    assert counted.common[EXACT].tolist() == [1]
    assert counted.frequencies[EXACT].of(np.array([1, 2, 5, 13], np.uint64)).tolist() == [0, 0, 2, 0]
    alone = math.log1p((20 - 1 + 0.5) / 1.5)
    assert counted.totals[0] == pytest.approx(alone)


def test_a_term_in_ten_submissions_is_never_too_common() -> None:
    counted = count_pairs(postings([{1}] * 10), members(list(range(10))), max_share=0.1, excluded={})

    assert len(counted.left) == 45
    assert not counted.common


def test_beyond_the_budget_the_rarest_terms_have_given_their_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_COUNTED", 3)
    terms_of = [{100}, {100, 200}, {200}, {200}, {200}]

    counted = count_pairs(postings(terms_of), members(list(range(5))), max_share=1.0, excluded={})

    assert {*sums(counted)} == {(0, 1)}
    assert counted.unused_terms == 1


def test_pairs_beyond_what_is_held_are_dropped_by_weight_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "DENSE", 0)
    monkeypatch.setattr(counting, "MOST_HELD", 4)
    heavy = set(range(100, 120))
    terms_of = [{1, *heavy}, {1, *heavy}, *({1} for _ in range(8))]

    counted = count_pairs(postings(terms_of, parts=1), members(list(range(10))), max_share=1.0, excluded={})

    assert (0, 1) in sums(counted)
    assert counted.dropped_pairs > 0


def test_one_content_in_two_submissions_is_a_pair() -> None:
    who = Members(["a"], np.array([0, 0]), np.array([0, 1]), np.array([0, 1]), [Role.SUBMISSION] * 2)

    assert {*sums(count_pairs(postings([{1, 2}]), who, max_share=1.0, excluded={}))} == {(0, 1)}


def test_possible_pairs_are_those_that_may_meet() -> None:
    roles = [Role.SUBMISSION, Role.SUBMISSION, Role.SUBMISSION, Role.ARCHIVE, Role.ARCHIVE]
    for authors in ([0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 0]):
        for last in (Role.ARCHIVE, Role.WITH):
            who = members(list(range(5)), authors, [*roles[:3], last, last])
            pairs = [np.array(side) for side in zip(*itertools.combinations(range(5), 2), strict=True)]
            allowed, _ = who.possible_pairs()
            assert allowed == np.count_nonzero(who.may_meet(*pairs))
            strangers = members(list(range(5)), None, [*roles[:3], last, last])
            assert sum(who.possible_pairs()) == strangers.possible_pairs()[0]
