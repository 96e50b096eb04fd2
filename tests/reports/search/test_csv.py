from __future__ import annotations

import csv
import dataclasses
import io
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.rendered import rendered
from tests.results import answers
from wherefrom.reports.renderer import guarded as guard
from wherefrom.reports.search import COLUMNS, RENDERERS

if TYPE_CHECKING:
    from wherefrom.results import SearchResult


def written(result: SearchResult) -> str:
    return RENDERERS["csv"].header + rendered(RENDERERS["csv"], result)


def test_one_row_for_each_occurrence_of_each_hit(result: SearchResult) -> None:
    rows = list(csv.DictReader(io.StringIO(written(result))))
    assert tuple(rows[0]) == COLUMNS
    assert [row["rank"] for row in rows] == ["1"] * 13 + ["2"]
    assert [row["path"] for row in rows[:3]] == ["src/near.py", "src/best.py", "lib/00.py"]


def test_each_row_has_the_figures_of_its_own_content(result: SearchResult) -> None:
    near, best, *_ = csv.DictReader(io.StringIO(written(result)))
    assert [row["query_lines"] for row in (near, best)] == ["L2-L5", "L2-L5 L11-L12"]
    assert [row["document_lines"] for row in (near, best)] == ["L3-L6", "L3-L6 L24-L25"]
    assert [row["first_line"] for row in (near, best)] == ["3", "3"]
    assert [float(row["containment"]) for row in (near, best)] == [0.6, 0.925]
    assert [(row["match"], row["strength"]) for row in (near, best)] == [("64.7", "fair"), ("91.17", "strong")]
    assert [float(row["probability"]) for row in (near, best)] == [0.8, 0.971]


def test_each_row_has_the_age_of_its_place(result: SearchResult) -> None:
    near, best, other, *_ = csv.DictReader(io.StringIO(written(answers.aged(result))))
    names = ("first_day", "first_commit", "first_tag", "first_doubts", "since_day")
    assert [near[name] for name in names] == ["2019-03-02", "2" * 40, "v1.2", "", "2019-03-02"]
    assert [best[name] for name in names] == ["2016-05-06", "4" * 40, "", "import, vendored", "2019-03-02"]
    assert [other[name] for name in names] == [""] * 5


def test_no_hits_give_the_header_alone(result: SearchResult) -> None:
    assert written(dataclasses.replace(result, hits=())) == RENDERERS["csv"].header


@pytest.mark.parametrize("start", ["=", "+", "-", "@", " =", "＝", "\u00a0+"])
def test_no_cell_begins_a_formula(result: SearchResult, start: str) -> None:
    hit = result.hits[1]
    occurrence = dataclasses.replace(hit.occurrences[0], path=f"{start}HYPERLINK(1)", repository=f"{start}x")
    hostile = dataclasses.replace(
        result,
        query=dataclasses.replace(result.query, name=f"{start}cmd"),
        hits=(dataclasses.replace(hit, occurrences=(occurrence,)),),
    )
    [row] = csv.DictReader(io.StringIO(written(hostile)))
    assert [row[name][:1] for name in ("query", "repository", "path")] == ["'", "'", "'"]


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize(
    "path", ["=cmd|x!A1.py", "a;=cmd|x!A1.py", 'a;"=cmd|x!A1".py', "a; @SUM(1).py", "\t=1;\r+2.py"]
)
def test_no_path_begins_a_formula_with_any_separator(result: SearchResult, separator: str, path: str) -> None:
    hit = result.hits[1]
    occurrence = dataclasses.replace(hit.occurrences[0], path=path)
    hostile = dataclasses.replace(result, hits=(dataclasses.replace(hit, occurrences=(occurrence,)),))
    [_, row] = csv.reader(io.StringIO(written(hostile)), delimiter=separator)
    assert not [cell for cell in row if cell.lstrip("\"' \t\r")[:1] in tuple("=+-@") and cell[:1] != "'"]


@given(st.text())
def test_a_cell_is_one_line_without_a_formula(cell: str) -> None:
    guarded = guard(cell)
    assert not {unicodedata.category(character) for character in guarded} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not guarded.lstrip().startswith(("=", "+", "-", "@"))
