"""A writer and readers of one index: a long reading gives way; for any other the writer says whom it waits for."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.repositories import Repository
from wherefrom.engines.embedded.folder import RECORDS

READS = """
import sqlite3, sys
records = sqlite3.connect(sys.argv[1], isolation_level=None)
records.execute("BEGIN")
records.execute("SELECT * FROM state").fetchall()
print("reading", flush=True)
sys.stdin.read()
"""

MODULES = ("argparse", "ast", "bisect", "calendar", "codecs", "csv", "difflib", "doctest", "heapq", "sched")


@pytest.fixture
def indexed(tmp_path: Path) -> Wherefrom:
    """The command, with an index of two repositories."""
    wherefrom = Wherefrom(tmp_path)
    for number in range(2):
        files = {f"{name}.py": module_source(name) + b"# %d\n" % number for name in MODULES}
        Repository.make(tmp_path / f"clone{number}", files)
        wherefrom.indexes(tmp_path / f"clone{number}", "--name", f"clone{number}", "--keep-source")
    return wherefrom


def started(wherefrom: Wherefrom, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*wherefrom.command, *arguments],
        env=wherefrom.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.nightly
def test_a_writer_says_whom_it_waits_for(indexed: Wherefrom) -> None:
    path = str(Path(indexed.index, RECORDS))
    reader = subprocess.Popen(
        [sys.executable, "-c", READS, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with reader:
        assert reader.stdout is not None
        assert reader.stdin is not None
        assert reader.stdout.readline() == "reading\n"
        reader.send_signal(signal.SIGSTOP)
        with started(indexed, "remove", "clone1") as writer:
            assert writer.stderr is not None
            assert writer.stderr.readline() == (
                f"wherefrom: the index {indexed.index} is ready to be committed and waits until process {reader.pid} "
                "(stopped) has read it\n"
            )
            reader.send_signal(signal.SIGCONT)
            reader.stdin.close()
        assert writer.returncode == 0
    assert "clone1" not in indexed("list")


@pytest.mark.nightly
@pytest.mark.slow
def test_a_long_reading_gives_way_to_a_writer(indexed: Wherefrom) -> None:
    """`stats --verify` is stopped while it reads; when it goes on, it lets the writer go on."""
    inode = f":{Path(indexed.index, RECORDS).stat().st_ino} "
    for _ in range(30):
        with started(indexed, "stats", "--verify") as reader:
            if not stopped_while_it_holds(reader, inode):
                reader.kill()
                continue
            with started(indexed, "remove", "clone1") as writer:
                assert writer.stderr is not None
                assert f"waits until process {reader.pid} (stopped)" in writer.stderr.readline()
                reader.send_signal(signal.SIGCONT)
                output, errors = reader.communicate()
            assert writer.returncode == 0
            if reader.returncode:
                reported = f"the index {indexed.index} is being written; verify it when that is done"
                assert (reader.returncode, errors) == (2, f"wherefrom: error: {reported}\n")
                return
            # It was at the end of what it had to read.
            indexed.indexes(indexed.folder / "clone1", "--name", "clone1", "--keep-source")
            assert output
    raise AssertionError("it never gave way")


def stopped_while_it_holds(reader: subprocess.Popen[str], inode: str) -> bool:
    """Stops a process when it has a lock on a file; returns False if it ended before."""

    def holds() -> bool:
        return any(f" {reader.pid} " in line and inode in line for line in Path("/proc/locks").read_text().splitlines())

    while reader.poll() is None:
        if holds():
            reader.send_signal(signal.SIGSTOP)
            while psutil.Process(reader.pid).status() not in {psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE}:
                pass
            if holds():
                return True
            reader.send_signal(signal.SIGCONT)
    return False
