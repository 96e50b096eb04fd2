"""The dates of files and lines, also for damaged records of an index."""

from __future__ import annotations

import inspect
import os
import shutil
import textwrap
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests import repositories
from tests.repositories import Repository
from wherefrom.model import RepositoryRecord
from wherefrom.sources.indexed import blamed_commits, days_of_lines, file_changes, first_committed, latest_before


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
    lines = [(1, 1)]
    days = days_of_lines(record, "a.py", lines, revision=record.revision, seconds=60)
    assert days == (date(2024, 1, 1), date(2024, 1, 1))
    assert days_of_lines(record, "a.py", lines, revision=f"--output={written}", seconds=60) is None
    assert days_of_lines(record, "--output=a.py", lines, revision=record.revision, seconds=60) is None
    assert days_of_lines(record, "a.py", [(7, 9)], revision=record.revision, seconds=60) is None
    assert not written.exists()


def test_the_changes_of_files_are_those_of_the_first_parents(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made", {"a.py": b"1\n", "b.py": b"1\n"})
    ids = [made.git("rev-parse", "HEAD"), made.commit({"a.py": b"2\n"})]
    made.git("checkout", "--quiet", "-b", "topic")
    made.commit({"c.py": b"1\n"})
    made.git("checkout", "--quiet", "main")
    ids.append(made.commit({"b.py": b"2\n"}))
    made.git("merge", "--quiet", "--no-ff", "-m", "Merge", "topic")
    ids.append(made.git("rev-parse", "HEAD"))
    numbers = {commit: at for at, commit in enumerate(ids)}
    record = record_of(made)

    def changed(*paths: str, known: dict[str, int] = numbers, revision: str = ids[-1], most: int = 9) -> object:
        found = file_changes(record, known, paths, revision=revision, seconds=60, most=most)
        return [(at, [(change.old, change.new) for change in own]) for at, own in found]

    a, b, c = (("a.py", "a.py"), ("b.py", "b.py"), (None, "c.py"))
    begin = [(None, "a.py"), (None, "b.py")]
    assert changed() == [(3, [c]), (2, [b]), (1, [a]), (0, begin)]
    assert changed("a.py", "c.py") == [(3, [c]), (1, [a]), (0, begin[:1])]
    assert changed(most=1, revision=ids[1]) == [(1, [a])]
    assert changed(known={commit: at for commit, at in numbers.items() if at > 1}) == [(3, [c]), (2, [b])]
    assert changed(revision="--output=x") == []
    record = replace(record, location=str(tmp_path / "gone"))
    assert changed() == []


def test_git_runs_again_if_another_process_kills_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Repository.make(tmp_path / "made", {"a.py": b"x\n"})
    record = record_of(made)
    real, calls, programs = shutil.which("git"), tmp_path / "calls", tmp_path / "programs"
    programs.mkdir()
    script = programs / "git"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *log*|*blame*) echo >> {calls}\n'
        f'  if [ $(wc -l < {calls}) -lt 3 ]; then kill -KILL $$; fi;;\nesac\nexec {real} "$@"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert first_committed(record, "a.py", seconds=60) == date(2024, 1, 1)
    assert calls.read_text() == "\n" * 3
    calls.unlink()
    days = days_of_lines(record, "a.py", [(1, 1)], revision=record.revision, seconds=60)
    assert days == (date(2024, 1, 1), date(2024, 1, 1))
    assert calls.read_text() == "\n" * 3


def test_lines_are_followed_into_the_file_that_they_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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

    def days(*ranges: tuple[int, int], revision: str = record.revision) -> tuple[date, date] | None:
        return days_of_lines(record, "new name.py", ranges, revision=revision, seconds=60)

    first, second, third = date(2009, 5, 6), date(2012, 7, 8), date(2020, 1, 2)
    assert days((3, last - 2)) == (first, first)
    assert days((1, 1)) == (second, second)
    assert days((1, 1), (last, last)) == (second, third)
    assert days() == days((1, last)) == (first, third)
    assert days((1, 1), revision=made.git("rev-parse", "HEAD~2")) is None
    shallow = tmp_path / "shallow"
    made.git("clone", "--quiet", "--depth", "1", f"file://{made.folder}", shallow)
    assert (
        days_of_lines(record_of(Repository(shallow)), "new name.py", (), revision=record.revision, seconds=60) is None
    )


def test_the_latest_date_before_a_commit_shows_that_its_own_is_wrong(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made")
    content, commits = "", []
    for day in ("2012-01-01", "2020-01-01", "2010-01-01", "2010-01-02"):
        content += f"line of {day}\n"
        commits.append(made.commit({"a.txt": content.encode()}, day=day))
    blamed = blamed_commits(made.folder, "a.txt", [(1, 1), (4, 4)], revision=commits[-1], seconds=60)
    assert {commit.id for commit in blamed} == {commits[0], commits[3]}
    latest = latest_before(made.folder, commits, seconds=60)
    days = [datetime.fromtimestamp(latest[commit], UTC).date().isoformat() for commit in commits]
    assert days == ["2012-01-01", "2020-01-01", "2020-01-01", "2020-01-01"]
    assert latest_before(made.folder, ["0" * 40], seconds=60) == {}
