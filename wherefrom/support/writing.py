"""Files that are written whole or not at all, and the folders for what is kept."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from pathlib import Path

from platformdirs import user_data_path

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
"""What a full disk answers, and one of which a user has used up a share."""

_OPEN_FILE = re.compile(r"/dev/(?:stdin|stdout|stderr|fd/\d+)|/proc/[^/]+/fd/\d+")
"""A file that a process holds open, which may be a regular one: `> file` of a shell."""


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that it holds either what it held before, or all of the data, whatever happens on the way.

    A new file has the permissions that the process's umask leaves; an existing file keeps its own. If the path is a
    symbolic link, the file that it leads to is replaced. What cannot be replaced (`/dev/stdout`, a pipe, a device) is
    written to instead.

    Raises:
        OSError: it cannot be written; nothing is left behind.
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
    half = target.with_name(f".wherefrom-{secrets.token_hex(8)}")
    # The system applies the umask: to ask for it, a process has to change it, for all of its threads.
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if kept is None else kept)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if kept is not None:
                os.fchmod(descriptor, kept)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        half.replace(target)
    except BaseException:
        half.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Makes a folder, given by an absolute path, and its parents. `wherefrom` in the user's data folder, where indexes
    and posts are kept by default, and whatever is made in it are for the user alone (mode 0700); everywhere else the
    umask decides. Raises OSError.
    """
    private = user_data_path("wherefrom")
    missing = [parent for parent in reversed(folder.parents) if not parent.exists()]
    for part in (*missing, folder):
        part.mkdir(mode=0o700 if part.is_relative_to(private) else 0o777, exist_ok=True)


def replaced(path: Path) -> Path | None:
    """The file that `write_whole` puts another one in place of; None if it writes to what is there. Raises OSError if
    nobody can tell, as with a link that leads to itself.
    """
    if _OPEN_FILE.fullmatch(str(path.absolute())):
        return None
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
    except FileNotFoundError:
        pass
    return Path(os.path.realpath(path))
