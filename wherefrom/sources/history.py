"""When a file, or the oldest of some lines, was first committed, by its clone."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import partial
from typing import TYPE_CHECKING

from wherefrom.errors import SourceError
from wherefrom.sources.command import object_environment, records
from wherefrom.sources.git import objects
from wherefrom.sources.source import found_path, is_object_id, path_bytes

if TYPE_CHECKING:
    from wherefrom.model import RepositoryRecord

_LOG_BYTES = 100_000_000
"""Of a log that has one time a line: millions of commits."""

_TIMES = (b"author-time ", b"committer-time ")
"""The lines of `git blame --incremental` that have a time."""


def first_committed(record: RepositoryRecord, path: str, *, seconds: float) -> date | None:
    """The day (UTC) of the oldest commit of a file in the history of the indexed revision, renames followed.

    It is the committer's date, so it is not before the one on which the file came into this repository; whoever makes a
    commit can write any date into it.

    Args:
        record: the repository.
        path: of the file at the indexed revision.
        seconds: what it may take: some milliseconds for a thousand commits, some seconds for a hundred thousand.

    Returns:
        None where the clone is gone or shallow (its oldest commit is not the first one), or is no clone, where the file
        is not in it, or where it takes too long.
    """
    return _dated(record, path, record.revision, partial(_oldest, seconds=seconds))


def oldest_line(
    record: RepositoryRecord, path: str, lines: tuple[int, int] | None, *, revision: str, seconds: float
) -> date | None:
    """The day (UTC) before which none of some lines was written: that of the oldest commit that one of them is from.
    Lines that a commit moved within the file, or out of another one, are followed.

    It is the author's date or the committer's, whichever is earlier.

    Args:
        record: the repository.
        path: of the file at that revision.
        lines: first and last, 1-based and inclusive; None for all.
        revision: the id of a commit.
        seconds: what it may take: a second for a file with a thousand commits.

    Returns:
        None where `first_committed` is None, and where the file does not have these lines.
    """
    return _dated(record, path, revision, partial(_oldest_line, lines=lines, seconds=seconds))


def _dated(
    record: RepositoryRecord, path: str, revision: str, ask: Callable[[Mapping[str, str], str, str], int | None]
) -> date | None:
    """The day of the time that `ask` finds in an environment, for a revision and a path; None where it finds none."""
    try:
        place = found_path(record.location)
        if record.kind != "git" or place is None or not is_object_id(revision):
            return None
        store = objects(place)
        if (store.parent / "shallow").exists():
            return None
        for written in path_bytes(path):
            with object_environment(store, len(revision)) as environment:
                found = ask(environment, revision, os.fsdecode(written))
            if found is not None:
                return datetime.fromtimestamp(found, UTC).date()
    except (SourceError, OSError, ValueError, OverflowError):  # a commit may hold a date of any size
        pass
    return None


def _oldest(environment: Mapping[str, str], revision: str, path: str, *, seconds: float) -> int | None:
    command = ["--literal-pathspecs", "log", "--follow", "--format=%ct", revision, "--", path]
    times = records(command, environment, seconds=seconds, most_bytes=_LOG_BYTES, separator=b"\n")
    last = deque(times, maxlen=1)
    return int(last[0]) if last else None


def _oldest_line(
    environment: Mapping[str, str], revision: str, path: str, *, lines: tuple[int, int] | None, seconds: float
) -> int | None:
    chosen = [] if lines is None else ["-L", f"{lines[0]},{lines[1]}"]
    command = ["blame", "--incremental", "--no-textconv", "-M", "-C", *chosen, revision, "--", path]
    said = records(command, environment, seconds=seconds, most_bytes=_LOG_BYTES, separator=b"\n")
    return min((int(line.partition(b" ")[2]) for line in said if line.startswith(_TIMES)), default=None)
