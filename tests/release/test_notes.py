"""The notes of a release are what the changelog says of its version, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from release import notes

CHANGELOG = """# Changelog

## Unreleased

Not yet.

## [0.10.0] - 2026-02-01

Ten.

### Find

- A thing.

## 0.1.0 - 2026-01-01

One.
"""


@pytest.fixture(autouse=True)
def changelog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    monkeypatch.setattr(notes, "ROOT", tmp_path)


@pytest.mark.parametrize(("version", "printed"), [("0.1.0", "One.\n"), ("0.10.0", "Ten.\n\n### Find\n\n- A thing.\n")])
def test_a_section(version: str, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert notes.main([version]) == 0
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("version", ["0.1", "1.0", "0.10.1", "v0.1.0"])
def test_a_version_without_a_section(version: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert notes.main([version]) == 1
    out, err = capsys.readouterr()
    assert (out, version in err) == ("", True)
