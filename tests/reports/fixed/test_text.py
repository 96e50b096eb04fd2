"""The text about the places that still have fixed code."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tests.reports.rendered import rendered
from tests.results import answers
from wherefrom.reports.fixed import LISTED, RENDERERS
from wherefrom.results import FixedReport, Form
from wherefrom.results.locations import Texts

TEXTS = Texts(answers.QUERY, lambda _: answers.DOCUMENT)


def report(form: Form, locations: int) -> FixedReport:
    """A report on one function that has `form` at this number of locations."""
    made = dataclasses.replace(answers.fixed_report(), texts=TEXTS)
    [function] = made.functions
    [one] = function.of_form(Form.OLD)
    at = one.occurrences[0]
    found = tuple(
        dataclasses.replace(one, form=form, occurrences=(dataclasses.replace(at, path=f"file{number}.py"),))
        for number in range(locations)
    )
    return dataclasses.replace(made, functions=(dataclasses.replace(function, locations=found),))


@pytest.mark.parametrize("form", Form)
def test_the_first_locations_of_each_form_are_listed(form: Form) -> None:
    few, many = (rendered(RENDERERS["text"], report(form, LISTED[form] + more)) for more in (0, 2))
    for shown in (few, many):
        assert re.findall(r"  file(\d+)\.py:", shown) == [str(number) for number in range(LISTED[form])]
    expected = (
        f"  ... 2 more {'unclear' if form is Form.UNCLEAR else f'with the {form} form'} (--format json lists all)\n"
    )
    assert expected in many
    assert "--format json" not in few


def test_hostile_texts_are_made_visible() -> None:
    shown = rendered(RENDERERS["text"], dataclasses.replace(answers.fixed_report(), texts=TEXTS))
    assert "\x1b" not in shown
    assert "  old form, sure (-1.00)  github.com/x/y  src/<b>.py:" in shown
    assert "  unclear (+0.00)  host/b  a␛.py:" in shown


@pytest.mark.parametrize(
    ("locations", "expected"),
    [
        (0, "indexed nowhere: def <name>():"),
        (1, "1 location with an old form, 0 with a new one, of 1 changed function"),
    ],
)
def test_the_last_line_is_a_summary(locations: int, expected: str) -> None:
    shown = rendered(RENDERERS["text"], report(Form.OLD, locations))
    assert expected in shown
    assert "1 file of tests left out (--tests)\nleft out as your own: github.com/me/project (--itself)\n" in shown
