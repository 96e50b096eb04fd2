"""Chains: the kernel gives the same results as Python. And what the kernel refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import stream, words
from wherefrom.analyzers import kernel
from wherefrom.analyzers.tokens import encode
from wherefrom.errors import IndexDamaged
from wherefrom.queries.alignment.aligning import Aligner
from wherefrom.queries.alignment.chains import heaviest_chain
from wherefrom.queries.preparation.background import background
from wherefrom.support import extension

if TYPE_CHECKING:
    from collections.abc import Callable

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


def test_the_kernel_refuses_pairs_without_a_weight() -> None:
    native = kernel.active()
    assert native is not None
    with pytest.raises(ValueError, match="each pair has a weight"):
        native.heaviest_chain(np.zeros(2, np.int64), np.zeros(1))


def test_the_kernel_refuses_the_symbols_of_what_is_no_stream() -> None:
    text = stream(words("a = b . c ( d , 1 ) ;"))
    aligner = Aligner(text, background().bits(text, np.zeros(len(text), np.bool_)), 0, len(text))
    stored = encode(text)
    assert aligner.most(stored) > 0
    for wrong in (b"", b"\x50" + stored[1:], stored[:20], stored[:40]):
        with pytest.raises(IndexDamaged):
            aligner.most(wrong)


def test_the_kernel_refuses_what_is_no_query() -> None:
    native = kernel.active()
    assert native is not None
    costs = {"misfit": 256, "other": 32, "drop": 640, "least": 384, "open": 64, "gap": 3}
    most = {"most_blocks": 400, "most_pairs": 9, "most_places": 9, "filled": 8}
    text, rules = stream(words("a = b . c ( d , 1 ) ;")), {"seed": 4, "seed_bits": 256, "begins": True, "ends": True}
    rules |= costs | most
    values = np.ones(len(text), np.int32)
    native.evidence(text.codes, text.classes, values, values, values, rules)
    for wrong in (
        (text.codes, text.classes, values[:-1], values, values, rules),
        (text.codes, text.classes, values, values[:-1], values, rules),
        (text.codes, text.classes, values, values, values[:-1], rules),
        (text.codes, text.classes[:-1], values, values, values, rules),
        (text.codes, text.classes, values, values, values, {**rules, "seed": 0}),
    ):
        with pytest.raises(ValueError, match="token"):
            native.evidence(*wrong)
