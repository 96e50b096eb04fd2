"""Does the same work on copies of an index, each time stopped at another step; run by `test_faults.py`.

    python -m tests.engines.faults_at_every_step kill|fill FOLDER

A step is a call that may change a file. Either the process is killed (`kill`), before the call and after it; or the
call fails as on a full disk (`fill`). Then the index must verify and hold what one of the commits of the undisturbed
work has left; and the work, done again, must leave what the undisturbed work leaves.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from tests.engines.conftest import SCHEMES, blob_id, document, occurrence, repository
from tests.processes import KILL
from wherefrom.engines import open_engine
from wherefrom.engines.embedded.folder import RUNS
from wherefrom.engines.embedded.records import Records
from wherefrom.engines.engine import Engine
from wherefrom.errors import UnusableIndex
from wherefrom.model import INDEXED, Representation

STEPS = {"execute", "write", "fsync", "open", "unlink", "rmdir", "mkdir", "close", "flock", "mmap", "rename", "replace"}
"""The names of the functions in C that may change a file."""

FILLING = {"execute", "write", "fsync", "open", "mkdir"}
"""The functions that fail on a full disk."""

TERMS = range(40)


def prepare(folder: Path) -> None:
    """An index of several runs, one with deleted documents."""
    with closing(open_engine(folder, schemes=SCHEMES, create=True)) as engine:
        for batch in range(3):
            with engine.writer() as writer:
                names = range(batch * 10, batch * 10 + 10)
                writer.add_blobs(document(name, [name, name % 7], source=b"source") for name in names)
                writer.put_occurrences(occurrence(f"r{batch}", str(name), name) for name in names)
                writer.put_repository(repository(f"r{batch}"))


def work(engine: Engine) -> None:
    """Adds, replaces, deletes, sweeps, with commits in between; every commit merges."""
    with engine.writer() as writer:
        writer.add_blobs([document(100, [1, 39]), document(101, [2])])
        writer.replace_blobs([document(3, [38], language="c"), document(102, [3])])
        writer.put_occurrences([occurrence("new", str(name), name) for name in (100, 101, 102)])
        writer.put_repository(repository("new"))
        writer.commit()
        writer.delete_occurrences("r0")
        writer.delete_repository("r0")
        writer.delete_occurrences("r1", ["11", "12"])
        writer.sweep()
        writer.add_blobs([document(1, [1, 37])])
        writer.put_occurrences([occurrence("new", "again", 1)])


def state(engine: Engine) -> str:
    """All answers of an index, after it is verified."""
    engine.verify()
    counted = engine.document_frequencies({Representation.EXACT: TERMS, Representation.TEXT: [1]})
    ranked = engine.candidates({INDEXED[0]: {term: 1.0 + term / 8 for term in TERMS}}, limit=100)
    return repr(
        (
            counted,
            [(candidate.score, candidate.blob) for candidate in ranked],
            list(engine.stored_blobs()),
            list(engine.occurrences()),
            engine.repositories(),
            engine.count_analyses(),
            sorted(engine.known([blob_id(name) for name in range(110)])),
        )
    )


def state_of(folder: Path) -> str:
    """The answers of an index that is opened again."""
    with closing(open_engine(folder, schemes=SCHEMES)) as engine:
        return state(engine)


def states_of_work(folder: Path) -> list[str]:
    """The answers of an index before the work, and after each of its commits."""
    found = [state_of(folder)]
    plain = Records.commit

    def commit(records: Records) -> None:
        plain(records)
        found.append(state_of(folder))

    with patch.object(Records, "commit", commit), closing(open_engine(folder, schemes=SCHEMES)) as engine:
        work(engine)
    return found


def at_step(
    number: int, steps: set[str], events: set[str], fault: Callable[[Any], None]
) -> Callable[[FrameType, str, Any], None]:
    """A profile function that calls `fault` with the function at one of these steps, counted from 0."""
    seen = -1

    def profile(frame: FrameType, event: str, called: Any) -> None:
        nonlocal seen
        if event in events and getattr(called, "__name__", "") in steps:
            seen += 1
            if seen == number:
                sys.setprofile(None)
                fault(called)

    return profile


def kill(called: Any) -> None:
    """Kills this process, as the kernel would."""
    os.kill(os.getpid(), KILL)


def full(called: Any) -> None:
    """The error that this function raises on a full disk."""
    if called.__name__ == "execute":
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def is_killed_at(number: int, folder: Path) -> bool:
    """Does the work in another process, which is killed at a step; False if there is no such step."""
    child = os.fork()
    if not child:
        engine = open_engine(folder, schemes=SCHEMES)
        sys.setprofile(at_step(number, STEPS, {"c_call", "c_return"}, kill))
        work(engine)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def is_full_at(number: int, folder: Path, states: list[str]) -> bool:
    """Does the work, which fails at a step; False if it has no such step. The engine can still be read and written."""
    with closing(open_engine(folder, schemes=SCHEMES)) as engine:
        sys.setprofile(at_step(number, FILLING, {"c_call"}, full))
        try:
            work(engine)
        except UnusableIndex as error:
            message = str(error)
        else:
            return False
        finally:
            sys.setprofile(None)
        assert "run again" in message
        assert state(engine) in states
    return True


def main(fault: str, root: Path) -> None:
    """Tries every step; prints the number of steps."""
    prepare(root / "begin")
    shutil.copytree(root / "begin", root / "whole")
    states = states_of_work(root / "whole")
    number = 0
    while True:
        copy = root / "copy"
        shutil.copytree(root / "begin", copy)
        stopped = is_killed_at(number, copy) if fault == "kill" else is_full_at(number, copy, states)
        assert state_of(copy) in (states if stopped else states[-1:]), number
        with closing(open_engine(copy, schemes=SCHEMES)) as engine:
            work(engine)
            assert state(engine) == states[-1], number
        runs = sorted(path.name for path in (copy / RUNS).iterdir())
        with closing(sqlite3.connect(copy / "records.sqlite")) as connection:
            assert runs == [f"{name}.run" for (name,) in connection.execute("SELECT name FROM run ORDER BY name")], (
                number
            )
        shutil.rmtree(copy)
        if not stopped:
            break
        number += 1
    print(number, len(set(states)))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
