"""Grouping: (nearly) identical blobs are one hit, others are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, marks, stream, words
from tests.queries.indexes import document
from wherefrom.analyzers import kernel
from wherefrom.fitted import NEARLY_IDENTICAL
from wherefrom.queries.grouping.copies import Groups, jaccard, sketch
from wherefrom.support import extension
from wherefrom.support.values import replace

if TYPE_CHECKING:
    from wherefrom.model import Hashes


def hashes(values: set[int]) -> Hashes:
    return np.array(sorted(values), np.uint64)


def grouped(*texts: list[Token]) -> list[list[str]]:
    groups = Groups()
    for at, text in enumerate(texts):
        groups.add(f"b{at}", sketch(document(stream(text))))
    assert len(groups) == len(groups.members)
    return list(groups.members.values())


@given(st.sets(st.integers(0, 300)), st.sets(st.integers(0, 300)))
def test_the_resemblance_of_short_texts_is_their_jaccard_index(one: set[int], other: set[int]) -> None:
    expected = len(one & other) / len(one | other) if one | other else 1
    assert jaccard(hashes(one), hashes(other)) == expected


@pytest.mark.parametrize("changed", [0, 100, 400, 1500, 4000])
def test_the_resemblance_of_long_texts_is_estimated(changed: int) -> None:
    one, other = marks(0, 4000), marks(changed, 4000 + changed)
    exact = (4000 - changed) / (4000 + changed)
    assert jaccard(sketch(document(stream(one))), sketch(document(stream(other)))) == pytest.approx(exact, abs=0.06)


def test_a_sketch_does_not_grow_with_the_text() -> None:
    assert len(sketch(document(stream(marks(0, 5000))))) == 512


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize(
    "segments",
    [[], [marks(0, 4)], [marks(0, 9000)], [letters("some prose " * 9), marks(0, 300), letters("more of it " * 900)]],
)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99, 1.0])
def test_the_kernel_makes_the_same_sketch(segments: list[list[Token]], share: float) -> None:
    given = document(stream(*segments))
    given.blob = replace(given.blob, token_count=round(share * given.blob.token_count))
    native, text = kernel.active(), given.text.native
    assert native is not None
    assert text is not None
    made = sketch(given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(extension.VARIABLE, "0")
        plain = sketch(given)
    assert (made.dtype, made.tolist()) == (plain.dtype, plain.tolist())
    for wrong in (((0, 16), 9, 512), ((8, 16), 9, 0)):
        with pytest.raises(ValueError, match="a sketch has k-grams"):
            native._native.sketch(text, *wrong)


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
    """The middle text is nearly identical to the first and to the last one, but these two are not to each other."""
    first, middle, last = marks(0, 300), marks(10, 310), marks(20, 320)
    assert grouped(first, middle, last) == [["b0", "b1"], ["b2"]]
    assert grouped(first, last, middle) == [["b0", "b2"], ["b1"]]
    assert grouped(middle, first, last) == [["b0", "b1", "b2"]]


@st.composite
def families(draw: st.DrawFn) -> list[Hashes]:
    """Sketches made from one to three originals by changing some hashes. Some are empty, short or cut off."""
    size = draw(st.sampled_from([0, 1, 2, 9, 10, 11, 40, 500, 512, 540, 1200]))
    seed = draw(st.integers(0, 2**32))
    random = np.random.default_rng(seed)
    originals = [random.choice(2**40, size, replace=False).astype(np.uint64) for _ in range(draw(st.integers(1, 3)))]
    sketches = []
    for _ in range(draw(st.integers(1, 25))):
        original = originals[random.integers(len(originals))]
        # Removes up to 30 % of the hashes, around the limit of being nearly identical.
        kept = original[random.random(len(original)) >= random.choice([0, 0.03, 0.05, 0.1, 0.3])]
        added = random.choice(2**40, int(random.choice([0, 1, size * 0.05])), replace=False).astype(np.uint64)
        sketches.append(np.unique(np.concatenate((kept, added)))[:512])
    return sketches


def plainly_grouped(sketches: list[Hashes]) -> list[list[int]]:
    """The groups by comparing each sketch with all leaders: it joins the first one that it is nearly identical to."""
    members: dict[int, list[int]] = {}
    for number, own in enumerate(sketches):
        near = (leader for leader in members if jaccard(own, sketches[leader]) >= NEARLY_IDENTICAL)
        members.setdefault(next(near, number), []).append(number)
    return list(members.values())


@pytest.mark.usefixtures("both_ways")
@given(families())
def test_groups_are_those_of_the_definition(sketches: list[Hashes]) -> None:
    groups = Groups()
    for number, own in enumerate(sketches):
        groups.add(str(number), own)
    assert [list(map(int, members)) for members in groups.members.values()] == plainly_grouped(sketches)
