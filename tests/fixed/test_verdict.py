from __future__ import annotations

import pytest

from wherefrom.projects.fixed.forms import Score, judged
from wherefrom.results import Certainty, Form


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0.39, (Form.UNCLEAR, None)),
        (0.4, (Form.NEW, Certainty.LIKELY)),
        (-0.69, (Form.OLD, Certainty.LIKELY)),
        (-0.7, (Form.OLD, Certainty.SURE)),
        (1.0, (Form.NEW, Certainty.SURE)),
    ],
)
def test_a_form_is_likely_and_sure_by_its_score(score: float, expected: tuple[Form, Certainty | None]) -> None:
    assert judged(Score(score, None, None)) == expected
