"""Plain folders: their files as they stand now."""

from __future__ import annotations

import hashlib
import os
import stat
from functools import cached_property
from typing import TYPE_CHECKING, Final

from wherefrom.errors import SourceError
from wherefrom.model import KeyKind, SkipReason
from wherefrom.printable import visible
from wherefrom.sources.base import MAX_BYTES, Entry, path_text, refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

VERSION_CONTROL = frozenset({b".git", b".hg", b".svn"})
"""Folders that hold another program's data; they are left out."""


class DirectorySource:
    """The files under a folder, as they were when it was first listed.

    Args:
        folder: the folder, absolute.
        key: the repository key.
        key_kind: what the key is.
        max_bytes: longer files are not read.
    """

    kind: Final = "directory"

    def __init__(self, folder: Path, *, key: str, key_kind: KeyKind = KeyKind.NAME, max_bytes: int = MAX_BYTES) -> None:
        self.folder = os.fsencode(folder)
        self.key = key
        self.key_kind = key_kind
        self.location = path_text(self.folder)
        self.max_bytes = max_bytes

    def __repr__(self) -> str:
        return f"DirectorySource({self.location!r}, key={self.key!r})"

    @cached_property
    def revision(self) -> str:
        """A digest over every path, size and modification time.

        Raises:
            SourceError: the folder cannot be read.
        """
        digest = hashlib.sha256()
        for entry, modified in self._listed:
            digest.update(f"{len(entry.path)}:{entry.path} {entry.size} {modified}\n".encode())
        return digest.hexdigest()[:40]

    def entries(self) -> Iterator[Entry]:
        """Every file, by path; links and special files with their reason, also a folder that cannot be read."""
        for entry, _ in self._listed:
            yield entry

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents as they are now; `UNREADABLE` for a file that is gone, or no plain file any longer."""
        for entry in entries:
            reason = refusal(entry, self.max_bytes)
            path = _joined(self.folder, os.fsencode(entry.handle))
            yield entry, read_file(path, self.max_bytes) if reason is None else reason

    @cached_property
    def _listed(self) -> list[tuple[Entry, int]]:
        """The entries with their modification times in nanoseconds."""
        listed = []
        folders = [b""]
        while folders:
            folder = folders.pop()
            try:
                with os.scandir(_joined(self.folder, folder)) as found:
                    items = list(found)
            except OSError as error:
                if not folder:
                    reason = error.strerror or "unknown reason"
                    raise SourceError(
                        f"cannot read {visible(self.location)}: {reason}; check its permissions"
                    ) from None
                listed.append((Entry(path_text(folder), None, None, SkipReason.UNREADABLE, folder), 0))
                continue
            for item in items:
                path = _joined(folder, item.name)
                if not item.is_dir(follow_symlinks=False):
                    listed.append(_entry(path, item))
                elif item.name not in VERSION_CONTROL:
                    folders.append(path)
        return sorted(listed, key=lambda pair: pair[0].path)


def read_file(path: bytes | Path, max_bytes: int) -> bytes | SkipReason:
    """The content of a regular file; links are not followed, and a pipe or a device is never waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return SkipReason.UNREADABLE
    with os.fdopen(descriptor, "rb") as file:
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return SkipReason.UNREADABLE
            if status.st_size > max_bytes:
                return SkipReason.TOO_LARGE
            return file.read(status.st_size)
        except OSError:
            return SkipReason.UNREADABLE


def _joined(folder: bytes, name: bytes) -> bytes:
    return b"/".join(part for part in (folder, name) if part)


def _entry(path: bytes, item: os.DirEntry[bytes]) -> tuple[Entry, int]:
    text = path_text(path)
    try:
        status = item.stat(follow_symlinks=False)
    except OSError:
        return Entry(text, None, None, SkipReason.UNREADABLE, path), 0
    if stat.S_ISREG(status.st_mode):
        return Entry(text, None, status.st_size, None, path), status.st_mtime_ns
    reason = SkipReason.SYMLINK if stat.S_ISLNK(status.st_mode) else SkipReason.UNREADABLE
    return Entry(text, None, None, reason, path), status.st_mtime_ns
