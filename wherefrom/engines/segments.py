"""The files that tantivy keeps in a folder: which of them its last commit names, and what else is there.

A segment's files are named as in tantivy's `index/index_meta.rs`.
"""

from __future__ import annotations

import fcntl
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

META = "meta.json"
"""The file that names the segments of the last commit; replaced by each."""

META_LOCK = ".tantivy-meta.lock"
"""Locked by who reads `META`, until the files that it names are open, and by who removes files that it does not."""

_COMPONENTS = ("fast", "fieldnorm", "idx", "pos", "store", "term")

_REMOVABLE = re.compile(r"[0-9a-f]{32}\.[0-9a-z.]+|\.tmp[0-9A-Za-z]+")
"""What tantivy gives to files of segments, and to those that become `META` or `.managed.json`."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment, as `META` describes it.

    Attributes:
        id: 32 hexadecimal digits.
        documents: how many it holds, deleted ones included.
        deleted: how many of them are deleted.
        deletion: the number of the operation that deleted the last of them; None if there was none.
    """

    id: str
    documents: int
    deleted: int
    deletion: int | None

    @property
    def alive(self) -> str | None:
        """The name of the file with a bit for each document that is not deleted; None if none is."""
        return None if self.deletion is None else f"{self.id}.{self.deletion}.del"

    @property
    def files(self) -> tuple[str, ...]:
        """The names of all its files."""
        files = tuple(f"{self.id}.{component}" for component in _COMPONENTS)
        return files if self.alive is None else (*files, self.alive)


def committed(data: Path) -> tuple[Segment, ...]:
    """The segments of the last commit, in tantivy's order.

    Raises:
        OSError: `META` cannot be read.
        ValueError: it does not describe segments.
    """
    try:
        meta = json.loads((data / META).read_bytes())
        segments = tuple(_segment(described) for described in meta["segments"])
        last = _number(meta["opstamp"])
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{META} does not describe an index") from error
    if any(segment.deletion is not None and segment.deletion > last for segment in segments):
        raise ValueError(f"{META} names a deletion that is newer than its commit")
    return segments


def _segment(described: Any) -> Segment:
    identity = UUID(str(described["segment_id"])).hex
    documents, deletes = _number(described["max_doc"]), described["deletes"]
    if deletes is None:
        return Segment(identity, documents, 0, None)
    return Segment(identity, documents, _number(deletes["num_deleted_docs"]), _number(deletes["opstamp"]))


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value


def remove_leftovers(data: Path) -> None:
    """Removes the files of tantivy that the last commit does not name: what a killed writer had begun.

    For whoever has the writer's lock and has not written yet. tantivy itself would not remove all of them, and cannot
    write a file whose name is taken. Readers of an earlier commit have its files open, or hold the lock that this waits
    for.

    Raises:
        OSError: the folder cannot be read or written.
        ValueError: `META` does not describe an index, or names a file that is missing; nothing was removed.
    """
    with (data / META_LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        named = {name for segment in committed(data) for name in segment.files}
        there = {path.name for path in data.iterdir()}
        if named - there:
            raise ValueError(f"{min(named - there)} is missing")
    for name in there - named:
        if _REMOVABLE.fullmatch(name):
            (data / name).unlink(missing_ok=True)
