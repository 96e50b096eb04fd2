"""The pictures of the documents are made by three commands, each of them and no others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.pictures import TAKEN, look

ROOT = Path(__file__).parents[2]


PICTURES = ROOT / "docs" / "pictures"


def shown(ending: str) -> set[Path]:
    """The pictures that the documents show, by their ending."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return {
        (page.parent / path).resolve().relative_to(PICTURES)
        for page in pages
        for path in re.findall(rf"!\[[^\]]*\]\(([^)]+\.{ending})\)", page.read_text())
    }


def taken(module: str, folder: Path) -> set[Path]:
    """The pictures that a module makes."""
    command = [sys.executable, "-m", module, "--into", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=600)
    return {path.relative_to(folder) for path in folder.iterdir()}


@pytest.mark.nightly
@pytest.mark.usefixtures("browser")
def test_every_picture_of_a_page_is_taken(tmp_path: Path) -> None:
    assert taken("benchmarks.pictures", tmp_path) == {*shown("png"), Path(TAKEN)}


def test_the_pictures_show_the_pages_as_they_are() -> None:
    assert (PICTURES / TAKEN).read_text().strip() == look(), (
        "run python -m benchmarks.pictures, and look at each picture"
    )


@pytest.mark.slow
def test_the_drawings_are_what_the_code_draws(tmp_path: Path) -> None:
    assert taken("benchmarks.drawings", tmp_path) | taken("benchmarks.charts", tmp_path) == shown("svg")
    for name in ("winnowing.svg", "rooms.svg"):
        assert (tmp_path / name).read_text() == (PICTURES / name).read_text(), "run python -m benchmarks.drawings"
