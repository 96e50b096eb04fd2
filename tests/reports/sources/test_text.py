from __future__ import annotations

import dataclasses

import pytest

from tests.reports.rendered import PLAIN, rendered
from tests.results.answers import FILE, sources_result
from wherefrom.reports.origins import RANGES, SHORT, SOURCES, live_line
from wherefrom.reports.renderer import Look
from wherefrom.results import Lines, Remainder, SourcesResult
from wherefrom.results.locations import Texts


@pytest.fixture
def answer() -> SourcesResult:
    return sources_result()


def report(result: SourcesResult, file: bytes, look: Look = PLAIN) -> str:
    return rendered(SOURCES["text"], dataclasses.replace(result, texts=Texts(file)), look)


def test_the_report_names_the_lines_that_each_document_explains(answer: SourcesResult) -> None:
    text = report(answer, FILE, Look(width=100, lines=False))
    assert text == (
        "mine␇.py (python, 20 tokens): 2 documents explain 70% of it\n"
        "\n"
        "1. host/one  a.py\n"
        "   50% of the file: lines 1-2, 6\n"
        "   there: lines 7, 41-43 · python · 10 tokens\n"
        "   explains in all: lines 1-4\n"
        "   and 5 more locations: host/fork0 a.py, host/fork1 a.py, host/fork2 a.py, ...\n"
        "   1 other document would do as well: host/else b.py\n"
        "\n"
        "2. host/two  x␛]0;␊.py\n"
        "   20% of the file: parts of lines\n"
        "   there: line 9 · python · 4 tokens\n"
        "\n"
        "not explained: 15% of the file, line 4\n"
        "left out as boilerplate: 15% of the file, line 5\n"
        "More documents would explain more of it (--limit).\n"
    )


def test_a_short_file_is_shown_with_a_mark_before_each_line(answer: SourcesResult) -> None:
    shown = report(answer, FILE, Look(width=100)).splitlines()[-6:]
    assert shown == [
        "1 1 │ def one(x):",
        "1 2 │     return x",
        "  3 │",
        "? 4 │ def two(y):",
        "- 5 │     return y␛[2J",
        "1 6 │ three = 3",
    ]
    assert "│" not in report(answer, b"\n" * (SHORT + 1), Look())
    assert report(answer, b"\n" * (SHORT + 1), Look(lines=True)).count("│") == SHORT + 1


@pytest.mark.parametrize("width", [40, 60, 100])
def test_no_line_of_the_file_is_wider_than_the_terminal(answer: SourcesResult, width: int) -> None:
    shown = report(answer, FILE.replace(b"x", b"x" * 300), Look(width=width)).splitlines()
    assert all(len(line) <= width for line in shown if "│" in line)


def test_colors_do_not_change_the_text(answer: SourcesResult) -> None:
    colored = report(answer, FILE, Look(color=True))
    plain = colored
    for code in ("0", "1", "2", "32"):
        plain = plain.replace(f"\x1b[{code}m", "")
    assert "\x1b[32m" in colored
    assert [line.rstrip() for line in plain.splitlines()] == report(answer, FILE, Look()).splitlines()


def test_a_file_without_sources_is_reported_and_not_shown(answer: SourcesResult) -> None:
    nothing = dataclasses.replace(answer, documents=(), truncated=False)
    assert report(nothing, FILE, Look()) == "mine␇.py (python, 20 tokens): no indexed document explains a part of it\n"
    short = dataclasses.replace(nothing, query=dataclasses.replace(answer.query, tokens=1, needed=8))
    assert "too short to be looked up: at least 8 tokens are needed" in report(short, FILE, Look())


def test_many_ranges_are_counted(answer: SourcesResult) -> None:
    ranges = tuple(Lines(number, number) for number in range(1, 2 * RANGES + 4, 2))
    many = dataclasses.replace(answer, unexplained=Remainder(9, 0.15, ranges))
    assert "23 and 2 more ranges" in " ".join(report(many, FILE, Look(lines=False)).split())


def test_the_live_line_fits() -> None:
    assert live_line(0, 3) == "looking up 1/3"
    assert len(live_line(9_999_999, 99_999_999, 20)) == 20
