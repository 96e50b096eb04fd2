"""Several writers at the same time, and writers that die: nothing lost, nothing doubled, nothing dropped."""

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
    """The command, with an index on the shared server that is not made yet."""
    return Paced(tmp_path, elasticsearch_location())


@pytest.fixture
def extra(tmp_path: Path, clones: Path) -> Path:
    """A repository with what others have too, and with some contents that nobody else has."""
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
    """Every occurrence refers to a blob, every blob to an occurrence, none stands twice."""
    with closing(open_engine(wherefrom.index, schemes=scheme_ids())) as engine:
        occurrences = list(engine.occurrences())
        blobs = {each.blob for each in occurrences}
        assert engine.known(blobs) == blobs
        assert engine.stats().blobs == len(blobs)
        assert max(Counter((each.repository, each.path) for each in occurrences).values()) == 1
        assert Counter(each.repository for each in occurrences) == {
            record.key: record.files for record in engine.repositories() if record.files
        }


def settings_of(access: Access, wherefrom: Paced) -> dict[str, dict[str, Any]]:
    """The settings of the indices of an index that are the user's, and those that a load may change."""
    found = access("GET", f"/{name_of(wherefrom)}-*/_settings?flat_settings=true")
    volatile = ("index.creation_date", "index.uuid", "index.provided_name", "index.version.created")
    return {
        name.removeprefix(name_of(wherefrom)): {
            key: value for key, value in each["settings"].items() if key not in volatile
        }
        for name, each in found.items()
    }


def test_two_indexers_of_the_same_clones(wherefrom: Paced, clones: Path, expected: dict[str, Any]) -> None:
    both = [start_in_steps(wherefrom, "index", "--jobs", "1", clones) for _ in range(2)]
    for running in both:
        finishes(running)
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


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
        code, said = ended(other)
        # A sweep needs to be alone; where it cannot be, it says so, and the blobs are left for a later one.
        assert (code, said) == (0, "") or (code == 2 and "wait until that is done and run again" in said)
    if any(each["repository"] == record["repository"] for each in wherefrom.json("list")["repositories"]):
        wherefrom("remove", record["repository"])
    wherefrom("sweep")
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


def test_indexers_and_sweeps_by_turns(wherefrom: Paced, clones: Path, extra: Path, expected: dict[str, Any]) -> None:
    """A sweep in the middle of other's runs never takes what they are about to refer to."""
    wherefrom.indexes(extra)
    running = [start_in_steps(wherefrom, "index", "--jobs", "1", clones)]
    swept = 0
    while running[0].poll() is None:
        code, _, said = wherefrom.run("sweep")
        assert code == 0 or "wait until that is done" in said
        swept += 1
    assert swept > 0
    finishes(running[0])
    [key] = [
        each["repository"] for each in wherefrom.json("list")["repositories"] if each["repository"].endswith("extra")
    ]
    wherefrom("remove", key)
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


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


def test_a_writer_that_stands_still_for_long_does_no_harm(
    wherefrom: Paced, elasticsearch: Access, clones: Path, expected: dict[str, Any]
) -> None:
    """Another takes it for dead and goes on; when it wakes up it ends, and what it had begun comes right."""
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
    code, said = ended(sleeper)
    assert (code, said) == (0, "") or (code == 2 and "run again" in said)
    wherefrom.indexes(clones)
    wherefrom("sweep")
    is_whole(wherefrom)
    assert contents_of(wherefrom.index) == expected


def test_settings_of_the_index_are_the_same_after_a_run_that_was_killed(
    wherefrom: Paced, elasticsearch: Access, clones: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Refresh interval and replicas above all: whatever a load changes is put back."""
    wherefrom.pace(lease=5.0)
    wherefrom.indexes(clones / REPOSITORIES[0])
    before = settings_of(elasticsearch, wherefrom)
    running = start_in_steps(wherefrom, "index", clones)
    wait_for_writing(elasticsearch, name_of(wherefrom), 150)
    kill(running)
    wherefrom.indexes(clones)
    assert settings_of(elasticsearch, wherefrom) == before
