"""`wherefrom index --skipped`: every file that is not indexed, with the reason."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import wherefrom
from tests.repositories import Repository
from wherefrom import SkippedFile
from wherefrom.cli.index import Skipped
from wherefrom.model import SkipReason

Run = Callable[..., "subprocess.CompletedProcess[str]"]

CODE = b"def add(first, *others):\n    return first + sum(other for other in others)\n"


def clone(folder: Path) -> Path:
    """A repository with files that are skipped for their names, contents and types."""
    made = Repository.make(folder)
    (folder / "link").symlink_to("code.py")
    made.commit(
        {
            "code.py": CODE,
            "data.json": b"{}",
            "empty.py": b"",
            "pictures/a\x1b.py": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "pictures/copy.py": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "vendor.min.js": b"var a=1;" * 2000,
        }
    )
    return folder


SKIPPED = [
    ("data.json", "data_file"),
    ("empty.py", "empty"),
    ("link", "symlink"),
    ("pictures/a\x1b.py", "binary"),
    ("pictures/copy.py", "binary"),
    ("vendor.min.js", "minified"),
]


def test_each_file_is_listed_with_its_reason_and_again_where_nothing_changed(run: Run, tmp_path: Path) -> None:
    key = str(clone(tmp_path / "clone"))
    first = run("index", key, "--skipped")
    assert (first.returncode, first.stderr) == (0, "")
    lines = first.stdout.splitlines()
    assert [line.split(maxsplit=1)[0] for line in lines[:6]] == [
        "data",
        "empty",
        "symlink",
        "binary",
        "binary",
        "minified",
    ]
    assert lines[3] == f"binary         {key}:pictures/a␛.py"
    assert lines[6] == "1 repository: 1 indexed"

    again = run("index", key, "--skipped", "--format", "json", "--quiet")
    report = json.loads(again.stdout)
    assert report["repositories"][0]["status"] == "unchanged"
    assert report["skipped_files"] == [{"repository": key, "path": path, "reason": reason} for path, reason in SKIPPED]
    assert sum(report["repositories"][0]["skipped"].values()) == len(SKIPPED)
    assert run("index", key, "--skipped", "--quiet").stdout.splitlines() == lines[:6]
    assert "skipped_files" not in json.loads(run("index", key, "--format", "json").stdout)


def test_a_list_of_an_unchanged_repository_changes_nothing_in_the_index(tmp_path: Path) -> None:
    folder, location = clone(tmp_path / "clone"), tmp_path / "index"
    wherefrom.index_sources([folder], location, jobs=1)
    with wherefrom.open_index(location) as index:
        before = index.repositories()[0].to_dict(), list(index.files(str(folder)))
    skipped: list[SkippedFile] = []
    report = wherefrom.index_sources([folder], location, jobs=1, skipped=skipped.extend)
    assert (report.parsed, report.repositories[0].retired, report.repositories[0].kept) == (0, 0, 0)
    assert [(file.path, file.reason) for file in skipped] == SKIPPED
    with wherefrom.open_index(location) as index:
        after = index.repositories()[0].to_dict(), list(index.files(str(folder)))
    assert after[1] == before[1]
    assert {**after[0], "indexed_at": ""} == {**before[0], "indexed_at": ""}


def test_a_repository_without_skipped_files_is_not_mentioned(tmp_path: Path) -> None:
    folder = Repository.make(tmp_path / "clone", {"code.py": CODE}).folder
    calls: list[object] = []
    wherefrom.index_sources([folder], tmp_path / "index", jobs=1, skipped=calls.append)
    assert calls == []


def test_the_list_is_kept_in_a_file_and_read_one_by_one() -> None:
    files = [SkippedFile("a", f"caf\udce9/{number}\n", SkipReason.BINARY) for number in range(3)]
    with Skipped() as skipped:
        skipped.add(files[:2])
        skipped.add(files[2:])
        assert next(iter(skipped)) == files[0]
        assert list(skipped) == files
