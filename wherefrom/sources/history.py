"""When a file was first committed, and some of its lines, by its clone."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial

from wherefrom.errors import SourceError
from wherefrom.model import RepositoryRecord
from wherefrom.sources.command import KILLS, GitKilled, object_environment, records
from wherefrom.sources.git_folder import objects
from wherefrom.sources.source import found_path, is_object_id, path_bytes

_LOG_BYTES = 100_000_000
"""Of a log that has one time a line: millions of commits."""


def first_committed(record: RepositoryRecord, path: str, *, seconds: float) -> date | None:
    """The day (UTC) of the oldest commit of a file in the history of the indexed revision, renames followed.

    It is the committer's date: the author of a commit can write any date into it.

    Returns:
        None if the clone is gone, shallow (its oldest commit is not the first one) or not a clone, if the file is not
        in it, or if it takes more than `seconds`.
    """
    days = _days(record, path, record.revision, partial(_oldest, seconds=seconds))
    return days[0] if days else None


def days_of_lines(
    record: RepositoryRecord,
    path: str,
    ranges: Sequence[tuple[int, int]],
    *,
    revision: str,
    seconds: float,
) -> tuple[date, date] | None:
    """The days (UTC) of the oldest commit (by author or committer, the earlier) and of the newest (by committer) that
    some lines are from. Lines that were moved are followed, and a change of blanks alone does not count.

    Args:
        record: the repository.
        path: of the file at that revision.
        ranges: of lines, first and last, 1-based and inclusive; empty for all.
        revision: the id of a commit.
        seconds: what it may take.

    Returns:
        As `first_committed`; also None if the file does not have these lines.
    """
    times = _days(record, path, revision, partial(_times_of_lines, ranges=ranges, seconds=seconds))
    return None if times is None else (times[0], times[1])


def _days(
    record: RepositoryRecord, path: str, revision: str, ask: Callable[[Mapping[str, str], str, str], list[int]]
) -> list[date] | None:
    """The days of the times that `ask` finds in an environment, for a revision and a path; None where it finds none."""
    try:
        place = found_path(record.location)
        if record.kind != "git" or place is None or not is_object_id(revision):
            return None
        store = objects(place)
        if (store.parent / "shallow").exists():
            return None
        for written in path_bytes(path):
            with object_environment(store, len(revision)) as environment:
                times = _although_killed(partial(ask, environment, revision, os.fsdecode(written)))
            if times:
                return [datetime.fromtimestamp(time, UTC).date() for time in times]
    except (SourceError, OSError, ValueError, OverflowError):  # a commit may hold a date of any size
        pass
    return None


def _although_killed(ask: Callable[[], list[int]]) -> list[int]:
    """What git answers, asked again where another process killed it: "unknown" would be a wrong answer."""
    for _ in range(KILLS):
        try:
            return ask()
        except GitKilled:
            continue
    return ask()


def _oldest(environment: Mapping[str, str], revision: str, path: str, *, seconds: float) -> list[int]:
    command = ["--literal-pathspecs", "log", "--follow", "--format=%ct", revision, "--", path]
    times = records(command, environment, seconds=seconds, most_bytes=_LOG_BYTES, separator=b"\n")
    return [int(time) for time in deque(times, maxlen=1)]


def _times_of_lines(
    environment: Mapping[str, str], revision: str, path: str, *, ranges: Sequence[tuple[int, int]], seconds: float
) -> list[int]:
    chosen = [part for first, last in ranges for part in ("-L", f"{first},{last}")]
    command = ["blame", "--incremental", "--no-textconv", "-w", "-M", "-C", *chosen, revision, "--", path]
    authored: list[int] = []
    committed: list[int] = []
    for line in records(command, environment, seconds=seconds, most_bytes=_LOG_BYTES, separator=b"\n"):
        name, _, value = line.partition(b" ")
        if name in (b"author-time", b"committer-time"):
            (authored if name == b"author-time" else committed).append(int(value))
    return [min(*authored, *committed), max(committed)] if authored and committed else []
