"""What counts as found."""

from __future__ import annotations

import numpy as np
import pytest

from wherefrom.model import Representation, Strength
from wherefrom.queries.alignment import Alignment, Chain
from wherefrom.queries.judgement import FOUND, Rule

EXACT, RENAMED, P_MATCH, TEXT = (
    Representation.EXACT,
    Representation.RENAMED,
    Representation.P_MATCH,
    Representation.TEXT,
)
K = {EXACT: 8, RENAMED: 12, P_MATCH: 16, TEXT: 16}
BLOBS = 1000


def alignment(representation: Representation, covered: int, distinct: int | None = None) -> Alignment:
    places = np.arange(max(covered - K[representation] + 1, 1))
    return Alignment(
        0.0, {representation: Chain(K[representation], 1.0, places, places, covered, distinct or len(places))}
    )


def reason(score: float, representation: Representation, covered: int, tokens: int, rule: Rule = FOUND) -> str | None:
    """`score` is a share of T(N)."""
    needed = rule.threshold(BLOBS)
    return rule.reason(score * needed, alignment(representation, covered), tokens, needed)


def test_the_threshold_grows_with_the_logarithm_of_the_index() -> None:
    assert FOUND.threshold(0) == 0
    assert np.diff([FOUND.threshold(10**power) for power in range(2, 8)]) == pytest.approx(2.5 * np.log(10), rel=0.01)


def test_a_score_of_the_threshold_is_enough() -> None:
    assert reason(1.0, EXACT, 8, 1000) == "score"
    assert reason(0.999, EXACT, 8, 1000) is None


@pytest.mark.parametrize(("representation", "t"), [(EXACT, 15), (RENAMED, 19), (TEXT, 63)])
def test_half_of_the_query_is_enough_from_the_guarantee_of_the_chains_own_k(
    representation: Representation, t: int
) -> None:
    assert reason(0.0, representation, t, 2 * t) == "coverage"
    assert reason(0.0, representation, t, 2 * t + 1) is None
    assert reason(0.0, representation, t - 1, 2 * t - 2) is None


@pytest.mark.parametrize("score", [0.0, 0.9])
def test_where_no_name_counts_nearly_all_of_the_query_has_to_be_covered(score: float) -> None:
    assert reason(score, P_MATCH, 24, 30) == "coverage"
    assert reason(score, P_MATCH, 24, 31) is None
    assert reason(0.0, P_MATCH, 22, 22) is None


def test_of_repeated_kgrams_one_counts() -> None:
    assert FOUND.reason(0.0, alignment(EXACT, 47, 20), 47, 1.0) == "coverage"
    assert FOUND.reason(0.0, alignment(EXACT, 47, 19), 48, 1.0) is None


def test_a_good_part_with_a_fair_score_is_enough() -> None:
    assert reason(0.3, EXACT, 20, 50) == "coverage"
    assert reason(0.3, EXACT, 20, 51) is None
    assert reason(0.29, EXACT, 20, 50) is None
    assert reason(0.4, RENAMED, 20, 50) == "coverage"
    assert reason(0.39, RENAMED, 20, 50) is None


def test_a_fifth_of_a_passage_of_prose_is_enough_from_the_guarantee_on() -> None:
    assert reason(0.3, TEXT, 63, 5 * 63) == "coverage"
    assert reason(0.3, TEXT, 63, 5 * 63 + 1) is None
    assert reason(0.29, TEXT, 63, 5 * 63) is None
    assert reason(0.3, TEXT, 62, 5 * 62) is None


def test_of_a_short_passage_of_prose_nearly_all_is_enough() -> None:
    assert reason(0.3, TEXT, 40, 50) == "coverage"
    assert reason(0.3, TEXT, 39, 50) is None


@pytest.mark.parametrize(("representation", "found"), [(EXACT, True), (RENAMED, True), (P_MATCH, False), (TEXT, False)])
def test_all_of_a_short_query_is_enough_where_names_are_told_apart(representation: Representation, found: bool) -> None:
    k = K[representation]
    assert (reason(0.01, representation, k, k) == "coverage") is found
    assert reason(0.01, representation, k, k + 1) is None
    assert reason(0.01, representation, k, k, Rule(whole=False)) is None


@pytest.mark.parametrize(
    ("score", "share", "literals", "strength"),
    [
        (0.6, 1.0, 1.0, Strength.STRONG),
        (0.599, 1.0, 1.0, Strength.FAIR),
        (0.3, 1.0, 1.0, Strength.FAIR),
        (0.299, 1.0, 1.0, Strength.WEAK),
        (19.3, 0.5, 1.0, Strength.STRONG),
        (19.1, 0.5, 1.0, Strength.FAIR),
        (9.5, 0.5, 1.0, Strength.WEAK),
        (1.2, 1.0, 0.25, Strength.STRONG),
        (1.1, 1.0, 0.25, Strength.FAIR),
        (1.1, 1.0, 0.06, Strength.WEAK),
    ],
)
def test_strength_grows_with_the_score_and_with_what_matches(
    score: float, share: float, literals: float, strength: Strength
) -> None:
    assert FOUND.strength(score * 20, share, literals, 20) is strength


def test_where_nothing_is_indexed_nothing_is_evidence() -> None:
    assert FOUND.strength(0, 1, 1, 0) is Strength.WEAK
