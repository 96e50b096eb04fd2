"""A run over a history that is killed at any moment goes on, and ends as one that was not."""

from __future__ import annotations

import os
import random
import signal
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.runs import start
from tests.indexer.test_history import code
from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine

RUNNER = '''\
"""Indexes a history with a commit to the index after each file; says how many commits are done."""

import sys

import wherefrom
from wherefrom.indexer import history, indexing
from wherefrom.support import throttle

indexing.BATCH_FILES, history.COMMIT_BYTES, throttle.SECONDS = 1, 1, 0.0

if __name__ == "__main__":
    wherefrom.index_sources(
        sys.argv[2:], sys.argv[1], jobs=1, history=True, progress=lambda at: print(at.commits, flush=True)
    )
    print("done", flush=True)
'''

COMMITS = 60


def tell(folder: Path) -> Repository:
    """A repository with many commits, each with new code."""
    repository = Repository.make(folder)
    stream = []
    for number in range(COMMITS):
        text = code(number)
        stream.append(b"commit refs/heads/main\ncommitter A <a@example.org> 1500000000 +0000\ndata 1\nx\n")
        stream.append(b"M 644 inline %d.py\ndata %d\n%s\n" % (number % 7, len(text), text))
    repository.git("fast-import", "--quiet", stdin=b"".join(stream))
    return repository


def stored(location: Path) -> object:
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        history = engine.history()
        assert history is not None
        history.verify()
        places = list(history.occurrences())
        records = [replace(record, indexed_at="") for record in history.repositories()]
        return records, places, history.blobs({place.blob for place in places})


@pytest.mark.nightly
def test_a_killed_run_goes_on(wherefrom: Wherefrom) -> None:
    repository = tell(wherefrom.folder / "clone")
    script = wherefrom.folder / "runner.py"
    script.write_text(RUNNER)
    index, whole = wherefrom.folder / "killed", wherefrom.folder / "whole"

    def killed(location: Path, after: int) -> bool:
        """Kills a run after this many commits; returns whether it was still running."""
        running = start(wherefrom, sys.executable, script, location, repository.folder)
        assert running.stdout is not None
        for line in running.stdout:
            if line.strip() == b"done" or (line.strip().isdigit() and int(line) >= after):
                break
        os.killpg(running.pid, signal.SIGKILL)
        output, _ = running.communicate(timeout=60)
        return line.strip() != b"done" and b"done" not in output

    moments = sorted(random.Random(3).sample(range(5, COMMITS - 5), 3))
    were_killed = [killed(index, after) for after in moments]
    assert any(were_killed)
    assert not killed(index, COMMITS + 1)
    assert not killed(whole, COMMITS + 1)
    assert stored(index) == stored(whole)
