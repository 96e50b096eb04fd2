"""The text of a comparison: the numbers of pairs left out, in the singular or plural."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.reports.compare.made import comparison
from wherefrom.reports.compare import text
from wherefrom.reports.renderer import Look
from wherefrom.results import CutOff

ONE = {
    CutOff.COMMON_TERMS: "1 term in too many submissions left out",
    CutOff.TERMS_BEYOND_BUDGET: "1 common term not counted",
    CutOff.LIGHT_PAIRS: "1 pair of files shares too little",
    CutOff.PAIRS_BEYOND_BUDGET: "1 pair of files not compared",
    CutOff.SHORT_PAIRS: "1 pair of files compared",
    CutOff.UNLIKELY_PAIRS: "1 pair of submissions shares too little",
    CutOff.PAIRS_BEYOND_LIMIT: "1 pair found and left out",
    CutOff.SHARED_AUTHOR: "1 pair of submissions of one author",
}

SEVERAL = {
    CutOff.COMMON_TERMS: "2,000 terms in too many submissions left out",
    CutOff.TERMS_BEYOND_BUDGET: "2,000 common terms not counted",
    CutOff.LIGHT_PAIRS: "2,000 pairs of files share too little",
    CutOff.PAIRS_BEYOND_BUDGET: "2,000 pairs of files not compared",
    CutOff.SHORT_PAIRS: "2,000 pairs of files compared",
    CutOff.UNLIKELY_PAIRS: "2,000 pairs of submissions share too little",
    CutOff.PAIRS_BEYOND_LIMIT: "2,000 pairs found and left out",
    CutOff.SHARED_AUTHOR: "2,000 pairs of submissions of one author",
}


@pytest.mark.parametrize("cause", CutOff)
@pytest.mark.parametrize(("number", "expected"), [(1, ONE), (2000, SEVERAL)])
def test_left_out_things_are_counted_in_the_singular_or_plural(
    cause: CutOff, number: int, expected: dict[CutOff, str]
) -> None:
    made = replace(comparison(3), cut_off={cause: number})
    lines = "".join(text.write(made, Look())).splitlines()
    assert [line for line in lines if line.startswith(expected[cause])]


@pytest.mark.parametrize("more", [0, 1])
def test_pairs_that_are_not_listed_are_counted(more: int) -> None:
    made = comparison(30)
    made = replace(made, pairs=made.pairs[:1] * (text.PAIRS + more))
    lines = "".join(text.write(made, Look())).splitlines()
    assert [line for line in lines if line.startswith("... ")] == ["... 1 more pair (--format csv lists all)"] * more
