"""The SARIF log about the places that still have fixed code."""

from __future__ import annotations

import dataclasses
import json

import pytest

from tests.reports.rendered import rendered
from tests.results import answers
from wherefrom.reports.fixed import RENDERERS
from wherefrom.results import Certainty, Form


@pytest.mark.parametrize(
    ("certainties", "level", "words"),
    [
        ([Certainty.SURE], "warning", "1 location, 1 of them sure"),
        ([Certainty.LIKELY, Certainty.SURE, Certainty.LIKELY], "warning", "3 locations, 1 of them sure"),
        ([Certainty.LIKELY], "note", "1 location, 0 of them sure"),
    ],
)
def test_a_function_is_a_warning_if_a_place_surely_has_its_old_form(
    certainties: list[Certainty], level: str, words: str
) -> None:
    made = answers.fixed_report()
    [function] = made.functions
    [old] = function.of_form(Form.OLD)
    locations = tuple(dataclasses.replace(old, certainty=certainty) for certainty in certainties)
    report = dataclasses.replace(made, functions=(dataclasses.replace(function, locations=locations),))
    [found] = json.loads(rendered(RENDERERS["sarif"], report))["runs"][0]["results"]
    assert found["level"] == level
    assert f" is still at {words}. " in found["message"]["text"]
