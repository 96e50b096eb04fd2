from __future__ import annotations

import dataclasses

import pytest

from tests.reports.rendered import PLAIN, rendered
from tests.results.answers import BEGUN, DOUBTFUL, REWRITTEN, first_result
from wherefrom.reports.hit_fields import DOUBTS
from wherefrom.reports.origins import FIRST
from wherefrom.reports.renderer import Look
from wherefrom.results import Age, Doubt, FirstResult


@pytest.fixture
def answer() -> FirstResult:
    return first_result()


def report(result: FirstResult, look: Look = PLAIN) -> str:
    return rendered(FIRST["text"], result, look)


def with_ages(result: FirstResult, *ages: Age | None) -> FirstResult:
    """The answer with other ages of its places."""
    places = zip(result.places, ages, strict=True)
    return dataclasses.replace(result, places=tuple(dataclasses.replace(place, age=age) for place, age in places))


def test_each_place_has_a_block_the_oldest_first(answer: FirstResult) -> None:
    assert report(answer) == (
        "snip.py (python, 80 tokens): 5 places, 3 shown; the oldest place known here is of 2017-11-20\n"
        "left out of the query: 46 tokens as boilerplate\n"
        "\n"
        "1. 2017-11-20  github.com/x/y  src/<b>old␛.py:3-6\n"
        "   v1.0␛ · commit 111111111111 · match 64% · 0.97 probable\n"
        "   gone from the indexed revision\n"
        "\n"
        "2. 2019-03-02  github.com/x/z  lib/a.py:3-25\n"
        "   v1.2 · merged by 222222222222 · match 100% · 0.97 probable\n"
        "   brought by commit 333333333333\n"
        "   written 2018-01-01, as its author's date says\n"
        "   as it is now since 2020-02-03 (commit 555555555555)\n"
        "\n"
        "3. age not known  host/b  b.py:3-25\n"
        "   match 100% · 0.97 probable\n"
    )


def test_every_doubt_is_a_clause_beside_the_date(answer: FirstResult) -> None:
    assert DOUBTS.keys() == {*Doubt}
    every = dataclasses.replace(BEGUN, doubts=tuple(Doubt))
    text = report(with_ages(answer, Age(every, every), None, None), Look(width=200))
    assert [line for line in text.splitlines() if line.removeprefix("   ") in DOUBTS.values()] == [
        f"   {words}" for words in DOUBTS.values()
    ]


def test_another_repository_may_be_the_oldest(answer: FirstResult) -> None:
    doubtful = with_ages(answer, Age(DOUBTFUL, DOUBTFUL), Age(REWRITTEN, REWRITTEN), None)
    assert report(doubtful).splitlines()[2] == "Another repository may be the oldest: that date is in doubt."
    later = dataclasses.replace(BEGUN, commit="6" * 40, day="2021-01-01")
    changed = with_ages(answer, Age(BEGUN, later), Age(REWRITTEN, REWRITTEN), None)
    words = "Another repository may be the oldest: the code there was changed after it appeared elsewhere."
    assert report(changed).splitlines()[2] == words
    assert "Another" not in report(answer)
    alone = with_ages(answer, Age(DOUBTFUL, DOUBTFUL), None, None)
    assert "Another" not in report(alone)


def test_nothing_more_is_said_than_is_known(answer: FirstResult) -> None:
    unknown = report(with_ages(answer, None, None, None))
    assert unknown.startswith("snip.py (python, 80 tokens): 5 places, 3 shown; the age of no place is known\n")
    nothing = dataclasses.replace(answer, places=(), total=0)
    assert report(nothing).startswith("snip.py (python, 80 tokens): nothing found\n")
    short = dataclasses.replace(nothing, query=dataclasses.replace(answer.query, tokens=1, excluded_tokens=0, needed=8))
    assert "too short to be looked up: at least 8 tokens are needed" in report(short)
    undated = with_ages(answer, Age(dataclasses.replace(BEGUN, day=None, written=None), BEGUN), None, None)
    assert "1. an impossible date  github.com/x/y" in report(undated)


def test_colors_do_not_change_the_text(answer: FirstResult) -> None:
    colored = report(answer, Look(color=True))
    assert colored.count("\x1b[0m") > 3
    for code in ("0", "1", "2"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == report(answer)
