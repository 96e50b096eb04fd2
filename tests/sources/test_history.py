"""The day of a file's first commit, and records that an index should not hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from tests.repositories import Repository
from wherefrom.model import RepositoryRecord
from wherefrom.sources.history import first_committed


def test_a_revision_is_never_taken_for_an_option(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made", {"a.py": b"x\n"})
    record = RepositoryRecord(
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
    assert first_committed(record, "a.py", seconds=60) == date(2024, 1, 1)
    written = tmp_path / "written"
    assert first_committed(replace(record, revision=f"--output={written}"), "a.py", seconds=60) is None
    assert not written.exists()
