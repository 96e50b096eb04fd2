"""What differs between operating systems: the same tests for each."""

from __future__ import annotations

import heapq
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

import wherefrom
from tests.processes import HANGS, KILL
from wherefrom.sources.directory import DirectorySource
from wherefrom.support.system import system

SPECIAL = ("CON", "nul.py", "aux.c", "COM1.txt", "dot.", "blank ", "UPPER.py", "\u2192.py", f"{'long/' * 70}a.py")
"""Names that mean something else in the usual paths of Windows, or are too long there."""


def place(folder: Path, name: str) -> Path:
    """A path at which a file of any name can be made."""
    if sys.platform == "win32":
        return Path(f"{system.extended(str(folder))}\\{name}".replace("/", "\\"))
    return folder / name


def wait_until_gone(process: int) -> None:
    with suppress(psutil.NoSuchProcess):
        psutil.Process(process).wait(HANGS)


def test_files_of_any_name_are_read(tmp_path: Path) -> None:
    for name in SPECIAL:
        path = place(tmp_path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 -- Path would shorten the name
        with open(str(path), "wb") as file:  # noqa: PTH123
            file.write(name.encode())
    source = DirectorySource(tmp_path)
    assert {entry.path: content for entry, content in source.read(source.entries())} == {
        name: name.encode() for name in SPECIAL
    }


def test_an_index_may_be_at_a_long_path(tmp_path: Path) -> None:
    index = str(place(tmp_path, f"{'long/' * 70}index"))
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_bytes(Path(heapq.__file__).read_bytes())
    wherefrom.index_sources([tmp_path / "code"], index, jobs=1)
    with wherefrom.open_index(index) as opened:
        assert opened.search(Path(heapq.__file__).read_bytes(), language="python").hits


def test_a_lock_is_for_one_or_for_all_that_share_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("wb") as one, path.open("rb+") as two, path.open("rb+") as three:
        system.lock(one.fileno())
        with pytest.raises(BlockingIOError):
            system.lock(two.fileno(), shared=True)
        system.unlock(one.fileno())
        system.lock(two.fileno(), shared=True)
        system.lock(three.fileno(), shared=True)
        with pytest.raises(BlockingIOError):
            system.lock(one.fileno())
        two.close()
        three.close()
        system.lock(one.fileno())
        assert path.read_bytes() == b""


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import sys; from wherefrom.support.system import system; file = open(sys.argv[1], 'wb'); "
        "system.lock(file.fileno()); print(flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with path.open("rb+") as file:
            with pytest.raises(BlockingIOError):
                system.lock(file.fileno())
            os.kill(process.pid, KILL)
            process.wait()
            system.lock(file.fileno(), wait=True)


def test_a_folder_has_a_lock(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with pytest.raises(OSError, match="Errno"), system.opened_folder(folder):
        pass
    folder.mkdir()
    with system.opened_folder(folder) as one, system.opened_folder(folder) as two:
        system.lock(one)
        with pytest.raises(BlockingIOError):
            system.lock(two)
        assert system.is_at(one, folder)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_file_is_replaced_that_another_reader_has_open_for_a_while(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")
    with old.open() as file:
        threading.Timer(0.05, file.close).start()
        system.replace(new, old)
    assert old.read_text() == "new"
    assert not new.exists()


def test_a_file_that_is_open_can_be_renamed(tmp_path: Path) -> None:
    with open(tmp_path / "draft", "a", opener=system.opener) as file:
        file.write("a")
        file.flush()
        system.replace(tmp_path / "draft", tmp_path / "whole")
        file.write("b")
    assert (tmp_path / "whole").read_text() == "ab"


def test_a_file_that_is_open_is_removed_now_or_later(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with path.open("rb"):
        assert system.remove(path) is not path.exists()
    assert system.remove(path)
    assert not path.exists()


def test_parts_of_a_file_are_read_from_any_place(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    with path.open("rb") as file:
        assert [system.read_at(file.fileno(), 4, start) for start in (8, 2, 20)] == [b"89", b"2345", b""]


def test_a_pipe_is_waited_for() -> None:
    reading, writing = os.pipe()
    assert system.readable([reading], 0.01) == []
    os.write(writing, b"a")
    assert system.readable([reading], HANGS) == [reading]
    os.read(reading, 1)
    os.close(writing)
    assert system.readable([reading], HANGS) == [reading]
    os.close(reading)


def test_a_pipe_has_a_reader_until_that_closes_it() -> None:
    reading, writing = os.pipe()
    assert system.has_reader(writing)
    os.write(writing, b"a")
    assert os.read(reading, 9) == b"a"
    os.close(reading)
    assert not system.has_reader(writing)
    with pytest.raises(OSError, match="Errno") as raised:
        os.write(writing, b"a")
    assert raised.value.errno in system.PIPE_ENDED
    os.close(writing)


def test_a_program_ends_with_all_that_it_started() -> None:
    inner = "import sys; print(flush=True); sys.stdin.read()"
    code = (
        "import subprocess, sys; started = subprocess.Popen([sys.executable, '-c', sys.argv[1]], "
        "stdin=subprocess.PIPE, stdout=subprocess.PIPE); started.stdout.readline(); print(started.pid, flush=True); "
        "sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, inner]
    with system.start(command, memory=1 << 30, alone=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        started = int(process.stdout.readline())
        assert psutil.pid_exists(started)
        system.end_group(process.pid)
        wait_until_gone(started)


def test_a_program_ends_with_this_process() -> None:
    code = (
        "import subprocess, sys, time; from wherefrom.support.system import system; "
        "started = system.start([sys.executable, '-c', 'import time; time.sleep(3600)'], memory=1 << 30, alone=True, "
        "stdin=subprocess.PIPE); print(started.pid, flush=True); time.sleep(3600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        started = int(process.stdout.readline())
        os.kill(process.pid, KILL)
        wait_until_gone(started)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS enforces no limit on memory")
@pytest.mark.parametrize("alone", [False, True])
def test_a_program_cannot_use_more_memory_than_it_may(alone: bool) -> None:
    code = "import sys; sys.stdin.readline(); bytearray(3 << 30)"
    given = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with system.start([sys.executable, "-c", code], memory=1 << 30, alone=alone, **given) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert b"MemoryError" in process.stderr.read()


if sys.platform == "win32":

    def test_long_paths_of_windows() -> None:
        for path, expected in {
            "C:\\a\\b": "\\\\?\\C:\\a\\b",
            "C:/a/../b": "\\\\?\\C:\\b",
            "\\\\server\\share\\a": "\\\\?\\UNC\\server\\share\\a",
            "//server/share/a": "\\\\?\\UNC\\server\\share\\a",
            "\\\\?\\C:\\a": "\\\\?\\C:\\a",
        }.items():
            assert system.extended(path) == expected
