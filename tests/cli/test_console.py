"""The width, the colors and the encoding of output, and what ends a command from its console."""

from __future__ import annotations

import heapq
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.processes import HANGS
from wherefrom.cli import console
from wherefrom.support.system import system

Run = Callable[..., "subprocess.CompletedProcess[str]"]

ALONE: Mapping[str, Any]  # what makes a process the first of a group that has its own interrupts

if sys.platform == "win32":
    BREAK, ALONE = signal.CTRL_BREAK_EVENT, {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    BREAK, ALONE = signal.SIGTERM, {"start_new_session": True}


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


@pytest.mark.parametrize(
    ("name", "value", "has_colors"),
    [("TERM", "xterm", True), ("TERM", "dumb", False), ("NO_COLOR", "1", False), ("NO_COLOR", "", True)],
)
def test_a_terminal_has_colors_unless_a_variable_forbids_it(
    name: str, value: str, has_colors: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        assert console.look("auto").color is has_colors
        assert console.look("always").color
        assert not console.look("never").color
    os.close(ours)


def test_a_device_without_escapes_has_no_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open("w") as device:  # on Windows it passes for a terminal
        monkeypatch.setattr("sys.stdout", device)
        assert not console.look("auto").color


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", ["", "ascii", "cp437", "cp1252"])
def test_what_an_encoding_lacks_becomes_escapes(environment: dict[str, str], tmp_path: Path, encoding: str) -> None:
    name = "\u2192 \xfc \u6f22.py"
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / name).write_bytes(Path(heapq.__file__).read_bytes())
    variables = {**environment, "PYTHONIOENCODING": encoding}
    commands = [["index", "code"], ["search", "code"], ["index", f"missing {name}"], ["list", "code"]]
    program = f"from wherefrom.cli import main; print([main(each) for each in {commands}])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=variables,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANGS,
        check=False,
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr
    *_, listed, codes = done.stdout.splitlines()
    assert codes == b"[0, 0, 2, 0]"
    assert name.encode(system.ENCODING or encoding or "utf-8", "backslashreplace") in listed


def test_a_console_that_ends_a_command_leaves_what_the_next_run_completes(
    environment: dict[str, str], run: Run, tmp_path: Path
) -> None:
    source = Path(heapq.__file__).read_text(encoding="utf-8")
    (tmp_path / "code").mkdir()
    for number in range(100):
        (tmp_path / "code" / f"{number}.py").write_text(f"# {number}\n{source}", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "wherefrom", "index", "code", "--jobs", "2"],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        **ALONE,
    ) as running:
        while running.poll() is None and not (tmp_path / "index" / "records.sqlite").exists():
            time.sleep(0.01)
        try:
            running.send_signal(BREAK)
        except (OSError, SystemError):  # Python 3.11 raises the second one
            running.kill()
            pytest.skip("no console that sends Ctrl-Break")
        _, printed = running.communicate(timeout=HANGS)
        assert running.returncode
        assert b"Traceback" not in printed
    assert run("index", "code").returncode == 0
    assert run("stats", "--verify").returncode == 0
    assert "100" in run("list").stdout
