"""A baseline is written whole or not at all."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from wherefrom.errors import BaselineError
from wherefrom.model import Rule
from wherefrom.projects.check import baseline
from wherefrom.projects.check.baseline import load_baseline, write_baseline
from wherefrom.projects.check.findings import BaselineEntry
from wherefrom.support.formats import Format

ENTRIES = {
    BaselineEntry("src/a\udcff\n.py", Rule.COPIED_UNATTRIBUTED, "00:1"),
    BaselineEntry("b.py", Rule.LICENSE_CONFLICT, "11:2"),
}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    write_baseline(path, ENTRIES)
    assert load_baseline(path) == ENTRIES
    assert path.read_bytes().isascii()
    first = path.read_bytes()
    write_baseline(path, sorted(ENTRIES, reverse=True))
    assert path.read_bytes() == first
    assert [each.name for each in tmp_path.iterdir()] == ["known.json"]


def test_a_changed_character_is_an_error_or_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    write_baseline(path, ENTRIES)
    content = path.read_bytes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + (b"1" if content[at : at + 1] != b"1" else b"2") + content[at + 1 :])
        try:
            assert load_baseline(path) == ENTRIES
        except BaselineError:
            continue
    values = json.loads(content)
    for entry in values["findings"]:
        del entry["check"]  # as the page of a check writes them
    path.write_text(json.dumps(values))
    assert load_baseline(path) == ENTRIES


def test_a_link_and_the_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "known.json"
    path.parent.mkdir()
    path.write_bytes(b"")
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    write_baseline(link, ENTRIES)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert load_baseline(path) == ENTRIES


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="cannot write the baseline"):
        write_baseline(tmp_path / "nowhere" / "known.json", ENTRIES)
    (tmp_path / "folder").mkdir()
    for call in (load_baseline, lambda path: write_baseline(path, ENTRIES)):
        with pytest.raises(BaselineError, match="cannot"):
            call(tmp_path / "folder")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def stamped(path: Path, **stamp: object) -> Path:
    """A baseline with another stamp."""
    write_baseline(path, ENTRIES)
    path.write_text(json.dumps(json.loads(path.read_text()) | stamp))
    return path


def test_a_newer_format_is_read_if_it_says_that_this_version_may(tmp_path: Path) -> None:
    assert load_baseline(stamped(tmp_path / "known.json", format=9, more="of it")) == ENTRIES
    path = stamped(tmp_path / "known.json", format=9, reader=2)
    with pytest.raises(
        BaselineError, match=r"^the baseline .* \(format 9; .* up to 1\); upgrade wherefrom, or move it"
    ):
        load_baseline(path)


def test_an_older_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_baseline(tmp_path / "known.json", ENTRIES)
    monkeypatch.setattr(baseline, "FORMAT", Format(version=3, reader=3, oldest=2))
    with pytest.raises(BaselineError, match=r"older version .* \(format 1; .*; move it away .* --update-baseline$"):
        load_baseline(tmp_path / "known.json")


@pytest.mark.parametrize("stamp", [{"format": "1"}, {"format": 0}, {"reader": 2}, {"reader": None}, {"format": True}])
def test_what_is_not_a_stamp_is_not_a_baseline(tmp_path: Path, stamp: dict[str, object]) -> None:
    with pytest.raises(BaselineError, match="is not a baseline"):
        load_baseline(stamped(tmp_path / "known.json", **stamp))
