"""Several writers at the same time, and writers that die: nothing is lost, doubled or dropped."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.elasticsearch.runs import Paced, ended, finishes, kill, start_in_steps, wait_for_writing
from tests.elasticsearch.servers import Access
from tests.end_to_end.runs import contents_of
from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine

REPOSITORIES = [f"repository{number:02}" for number in range(12)]


@pytest.fixture
def wherefrom(tmp_path: Path, elasticsearch_location: Callable[[], str]) -> Paced:
    """The command, with the location of a new index on the shared server."""
    return Paced(tmp_path, elasticsearch_location())


@pytest.fixture
def extra(tmp_path: Path, clones: Path) -> Path:
    """A repository with contents that others also have, and with some of its own."""
    shared = sorted(path for path in (clones / REPOSITORIES[0]).rglob("*.py"))
    files = {f"copied/{path.name}": path.read_bytes() for path in shared}
    own = {
        f"own/{number}.py": f"def only_{number}(a, b):\n    return [a + {number}, b]\n".encode() for number in range(40)
    }
    return Repository.make(tmp_path / "extra", files | own).folder


def name_of(wherefrom: Paced) -> str:
    """The name of its index."""
    return wherefrom.index.rpartition("/")[2]


def is_whole(wherefrom: Paced) -> None:
    """Every occurrence refers to a blob, every blob has an occurrence, and none is there twice."""
    with closing(open_engine(wherefrom.index, schemes=scheme_ids())) as engine:
        occurrences = list(engine.occurrences())
        blobs = {place.blob for place in occurrences}
        assert engine.known(blobs) == blobs
        assert engine.stats().blobs == len(blobs)
        assert max(Counter((place.repository, place.path) for place in occurrences).values()) == 1
        assert Counter(place.repository for place in occurrences) == {
            record.key: record.files for record in engine.repositories() if record.files
        }


def settings_of(access: Access, wherefrom: Paced) -> dict[str, dict[str, Any]]:
    """The settings of the indices of an index that the user chose, and those that a load may change."""
    found = access("GET", f"/{name_of(wherefrom)}-*/_settings?flat_settings=true")
    volatile = ("index.creation_date", "index.uuid", "index.provided_name", "index.version.created")
    return {
        name.removeprefix(name_of(wherefrom)): {
            key: value for key, value in index["settings"].items() if key not in volatile
        }
        for name, index in found.items()
    }


@pytest.mark.nightly
def test_two_indexers_of_the_same_clones(wherefrom: Paced, clones: Path, expected: dict[str, Any]) -> None:
    both = [start_in_steps(wherefrom, "index", "--jobs", "1", clones) for _ in range(2)]
    for running in both:
        finishes(running)
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_two_indexers_of_overlapping_clones_a_removal_and_sweeps_beside_them(
    wherefrom: Paced, elasticsearch: Access, clones: Path, extra: Path, expected: dict[str, Any]
) -> None:
    wherefrom.indexes(extra)
    [record] = wherefrom.json("list")["repositories"]
    halves = (REPOSITORIES[:8], REPOSITORIES[4:])
    both = [start_in_steps(wherefrom, "index", "--jobs", "1", *(clones / name for name in half)) for half in halves]
    wait_for_writing(elasticsearch, name_of(wherefrom), 150)
    others = [
        subprocess.Popen(
            [*wherefrom.command, *command], env=wherefrom.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for command in (["remove", record["repository"]], ["sweep"])
    ]
    for running in both:
        finishes(running)
    for other in others:
        code, message = ended(other)
        # A sweep needs to be alone; if it cannot be, it says so, and leaves the blobs to a later one.
        assert (code, message) == (0, "") or (code == 2 and "wait until that is done and run again" in message)
    if any(listed["repository"] == record["repository"] for listed in wherefrom.json("list")["repositories"]):
        wherefrom("remove", record["repository"])
    wherefrom("sweep")
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_indexers_and_sweeps_by_turns(wherefrom: Paced, clones: Path, extra: Path, expected: dict[str, Any]) -> None:
    """A sweep during other runs never removes blobs to which they are about to refer."""
    wherefrom.indexes(extra)
    running = [start_in_steps(wherefrom, "index", "--jobs", "1", clones)]
    swept = 0
    while running[0].poll() is None:
        code, _, message = wherefrom.run("sweep")
        assert code == 0 or "wait until that is done" in message
        swept += 1
    assert swept > 0
    finishes(running[0])
    [key] = [
        listed["repository"]
        for listed in wherefrom.json("list")["repositories"]
        if listed["repository"].endswith("extra")
    ]
    wherefrom("remove", key)
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
@pytest.mark.matrix
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_random_moments_and_run_again(
    wherefrom: Paced, elasticsearch: Access, clones: Path, expected: dict[str, Any], seed: int
) -> None:
    wherefrom.pace(lease=5.0)
    dice = random.Random(seed)
    seen = []
    for documents in sorted(dice.sample(range(10, 300), 3)):
        running = start_in_steps(wherefrom, "index", clones)
        wait_for_writing(elasticsearch, name_of(wherefrom), documents, running)
        time.sleep(dice.random() / 5)
        kill(running)
        seen.append(running.returncode)
    assert -signal.SIGKILL in seen
    wherefrom.indexes(clones)
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_a_writer_that_stops_for_long_does_no_harm(
    wherefrom: Paced, elasticsearch: Access, clones: Path, expected: dict[str, Any]
) -> None:
    """Another writer takes it for dead and goes on. When it wakes up it ends, and the next run repairs its work."""
    wherefrom.pace(lease=5.0)
    sleeper = start_in_steps(wherefrom, "index", clones)
    wait_for_writing(elasticsearch, name_of(wherefrom), 100)
    os.killpg(sleeper.pid, signal.SIGSTOP)
    try:
        wherefrom.indexes(clones)
        wherefrom("sweep")
        is_whole(wherefrom)
    finally:
        os.killpg(sleeper.pid, signal.SIGCONT)
    code, message = ended(sleeper)
    assert (code, message) == (0, "") or (code == 2 and "run again" in message)
    wherefrom.indexes(clones)
    wherefrom("sweep")
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_settings_of_the_index_are_the_same_after_a_run_that_was_killed(
    wherefrom: Paced, elasticsearch: Access, clones: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A load restores all settings that it changes, above all the refresh interval and the replicas."""
    wherefrom.pace(lease=5.0)
    wherefrom.indexes(clones / REPOSITORIES[0])
    before = settings_of(elasticsearch, wherefrom)
    running = start_in_steps(wherefrom, "index", clones)
    wait_for_writing(elasticsearch, name_of(wherefrom), 150)
    kill(running)
    wherefrom.indexes(clones)
    assert settings_of(elasticsearch, wherefrom) == before
