"""The files in plain folders."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path

from wherefrom.errors import SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.beneath import Beneath, skip_of_mode
from wherefrom.sources.source import Entry, Source, path_text, refusal
from wherefrom.support.printable import visible

VERSION_CONTROL = frozenset({b".git", b".hg", b".svn"})
"""Folders of version control systems, which are left out."""

BARE_REPOSITORY = frozenset({b"HEAD", b"config", b"objects", b"refs"})
"""Names that a folder contains if it is a bare git repository. Its files are git's data, not code."""


class DirectorySource(Source):
    """The files under a folder, as they were when the folder was first listed."""

    kind = "directory"

    @cached_property
    def revision(self) -> str:
        """A digest over every path, size and modification time. Raises SourceError if the folder cannot be read."""
        digest = hashlib.sha256()
        for entry, modified in self._listed:
            digest.update(f"{len(entry.path)}:{entry.path} {entry.size} {modified}\n".encode())
        return digest.hexdigest()[:40]

    def entries(self) -> Iterator[Entry]:
        """Every file, sorted by path. Links, special files, bare repositories and unreadable folders are entries to
        skip.
        """
        for entry, _ in self._listed:
            yield entry

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents as they are now; `UNREADABLE` if a file no longer exists, or is no longer a regular file."""
        with Beneath(bytes(self.path)) as beneath:
            for entry in entries:
                reason = refusal(entry, self.max_bytes)
                yield entry, reason or beneath.read(os.fsencode(entry.handle), self.max_bytes)

    @cached_property
    def _listed(self) -> list[tuple[Entry, int]]:
        """The entries with their modification times in nanoseconds."""
        listed: list[tuple[Entry, int]] = []
        folders = [b""]
        with Beneath(bytes(self.path)) as beneath:
            while folders:
                folder = folders.pop()
                try:
                    files, inner = _items(beneath, folder)
                except OSError as error:
                    if not folder:
                        reason = error.strerror or "unknown reason"
                        raise SourceError(
                            f"cannot read {visible(self.location)}: {reason}; check its permissions"
                        ) from None
                    files, inner = [_skipped(folder, SkipReason.UNREADABLE)], []
                listed += files
                folders += inner
        return sorted(listed, key=lambda pair: pair[0].path)


class FilesSource(DirectorySource):
    """Some files of one folder. The folder is an absolute path."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        super().__init__(folder)
        self._names = sorted(set(names))

    @cached_property
    def _listed(self) -> list[tuple[Entry, int]]:
        with Beneath(bytes(self.path)) as beneath:
            return [_entry(path, partial(beneath.status, path)) for path in map(os.fsencode, self._names)]


def _items(beneath: Beneath, folder: bytes) -> tuple[list[tuple[Entry, int]], list[bytes]]:
    """The files in a folder, and the paths of the folders in it. If it is a bare repository, it is the only file."""
    files: list[tuple[Entry, int]] = []
    inner: list[bytes] = []
    names: set[bytes] = set()
    for item in beneath.listing(folder):
        name = os.fsencode(item.name)
        path = folder + b"/" + name if folder else name
        names.add(name)
        if not item.is_dir(follow_symlinks=False):
            files.append(_entry(path, partial(item.stat, follow_symlinks=False)))
        elif name not in VERSION_CONTROL:
            inner.append(path)
    if folder and names >= BARE_REPOSITORY:
        return [_skipped(folder, SkipReason.SUBMODULE)], []
    return files, inner


def _entry(path: bytes, lstat: Callable[[], os.stat_result]) -> tuple[Entry, int]:
    """The entry of a file and its modification time in nanoseconds."""
    try:
        status = lstat()
    except OSError:
        return _skipped(path, SkipReason.UNREADABLE)
    reason = skip_of_mode(status.st_mode)
    size = status.st_size if reason is None else None
    return Entry(path_text(path), None, size, reason, path), status.st_mtime_ns


def _skipped(path: bytes, reason: SkipReason) -> tuple[Entry, int]:
    return Entry(path_text(path), None, None, reason, path), 0
