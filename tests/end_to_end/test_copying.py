"""A copied index answers like its source, even if the copy was stopped."""

from __future__ import annotations

import heapq
import inspect
import os
import pty
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Wherefrom, harmless
from tests.end_to_end.runs import contents_of, overlapping_clones, start
from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine

COPIER = '''\
"""Copies with a commit after some 20 files; says how many are done."""

import sys

import wherefrom
from wherefrom.support import throttle
from wherefrom.indexer import copy

copy.GROUP, copy.BATCH, throttle.SECONDS = 20, 4, 0.0

if __name__ == "__main__":
    *sources, target = sys.argv[1:]
    wherefrom.copy_index(sources, target, jobs=2, progress=lambda at: print(at.stage, at.sent, flush=True))
'''

HEAPQ, TEXTWRAP = (inspect.getsource(module).encode() for module in (heapq, textwrap))


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """The command, with an index of a dozen repositories with their sources, and a boilerplate set."""
    wherefrom = Wherefrom(tmp_path_factory.mktemp("moved"))
    overlapping_clones(wherefrom.folder / "clones")
    assert len(wherefrom.indexes("clones", "--keep-source").repositories) == 12
    (wherefrom.folder / "license.py").write_bytes(TEXTWRAP[:3000])
    wherefrom("boilerplate", "add", "license", "license.py")
    return wherefrom


@pytest.fixture(scope="module")
def expected(moved: Wherefrom) -> dict[str, Any]:
    """The contents and the answers of the index `moved`."""
    return everything(moved.index)


def everything(location: str) -> dict[str, Any]:
    """All that an index holds and answers, times, sources and sets too; but not which engine says it."""
    contained = contents_of(location)
    for answer in contained["answers"]:
        del answer["engine"]
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        contained["records"] = engine.repositories()
        contained["revisions"] = [item.revision for item in engine.occurrences()]
        contained["sources"] = [blob.source for blob in engine.stored_blobs()]
        sets = [engine.boilerplate(name) for name in engine.boilerplate_names()]
        contained["sets"] = [item and (item.name, item.files, [*map(list, item.hashes.values())]) for item in sets]
    return contained


def killed(wherefrom: Wherefrom, target: str, sent: int) -> None:
    """Copies in small steps, and kills the copy after `sent` contents."""
    script = wherefrom.folder / "copier.py"
    script.write_text(COPIER)
    running = start(wherefrom, sys.executable, script, wherefrom.index, target)
    assert running.stdout is not None
    for line in running.stdout:
        stage, number = line.decode().split()
        if stage == "comparing" or int(number) >= sent:
            break
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate(timeout=60)


def test_a_copy_answers_like_its_source(moved: Wherefrom, expected: dict[str, Any], tmp_path: Path) -> None:
    target = str(tmp_path / "copy")
    printed = moved("copy", moved.index, target)
    contents = len(expected["blobs"])
    assert f", {contents} contents, 1 boilerplate set: {contents} contents sent, 0 there already\n" in printed
    assert everything(target) == expected
    report = moved.json("copy", moved.index, target)
    assert (report["sent"], report["retired"], report["kept"]) == (0, 0, 0)
    assert f"read back, all is the same: {report['digest']}\n" in printed


@pytest.mark.nightly
def test_kill_a_copy_and_run_it_again(moved: Wherefrom, expected: dict[str, Any], tmp_path: Path) -> None:
    target = str(tmp_path / "copy")
    seen = []
    for sent in (30, 30):
        killed(moved, target, sent)
        with closing(open_engine(target, schemes=scheme_ids())) as engine:
            seen.append(engine.stats().blobs)
            complete = {record.key: record.files for record in engine.repositories()}
            assert complete == {key: len([*engine.occurrences(repository=key)]) for key in complete}
            blobs = {item.blob for item in engine.occurrences()}
            assert engine.known(blobs) == blobs
    contents = len(expected["blobs"])
    assert 0 < seen[0] < seen[1] < contents
    report = moved.json("copy", moved.index, target)
    assert (report["blobs"], report["sent"]) == (contents, contents - seen[1])
    assert everything(target) == expected


def test_an_interrupt_says_how_to_go_on(moved: Wherefrom, expected: dict[str, Any], tmp_path: Path) -> None:
    target = tmp_path / "copy"
    running = start(moved, *moved.command, "copy", moved.index, target)
    while not target.exists() and running.poll() is None:
        pass
    os.killpg(running.pid, signal.SIGINT)
    output, errors = map(harmless, running.communicate(timeout=60))
    assert (running.returncode, output) == (130, "")
    assert errors.startswith("wherefrom: interrupted")
    assert errors.count("\n") == 1
    moved("copy", moved.index, target)
    assert everything(str(target)) == expected


def test_a_terminal_sees_progress_and_a_pipe_does_not(moved: Wherefrom, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [*moved.command, "copy", moved.index, str(tmp_path / "copy")]
    environment = {**moved.environment, "TERM": "xterm"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        shown = all_of(ours)
        output, _ = running.communicate(timeout=60)
    assert "\r\x1b[Kcopying " in shown
    assert "\r\x1b[Kcomparing " in shown
    assert (running.returncode, "\x1b" in harmless(output)) == (0, False)
    assert moved.run("copy", moved.index, tmp_path / "copy", "--quiet") == (0, "", "")


def all_of(terminal: int) -> str:
    """Everything that is written to a terminal until all processes have closed it."""
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:  # how Linux says that it was closed
        pass
    os.close(terminal)
    return shown.decode()


def test_indexing_goes_on_from_a_copy(moved: Wherefrom, tmp_path: Path) -> None:
    target = str(tmp_path / "copy")
    moved("copy", moved.index, target)
    report = moved.indexes("clones", "--keep-source", "--index", target)
    assert report.parsed == 0
    assert {item["status"] for item in report.repositories.values()} == {"unchanged"}


@pytest.mark.nightly
def test_repositories_are_gathered_from_several_indexes(wherefrom: Wherefrom) -> None:
    for name, files in (("one", {"a.py": HEAPQ}), ("two", {"b.py": HEAPQ, "c.py": TEXTWRAP})):
        Repository.make(wherefrom.folder / name, files)
        wherefrom.indexes(name, "--index", f"{name}.wherefrom")
    wherefrom("copy", "one.wherefrom", wherefrom.index)
    report = wherefrom.json("copy", "two.wherefrom", wherefrom.index)
    assert (report["repositories"], report["blobs"], report["sent"]) == (1, 2, 1)
    assert wherefrom.counts() == (2, 3, 2)
    assert sorted(wherefrom.places(inspect.getsource(heapq.merge).encode())) == ["one/a.py", "two/b.py"]


@pytest.mark.nightly
def test_another_state_of_a_repository_is_refused_unless_it_is_to_be_replaced(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "one", {"a.py": HEAPQ})
    wherefrom.indexes("one")
    wherefrom("copy", wherefrom.index, "copy.wherefrom")
    made.commit({"a.py": TEXTWRAP})
    wherefrom.indexes("one")
    before = everything(str(wherefrom.folder / "copy.wherefrom"))
    printed = wherefrom("copy", wherefrom.index, "copy.wherefrom", code=2)
    assert "in another state" in printed
    assert "--replace" in printed
    assert everything(str(wherefrom.folder / "copy.wherefrom")) == before
    report = wherefrom.json("copy", wherefrom.index, "copy.wherefrom", "--replace")
    assert (report["sent"], report["retired"], report["swept"]) == (1, 1, 1)
    assert everything(str(wherefrom.folder / "copy.wherefrom")) == everything(wherefrom.index)


def test_contents_without_a_file_are_left_behind(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "one", {"a.py": HEAPQ, "b.py": TEXTWRAP})
    wherefrom.indexes("one")
    made.git("rm", "--quiet", "b.py")
    made.commit()
    with closing(open_engine(wherefrom.index, schemes=scheme_ids())) as engine, engine.writer() as writer:
        [key] = [record.key for record in engine.repositories()]
        writer.delete_occurrences(key, ["b.py"])
    report = wherefrom.json("copy", wherefrom.index, "copy.wherefrom")
    assert (report["files"], report["blobs"], report["sent"]) == (1, 1, 1)
    assert wherefrom.json("stats", "--index", "copy.wherefrom")["blobs"] == 1


@pytest.mark.nightly
def test_a_wrong_place_is_one_line_and_makes_nothing(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "one", {"a.py": HEAPQ})
    wherefrom.indexes("one")
    (wherefrom.folder / "link").symlink_to(wherefrom.index)
    assert "are one index" in wherefrom("copy", wherefrom.index, "link", code=2)
    assert "there is no index at" in wherefrom("copy", "nothing", "new.wherefrom", code=2)
    assert "no engine 'ftp'" in wherefrom("copy", wherefrom.index, "ftp://host/x", code=2)
    assert "holds other files and no index" in wherefrom("copy", wherefrom.index, "one", code=2)
    assert "it is empty" in wherefrom("copy", "", "new.wherefrom", code=2)
    assert "--jobs must be a whole number" in wherefrom("copy", wherefrom.index, "new.wherefrom", "--jobs", "0", code=2)
    assert not (wherefrom.folder / "new.wherefrom").exists()


def test_to_elasticsearch_and_back(
    moved: Wherefrom, expected: dict[str, Any], elasticsearch_location: Callable[[], str], tmp_path: Path
) -> None:
    there, back = elasticsearch_location(), str(tmp_path / "back")
    sent = moved.json("copy", moved.index, there)
    assert everything(there) == expected
    returned = moved.json("copy", there, back)
    assert everything(back) == expected
    assert (sent["sent"], sent["digest"]) == (returned["sent"], returned["digest"])
    assert "are one index" in moved("copy", there, there, code=2)


@pytest.mark.nightly
def test_a_copy_to_elasticsearch_is_killed_and_run_again(
    moved: Wherefrom, expected: dict[str, Any], elasticsearch_location: Callable[[], str]
) -> None:
    there = elasticsearch_location()
    killed(moved, there, 60)
    with closing(open_engine(there, schemes=scheme_ids())) as engine:
        known = {blob.blob for blob in engine.stored_blobs()}
        assert {item.blob for item in engine.occurrences()} <= known
    report = moved.json("copy", moved.index, there)
    contents = len(expected["blobs"])
    assert 0 < report["sent"] <= contents - len(known) < contents
    assert everything(there) == expected
