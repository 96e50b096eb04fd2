"""Plain folders: their files as they are now."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from wherefrom.errors import SourceError
from wherefrom.model import KeyKind, SkipReason
from wherefrom.sources.beneath import Beneath, skip_of_mode
from wherefrom.sources.source import MAX_BYTES, Entry, LocalSource, path_text, refusal
from wherefrom.support.printable import visible

VERSION_CONTROL = frozenset({b".git", b".hg", b".svn"})
"""Folders that hold another program's data; they are left out."""

BARE_REPOSITORY = frozenset({b"HEAD", b"config", b"objects", b"refs"})
"""What is in a folder that is a bare repository; git's data is no code."""


class DirectorySource(LocalSource):
    """The files under a folder, as they were when it was first listed."""

    kind: Final = "directory"

    def __init__(self, folder: Path, *, key: str, key_kind: KeyKind = KeyKind.NAME, max_bytes: int = MAX_BYTES) -> None:
        super().__init__(folder, key=key, key_kind=key_kind, max_bytes=max_bytes)
        self.folder = os.fsencode(folder)

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
        """Every file, by path; links and special files with their reason, also a folder that cannot be read, and a bare
        repository as one entry.
        """
        for entry, _ in self._listed:
            yield entry

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents as they are now; `UNREADABLE` for a file that is gone, or no plain file any longer."""
        with Beneath(self.folder) as beneath:
            for entry in entries:
                reason = refusal(entry, self.max_bytes)
                content = beneath.read(os.fsencode(entry.handle), self.max_bytes) if reason is None else reason
                yield entry, content

    @cached_property
    def _listed(self) -> list[tuple[Entry, int]]:
        """The entries with their modification times in nanoseconds."""
        listed: list[tuple[Entry, int]] = []
        folders = [b""]
        files: list[tuple[Entry, int]] = []
        names: set[bytes] = set()

        def take(item: os.DirEntry[str]) -> None:
            name = os.fsencode(item.name)
            path = folder + b"/" + name if folder else name
            names.add(name)
            if not item.is_dir(follow_symlinks=False):
                files.append(entry_at(path, partial(item.stat, follow_symlinks=False)))
            elif name not in VERSION_CONTROL:
                inner.append(path)

        with Beneath(self.folder) as beneath:
            while folders:
                folder = folders.pop()
                inner: list[bytes] = []
                files.clear()
                names.clear()
                try:
                    beneath.listing(folder, take)
                except OSError as error:
                    if not folder:
                        reason = error.strerror or "unknown reason"
                        raise SourceError(
                            f"cannot read {visible(self.location)}: {reason}; check its permissions"
                        ) from None
                    listed.append((Entry(path_text(folder), None, None, SkipReason.UNREADABLE, folder), 0))
                    continue
                if folder and names >= BARE_REPOSITORY:
                    listed.append((Entry(path_text(folder), None, None, SkipReason.SUBMODULE, folder), 0))
                else:
                    listed += files
                    folders += inner
        return sorted(listed, key=lambda pair: pair[0].path)


def entry_at(path: bytes, lstat: Callable[[], os.stat_result]) -> tuple[Entry, int]:
    """The entry of a file and its modification time in nanoseconds; a link or a special file has a reason."""
    try:
        status = lstat()
    except OSError:
        return Entry(path_text(path), None, None, SkipReason.UNREADABLE, path), 0
    reason = skip_of_mode(status.st_mode)
    size = status.st_size if reason is None else None
    return Entry(path_text(path), None, size, reason, path), status.st_mtime_ns
