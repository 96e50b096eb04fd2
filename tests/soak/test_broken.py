"""The rules that `soak.broken` breaks: each is one operator, and a seed draws the same ones of all rooms."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from soak.broken import ROOT, Broken, Ran, broken, drawn

SOURCE = '''\
def rule(a, b):
    """a < b"""
    if a < b <= 3 and "ä" not in a:
        return a is None or not b  # a == b
    return [x for x in a if x != b]
'''


def test_each_operator_is_turned_around_alone() -> None:
    assert sorted(it.after.strip() for it in broken("a.py", SOURCE)) == [
        'if a < b < 3 and "ä" not in a:',
        'if a < b <= 3 and "ä" in a:',
        'if a < b <= 3 or "ä" not in a:',
        'if a <= b <= 3 and "ä" not in a:',
        "return [x for x in a if x == b]",
        "return a is None and not b  # a == b",
        "return a is not None or not b  # a == b",
    ]


@pytest.mark.thorough
def test_a_draw_is_repeated_by_its_seed(tmp_path: Path) -> None:
    for room in ("posts", "support"):
        shutil.copytree(ROOT / "wherefrom" / room, tmp_path / "wherefrom" / room)
    first, again, other = (drawn(tmp_path, seed, 60) for seed in ("1", "1", "2"))
    assert first == again != other


@pytest.mark.thorough
def test_a_draw_is_of_all_rooms() -> None:
    rules = drawn(ROOT, "1", 60)
    rooms = {Path(it.path).parts[1] for it in rules}
    assert {path.name for path in (ROOT / "wherefrom").iterdir() if path.is_dir() and list(path.rglob("*.py"))} <= rooms
    for it in rules:
        lines = (ROOT / it.path).read_text().split("\n")
        assert lines[it.line - 1] == it.before != it.after
        ast.parse("\n".join((*lines[: it.line - 1], it.after, *lines[it.line :])))


def test_the_tests_that_run_a_function_come_first_and_failed_ones_not_at_all(tmp_path: Path) -> None:
    lines = [
        *("= tests/a.py::wide", "m.py\tf", "m.py\tg", "n.py\th", "= tests/a.py::near", "m.py\tf"),
        *("= tests/b.py::failed", "m.py\tf", "! ", "= tests/c.py::other", "n.py\th", "= tests/a.py::beside"),
    ]
    (tmp_path / "1").write_text("\n".join(lines))
    ran = Ran.read([tmp_path / "1"])
    near, wide, beside = (f"tests/a.py::{name}" for name in ("near", "wide", "beside"))
    for function, expected in (("f", [near, wide, beside]), ("g", [wide, near, beside]), ("", [near, wide, beside])):
        assert ran.tests_of(Broken("wherefrom/m.py", 1, "", "", function)) == expected
    assert {it.function for it in broken("a.py", SOURCE)} == {"rule"}
