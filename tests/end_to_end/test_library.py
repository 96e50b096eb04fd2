"""The examples that show the library run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wherefrom
from tests.repositories import Repository
from wherefrom import Index
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine

README = Path(__file__).parents[2] / "README.md"


def examples(text: str) -> list[str]:
    """The blocks of Python in a text."""
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_there_is_an_example_in_both_places() -> None:
    assert [len(examples(text)) for text in (wherefrom.__doc__ or "", README.read_text())] == [1, 1]


@pytest.mark.parametrize("place", ["the package", "the README"])
def test_an_example_runs_as_a_script(place: str, tmp_path: Path) -> None:
    [code] = examples(README.read_text() if place == "the README" else wherefrom.__doc__ or "")
    [snippet] = re.findall(r'search\("(.+?)"[,)]', code)
    for clones in ("clones", "path/to/clones"):
        Repository.make(tmp_path / clones / "one", {"src/sums.py": snippet.encode().decode("unicode_escape").encode()})
    (tmp_path / "example.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-W", "error", "example.py"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"\d+\.\d+ src/sums\.py\n", done.stdout)
    assert (tmp_path / "example.wherefrom").is_dir()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("how", ["file", "-c", "-"])
def test_a_script_needs_no_guard_around_its_calls(jobs: int, how: str, tmp_path: Path) -> None:
    Repository.make(tmp_path / "one", {"sums.py": b"def add(first, *others):\n    return first + sum(others)\n"})
    code = f"""
import wherefrom
print("once")
print(wherefrom.index_sources(["one"], "made.wherefrom", jobs={jobs}).parsed)
"""
    (tmp_path / "script.py").write_text(code)
    arguments = {"file": ["script.py"], "-c": ["-c", code], "-": ["-"]}[how]
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        input=code,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "once\n1\n", "")


def test_any_text_may_be_looked_up() -> None:
    with Index(MemoryEngine(scheme_ids())) as index:
        for code in ("", "\ud800 = 'x'", "\udcff", b"\xff\xfe", "x" * 10_000):
            assert index.search(code).hits == ()
