from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import jsonschema
import pytest

from wherefrom.model import Occurrence, Representation
from wherefrom.reports.json_report import sources_to_dict
from wherefrom.reports.sources_report import RANGES, SHORT, live_line, report
from wherefrom.reports.terminal import Look
from wherefrom.results import Lines, QueryInfo, Region, RegionPair, Remainder
from wherefrom.results import SourceDocument as Document
from wherefrom.results import SourcesResult as Result

SCHEMA = json.loads(Path(__file__).parents[2].joinpath("docs", "sources-result.schema.json").read_text())

BLOB, OTHER = "a" * 40, "b" * 40

FILE = b"""def one(x):
    return x

def two(y):
\treturn y\x1b[2J
three = 3
"""


def at(repository: str, path: str, blob: str = BLOB) -> Occurrence:
    return Occurrence(repository, path, blob, "r0")


def pair(lines: tuple[int, int], there: tuple[int, int]) -> RegionPair:
    return RegionPair(Region(0, 9, *lines), Region(0, 9, *there), 5, Representation.EXACT)


@pytest.fixture
def answer() -> Result:
    first = Document(
        blob=BLOB,
        language="python",
        occurrences=(at("host/one", "a.py"), *(at(f"host/fork{number}", "a.py") for number in range(5))),
        tokens=10,
        share=0.5,
        lines=(Lines(1, 2), Lines(6, 6)),
        all_tokens=12,
        all_lines=(Lines(1, 4),),
        regions=(pair((1, 2), (41, 42)), pair((6, 6), (43, 43)), pair((4, 4), (7, 7))),
        alternatives=(at("host/else", "b.py", OTHER),),
    )
    second = Document(BLOB, "python", (at("host/two", "x\x1b]0;\n.py"),), 4, 0.2, (), 4, (), (pair((4, 4), (9, 9)),))
    return Result(
        engine="memory",
        schemes={each: str(each) for each in Representation},
        query=QueryInfo("mine\x07.py", "python", 20, 7, 16, 23, {}),
        documents=(first, second),
        unexplained=Remainder(3, 0.15, (Lines(4, 4),)),
        masked=Remainder(3, 0.15, (Lines(5, 5),)),
        truncated=True,
        took_ms=1.5,
    )


def test_the_report_says_who_explains_what(answer: Result) -> None:
    text = report(answer, FILE, Look(width=100), with_lines=False)
    assert text == (
        "mine␇.py (python, 20 tokens): 2 documents explain 70% of it\n"
        "\n"
        "1. host/one  a.py\n"
        "   50% of the file: lines 1-2, 6\n"
        "   there: lines 7, 41-43 · python · 10 tokens\n"
        "   explains in all: lines 1-4\n"
        "   and 5 more places: host/fork0 a.py, host/fork1 a.py, host/fork2 a.py, ...\n"
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


def test_a_short_file_is_shown_with_a_mark_before_each_line(answer: Result) -> None:
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
    assert report(answer, b"\n" * (SHORT + 1), Look(), with_lines=True).count("│") == SHORT + 1


@pytest.mark.parametrize("width", [40, 60, 100])
def test_no_line_of_the_file_is_wider_than_the_terminal(answer: Result, width: int) -> None:
    shown = report(answer, FILE.replace(b"x", b"x" * 300), Look(width=width)).splitlines()
    assert all(len(line) <= width for line in shown if "│" in line)


def test_colors_change_nothing_that_is_read(answer: Result) -> None:
    colored = report(answer, FILE, Look(color=True))
    plain = colored
    for code in ("0", "1", "2", "32"):
        plain = plain.replace(f"\x1b[{code}m", "")
    assert "\x1b[32m" in colored
    assert [line.rstrip() for line in plain.splitlines()] == report(answer, FILE, Look()).splitlines()


def test_what_explains_nothing_is_said_and_the_file_is_not_shown(answer: Result) -> None:
    nothing = dataclasses.replace(answer, documents=(), truncated=False)
    assert report(nothing, FILE, Look()) == "mine␇.py (python, 20 tokens): no indexed document explains a part of it\n"
    short = dataclasses.replace(nothing, query=dataclasses.replace(answer.query, tokens=1, needed=8))
    assert "too short to be looked up: at least 8 tokens are needed" in report(short, FILE, Look())


def test_many_ranges_are_counted(answer: Result) -> None:
    ranges = tuple(Lines(number, number) for number in range(1, 2 * RANGES + 4, 2))
    many = dataclasses.replace(answer, unexplained=Remainder(9, 0.15, ranges))
    assert "23 and 2 more ranges" in " ".join(report(many, FILE, Look(), with_lines=False).split())


def test_json_is_as_the_schema_says(answer: Result) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for result in (answer, dataclasses.replace(answer, documents=())):
        value = sources_to_dict(result)
        jsonschema.Draft202012Validator(SCHEMA).validate(value)
    value = sources_to_dict(answer)
    definitions = SCHEMA["$defs"]
    for part, schema in (
        (value, SCHEMA),
        (value["query"], definitions["query"]),
        (value["documents"][0], definitions["document"]),
        (value["documents"][0]["occurrences"][0], definitions["occurrence"]),
        (value["documents"][0]["lines"][0], definitions["lines"]),
        (value["documents"][0]["regions"][0], definitions["region_pair"]),
        (value["unexplained"], definitions["remainder"]),
    ):
        assert list(part) == schema["required"] == list(schema["properties"])


def test_the_live_line_fits() -> None:
    assert live_line(0, 3) == "looking up 1/3"
    assert len(live_line(9_999_999, 99_999_999, 20)) == 20
