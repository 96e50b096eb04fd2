"""A check of a comparison's expected figures names the figures that have changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.comparing import BEST_PEER, EXPECTED, PRECISION, compared, differing, digest, figures
from tests.end_to_end.conftest import module_source


def test_a_figure_that_moved_is_named() -> None:
    expected = {PRECISION: 0.95, BEST_PEER: 0.9, "regions": 3}
    assert differing({PRECISION: 0.95, "regions": 3}, expected) == []
    assert differing({PRECISION: 0.95, "regions": 4}, expected) == ["regions: 4, expected 3"]
    assert differing({PRECISION: 0.89, "regions": 3}, expected) == [
        "average precision: 0.89, expected 0.95",
        "average precision: 0.89, the best peer has 0.9",
    ]


def test_pairs_of_soco_are_ranked_at_least_as_well_as_by_the_best_peer() -> None:
    known = {each["name"]: each["figures"] for each in json.loads(EXPECTED.read_text()).values()}
    for language in ("SOCO-14, Java", "SOCO-14, C"):
        assert known[language][PRECISION] > known[language][BEST_PEER]


@pytest.mark.slow
def test_the_figures_of_a_comparison_are_the_same_in_every_run(tmp_path: Path) -> None:
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_bytes(module_source("heapq") + name.encode())
    before = digest(tmp_path)
    (first, _), (second, _) = compared(tmp_path), compared(tmp_path)
    assert figures(first) == figures(second)
    assert figures(first)["pairs found"] == 1
    (tmp_path / "one.py").write_bytes(b"x = 1")
    assert digest(tmp_path) != before
