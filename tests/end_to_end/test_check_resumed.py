"""A check that was stopped continues where it was, and gives the same answer as an uninterrupted check."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import INDEXED_MODULES, Wherefrom, harmless, module_source
from tests.end_to_end.runs import start
from tests.repositories import Repository

FILES = 44
"""Enough for two processes."""

STOPPED_AFTER = 3
"""Files that are done when the run is stopped."""


def functions() -> Iterator[bytes]:
    """Functions of the modules that `library` has indexed."""
    for name in INDEXED_MODULES:
        for block in module_source(name).split(b"\n\n\n"):
            if block.startswith(b"def ") and 8 <= block.count(b"\n") <= 30:
                yield block + b"\n"


@pytest.fixture
def project(tmp_path: Path, library: Wherefrom) -> Wherefrom:
    """The command in a project whose files have two functions each that are in the index of `library`."""
    others = functions()
    files = {f"own/{number}.py": b"\n\n".join(islice(others, 2)) for number in range(FILES)}
    repository = Repository.make(tmp_path / "project", files)
    wherefrom = Wherefrom(tmp_path, library.index)
    wherefrom.folder = repository.folder
    return wherefrom


def state(wherefrom: Wherefrom) -> list[bytes]:
    """The stored state of an unfinished check: a line for each checked file."""
    folder = Path(wherefrom.environment["HOME"], ".cache", "wherefrom", "checks")
    return [line for file in folder.glob("*") for line in file.read_bytes().splitlines(keepends=True)[1:]]


def answer(wherefrom: Wherefrom, *options: str) -> dict[str, Any]:
    """The answer without its time. A finished check keeps no files."""
    done, output, errors = wherefrom.run_installed("check", "--format", "json", *options)
    assert (done in {0, 1}, errors) == (True, "")
    assert state(wherefrom) == []
    found: dict[str, Any] = json.loads(output)
    del found["seconds"]
    return found


def stop(wherefrom: Wherefrom, number: signal.Signals, jobs: str) -> int:
    """Stops a check when some files are done; gives how many are kept."""
    running = start(wherefrom, *wherefrom.command, "check", "--jobs", jobs)
    while len(state(wherefrom)) < STOPPED_AFTER:
        assert running.poll() is None, running.communicate()
        time.sleep(0.002)
    os.killpg(running.pid, number)
    output, errors = map(harmless, running.communicate(timeout=60))
    if number == signal.SIGINT:
        assert (running.returncode, output) == (130, "")
        assert errors == "wherefrom: interrupted; run the same command again to go on\n"
    else:
        assert running.returncode == -number
    return sum(line.endswith(b"\n") for line in state(wherefrom))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGKILL, "1"), (signal.SIGKILL, "2"), (signal.SIGINT, "1"), (signal.SIGINT, "2")]
)
def test_a_stopped_check_goes_on(project: Wherefrom, number: signal.Signals, jobs: str) -> None:
    kept = stop(project, number, jobs)
    assert STOPPED_AFTER <= kept < FILES
    resumed = answer(project)
    assert resumed.pop("resumed") == kept
    whole = answer(project)
    assert whole.pop("resumed") == 0
    assert resumed == whole
    assert len(whole["findings"]) > FILES


@pytest.mark.nightly
def test_only_what_is_as_it_was_is_taken_over(project: Wherefrom) -> None:
    kept = stop(project, signal.SIGKILL, "1")
    files = [json.loads(line.split(b" ", 2)[2])["path"] for line in state(project)]
    (project.folder / files[0]).write_bytes(b"x = 1\n")
    assert (
        project.run_installed("check", "--jobs", "1", "--summary")[1].count(
            f"{kept - 1} files were looked up by an earlier run that was stopped"
        )
        == 1
    )
    assert stop(project, signal.SIGKILL, "1") > 0
    assert answer(project, "--min-tokens", "40")["resumed"] == 0


@pytest.mark.nightly
def test_another_index_is_looked_up_from_the_start(project: Wherefrom) -> None:
    project.index = str(project.folder.parent / "own.wherefrom")
    project.environment["WHEREFROM_INDEX"] = project.index
    clone = Repository.make(project.folder.parent / "clone", {"heapq.py": module_source("heapq")})
    project.indexes(clone.folder)
    assert stop(project, signal.SIGKILL, "1") > 0
    clone.commit({"more.py": module_source("bisect")})
    project.indexes(clone.folder)
    assert answer(project)["resumed"] == 0
