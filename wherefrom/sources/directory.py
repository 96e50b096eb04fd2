"""The files in plain folders, read without following a link in any part of their paths."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path

from wherefrom.errors import SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.source import Entry, Source, refusal
from wherefrom.support.closing import Closing
from wherefrom.support.paths import path_text
from wherefrom.support.printable import visible
from wherefrom.support.system import system

VERSION_CONTROL = frozenset({b".git", b".hg", b".svn"})  # folders of version control systems, which are left out

BARE_REPOSITORY = frozenset({b"HEAD", b"config", b"objects", b"refs"})
"""Names that a folder contains if it is a bare git repository. Its files are git's data, not code."""

_NO_NAMES = frozenset({b"", b".", b".."})
LONGEST_PATH = 4096  # a path must have fewer bytes, since opening it takes a system call for each of its parts


class DirectorySource(Source):
    """The files under a folder, as first listed. Then `clones` has the folders in it that have a `.git`."""

    kind = "directory"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.clones: list[bytes] = []

    @cached_property
    def revision(self) -> str:
        """A digest over every path, size and modification time. Raises SourceError if the folder cannot be read."""
        digest = hashlib.sha256()
        for entry, modified in self._listed:
            digest.update(f"{len(entry.path)}:{entry.path} {entry.size} {modified}\n".encode())
        return digest.hexdigest()[:40]

    def entries(self) -> Iterator[Entry]:
        """Every file, by path. Links, special files, bare repositories and unreadable folders are to be skipped."""
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
                    files, inner, is_clone = _items(beneath, folder)
                except OSError as error:
                    if not folder:
                        reason = error.strerror or "unknown reason"
                        raise SourceError(
                            f"cannot read {visible(self.location)}: {reason}; check its permissions"
                        ) from None
                    files, inner, is_clone = [_skipped(folder, SkipReason.UNREADABLE)], [], False
                listed += files
                folders += inner
                self.clones += [folder] * is_clone
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


def _items(beneath: Beneath, folder: bytes) -> tuple[list[tuple[Entry, int]], list[bytes], bool]:
    """The files in a folder (itself, if it is a bare repository), the folders in it, and whether it has a `.git`."""
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
        return [_skipped(folder, SkipReason.SUBMODULE)], [], False
    return files, inner, b".git" in names


def _entry(path: bytes, lstat: Callable[[], os.stat_result]) -> tuple[Entry, int]:
    try:
        status = lstat()
    except OSError:
        return _skipped(path, SkipReason.UNREADABLE)
    reason = skip_of_mode(status.st_mode)
    size = status.st_size if reason is None else None
    return Entry(path_text(path), None, size, reason, path), status.st_mtime_ns


def _skipped(path: bytes, reason: SkipReason) -> tuple[Entry, int]:
    return Entry(path_text(path), None, None, reason, path), 0


def skip_of_mode(mode: int) -> SkipReason | None:
    """Why a file with this mode (from `lstat`) is not read; None for a regular file."""
    if stat.S_ISLNK(mode):
        return SkipReason.SYMLINK
    if stat.S_ISDIR(mode):
        return SkipReason.SUBMODULE
    return None if stat.S_ISREG(mode) else SkipReason.UNREADABLE


def _read_whole(descriptor: int, size: int) -> bytes:
    """At most `size` bytes of a file: fewer if it is shorter now."""
    content = os.read(descriptor, size)
    while len(content) < size and (more := os.read(descriptor, size - len(content))):
        content += more
    return content


class Beneath(Closing):
    """Files and folders beneath a root. Paths are relative to the root, with `/` between their parts. The root itself
    has the empty path. Links in the path of the root are followed.
    """

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._parent: tuple[bytes, system.SafeFolder] | None = None

    def status(self, path: bytes) -> os.stat_result:
        """The result of `lstat`. Raises OSError if nothing exists there, or a folder of the path is a link."""
        name, parent = self._place(path)
        return parent.status(name)

    def listing(self, folder: bytes) -> Iterator[os.DirEntry[str]]:
        """The items of a folder. The methods of an item work only until the next item is taken. Raises OSError if the
        folder cannot be read, is not a folder, or its path has a link.
        """
        name, parent = self._place(folder) if folder else (self._root, None)
        opened = system.SafeFolder(name, outer=parent)
        try:
            yield from opened.items()
        finally:
            opened.close()

    def read(self, path: bytes, max_bytes: int) -> bytes | SkipReason:
        """The content of a regular file. This never waits for a pipe or a device. It is `TOO_LARGE` if it has more than
        `max_bytes`, and `UNREADABLE` if it cannot be read or is not regular.
        """
        with suppress(OSError):
            name, parent = self._place(path)
            descriptor = parent.file(name)
            try:
                status = os.fstat(descriptor)
                if stat.S_ISREG(status.st_mode):
                    if status.st_size > max_bytes:
                        return SkipReason.TOO_LARGE
                    return _read_whole(descriptor, status.st_size)
            finally:
                os.close(descriptor)
        return SkipReason.UNREADABLE

    def _place(self, path: bytes) -> tuple[bytes, system.SafeFolder]:
        """The last part of a path, and the folder before it, which stays open for more files of it.
        Raises OSError if the folder is missing or behind a link, or the path is too long or has a part such as `..`.
        """
        folder, _, name = path.rpartition(b"/")
        if len(path) >= LONGEST_PATH or not _NO_NAMES.isdisjoint(path.split(b"/")):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        if self._parent is None or self._parent[0] != folder:
            self.close()
            self._parent = folder, self._opened(folder)
        return name, self._parent[1]

    def _opened(self, folder: bytes) -> system.SafeFolder:
        opened = system.SafeFolder(self._root)
        for part in folder.split(b"/") if folder else ():
            outer = opened
            try:
                opened = system.SafeFolder(part, outer=outer)
            finally:
                outer.close()
        return opened

    def close(self) -> None:
        """Closes the folder that is still open."""
        if self._parent is not None:
            self._parent[1].close()
            self._parent = None
