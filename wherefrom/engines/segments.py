"""The files that tantivy keeps in a folder: which of them its last commit names, what else is there, and whether they
are whole.

A segment's files are named as in tantivy's `index/index_meta.rs` and end as in its `directory/footer.rs`.
"""

from __future__ import annotations

import fcntl
import json
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

META = "meta.json"
"""The file that names the segments of the last commit; replaced by each."""

META_LOCK = ".tantivy-meta.lock"
"""Locked by who reads `META`, until the files that it names are open, and by who removes files that it does not."""

_COMPONENTS = ("fast", "fieldnorm", "idx", "pos", "store", "term")

_PART = r"[0-9a-f]{32}\.[0-9a-z.]+"
"""The name of a file of a segment."""

_REMOVABLE = re.compile(rf"{_PART}|\.tmp[0-9A-Za-z]+")
"""What tantivy gives to files of segments, and to those that become `META` or `.managed.json`."""

_BLAMED = re.compile(rf'({_PART}|{re.escape(META)}|\.managed\.json)"')

_END = struct.Struct("<II")
"""What a file ends in: the length of the footer (JSON) before it, and `_MAGIC`."""

_MAGIC = 1337

_LONGEST_FOOTER = 50_000

_BLOCK = 1 << 20


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


def blamed(error: str) -> str | None:
    """The file that an error of tantivy names, and what is wrong with it; None if it names none."""
    found = _BLAMED.search(error)
    if found is None:
        return None
    return f"{found[1]} {'is missing' if 'FileDoesNotExist' in error else 'is not what was written'}"


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


@contextmanager
def opened(data: Path) -> Iterator[tuple[tuple[Segment, ...], dict[str, BinaryIO]]]:
    """The segments of the last commit, and their files by name; a later commit does not change these.

    Raises:
        OSError: a file cannot be read.
        ValueError: `META` does not describe an index, or names a file that is missing.
    """
    segments = committed(data)
    with ExitStack() as stack:
        files: dict[str, BinaryIO] = {}
        for name in (name for segment in segments for name in segment.files):
            try:
                files[name] = stack.enter_context((data / name).open("rb"))
            except FileNotFoundError as error:
                raise ValueError(f"{name} is missing") from error
        yield segments, files


def check(segments: tuple[Segment, ...], files: dict[str, BinaryIO]) -> None:
    """Reads what `opened` gives and compares it with its checksums, and the deletions with their numbers.

    Raises:
        OSError: a file cannot be read.
        ValueError: something has changed.
    """
    changed = [name for name, file in files.items() if not _is_whole(file)]
    if changed:
        names = ", ".join(changed[:3]) + (", ..." if changed[3:] else "")
        raise ValueError(f"{len(changed)} of {len(files)} files do not match their checksums: {names}")
    for segment in segments:
        if segment.alive is not None:
            file = files[segment.alive]
            file.seek(0)
            documents, bits = file.read(4), file.read(-(-segment.documents // 64) * 8)
            alive = int.from_bytes(bits).bit_count()
            if int.from_bytes(documents, "little") != segment.documents or alive != segment.documents - segment.deleted:
                raise ValueError(f"{META} and {segment.alive} count different deletions")


def _is_whole(file: BinaryIO) -> bool:
    """Whether the CRC-32 in a file's footer is that of what stands before the footer."""
    size = file.seek(0, 2)
    if size < _END.size:
        return False
    file.seek(size - _END.size)
    length, magic = _END.unpack(file.read(_END.size))
    body = size - _END.size - length
    if magic != _MAGIC or length > _LONGEST_FOOTER or body < 0:
        return False
    file.seek(body)
    try:
        expected = json.loads(file.read(length))["crc"]
    except (ValueError, LookupError, TypeError):
        return False
    file.seek(0)
    found = 0
    while body:
        block = file.read(min(body, _BLOCK))
        if not block:
            return False
        found = zlib.crc32(block, found)
        body -= len(block)
    return bool(found == expected)
