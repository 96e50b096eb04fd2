"""However and wherever a run is stopped, the next run continues it and makes the index of an uninterrupted run."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Wherefrom, harmless, wait_for_parsing
from tests.end_to_end.runs import contents_of, overlapping_clones, start, start_in_steps
from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.mappings.embedded import PAGE_SIZE


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dozen overlapping repositories."""
    return overlapping_clones(tmp_path_factory.mktemp("interrupted") / "clones")


@pytest.fixture(scope="module")
def expected(clones: Path) -> dict[str, Any]:
    """The contents of the index after one run that was not interrupted."""
    wherefrom = Wherefrom(clones.parent)
    assert len(wherefrom.indexes("clones").repositories) == 12
    return contents_of(wherefrom.index)


def blobs_in(location: str) -> int:
    """How many blobs an index holds; whatever stopped its run, all that it says is whole."""
    with closing(open_engine(location, schemes=scheme_ids(), create=True)) as engine:
        occurrences = list(engine.occurrences())
        blobs = {item.blob for item in occurrences}
        assert engine.known(blobs) == blobs
        counted = {record.key: record.files for record in engine.repositories()}
        assert sum(counted.values()) == len(occurrences)
        assert {item.repository for item in occurrences} == {key for key, files in counted.items() if files}
        return engine.stats().blobs


def stopped(wherefrom: Wherefrom, clones: Path, files: int, seconds: float, number: signal.Signals) -> str:
    """Runs `RUNNER`, sends a signal `seconds` after `files` files, and returns the last line of its output."""
    running = start_in_steps(wherefrom, clones)
    assert running.stdout is not None
    line = b""
    for line in running.stdout:
        if not line.strip().isdigit() or int(line) >= files:
            break
    time.sleep(seconds)
    os.killpg(running.pid, number)
    output, errors = running.communicate(timeout=60)
    assert not errors or errors.endswith(b"KeyboardInterrupt: \n"), errors.decode()  # Python was just leaving
    return (output or line).decode().splitlines()[-1]


def test_kill_at_any_moment_and_run_again(wherefrom: Wherefrom, clones: Path, expected: dict[str, Any]) -> None:
    dice = random.Random(5)
    seen = []
    for _ in range(5):
        if stopped(wherefrom, clones, dice.randrange(20, 200), dice.random() / 10, signal.SIGKILL) == "done":
            break
        seen.append(blobs_in(wherefrom.index))
    assert any(0 < blobs < len(expected["blobs"]) for blobs in seen)
    report = wherefrom.indexes(clones)
    assert report.parsed <= len(expected["blobs"]) - seen[-1]
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_interrupt_at_any_moment_and_run_again(wherefrom: Wherefrom, clones: Path, expected: dict[str, Any]) -> None:
    dice = random.Random(6)
    seen = []
    for _ in range(5):
        printed = stopped(wherefrom, clones, dice.randrange(10, 120), dice.random() / 10, signal.SIGINT)
        seen.append(blobs_in(wherefrom.index))
        if printed != "interrupted":
            assert seen[-1] == len(expected["blobs"])
            break
    assert 0 < seen[0] < len(expected["blobs"])
    assert seen == sorted(seen)
    wherefrom.indexes(clones)
    assert contents_of(wherefrom.index) == expected


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=lambda number: number.name)
def test_the_command_itself(
    wherefrom: Wherefrom, clones: Path, expected: dict[str, Any], number: signal.Signals
) -> None:
    running = start(wherefrom, *wherefrom.command, "index", clones)
    wait_for_parsing(running)
    os.killpg(running.pid, number)
    output, errors = map(harmless, running.communicate(timeout=60))
    if number == signal.SIGKILL:
        assert (running.returncode, output, errors) == (-signal.SIGKILL, "", "")
    else:
        assert running.returncode == 130
        assert errors.startswith(
            ("wherefrom: interrupted; what was finished is in ", "wherefrom: interrupted; run the same command again")
        )
        assert errors.count("\n") == 1
    assert blobs_in(wherefrom.index) < len(expected["blobs"])
    wherefrom("list")
    wherefrom.indexes(clones)
    assert contents_of(wherefrom.index) == expected


INTERRUPTED_AT_REMOVAL = '''\
"""Runs the command line, and interrupts it in the middle of removing its first temporary folder."""

import os
import signal
import sys

from wherefrom.cli import main

removals = []


def interrupt(event, arguments):
    if event == "os.rmdir" and not removals:
        removals.append(arguments)
        os.kill(os.getpid(), signal.SIGINT)


signal.signal(signal.SIGINT, signal.default_int_handler)
sys.addaudithook(interrupt)
sys.exit(main(sys.argv[1:]))
'''


def test_an_interrupt_while_a_temporary_folder_is_removed(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "clone", {"a.py": b"def a(b, c):\n    return [b, c]\n"})
    script = wherefrom.folder / "interrupted.py"
    script.write_text(INTERRUPTED_AT_REMOVAL)
    temporary = wherefrom.folder / "temporary"
    temporary.mkdir()
    wherefrom.environment["TMPDIR"] = str(temporary)
    running = start(wherefrom, sys.executable, script, "index", "clone")
    _, errors = map(harmless, running.communicate(timeout=60))
    assert running.returncode == 130
    assert errors.startswith("wherefrom: interrupted; ")
    assert list(temporary.iterdir()) == []
    assert len(wherefrom.indexes("clone").repositories) == 1


KILLED_AT_SIZE = '''\
"""Runs the command line, and is killed by the system where a file would become longer than this."""

import resource
import signal
import sys

from wherefrom.cli import main

signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(main(sys.argv[2:]))
'''


@pytest.mark.nightly
@pytest.mark.parametrize(
    "command",
    [("index", "clone"), ("copy", "newer.wherefrom", "index.wherefrom", "--replace")],
    ids=lambda command: command[0],
)
def test_a_kill_while_the_records_are_being_written(wherefrom: Wherefrom, command: tuple[str, ...]) -> None:
    """The last page that the commit changes cannot be written, after those before it were."""
    clone = Repository.make(
        wherefrom.folder / "clone", {"a.py": b"def a(b, c):\n    return [b, c]\n", "b.md": b"# b\n"}
    )
    wherefrom("index", "clone", "--name", "changed")
    clone.commit({"a.py": b"def a(b, c):\n    return {b: c}\n"})
    wherefrom("index", "clone", "--name", "changed", "--index", "newer.wherefrom")
    if command[0] == "index":
        command += ("--name", "changed")
    folder = Path(wherefrom.index)
    whole = wherefrom.folder / "whole.wherefrom"
    shutil.copytree(folder, whole)
    wherefrom.run(*command)
    expected = contents_of(folder)
    script = wherefrom.folder / "killed.py"
    script.write_text(KILLED_AT_SIZE)
    for limit in range((whole / "records.sqlite").stat().st_size - 1, 0, -PAGE_SIZE):
        shutil.rmtree(folder)
        shutil.copytree(whole, folder)
        running = start(wherefrom, sys.executable, "-B", script, str(limit), *command)
        running.communicate(timeout=60)
        if running.returncode == -signal.SIGXFSZ:
            break
    assert (folder / "records.sqlite-journal").exists()
    assert (folder / "records.sqlite").read_bytes() != (whole / "records.sqlite").read_bytes()
    assert contents_of(folder) == contents_of(whole)
    assert not (folder / "records.sqlite-journal").exists()

    wherefrom(*command)
    assert contents_of(folder) == expected
