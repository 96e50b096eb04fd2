from __future__ import annotations

import pytest

from benchmarks.speed import exponent


def test_the_exponent_is_one_where_cost_keeps_step_and_nought_where_it_stands_still() -> None:
    assert exponent(10, 3, 1000, 300) == pytest.approx(1)
    assert exponent(10, 3, 1000, 3) == pytest.approx(0)
    assert exponent(10, 3, 1000, 30) == pytest.approx(0.5)
