"""The day of a file's first commit, and records that an index should not hold."""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests import repositories
from tests.repositories import Repository
from wherefrom.model import RepositoryRecord
from wherefrom.sources.history import first_committed, oldest_line


def record_of(made: Repository) -> RepositoryRecord:
    return RepositoryRecord(
        key="made",
        location=str(made.folder),
        kind="git",
        revision=made.git("rev-parse", "HEAD"),
        indexed_at="2024-01-01T00:00:00+00:00",
        files=1,
        size=2,
        skipped={},
        settings="",
    )


def test_a_revision_is_never_taken_for_an_option(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made", {"a.py": b"x\n"})
    record = record_of(made)
    assert first_committed(record, "a.py", seconds=60) == date(2024, 1, 1)
    written = tmp_path / "written"
    assert first_committed(replace(record, revision=f"--output={written}"), "a.py", seconds=60) is None
    assert not written.exists()
    assert oldest_line(record, "a.py", (1, 1), revision=record.revision, seconds=60) == date(2024, 1, 1)
    assert oldest_line(record, "a.py", (1, 1), revision=f"--output={written}", seconds=60) is None
    assert oldest_line(record, "--output=a.py", (1, 1), revision=record.revision, seconds=60) is None
    assert oldest_line(record, "a.py", (7, 9), revision=record.revision, seconds=60) is None
    assert not written.exists()


def test_the_oldest_line_is_followed_into_the_file_that_it_was_taken_out_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dated(day: str) -> None:
        for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setitem(repositories.ENVIRONMENT, variable, f"{day}T12:00:00Z")

    code = inspect.getsource(textwrap.indent).encode()
    dated("2009-05-06")
    made = Repository.make(tmp_path / "made", {"all.py": b"import re\n\n" + code})
    dated("2012-07-08")
    made.commit({"all.py": b"import re\n", "new name.py": b"import os\n\n" + code})
    dated("2020-01-02")
    made.commit({"new name.py": b"import os\n\n" + code + b"\nLATE = 1\n"})
    record, last = record_of(made), 4 + code.count(b"\n")

    def day(first: int, last: int, revision: str = record.revision) -> date | None:
        return oldest_line(record, "new name.py", (first, last), revision=revision, seconds=60)

    assert day(3, last - 2) == day(1, last) == date(2009, 5, 6)
    assert day(1, 1) == date(2012, 7, 8)
    assert day(last, last) == date(2020, 1, 2)
    assert day(1, 1, made.git("rev-parse", "HEAD~2")) is None
    assert oldest_line(record, "new name.py", None, revision=record.revision, seconds=60) == date(2009, 5, 6)
    shallow = tmp_path / "shallow"
    made.git("clone", "--quiet", "--depth", "1", f"file://{made.folder}", shallow)
    assert (
        oldest_line(record_of(Repository(shallow)), "new name.py", (1, 1), revision=record.revision, seconds=60) is None
    )
