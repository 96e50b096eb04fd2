"""git runs under limits on time, output and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from tests.sources.conftest import MakeRepository
from wherefrom.sources.command import TICK, GitFailed, LimitReached, TimeLeft, local_environment, records, run, start


def test_an_answer_over_the_limit_is_an_error(tmp_path: Path) -> None:
    environment = local_environment(tmp_path)
    whole = run(["version"], environment, seconds=60).stdout
    assert run(["version"], environment, seconds=60, most_bytes=len(whole)).stdout == whole
    with pytest.raises(LimitReached, match=r"^git version wrote more than \d+ bytes; is this repository sound\?$"):
        run(["version"], environment, seconds=60, most_bytes=len(whole) - 1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="no other system enforces RLIMIT_DATA")
def test_the_memory_of_git_is_limited(repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    made = repository("clone", {"f": b"1"})
    large = made.git(
        "commit-tree", "HEAD^{tree}", stdin=b"x" * 60_000_000
    )  # git reads a whole commit into memory, but not a whole blob
    arguments, environment = ["cat-file", "commit", large], local_environment(made.folder / ".git")
    answer = run(arguments, environment, seconds=60, most_bytes=100_000_000, detached=True)
    assert len(answer.stdout) > 60_000_000
    monkeypatch.setattr("wherefrom.sources.command.MEMORY_BYTES", 50_000_000)
    with pytest.raises(LimitReached, match="git cat-file needs more than 50,000,000 bytes of memory"):
        run(arguments, environment, seconds=60, most_bytes=100_000_000, detached=True)
    with start(["cat-file", "--batch"], environment) as process:
        output, _ = process.communicate(f"{large}\n".encode())
    assert (process.returncode, output.count(b"\n")) == (128, 1)  # git printed only the header


def test_complaints_without_end_are_an_error(repository: MakeRepository) -> None:
    environment = local_environment(repository("clone", {}).folder / ".git")
    with pytest.raises(LimitReached, match=r"^git cat-file wrote more than 1,000 bytes; is this repository sound\?$"):
        run(["cat-file", "blob", "x" * 2_000], environment, seconds=60, most_bytes=1_000)


@pytest.mark.slow
def test_records_come_as_git_writes_them_whatever_their_length(repository: MakeRepository) -> None:
    made = repository("clone", {})
    lines = [b"%d" % number * (number * number % 9_973) for number in range(1, 200)]
    environment = local_environment(made.folder / ".git")
    name = made.git("hash-object", "-w", "--stdin", stdin=b"\0".join([*lines, b"cut off"]))
    assert list(records(["cat-file", "blob", name], environment, seconds=60, most_bytes=10**7)) == lines
    given = (f"{name}\n".encode() for _ in range(100_000))
    sizes = records(
        ["cat-file", "--batch-check"], environment, seconds=60, most_bytes=10**7, stdin=given, separator=b"\n"
    )
    assert {line.split()[0].decode() for line in sizes} == {name}


def test_a_command_that_fails_says_why(tmp_path: Path) -> None:
    found = records(["cat-file", "blob", "HEAD"], local_environment(tmp_path / "gone"), seconds=60, most_bytes=1_000)
    with pytest.raises(GitFailed, match=r"^not a git repository"):
        list(found)


@pytest.mark.thorough
def test_git_is_gone_when_its_records_are_left(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"line\n" * 1_000_000})
    script = """
import os, sys
from pathlib import Path
from wherefrom.sources.command import local_environment, records
arguments = ["cat-file", "blob", "HEAD:f"]
found = records(arguments, local_environment(Path(sys.argv[1])), seconds=60, most_bytes=10**8, separator=b"\\n")
print(next(found))
found.close()
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no child")
"""
    answer = subprocess.run(
        [sys.executable, "-c", script, str(made.folder / ".git")], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "b'line'\nno child\n"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that advances by an hour between two readings, as if the process had been stopped in between."""
    hours = count(step=3600.0)
    monkeypatch.setattr("wherefrom.sources.command.time.monotonic", lambda: next(hours))


@pytest.fixture
def silent() -> Iterator[int]:
    """A pipe to which nobody writes."""
    reading, writing = os.pipe()
    yield reading
    os.close(reading)
    os.close(writing)


def waits(patience: TimeLeft, pipe: int) -> int:
    """How often `patience` waits until no time is left."""
    number = 0
    with suppress(TimeoutError):
        while True:
            assert patience.wait([pipe]) == []
            number += 1
    return number


@pytest.mark.slow
@pytest.mark.usefixtures("clock")
def test_time_in_which_the_process_was_stopped_does_not_count(silent: int) -> None:
    assert waits(TimeLeft(10 * TICK), silent) == 5


@pytest.mark.slow
@pytest.mark.usefixtures("clock")
def test_a_part_of_the_time_also_uses_up_the_whole(silent: int) -> None:
    whole = TimeLeft(6 * TICK)
    assert waits(TimeLeft(2 * TICK, whole), silent) == 1
    assert waits(TimeLeft(60.0, whole), silent) == 2
    assert waits(whole, silent) == 0
