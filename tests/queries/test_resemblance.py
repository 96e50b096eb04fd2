from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.queries.memory import peak
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.tokens import encode
from wherefrom.fitted import LONG_FILE
from wherefrom.model import Representation, StoredBlob
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.similarity import resemblance as module
from wherefrom.queries.similarity.resemblance import (
    InCommon,
    Measure,
    Original,
    Places,
    common_subsequence,
    dice,
    measures,
)

SEQUENCES = st.lists(st.integers(0, 5), max_size=40)
CODE = "def f{n}(a, b):\n    total{n} = a.first + b\n    return [total{n}, {n}, other(a)]\n"
PAIRS = (Measure(Representation.RENAMED, 2, 1.0),)


def document(code: str) -> DocumentTokens:
    tokens = analyze_snippet(code.encode(), language="python").tokens
    return DocumentTokens(StoredBlob("", "python", len(code), len(tokens), encode(tokens)))


def by_table(one: list[int], other: list[int]) -> int:
    """The longest common subsequence, by the textbook's table."""
    row = [0] * (len(other) + 1)
    for element in one:
        before = row
        row = [0]
        for at, each in enumerate(other):
            row.append(before[at] + 1 if element == each else max(row[at], before[at + 1]))
    return row[-1]


@given(SEQUENCES, SEQUENCES, st.booleans())
def test_the_common_subsequence_is_as_long_as_the_table_says(one: list[int], other: list[int], is_short: bool) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_SHORT", 40 if is_short else 0)
        assert common_subsequence(Places(one), other) == by_table(one, other)


@pytest.mark.slow
def test_the_places_in_a_long_sequence_take_memory_in_proportion_to_it() -> None:
    once, twice = list(range(1 << 14)), list(range(1 << 15))
    assert peak(lambda: Places(twice)) < 2.5 * peak(lambda: Places(once))


def test_a_file_resembles_itself_wholly_and_its_renamed_copy_much() -> None:
    text = "".join(CODE.format(n=n) for n in range(30))
    one, renamed = document(text), document(text.replace("total", "sum_").replace("b", "c"))
    original = Original(one)
    assert dice(original.shared(one)) == 1.0
    assert 0.7 < dice(original.shared(renamed)) < 1.0


def test_a_file_inside_a_three_times_longer_one_resembles_it_by_a_half() -> None:
    shared = (InCommon(PAIRS[0], 10, 10, 30),)
    assert dice(shared) == 0.5
    assert dice(()) == 0.0


@given(st.integers(0, 6), st.integers(0, 6))
def test_resemblance_is_the_same_from_both_sides(one: int, other: int) -> None:
    left, right = document(CODE.format(n=1) * one), document(CODE.format(n=2) * other + "x = y.z\n")
    assert dice(Original(left, PAIRS).shared(right)) == dice(Original(right, PAIRS).shared(left))


def test_it_does_not_matter_whose_places_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = document("".join(CODE.format(n=n) for n in range(20))), document(CODE.format(n=7) * 3 + "x = y.z\n")
    expected = Original(one).shared(other)
    monkeypatch.setattr(module, "_KEPT", 0)
    assert Original(one).shared(other) == expected


@pytest.mark.parametrize("tokens", [0, 1, 100, LONG_FILE - 1, LONG_FILE, 10 * LONG_FILE])
def test_the_weights_move_from_p_match_to_exact_as_files_grow(tokens: int) -> None:
    weights = {(each.representation, each.k): each.weight for each in measures(tokens)}
    length = min(1.0, tokens / LONG_FILE)
    assert weights.get((Representation.RENAMED, 2), 0.0) == length
    assert weights.get((Representation.EXACT, 2), 0.0) == length
    assert weights.get((Representation.P_MATCH, 2), 0.0) == 1.0 - length


def test_very_large_files_are_chained_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(CODE.format(n=n) for n in range(40))
    one, longer = document(text), document("import os\n" + text + "print(os.name)\n")
    measure = (Measure(Representation.RENAMED, 6, 1.0),)
    (exact,) = Original(one, measure).shared(longer)
    monkeypatch.setattr(module, "_LARGEST", 0)
    (chained,) = Original(one, measure).shared(longer)
    assert (exact.own, exact.other) == (chained.own, chained.other)
    assert 0.95 * exact.common <= chained.common <= exact.common
