"""The page about the library: its examples run and print what it says; and every public name is in the reference."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from docs.generators import library
from tests.polygons import AREA, CLONES, FIXED, MINE, POSTS
from tests.repositories import Repository
from wherefrom import public

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "library.md"


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


@pytest.mark.slow
def test_the_examples_print_what_the_page_says(folder: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks():
        code = compile("\n" * block.line + block.code, str(PAGE), "exec")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(code, names)
        assert output.getvalue() == block.output, f"{PAGE.name}, line {block.line + 1}"
    assert len(blocks()) >= 5


def test_every_public_name_is_in_the_reference() -> None:
    pages = "".join(page() for page in library.PAGES.values())
    assert set(re.findall(r":: wherefrom\.(\w+)", pages)) == {*dir(public)}
