"""Reads files and folders beneath a root without following a link in any part of their paths."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress

from wherefrom.model import SkipReason
from wherefrom.support.closing import Closing

LONGEST_PATH = 4096
"""A path must have fewer bytes than this, since opening it takes a system call for each of its parts."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def skip_of_mode(mode: int) -> SkipReason | None:
    """Why a file with this mode (from `lstat`) is not read; None for a regular file."""
    if stat.S_ISLNK(mode):
        return SkipReason.SYMLINK
    if stat.S_ISDIR(mode):
        return SkipReason.SUBMODULE
    return None if stat.S_ISREG(mode) else SkipReason.UNREADABLE


class Beneath(Closing):
    """Files and folders beneath a root. Paths are relative to the root, with `/` between their parts. The root itself
    has the empty path. Links in the path of the root are followed.
    """

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._parent: tuple[bytes, int] | None = None

    def status(self, path: bytes) -> os.stat_result:
        """The result of `lstat`. Raises OSError if nothing exists there, or a folder of the path is a link."""
        name, parent = self._place(path)
        return os.stat(name, dir_fd=parent, follow_symlinks=False)

    def listing(self, folder: bytes) -> Iterator[os.DirEntry[str]]:
        """The items of a folder. The methods of an item work only until the next item is taken. Raises OSError if the
        folder cannot be read, is not a folder, or its path has a link.
        """
        name, parent = self._place(folder) if folder else (self._root, None)
        descriptor = os.open(name, _FOLDER if folder else _FOLDER & ~os.O_NOFOLLOW, dir_fd=parent)
        try:
            with os.scandir(descriptor) as items:
                yield from items
        finally:
            os.close(descriptor)

    def read(self, path: bytes, max_bytes: int) -> bytes | SkipReason:
        """The content of a regular file. This never waits for a pipe or a device. It is `TOO_LARGE` if it has more than
        `max_bytes`, and `UNREADABLE` if it cannot be read or is not regular.
        """
        with suppress(OSError):
            name, parent = self._place(path)
            descriptor = os.open(name, _FILE, dir_fd=parent)
            try:
                status = os.fstat(descriptor)
                if stat.S_ISREG(status.st_mode):
                    if status.st_size > max_bytes:
                        return SkipReason.TOO_LARGE
                    with os.fdopen(descriptor, "rb", closefd=False) as file:
                        return file.read(status.st_size)
            finally:
                os.close(descriptor)
        return SkipReason.UNREADABLE

    def _place(self, path: bytes) -> tuple[bytes, int]:
        """The last part of a path, and a descriptor of the folder before it, which stays open for more files of it.
        Raises OSError if the folder is missing or behind a link, or the path is too long or has a part such as `..`.
        """
        if len(path) >= LONGEST_PATH or {b"", b".", b".."} & set(path.split(b"/")):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        folder, _, name = path.rpartition(b"/")
        if self._parent is None or self._parent[0] != folder:
            self.close()
            self._parent = folder, self._opened(folder)
        return name, self._parent[1]

    def _opened(self, folder: bytes) -> int:
        descriptor = os.open(self._root, _FOLDER & ~os.O_NOFOLLOW)
        for part in folder.split(b"/") if folder else ():
            outer = descriptor
            try:
                descriptor = os.open(part, _FOLDER, dir_fd=outer)
            finally:
                os.close(outer)
        return descriptor

    def close(self) -> None:
        """Closes the folder that is still open."""
        if self._parent is not None:
            os.close(self._parent[1])
            self._parent = None
