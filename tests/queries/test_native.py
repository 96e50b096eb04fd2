"""Chains and the growth of runs: the kernel gives the same results as Python."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, marks, stream, words
from tests.queries.indexes import document, index
from wherefrom.analyzers import kernel
from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import Alignment, align
from wherefrom.queries.alignment.chains import BAND, heaviest_chain
from wherefrom.queries.alignment.runs import MatchedRun, Sides, matched_runs, nearest_runs
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.support import extension

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

pytestmark = pytest.mark.usefixtures("with_kernel")


def same_in_python(ask: Callable[[], object]) -> bool:
    """Whether a call gives the same with the kernel and without it."""
    assert kernel.active() is not None
    found = ask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(extension.VARIABLE, "0")
        assert kernel.active() is None
        return bool(found == ask())


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=80, unique=True),
    st.lists(st.floats(0.001, 9), min_size=80, max_size=80),
)
def test_chains(places: list[tuple[int, int]], weights: list[float]) -> None:
    """The weights are not whole numbers, so their sums depend on the order of addition."""
    ordered = sorted(places, key=lambda pair: (pair[0], -pair[1]))
    query = np.array([own for _, own in ordered], np.int64)
    given = np.array(weights[: len(ordered)])

    def ask() -> tuple[float, list[int]]:
        weight, chosen = heaviest_chain(query, given)
        return weight, chosen.tolist()

    assert same_in_python(ask)


CODE = st.lists(st.sampled_from(words('a b c d = = ; ( . 1 2 "s" "t"')), max_size=30)
PROSE = st.text("ab é1", max_size=20).map(letters)
REPRESENTATIONS = (Representation.EXACT, Representation.RENAMED, Representation.P_MATCH)


def listed(alignment: Alignment) -> list[object]:
    return [
        (alignment.score, each, replace(chain, query=places[0], document=places[1]))
        for each, chain in alignment.chains.items()
        for places in [(chain.query.tolist(), chain.document.tolist())]
    ]


@given(st.data())
def test_alignments(data: st.DataObject) -> None:
    """Includes k-grams so frequent that their pairs are banded, masked tokens, and narrow windows."""
    tokens = data.draw(CODE.filter(bool))
    query = stream(tokens * data.draw(st.sampled_from((1, 2, 20))))
    others = tokens * data.draw(st.integers(0, 2)) + data.draw(CODE)
    found = stream((others + tokens) * data.draw(st.sampled_from((1, 3, 20))), *data.draw(st.lists(CODE, max_size=1)))
    prepared = prepare(query, index(query, stream(marks(0, 40))))
    masked = np.zeros(len(query), np.bool_)
    masked[data.draw(st.integers(0, len(query))) :: data.draw(st.integers(1, 9))] = True
    width = data.draw(st.none() | st.integers(1, 100))
    candidate = document(found)
    for part in prepared.parts:
        assert same_in_python(lambda part=part: listed(align(part, candidate, masked, width=width)))  # type: ignore[misc]


def test_alignments_of_rows() -> None:
    """Each k-gram of a row occurs forty times on both sides, so its pairs are banded."""
    row = words('{ a , 1 , b , "s" } , ')
    query, found = stream(row * 40), document(stream(marks(0, 7) + row * 45))
    (part, *_) = prepare(query, index(query, stream(marks(0, 40)))).parts
    assert same_in_python(lambda: listed(align(part, found, np.zeros(len(query), np.bool_))))
    chains = align(part, found, np.zeros(len(query), np.bool_)).chains
    assert chains.keys() == set(REPRESENTATIONS)
    assert all(len(chain.query) > BAND for chain in chains.values())


@st.composite
def runs(draw: st.DrawFn, query: Sequence[Token], document: Sequence[Token]) -> list[MatchedRun]:
    """Pairs of equally long spans of the two texts, whether their tokens agree or not."""
    found = []
    for _ in range(draw(st.integers(0, 4))):
        length = draw(st.integers(1, min(len(query), len(document), 6)))
        begin = draw(st.integers(0, len(query) - length))
        there = draw(st.integers(0, len(document) - length))
        found.append(MatchedRun(there - begin, begin, begin + length, draw(st.sampled_from(REPRESENTATIONS))))
    return found


@given(st.data())
def test_growth(data: st.DataObject) -> None:
    """Runs grow alike before their first token and after their last one, over names, literals and masked tokens."""
    query = data.draw((CODE | PROSE).filter(bool))
    # Most tokens of the document are the query's, some are replaced, and the first ones are left out.
    document = [data.draw(st.sampled_from(words("a b x y"))) if data.draw(st.integers(0, 5)) == 0 else t for t in query]
    document = document[data.draw(st.integers(0, len(document) - 1)) :] + data.draw(CODE)
    masked = np.array(data.draw(st.lists(st.booleans(), min_size=len(query), max_size=len(query))))
    masked &= data.draw(st.booleans())
    sides = Sides.of(stream(query), stream(document))
    aligned = data.draw(runs(query, document))
    assert same_in_python(lambda: matched_runs(sides, aligned, masked))
    assert same_in_python(lambda: matched_runs(sides, aligned, masked, is_once=False))
    found = matched_runs(sides, aligned, masked)
    others = data.draw(runs(query, document))
    if found:
        nothing = np.zeros(len(document), np.bool_)
        assert same_in_python(lambda: nearest_runs(sides, found, others, masked, nothing))


def test_the_kernel_refuses_what_is_outside_of_a_text() -> None:
    native = kernel.active()
    assert native is not None
    nothing = np.zeros(3, np.uint8)
    side = (np.zeros(3, np.uint64), nothing, nothing, nothing)
    assert native.grown(side, side, [(0, 1, 2, True)]) == [(0, 3)]
    for run in ((0, 2, 4, True), (2, 1, 2, True), (-1, 0, 1, True), (0, 2, 1, True), (2**62, 0, 1, True)):
        with pytest.raises(ValueError, match="inside of both texts"):
            native.grown(side, side, [run])
    with pytest.raises(ValueError, match="all values for each token"):
        native.grown((side[0], nothing[:2], nothing, nothing), side, [])
    with pytest.raises(ValueError, match="each pair has a weight"):
        native.heaviest_chain(np.zeros(2, np.int64), np.zeros(1))


def test_the_kernel_refuses_what_is_not_of_a_window() -> None:
    native = kernel.active()
    assert native is not None
    counts, heaviest, weights = np.array([2, 1], np.uint32), np.ones(2), np.ones(3)
    positions = np.array([0, 4, 2])
    window = native.chained([(3, counts, heaviest, positions, weights)])
    where, masked = np.array([1, 5]), np.zeros(7, np.uint8)
    assert len(window.chains([(0, where, np.array([0, 1]))], 9, masked, often=9, band=4)) == 1
    for number, numbers, tokens in ((1, [0, 1], 7), (0, [0, 2], 7), (0, [0, -1], 7), (0, [0], 7), (0, [0, 1], 6)):
        with pytest.raises(ValueError, match="is of the window"):
            window.chains([(number, where, np.array(numbers))], 9, masked[:tokens], often=9, band=4)
    with pytest.raises(ValueError, match="is of the window"):
        window.chains([(0, where[::-1].copy(), np.array([0, 1]))], 9, masked, often=9, band=4)
    for wrong in (
        (0, counts, heaviest, positions, weights),
        (3, counts[:1], heaviest, positions, weights),
        (3, counts, heaviest, positions[:2], weights),
        (3, counts, heaviest, positions, weights[:2]),
        (3, counts, heaviest, -positions, weights),
    ):
        with pytest.raises(ValueError, match="has its values"):
            native.chained([wrong])
