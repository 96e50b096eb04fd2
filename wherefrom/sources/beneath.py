"""What lies beneath a folder, reached without following a link in any part of its path."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable

from wherefrom.model import SkipReason
from wherefrom.support.closing import Closing

LONGEST_PATH = 4096
"""Bytes of a path; each of its parts costs a call of the system."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_OPENS_PARTS = {os.open, os.stat} <= os.supports_dir_fd


def skip_of_mode(mode: int) -> SkipReason | None:
    """Why a file of this kind (as `lstat` tells it) is not read, None for a plain one."""
    if stat.S_ISLNK(mode):
        return SkipReason.SYMLINK
    if stat.S_ISDIR(mode):
        return SkipReason.SUBMODULE
    return None if stat.S_ISREG(mode) else SkipReason.UNREADABLE


class Beneath(Closing):
    """Files and folders beneath a root. A path is relative to it, with `/` between its parts, empty for the root.

    Where the system cannot open a path part by part, each call checks before that no part is a link.

    Args:
        root: the folder; links in its own path are followed.
    """

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._parent: tuple[bytes, int] | None = None

    def status(self, path: bytes) -> os.stat_result:
        """What `lstat` says of a path.

        Raises:
            OSError: nothing is there, or behind a link.
        """
        name, parent = self._place(path)
        return os.stat(name, dir_fd=parent, follow_symlinks=False)

    def listing(self, folder: bytes, use: Callable[[os.DirEntry[str]], None]) -> None:
        """Calls `use` with each item of a folder. An item can only be asked for more while it is used.

        Raises:
            OSError: it cannot be read, is not a folder, or is behind a link.
        """
        name, parent = self._place(folder) if folder else (self._root, None)
        descriptor = os.open(name, _FOLDER if folder else _FOLDER & ~os.O_NOFOLLOW, dir_fd=parent)
        try:
            with os.scandir(descriptor) as items:
                for item in items:
                    use(item)
        finally:
            os.close(descriptor)

    def read(self, path: bytes, max_bytes: int) -> bytes | SkipReason:
        """The content of a regular file; a pipe or a device is never waited for.

        Returns:
            `TOO_LARGE` above `max_bytes`, `UNREADABLE` for anything else that is not such a file.
        """
        try:
            name, parent = self._place(path)
            descriptor = os.open(name, _FILE, dir_fd=parent)
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

    def _place(self, path: bytes) -> tuple[bytes, int | None]:
        """The name by which a path is to be opened, and in which folder; that one stays open for the next path.

        Raises:
            OSError: a part is a link, or not a folder, or leads up.
        """
        if len(path) >= LONGEST_PATH or {b"", b".", b".."} & set(path.split(b"/")):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        folder, _, name = path.rpartition(b"/")
        if not _OPENS_PARTS:
            place = os.path.join(os.path.realpath(self._root), folder).rstrip(b"/")  # noqa: PTH118  # for bytes
            if os.path.realpath(place) != place:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            return place + b"/" + name, None
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
        """Closes the folder that is held open."""
        if self._parent is not None:
            os.close(self._parent[1])
            self._parent = None
