"""What a page marks in facing lines: exact matches, changed words with their partners, lines of one side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.results import answers
from wherefrom.model import Representation
from wherefrom.reports.pages.rendering import environment
from wherefrom.reports.pages.sides import ShownSide, differing, facing
from wherefrom.reports.sides import TextLines
from wherefrom.results import RegionPair

HERE = b"def total(bills, most=7):\n    seen = []\n    log(bills)\n    return sum(bills) > most\n"
THERE = b"def amount(bills, most=9):\n    seen = []\n    return sum(bills) > most\n"

SIDES = ShownSide("here", "a.py", None), ShownSide("there", "b.py", None)


def test_changed_words_have_their_partners_and_equal_lines_are_exact() -> None:
    whole = RegionPair(
        answers.region(HERE, b"def total", b"> most"),
        answers.region(THERE, b"def amount", b"> most"),
        20,
        Representation.P_MATCH,
    )
    left = replace(whole.query, gaps=((HERE.index(b"    log"), HERE.index(b"    return")),))
    rows = [(1, 1), (2, 2), (3, None), (4, 3)]
    here, there = facing(rows, (TextLines(HERE), TextLines(THERE)), [replace(whole, query=left)], SIDES)
    assert here.lines is not None
    assert there.lines is not None
    assert [line.sign for line in here.lines] == ["≈", "=", "−", "="]
    assert [line.sign for line in there.lines] == ["≈", "=", "", "="]
    assert [(part.text, part.match) for part in here.lines[0].parts if part.match.startswith("≠")] == [
        ("total", "≠amount"),
        ("7", "≠9"),
    ]
    page = str(
        environment().from_string('{% import "macros.html" as m %}{{ m.sides(both, "") }}').render(both=(here, there))
    )
    assert '<strong title="on the other side: amount">total</strong>' in page
    assert page.count('<span class="row same">') == 2


@pytest.mark.parametrize(("one", "other"), [(b"a = b", b"a = b + c"), (b"f()", b"")])
def test_lines_with_other_numbers_of_words_are_not_compared(one: bytes, other: bytes) -> None:
    assert differing(one, other) is None


def test_a_line_before_the_first_match_is_not_one_of_a_single_side() -> None:
    there = b"before()\n" + HERE
    pair = RegionPair(
        answers.region(HERE, b"def", b"most"), answers.region(there, b"def", b"most"), 5, Representation.EXACT
    )
    _, other = facing([(None, 1), (1, 2)], (TextLines(HERE), TextLines(there)), [pair], SIDES)
    assert other.lines is not None
    assert [line.sign for line in other.lines] == [" ", "="]
