"""When a file was first committed, by its clone."""

from __future__ import annotations

import os
from collections import deque
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from wherefrom.errors import SourceError
from wherefrom.sources.command import object_environment, records
from wherefrom.sources.git import objects
from wherefrom.sources.source import found_path, is_object_id, path_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from wherefrom.model import RepositoryRecord

_LOG_BYTES = 100_000_000
"""Of a log that has one time a line: millions of commits."""


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
    try:
        place = found_path(record.location)
        if record.kind != "git" or place is None or not is_object_id(record.revision):
            return None
        for written in path_bytes(path):
            if (found := _oldest(record.revision, written, place, seconds)) is not None:
                return found
    except (SourceError, OSError, ValueError, OverflowError):  # a commit may hold a date of any size
        pass
    return None


def _oldest(revision: str, path: bytes, place: Path, seconds: float) -> date | None:
    # With the objects alone: where a clone is shallow, git complains of the parents that are not there.
    with object_environment(objects(place), len(revision)) as environment:
        command = ["--literal-pathspecs", "log", "--follow", "--format=%ct", revision, "--", os.fsdecode(path)]
        times = records(command, environment, seconds=seconds, most_bytes=_LOG_BYTES, separator=b"\n")
        last = deque(times, maxlen=1)
    return datetime.fromtimestamp(int(last[0]), UTC).date() if last else None
