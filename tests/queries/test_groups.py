"""Grouping: (nearly) identical blobs are one hit, others are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, marks, stream, words
from tests.queries.indexes import document
from wherefrom.queries.groups import Groups, resemblance, sketch

if TYPE_CHECKING:
    from wherefrom.model import Hashes


def hashes(values: set[int]) -> Hashes:
    return np.array(sorted(values), np.uint64)


def grouped(*texts: list[Token]) -> list[list[str]]:
    groups = Groups()
    for at, text in enumerate(texts):
        groups.add(document(stream(text), f"b{at}"))
    assert len(groups) == len(groups.members)
    return list(groups.members.values())


@given(st.sets(st.integers(0, 300)), st.sets(st.integers(0, 300)))
def test_the_resemblance_of_short_texts_is_their_jaccard_index(one: set[int], other: set[int]) -> None:
    expected = len(one & other) / len(one | other) if one | other else 1
    assert resemblance(hashes(one), hashes(other)) == expected


@pytest.mark.parametrize("changed", [0, 100, 400, 1500, 4000])
def test_the_resemblance_of_long_texts_is_estimated(changed: int) -> None:
    one, other = marks(0, 4000), marks(changed, 4000 + changed)
    exact = (4000 - changed) / (4000 + changed)
    assert resemblance(sketch(document(stream(one))), sketch(document(stream(other)))) == pytest.approx(exact, abs=0.06)


def test_a_sketch_does_not_grow_with_the_text() -> None:
    assert len(sketch(document(stream(marks(0, 5000))))) == 512


def test_the_same_text_at_several_places_is_one_group() -> None:
    assert grouped(marks(0, 50), marks(0, 50), marks(0, 50)) == [["b0", "b1", "b2"]]


def test_a_small_edit_stays_in_the_group_and_a_great_one_does_not() -> None:
    text = marks(0, 400)
    small = [*text[:200], *words("edited"), *text[201:]]
    great = [*text[:200], *marks(1000, 1200)]
    assert grouped(text, small, great) == [["b0", "b1"], ["b2"]]


def test_a_part_is_not_grouped_with_the_whole() -> None:
    assert grouped(marks(0, 400), marks(0, 200)) == [["b0"], ["b1"]]


def test_a_renamed_copy_is_a_hit_of_its_own() -> None:
    assert grouped(words("a = b ; " * 5), words("c = d ; " * 5)) == [["b0"], ["b1"]]


def test_prose_is_grouped_by_its_letters() -> None:
    text = "the quick brown fox jumps over the lazy dog and is seen no more in these woods"
    assert grouped(letters(text), letters(text), letters(text[::-1])) == [["b0", "b1"], ["b2"]]


def test_each_joins_the_first_leader_that_it_is_nearly_identical_to() -> None:
    """The middle one is near both ends, which are not near each other."""
    first, middle, last = marks(0, 300), marks(10, 310), marks(20, 320)
    assert grouped(first, middle, last) == [["b0", "b1"], ["b2"]]
    assert grouped(first, last, middle) == [["b0", "b2"], ["b1"]]
    assert grouped(middle, first, last) == [["b0", "b1", "b2"]]
