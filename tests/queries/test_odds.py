"""The one rule of all commands: how probable a copy is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.fitted import LEAST_RARITY, LONGEST, ODDS
from wherefrom.model import Strength
from wherefrom.queries.judging.odds import (
    ANSWER,
    FAIR,
    STRONG,
    all_log_odds,
    is_weaker,
    log_odds,
    needed,
    probability,
    strength,
)

BITS, TOKENS, RARITY = st.floats(-500, 20_000), st.floats(1, 100_000), st.floats(0, 1_000)
MORE = st.floats(0, 1_000)


@given(BITS, TOKENS, RARITY)
def test_a_probability_is_between_0_and_1(bits: float, tokens: float, rarity: float) -> None:
    assert 0 <= probability(bits, tokens, rarity) <= 1


@given(st.floats(-1e6, 0), TOKENS, RARITY)
def test_without_bits_nothing_is_a_copy(bits: float, tokens: float, rarity: float) -> None:
    assert probability(bits, tokens, rarity) == 0


@given(BITS, TOKENS, RARITY, MORE)
def test_more_evidence_and_rarer_pieces_are_more_probable_and_longer_queries_are_less(
    bits: float, tokens: float, rarity: float, more: float
) -> None:
    found = probability(bits, tokens, rarity)
    assert probability(bits + more, tokens, rarity) >= found
    assert probability(bits, tokens, rarity + more) >= found
    assert probability(bits, tokens + more, rarity) <= found


@given(st.floats(20, 60), st.floats(1, LONGEST / 2), st.floats(LEAST_RARITY, 20))
def test_each_of_the_three_numbers_matters(bits: float, tokens: float, rarity: float) -> None:
    found = log_odds(bits, tokens, rarity)
    assert log_odds(bits + 1, tokens, rarity) > found
    assert log_odds(bits, tokens, rarity * 1.1) > found
    assert log_odds(bits, tokens * 1.1, rarity) < found


@given(BITS, st.floats(LONGEST, 1e9), RARITY)
def test_beyond_a_length_queries_count_alike(bits: float, tokens: float, rarity: float) -> None:
    assert probability(bits, tokens, rarity) == probability(bits, LONGEST, rarity)


@given(BITS, TOKENS, st.floats(0, LEAST_RARITY))
def test_below_a_rarity_all_pieces_count_alike(bits: float, tokens: float, rarity: float) -> None:
    assert probability(bits, tokens, rarity) == probability(bits, tokens, LEAST_RARITY)


@given(st.lists(st.tuples(BITS, TOKENS, RARITY), max_size=9))
def test_the_odds_of_many_are_the_sums_of_the_parts_of_each(facts: list[tuple[float, float, float]]) -> None:
    columns = [np.array([fact[at] for fact in facts]) for at in range(3)]
    expected = [log_odds(*fact) for fact in facts]
    assert all_log_odds(*columns).tolist() == pytest.approx(expected, abs=1e-9)
    for fact, odds in zip(facts, expected, strict=True):
        if fact[0] > 0:
            assert probability(*fact) == pytest.approx(1 / (1 + math.exp(-max(odds, -700))), abs=1e-12)


@given(TOKENS, RARITY)
def test_what_is_needed_makes_an_answer_and_less_does_not(tokens: float, rarity: float) -> None:
    least = needed(tokens, rarity)
    if least > 0:
        assert probability(least, tokens, rarity) == pytest.approx(ANSWER)
        assert probability(least * (1 + 1e-9) + 1e-9, tokens, rarity) >= ANSWER
        assert probability(least * (1 - 1e-6) - 1e-6, tokens, rarity) < ANSWER
    assert least == pytest.approx(-log_odds(0, tokens, rarity) / ODDS.bits)


@pytest.mark.parametrize(
    ("likely", "expected"),
    [
        (0.0, Strength.WEAK),
        (ANSWER, Strength.WEAK),
        (math.nextafter(FAIR, 0), Strength.WEAK),
        (FAIR, Strength.FAIR),
        (math.nextafter(STRONG, 0), Strength.FAIR),
        (STRONG, Strength.STRONG),
        (1.0, Strength.STRONG),
    ],
)
def test_a_band_begins_at_its_least_probability(likely: float, expected: Strength) -> None:
    assert strength(likely) is expected
    order = list(Strength)
    for least in order:
        assert is_weaker(likely, least) == (order.index(expected) < order.index(least))
