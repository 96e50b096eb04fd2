"""The file that records how much of a report of posts is done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wherefrom.errors import UsageError
from wherefrom.posts import search
from wherefrom.posts.search import ReportFile
from wherefrom.support.formats import Format


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """An unfinished report with one row."""
    with ReportFile(tmp_path / "rows", "one") as file:
        file.write("a row\n", 7, {"searched": 3})
    return tmp_path / "rows"


def change(report: Path, **values: object) -> None:
    position = report.with_name("rows.position")
    position.write_text(json.dumps(json.loads(position.read_text()) | values))


def refused(report: Path, said: str) -> None:
    """Opening the report fails with this message, and leaves both files as they are."""
    before = {path.name: path.read_bytes() for path in report.parent.iterdir()}
    with pytest.raises(UsageError, match=rf"^[^\n]*{said}[^\n]*; remove it to begin again, or name another file$"):
        ReportFile(report, "one")
    assert {path.name: path.read_bytes() for path in report.parent.iterdir()} == before


def test_a_newer_format_is_read_if_it_says_that_this_version_may(report: Path) -> None:
    change(report, format=9, more="of it")
    with ReportFile(report, "one") as file:
        assert (file.after, file.counts) == (7, {"searched": 3})


def test_a_newer_format_is_refused(report: Path) -> None:
    change(report, format=9, reader=2)
    with pytest.raises(UsageError, match=r"newer version .* \(format 9; .* up to 1\); upgrade wherefrom, or remove it"):
        ReportFile(report, "one")


def test_an_older_format_is_refused(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_FORMAT", Format(version=3, reader=3, oldest=2))
    refused(report, "older version of wherefrom .format 1; this version reads from 2 on.")


@pytest.mark.parametrize(
    "values", [{"format": "1"}, {"format": 0}, {"reader": 2}, {"reader": None}, {"length": "6"}, {"identity": "two"}]
)
def test_what_is_not_of_this_report_is_refused(report: Path, values: dict[str, object]) -> None:
    change(report, **values)
    refused(report, "was begun by another search, or the posts or the index have changed since")


@pytest.mark.parametrize("content", ["", "[]", "{}", "7", '{"format": 1}'])
def test_what_does_not_open_is_refused(report: Path, content: str) -> None:
    report.with_name("rows.position").write_text(content)
    refused(report, "was begun by another search")
