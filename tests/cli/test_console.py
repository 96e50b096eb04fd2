"""The width of text."""

from __future__ import annotations

import os
import pty
import termios
from pathlib import Path

import pytest

from wherefrom.cli import console


@pytest.mark.parametrize(("named", "expected"), [("", 97), ("0", 97), ("x", 97), ("60", 60), ("9", 40)])
def test_the_width_is_that_of_the_terminal(named: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", named)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 97))
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        assert console.look("auto").width == expected
    os.close(ours)


def test_what_is_not_a_terminal_has_a_width(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    with (tmp_path / "file").open("w") as file:
        for stream in (None, file):
            monkeypatch.setattr("sys.stdout", stream)
            assert console.look("never").width == console.WIDTH
