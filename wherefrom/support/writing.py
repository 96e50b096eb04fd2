"""Writes files completely or not at all, makes folders for stored data and measures them."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

from wherefrom.support.pattern import later
from wherefrom.support.system import system

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}  # the errors of a full disk, and of a user's exhausted quota

_OPEN_FILE = later(r"/dev/(?:stdin|stdout|stderr|fd/\d+)|/proc/[^/]+/fd/\d+")
"""Names of files that a process has open. They are never replaced, even if regular (`> file` in a shell)."""


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that it has either its old content or all of the data, whatever happens meanwhile. A new file
    gets the permissions that the process's umask allows; an existing file keeps its own. For a symbolic link, the file
    that it leads to is replaced. A file that cannot be replaced (`/dev/stdout`, a pipe, a device) is opened and
    written. Raises OSError; no temporary file is left.
    """
    target = replaced(path)
    if target is None:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as file:
            file.write(data)
        return
    try:
        kept: int | None = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        kept = None
    half = target.with_name(f".wherefrom-{os.urandom(8).hex()}")
    # The system applies the umask here: a process can read its umask only by changing it for all its threads.
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if kept is None else kept)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if kept is not None:
                half.chmod(kept)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        system.replace(half, target)
    except BaseException:
        half.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Makes a folder, an absolute path, and its parents. Those in `wherefrom` in the user's data folder, the default
    for indexes and posts, are for the user alone (mode 0700); else the umask decides. Raises OSError.
    """
    private = user_data_path("wherefrom")
    missing = [parent for parent in reversed(folder.parents) if not parent.exists()]
    for part in (*missing, folder):
        part.mkdir(mode=0o700 if part.is_relative_to(private) else 0o777, exist_ok=True)


def replaced(path: Path) -> Path | None:
    """The file that `write_whole` replaces; None if it writes into the existing file instead. Raises OSError if this
    cannot be found out, for example for a link that leads to itself.
    """
    if _OPEN_FILE.fullmatch(str(path.absolute())):
        return None
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
    except FileNotFoundError:
        pass
    return Path(os.path.realpath(path))


def folder_size(folder: Path) -> int:
    """The bytes of all files in a folder, such as a clone, at any depth; 0 if there is no folder."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118  # faster, for many files
    return size
