"""The pictures of the documents are taken again by one command, each of them and no others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.usefixtures("browser")
def test_every_picture_in_the_documents_is_taken(tmp_path: Path) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {
        (page.parent / path).resolve().relative_to(ROOT / "docs")
        for page in pages
        for path in re.findall(r"!\[[^\]]*\]\(([^)]+\.png)\)", page.read_text())
    }
    command = [sys.executable, "-m", "benchmarks.pictures", "--into", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=600)
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*.png")} == shown
