from __future__ import annotations

import ast
import random
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.effectiveness.drawing import Draw, Drawing, cut, every_second_group, load, part_of, picked, piece
from benchmarks.effectiveness.rewriting import python, rewritten

TOTALS = '''
def totals(rows: list[dict], least: int = 2) -> dict:
    """Sums by name, of those that are more than twice the least; in the order of the names."""
    names = []
    for row in rows:
        names.append(row["name"])
    found = {}
    limit = least * 2
    for at in range(len(names)):
        if names[at] in found:
            found[names[at]] += rows[at]["value"]
        else:
            found[names[at]] = rows[at]["value"]
    kept = [(name, value) for name, value in found.items() if value > limit]
    return dict(sorted(kept))
'''

OTHER = """
def joined(parts, mark):
    text = ""
    for number, part in enumerate(parts):
        if number and part.strip():
            text += mark.join([part.upper(), part.lower()])
        elif part.startswith(mark):
            text = text.replace(mark, "-") + part[len(mark):]
        else:
            text = part + mark + str(number) + text
    print("joined", len(parts), "parts with", repr(mark))
    return text.strip() or None
"""


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    for project, code in (("a/indexed", TOTALS), ("a/copy", f"import os\n\n{TOTALS}\n"), ("b/unknown", OTHER)):
        path = tmp_path / "clones" / project / "code.py"
        path.parent.mkdir(parents=True)
        path.write_text(code * 2 if project == "b/unknown" else f"# {project}, and more to be long enough\n{code}")
    return tmp_path / "clones"


DRAW = Draw(("a/indexed", "a/copy"), ("b/unknown",), 3)


@pytest.mark.parametrize("seed", range(12))
def test_rewritten_python_does_the_same_in_other_words(seed: int) -> None:
    rows = [{"name": name, "value": value} for name, value in (("b", 3), ("a", 9), ("b", 4), ("c", 1))]
    made = python(TOTALS, random.Random(seed))
    assert made is not None
    results = []
    for code in (TOTALS, made):
        space: dict[str, object] = {}
        exec(code, space)
        results.append(space["totals"](rows))  # type: ignore[operator]
    assert results[0] == results[1] == {"a": 9, "b": 7}
    assert "names.append" not in made
    assert ast.dump(ast.parse(made)) != ast.dump(ast.parse(TOTALS))


def test_every_file_that_holds_a_function_is_a_true_place(clones: Path) -> None:
    drawing = Drawing(DRAW, clones)
    pick = next(picked(drawing.indexed, random.Random(1)))
    case = drawing.case("function", pick.file, pick.function.source, pick.codes)
    assert case.places == [{"repository": each, "path": "code.py"} for each in ("a/indexed", "a/copy")]
    other = replace(pick, codes=pick.codes.copy())
    other.codes[40] += 1
    edited = drawing.case("function", pick.file, pick.function.source, other.codes)
    assert (edited.places, edited.near) == ([], case.places)


def test_unrelated_texts_that_an_indexed_file_has_are_left_out(clones: Path) -> None:
    drawing = Drawing(replace(DRAW, unknown=("b/unknown", "a/copy")), clones)
    picks = list(picked(drawing.unknown, random.Random(1)))
    assert {pick.function.name for pick in picks} == {"joined", "totals"}
    found = list(drawing.unrelated("function", ((each.file, each.function.source, each.codes) for each in picks), 9))
    assert [(case.kind, case.places, case.origin) for case in found] == [
        ("unrelated function", [], "b/unknown/code.py")
    ]
    assert found[0].shared < 0.5


def test_a_piece_has_so_many_lines_and_is_rewritten_by_itself(clones: Path) -> None:
    (file,) = load(clones, ["a/indexed"])
    function = next(picked([file], random.Random(2))).function
    span = piece(function, 4, random.Random(5))
    assert span is not None
    text = cut(function.tokens, *span)
    assert text in TOTALS
    assert text.count("\n") == 4
    other = rewritten(part_of(function, *span), random.Random(5))
    assert other.strip() not in TOTALS
    assert every_second_group(function).splitlines() == [
        line for at, line in enumerate(function.source.splitlines()) if at % 6 < 3
    ]
