"""Whatever stops a run, wherever it is: the next one goes on, and the index is the one that a quiet run makes."""

from __future__ import annotations

import heapq
import os
import random
import shlex
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import INDEXED_MODULES, SAMPLES, Whence, harmless, module_source, wait_for_parsing
from tests.end_to_end.edits import UNRELATED, renamed, source_of
from tests.repositories import Repository
from whence import Index
from whence.analyzers.fingerprints import document_terms
from whence.analyzers.schemes import scheme_ids
from whence.analyzers.tokens import decode
from whence.engines import open_engine
from whence.reports.json_report import to_dict

RUNNER = '''\
"""Indexes with a commit after each 300 kB instead of each 128 MB; says how many files are done, and how it ended."""

import sys

import whence
from whence.indexer import run

run.BATCH_BYTES, run.COMMIT_BYTES, run.PROGRESS_SECONDS = 50_000, 300_000, 0.0

if __name__ == "__main__":
    try:
        report = whence.index(sys.argv[2:], index=sys.argv[1], jobs=2, progress=lambda at: print(at.files, flush=True))
        print("interrupted" if report.interrupted else "done", flush=True)
    except KeyboardInterrupt:
        print("interrupted at its very end", flush=True)
'''

SNIPPETS = (
    source_of(heapq.merge),
    renamed(source_of(heapq.nsmallest)),
    source_of(textwrap.TextWrapper._split),
    renamed(source_of(shlex.shlex.read_token)),
    (SAMPLES / "java.sample").read_text(),
    UNRELATED,
)


@pytest.fixture(autouse=True)
def _obey_interrupts() -> Iterator[None]:
    """Processes started from a job in the background otherwise ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dozen repositories of some hundred real files, most of which stand in several of them."""
    folder = tmp_path_factory.mktemp("interrupted") / "clones"
    dice = random.Random(4)
    contents = {f"{name}.py": module_source(name) for name in INDEXED_MODULES}
    contents |= {f"{path.stem}.txt": path.read_bytes() for path in sorted(SAMPLES.iterdir())}
    for number in range(12):
        files = {f"{dice.choice(('src', 'lib/deep'))}/{name}": contents[name] for name in dice.sample([*contents], 24)}
        files[f"own{number}.py"] = module_source("heapq") + b"\n\nOWNER = %d\n" % number
        Repository.make(folder / f"repository{number:02}", {**files, "data.json": b"{}", "none.bin": b"\0" * 9})
    return folder


@pytest.fixture(scope="module")
def expected(clones: Path) -> dict[str, Any]:
    """What the index holds after one run that nothing stopped."""
    whence = Whence(clones.parent)
    assert len(whence.indexes("clones").repositories) == 12
    return contents_of(whence.index)


def contents_of(location: Path) -> dict[str, Any]:
    """All that an index holds and answers, but for the times."""
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        occurrences = list(engine.occurrences())
        blobs = engine.blobs(sorted({each.blob for each in occurrences}))
        streams = {name: decode(blob.tokens) for name, blob in blobs.items()}
        frequencies = {
            (name, representation): engine.document_frequencies(representation, terms[:50].tolist())
            for name in sorted(streams)[::8]
            for representation, terms in document_terms(streams[name]).items()
        }
        stats = engine.stats()
        answers = [to_dict(Index(engine).search(snippet, limit=50, explain=True)) for snippet in SNIPPETS]
        records = engine.repositories()
    for answer in answers:
        del answer["took_ms"]
    parts = ("codes", "classes", "starts", "ends", "start_lines", "end_lines")
    return {
        "repositories": [replace(each, indexed_at="") for each in records],
        "occurrences": [(each.repository, each.path, each.blob) for each in occurrences],
        "blobs": {name: (blob.language, blob.size, blob.token_count) for name, blob in blobs.items()},
        "streams": {name: [getattr(each, part).tolist() for part in parts] for name, each in streams.items()},
        "frequencies": frequencies,
        "stats": (stats.blobs, stats.occurrences, stats.size, stats.tokens, stats.languages, stats.skipped),
        "answers": answers,
    }


def blobs_in(location: Path) -> int:
    """How many blobs an index holds; whatever stopped its run, all that it says is whole."""
    with closing(open_engine(location, schemes=scheme_ids(), create=True)) as engine:
        occurrences = list(engine.occurrences())
        blobs = {each.blob for each in occurrences}
        assert engine.known(blobs) == blobs
        counted = {record.key: record.files for record in engine.repositories()}
        assert sum(counted.values()) == len(occurrences)
        assert {each.repository for each in occurrences} == {key for key, files in counted.items() if files}
        return engine.stats().blobs


def start(whence: Whence, *command: str | Path) -> subprocess.Popen[bytes]:
    """A process group of its own, as a terminal makes one of each command."""
    return subprocess.Popen(
        command,
        env=whence.environment,
        cwd=whence.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def stopped(whence: Whence, clones: Path, files: int, seconds: float, number: signal.Signals) -> str:
    """Runs `RUNNER`, and sends a signal so long after so many files; says the last thing that it said."""
    script = whence.folder / "runner.py"
    script.write_text(RUNNER)
    running = start(whence, sys.executable, script, whence.index, clones)
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


def test_kill_at_any_moment_and_run_again(whence: Whence, clones: Path, expected: dict[str, Any]) -> None:
    dice = random.Random(5)
    seen = []
    for _ in range(5):
        if stopped(whence, clones, dice.randrange(20, 200), dice.random() / 10, signal.SIGKILL) == "done":
            break
        seen.append(blobs_in(whence.index))
    assert any(0 < blobs < len(expected["blobs"]) for blobs in seen)
    report = whence.indexes(clones)
    assert report.parsed <= len(expected["blobs"]) - seen[-1]
    assert contents_of(whence.index) == expected


def test_interrupt_at_any_moment_and_run_again(whence: Whence, clones: Path, expected: dict[str, Any]) -> None:
    dice = random.Random(6)
    seen = []
    for _ in range(5):
        said = stopped(whence, clones, dice.randrange(10, 120), dice.random() / 10, signal.SIGINT)
        seen.append(blobs_in(whence.index))
        if said != "interrupted":
            assert seen[-1] == len(expected["blobs"])
            break
    assert 0 < seen[0] < len(expected["blobs"])
    assert seen == sorted(seen)
    whence.indexes(clones)
    assert contents_of(whence.index) == expected


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=lambda number: number.name)
def test_the_command_itself(whence: Whence, clones: Path, expected: dict[str, Any], number: signal.Signals) -> None:
    running = start(whence, whence.command, "index", clones)
    wait_for_parsing(running)
    os.killpg(running.pid, number)
    output, errors = map(harmless, running.communicate(timeout=60))
    if number == signal.SIGKILL:
        assert (running.returncode, output, errors) == (-signal.SIGKILL, "", "")
    else:
        assert running.returncode == 130
        assert errors.startswith("whence: interrupted; what was finished is in ")
        assert errors.count("\n") == 1
    assert blobs_in(whence.index) < len(expected["blobs"])
    whence("list")
    whence.indexes(clones)
    assert contents_of(whence.index) == expected
