from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import wherefrom
from benchmarks.effectiveness import evidence
from benchmarks.effectiveness.drawing import Case, Draw, Drawing, load
from benchmarks.effectiveness.evidence import LANGUAGES, PLANS, Answer, among, answers, inside, of_insides, report
from benchmarks.effectiveness.metrics import share
from benchmarks.effectiveness.reformatted import in_place
from benchmarks.effectiveness.syntax import EVERY_SHAPE

CODE = '''
import sys

HELP = """
Usage of the program, which has one line for each of its options.
  --first NAME   the first name that is looked for in the folder
  --second NAME  the second name that is looked for in the folder
  --third NAME   the third name that is looked for in the folder
  --fourth NAME  the fourth name that is looked for in the folder
  --fifth NAME   the fifth name that is looked for in the folder
  --sixth NAME   the sixth name that is looked for in the folder
  --seventh NAME the seventh name that is looked for in the folder
"""


class Options:
    # One line
    # and another
    def read(self, words):
        found = {}
        for one, other in zip(words, words[1:]):
            if one.startswith("--"):
                found[one[2:]] = other
        return found
'''


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    for project, code in (("a/indexed", CODE), ("a/other", "def half(number):\n    return number // 2\n" * 20)):
        path = tmp_path / project / "code.py"
        path.parent.mkdir(parents=True)
        path.write_text(code)
    return Drawing(Draw(("a/indexed", "a/other"), ("a/other",), 3, LANGUAGES), tmp_path)


def test_no_project_or_owner_is_in_two_draws() -> None:
    owners: set[str] = set()
    for plan in PLANS.values():
        own = {project.partition("/")[0].lower() for project in (*plan["indexed"], *plan["unknown"])}
        assert not own & owners
        owners |= own
    assert set(LANGUAGES) <= set(EVERY_SHAPE)


def test_texts_inside_of_literals_and_comments_are_found(drawing: Drawing) -> None:
    assert list(inside(drawing.indexed[0])) == [("literal", 3, 12), ("literal", 21, 21), ("comment", 16, 17)]
    (case,) = of_insides(drawing, "python", 5)
    assert case.kind == "7 lines inside a literal"
    assert case.places == [{"repository": "a/indexed", "path": "code.py"}]
    assert case.code in CODE
    assert case.code.count("\n") == 7


def test_a_function_is_rewritten_in_its_place(drawing: Drawing) -> None:
    content = drawing.indexed[0].content
    span = content.index(b"def read"), len(content) - 1
    code = "def read(self):\n    return 1"
    assert in_place("python", content, span, code, lambda made: made.replace(b"1", b"2")) == code.replace("1", "2")
    assert in_place("python", content, span, code, lambda made: made + b"def more():\n    pass\n") is None
    assert in_place("python", content, (3, 9), code, lambda made: made) is None


def test_code_is_put_among_other_code() -> None:
    made = among("code", ["a\nb\n"] * 20, 10, random.Random(1))
    assert made.split("\n\n").count("code") == 1
    assert made.split("\n\n").count("a\nb") == 3


def test_answers_are_counted_by_the_first_hit_that_is_surely_right_or_wrong() -> None:
    found = [
        Answer("1", "function", "go", 0.01, [(0.99, "near"), (0.95, "true")]),
        Answer("2", "function", "go", 0.03, [(0.8, "wrong"), (0.7, "true")]),
        Answer("3", "function", "c", 0.02, []),
        Answer("4", "unrelated function", "c", 0.02, [(0.6, "wrong")]),
    ]
    with_copy, without, calibration = report(found)
    assert "| function | 3 | 0.333 (0.061 to 0.792) | 0.333 (0.061 to 0.792) | 0.000 c | 20 | 30 |" in with_copy
    assert "| unrelated function | 1 | 1.000 (0.207 to 1.000) | 0.000 (0.000 to 0.793) | 1.000 c | 20 | 20 |" in without
    assert "| 0.9 to 0.99 | 1 | 0.950 | 1.000" in calibration
    assert "| 0.99 to 1.0 | 0 | 0.000 |  |" in calibration
    assert share([]) == ""


@pytest.mark.usefixtures("drawing")
def test_cases_are_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index, written = tmp_path / "index.wherefrom", tmp_path / "answers.jsonl"
    wherefrom.index_sources([wherefrom.ListedSource(tmp_path / "a/indexed", name="a/indexed")], index)
    place = {"repository": "a/indexed", "path": "code.py"}
    case = Case("1", "function", "query.py", "python", CODE, [place], [], 1.0, "A", "a/indexed/code.py")
    (answer,) = answers([case], index, written)
    assert answer.hits[0][1] == "true"
    assert json.loads(written.read_text())["id"] == "1"
    monkeypatch.setattr(evidence, "asked", None)
    assert answers([case], index, written)[0].first[1] == "true"


@pytest.mark.usefixtures("drawing")
def test_a_draw_has_the_languages_that_it_names(tmp_path: Path) -> None:
    assert [file.project for file in load(tmp_path, ["a/indexed"], ("python",))] == ["a/indexed"]
    assert not list(load(tmp_path, ["a/indexed"], ("go",)))
