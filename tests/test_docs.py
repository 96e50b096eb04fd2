"""The page of the library: its examples run, print what it says, and leave no public name out."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.repositories import Repository
from wherefrom import public

PAGE = Path(__file__).parents[1] / "docs" / "library.md"
POSTS = Path(__file__).parent / "posts" / "samples" / "early.xml"

AREA = """\
def area_of_polygon(points):
    total = 0
    for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1]):
        total += x * next_y - next_x * y
    return abs(total) / 2
"""

PERIMETER = """\
def perimeter_of_polygon(points):
    length = 0.0
    for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1]):
        length += ((next_x - x) ** 2 + (next_y - y) ** 2) ** 0.5
    return length
"""

FEET = """\
def in_feet(lengths, digits=2):
    feet = [round(length / 0.3048, digits) for length in lengths]
    return {"unit": "ft", "lengths": feet, "total": round(sum(feet), digits)}
"""

OWN = """\
def report(path, names):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{number}: {name.title()}\\n" for number, name in enumerate(sorted(names), 1))
"""

AGO = """\
class Ago {
  static string Words(DateTime then) {
    TimeSpan past = DateTime.UtcNow - then;
    if (past.TotalSeconds < 60)
      return "just now";

    return past.Hours + " hours ago";
  }
}
"""

CLONES = {
    "geometry": {"geometry.py": f"{AREA}\n\n{PERIMETER}", "README.md": "# Geometry\n\nAreas and lengths.\n"},
    "maps": {
        "maps/shapes.py": f"# From https://github.com/example/geometry, thanks.\n{AREA.replace('total', 'twice')}",
        "data.json": '{"zoom": 3}\n',
    },
    "games": {"board.py": f"SIDES = 4\n\n\n{AREA}"},
    "tools": {"measure.py": FEET, "Ago.cs": AGO},
}
"""What is indexed, in clones of github.com/example."""


MINE = f"""\
{AREA.replace("points", "corners")}

# Taken from https://github.com/example/tools
{FEET}

{OWN}"""
"""The user's own file."""


FIXED = AREA.replace("    total = 0\n", "    if len(points) < 3:\n        return 0\n    total = 0\n")
"""The same function with a check that was missing."""


class Block(NamedTuple):
    """An example, the line of the page at which it begins, and what it prints."""

    code: str
    line: int
    output: str


def blocks() -> list[Block]:
    """The examples of the page in their order."""
    text = PAGE.read_text()
    found = re.finditer(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", text, re.DOTALL | re.MULTILINE)
    return [Block(block[1], text.count("\n", 0, block.start(1)), block[2] or "") for block in found]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory that the examples are written for."""
    for name in os.environ:
        if name.startswith(("WHEREFROM_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name, files in CLONES.items():
        clone = Repository.make(tmp_path / "clones" / name, {path: text.encode() for path, text in files.items()})
        clone.git("remote", "add", "origin", f"https://github.com/example/{name}.git")
    Repository.make(tmp_path / "project", {"mine.py": MINE.encode()})
    Repository.make(tmp_path / "polygons", {"polygons.py": AREA.encode()}).commit({"polygons.py": FIXED.encode()})
    (tmp_path / "Posts.xml").write_bytes(POSTS.read_bytes())
    return tmp_path


def test_the_examples_print_what_the_page_says(folder: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks():
        code = compile("\n" * block.line + block.code, str(PAGE), "exec")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(code, names)
        assert output.getvalue() == block.output, f"{PAGE.name}, line {block.line + 1}"
    assert len(blocks()) > 10


def test_every_public_name_is_on_the_page() -> None:
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`|```python.*?```", PAGE.read_text(), re.DOTALL))))
    assert {*vars(public)["__all__"]} - words == set()


def test_every_name_in_the_table_of_the_rest_is_public() -> None:
    table = PAGE.read_text().partition("## Everything else")[2]
    names = set(re.findall(r"`([A-Z]\w+)`", table)) - {"ValueError"}
    assert names - {*vars(public)["__all__"]} == set()
    assert len(names) > 80
