"""Indexes of several machines become one that answers like an index of all sources, whatever kills the merge."""

from __future__ import annotations

import heapq
import os
import random
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import INDEXED_MODULES, Wherefrom, module_source
from tests.end_to_end.edits import renamed, source_of
from tests.end_to_end.runs import contents_of, start
from tests.end_to_end.test_copying import COPIER
from tests.repositories import Repository
from wherefrom import index_sources
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.model import INDEXED

REPOSITORIES, PARTS = 10, 8

SNIPPET = renamed(source_of(heapq.nsmallest)).encode()

OWN = {"took_ms", "indexed_at", "location", "engine", "stored", "index", "index_format", "seconds"}
"""Values of answers that differ between two indexes of the same sources."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """The command, with one index of ten repositories with histories, and eight of a part of them each."""
    made = Wherefrom(tmp_path_factory.mktemp("world"))
    dice = random.Random(5)
    clones = [made.folder / f"clones/repository{number:02}" for number in range(REPOSITORIES)]
    for number, clone in enumerate(clones):
        files = {f"lib/{name}.py": module_source(name) for name in dice.sample(INDEXED_MODULES, 8)}
        own = module_source("heapq") + b"\n\nOWNER = %d\n" % number
        repository = Repository.make(clone, {**files, f"own{number}.py": own, "none.bin": b"\0" * 9})
        repository.commit({f"later{number}.py": module_source("shlex")[: 9000 + number]}, day="2025-02-03")
    (made.folder / "license.py").write_bytes(module_source("textwrap")[:3000])
    (made.folder / "other.py").write_bytes(module_source("shlex")[:3000])
    by_part = [clones[number * len(clones) // PARTS : (number + 1) * len(clones) // PARTS] for number in range(PARTS)]
    for location, sources in ((made.index, clones), *zip(parts(made), by_part, strict=True)):
        index_sources(sources, location, history=True, keep_source=True, jobs=1)
    for index in (made.index, part_of(made, 0)):
        made("boilerplate", "add", "license", "license.py", "--index", index)
    for index in (made.index, part_of(made, 7)):
        made("boilerplate", "add", "other", "other.py", "--index", index)
    return made


def part_of(world: Wherefrom, number: int) -> str:
    return str(world.folder / f"part{number}.wherefrom")


def parts(world: Wherefrom) -> list[str]:
    return [part_of(world, number) for number in range(PARTS)]


@pytest.fixture(scope="module")
def expected(world: Wherefrom) -> dict[str, Any]:
    """The contents and answers of the index of all sources."""
    return everything(world, world.index)


def everything(world: Wherefrom, location: str) -> dict[str, Any]:
    """All that an index and its history hold, and the answers of commands."""
    contents = contents_of(location)
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        past = engine.history()
        assert past is not None
        contents["sources"] = engine.texts(contents["blobs"])
        contents["past"] = [(at, past.texts([at.blob]), past.known([at.blob])) for at in past.occurrences()]
        contents["sets"] = [
            {key: list(found) for key, found in of_set(engine, name)} for name in engine.boilerplate_names()
        ]
        past.verify()
        engine.verify()
    file = str(world.folder / "clones/repository00/own0.py")
    for command in (("search", "-"), ("first", "-"), ("similar", "-"), ("similar", file), ("list",), ("stats",)):
        contents[" ".join(command)] = world.json(*command, "--index", location, stdin=SNIPPET)
    contents["pieces"] = world.json("search", "-", "--index", location, "--without", "license", stdin=SNIPPET)
    found: dict[str, Any] = plain(contents)
    return found


def of_set(engine: Any, name: str) -> Any:
    found = engine.boilerplate(name)
    assert found is not None
    return found.hashes.items()


def plain(value: Any) -> Any:
    """An answer without `OWN`."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if key not in OWN}
    return [plain(part) for part in value] if isinstance(value, list) else value


def test_the_parts_together_answer_like_one_index(world: Wherefrom, expected: dict[str, Any], tmp_path: Path) -> None:
    target = str(tmp_path / "all")
    printed = world.json("copy", *parts(world), target)
    assert everything(world, target) == expected
    contents = len(expected["blobs"])
    assert (printed["repositories"], printed["blobs"], printed["sent"], printed["sets"]) == (10, contents, contents, 2)
    assert (printed["history"], printed["left_out"]) == (10, 0)
    again = world.json("copy", *reversed(parts(world)), target)
    assert (again["sent"], again["digest"]) == (0, printed["digest"])
    whole = world.json("copy", target, str(tmp_path / "again"))
    assert whole["digest"] == printed["digest"]


@pytest.mark.nightly
def test_kill_a_merge_at_any_moment_until_it_ends(world: Wherefrom, expected: dict[str, Any], tmp_path: Path) -> None:
    target, script = str(tmp_path / "all"), tmp_path / "copier.py"
    script.write_text(COPIER)
    dice = random.Random(11)
    kills = committed = 0
    while True:
        running = start(world, sys.executable, script, *parts(world), target)
        assert running.stdout is not None
        for _ in range(dice.randint(1, 10 + 10 * kills)):  # a merge without kills says some hundred
            running.stdout.readline()
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate(timeout=120)
        if running.returncode == 0:
            break
        assert running.returncode == -signal.SIGKILL
        kills += 1
        before, committed = committed, sound(target) if Path(target).exists() else 0
        assert committed >= before
    assert kills >= 3
    assert everything(world, target) == expected
    assert world.json("copy", *parts(world), target)["sent"] == 0


def sound(location: str) -> int:
    """The number of contents of an index that must be sound: all of a repository with a record is there."""
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        engine.verify()
        past = engine.history()
        for each in (engine, past) if past is not None else (engine,):
            blobs = {at.blob for at in each.occurrences()}
            assert each.known(blobs) == blobs
        complete = {record.key: record.files for record in engine.repositories()}
        assert complete == {key: len([*engine.occurrences(repository=key)]) for key in complete}
        return engine.stats().blobs


def test_a_repository_that_two_machines_indexed_is_copied_as_it_was_last(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "one", {"a.py": module_source("heapq")})
    made.git("remote", "add", "origin", "https://github.com/Someone/One.git")
    wherefrom.indexes("one", "--index", "old.wherefrom")
    made.commit({"b.py": module_source("textwrap")})
    made.git("remote", "set-url", "origin", "https://github.com/someone/one.git")
    wherefrom.indexes("one", "--index", "new.wherefrom")
    with closing(open_engine(wherefrom.folder / "new.wherefrom", schemes=scheme_ids())) as engine:
        [record] = engine.repositories()
        with engine.writer() as writer:  # the clocks of machines have no finer ticks than seconds
            writer.put_repository(replace(record, indexed_at="2999-01-01T00:00:00+00:00"))
    for number, order in enumerate((("old", "new"), ("new", "old"))):
        target = f"all{number}.wherefrom"
        report = wherefrom.json("copy", *(f"{name}.wherefrom" for name in order), target)
        assert (report["repositories"], report["files"], report["left_out"]) == (1, 2, 1)
        [listed] = wherefrom.json("list", "--index", target)["repositories"]
        assert listed["repository"] == "github.com/someone/one"
    assert "1 older state of a repository left out" in wherefrom("copy", "old.wherefrom", "new.wherefrom", target)


def test_a_path_on_two_machines_may_be_two_repositories(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "one", {"a.py": module_source("heapq")})
    wherefrom.indexes("one", "--index", "a.wherefrom")
    made.commit({"a.py": module_source("textwrap")})
    wherefrom.indexes("one", "--index", "b.wherefrom")
    printed = wherefrom("copy", "a.wherefrom", "b.wherefrom", "all.wherefrom", code=2)
    assert str(wherefrom.folder / "a.wherefrom") in printed
    assert str(wherefrom.folder / "b.wherefrom") in printed
    assert "--replace takes the one that was indexed last" in printed
    assert not (wherefrom.folder / "all.wherefrom").exists()
    report = wherefrom.json("copy", "a.wherefrom", "b.wherefrom", "all.wherefrom", "--replace")
    assert (report["repositories"], report["left_out"]) == (1, 1)


def test_what_cannot_be_merged_is_refused_before_anything_is_written(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "one", {"a.py": module_source("heapq")})
    wherefrom.indexes("one")
    others = dict.fromkeys(INDEXED, "another")
    open_engine(wherefrom.folder / "other.wherefrom", schemes=others, create=True).close()
    printed = wherefrom("copy", wherefrom.index, "other.wherefrom", "all.wherefrom", code=2)
    assert "other.wherefrom was made with the exact scheme 'another', not 'exact-" in printed
    assert "are one index" in wherefrom("copy", wherefrom.index, wherefrom.index, "all.wherefrom", code=2)
    assert "there is no index at" in wherefrom("copy", wherefrom.index, "absent", "all.wherefrom", code=2)
    assert not (wherefrom.folder / "all.wherefrom").exists()


def test_parts_of_both_engines_become_one(
    world: Wherefrom, expected: dict[str, Any], elasticsearch_location: Callable[[], str], tmp_path: Path
) -> None:
    part, there, back = elasticsearch_location(), elasticsearch_location(), str(tmp_path / "back")
    first = world.json("copy", *parts(world)[:3], part)["repositories"]
    sent = world.json("copy", part, *parts(world)[3:], there)
    assert everything(world, there) == expected
    returned = world.json("copy", *parts(world)[:3], part, there, back)
    assert everything(world, back) == expected
    assert (sent["repositories"], returned["repositories"], returned["left_out"]) == (10, 10, 2 * first)
    assert sent["digest"] == returned["digest"]
