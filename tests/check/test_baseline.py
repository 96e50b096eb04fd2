"""A baseline is written whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from wherefrom.check.base import Entry, Rule
from wherefrom.check.baseline import load_baseline, write_baseline
from wherefrom.errors import BaselineError

ENTRIES = {
    Entry("src/a\udcff\n.py", Rule.COPIED_UNATTRIBUTED, "00:1"),
    Entry("b.py", Rule.LICENSE_CONFLICT, "11:2"),
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
