"""The code of many hits is read together."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import wherefrom
from tests.polygons import AREA
from tests.repositories import Repository
from wherefrom.index import Index
from wherefrom.options import CheckOptions, FirstOptions, SearchOptions, SourcesOptions, TraceOptions
from wherefrom.reports.renderer import Look
from wherefrom.reports.search import text
from wherefrom.serve.web.search_page import SearchForm, WebDefaults, search_page
from wherefrom.sources import indexed
from wherefrom.support.system import system

FILES = 5
"""Each of two clones has as many files with `AREA`, each in other code."""

LAST = AREA.splitlines()[-1].strip()
"""The last line of `AREA`, which both sides of a hit show."""


def other_code(number: int) -> str:
    return "".join(f"def f{number}_{at}(a{at}):\n    return a{at} * {number}{at} + b{number}\n" for at in range(40))


@pytest.fixture
def index(tmp_path: Path) -> str:
    for name in ("one", "other"):
        files = {f"{at}.py": f"{other_code(ord(name[-1]) + at)}\n{AREA}".encode() for at in range(FILES)}
        Repository.make(tmp_path / "clones" / name, files)
    location = str(tmp_path / "index.wherefrom")
    wherefrom.index_sources([tmp_path / "clones"], location, jobs=1)
    return location


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Counts the runs of git."""
    started, start = list[Sequence[str]](), system.start

    def counted(command: Sequence[str], **others: Any) -> subprocess.Popen[bytes]:
        started.append(command)
        return start(command, **others)

    monkeypatch.setattr(system, "start", counted)
    return lambda: len(started)


def page(index: Index) -> str:
    usual = SearchOptions(), FirstOptions(), SourcesOptions(), CheckOptions(), TraceOptions()
    found = search_page(index, SearchForm(code=AREA), WebDefaults(*usual, lambda _: ()), may_read=True)
    return re.sub(r"<[^>]+>", "", bytes(found.body).decode())


def lines(index: Index) -> str:
    return "".join(text.write(index.search(AREA), Look()))


@pytest.mark.thorough
@pytest.mark.parametrize("shown", [page, lines])
def test_git_runs_once_for_each_clone(index: str, runs: Callable[[], int], shown: Callable[[Index], str]) -> None:
    with wherefrom.open_index(index) as opened:
        answer = shown(opened)
    assert answer.count(LAST) >= 2 * 2 * FILES
    assert runs() == 2


@pytest.mark.thorough
def test_contents_that_are_not_read_together_are_read_one_by_one(
    index: str, tmp_path: Path, runs: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(tmp_path / "clones" / "other")
    monkeypatch.setattr(indexed, "_MOST_CONTENT", 100)
    with wherefrom.open_index(index) as opened:
        answer = lines(opened)
    assert answer.count(LAST) == 2 * FILES
    assert answer.count("--keep-source") == FILES
    assert runs() > FILES


@pytest.mark.thorough
def test_contents_of_several_indexes_are_read_together(index: str, tmp_path: Path, runs: Callable[[], int]) -> None:
    other = str(tmp_path / "other.wherefrom")
    wherefrom.index_sources([Repository.make(tmp_path / "third", {"a.py": AREA.encode()}).folder], other, jobs=1)
    before = runs()
    with wherefrom.open_indexes([index, other]) as opened:
        result = opened.search(AREA, limit=50)
        contents = [*result.texts.each((hit.blob, hit.occurrences) for hit in result.hits)]
    assert len(contents) == 2 * FILES + 1
    assert all(content is not None and AREA.encode() in content for content in contents)
    assert runs() - before == 3
