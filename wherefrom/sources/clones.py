"""The folder of wherefrom's own clones, which several processes may use at a time.

A clone is made, and removed, under a hidden name: one with its own name is complete. A process that works on a folder
holds a lock on it (`flock`): a hidden folder without a lock was left by a process that was killed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import mkdtemp
from threading import Event

from wherefrom.sources.repository_urls import url_key, without_credentials

LOCK_SECONDS = 0.2
"""Between two looks whether another process has finished with a clone."""

_STALE_SECONDS = 86_400.0
"""Where the file system has no locks, a hidden folder of that age is one that nobody works on."""

_NAME = re.compile(r"[0-9a-f]{16}-[A-Za-z0-9._-]{1,40}")

_HIDDEN = re.compile(rf"\.{_NAME.pattern}\.[^.]+")
"""The name of a clone while it is made or removed."""

_FETCH_LOCK = "wherefrom-fetch"


def clone_name(url: str) -> str:
    """The folder name of a URL's clone: a digest of the URL without credentials, and its last part to know it by."""
    shown = without_credentials(url)
    digest = hashlib.sha256(f"{shown.partition('://')[0]} {url_key(url)}".encode()).hexdigest()[:16]
    tail = re.sub(r"[^A-Za-z0-9._-]", "", url_key(url).rpartition("/")[2])[:40]
    return f"{digest}-{tail or 'repository'}"


def is_clone_name(name: str) -> bool:
    """Whether a folder's name looks like one of `clone_name`."""
    return bool(_NAME.fullmatch(name))


def clone_size(folder: Path) -> int:
    """Bytes in the files of a clone, also of those that are just being written; 0 where it is not there."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118  # called for very many
    return size


@contextmanager
def half_made(folder: Path) -> Iterator[Path]:
    """An empty folder in which a clone can be made; removed at the end if it was not renamed.

    Raises:
        OSError: it cannot be made.
    """
    while True:
        half = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        with in_use(half) as is_there:
            if not is_there:  # another process has taken it for one that was left
                continue
            try:
                yield half
            finally:
                shutil.rmtree(half, ignore_errors=True)
            return


@contextmanager
def in_use(folder: Path) -> Iterator[bool]:
    """Keeps a clone from being discarded, also by other processes; gives whether it is there at all."""
    with _opened(folder) as descriptor:
        if descriptor is not None:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield descriptor is not None and _is_at(descriptor, folder)


@contextmanager
def alone(folder: Path, stop: Event) -> Iterator[bool]:
    """Waits until no other process fetches into a clone, or `stop` is set; gives whether the clone is there, and nobody
    else fetches into it. What a fetch that was killed has left is removed, before and after.
    """
    with in_use(folder) as is_there:
        if not is_there:
            yield False
            return
        with _closing(os.open(folder / _FETCH_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)) as descriptor:
            while not (is_locked := _try_lock(descriptor)) and not stop.wait(LOCK_SECONDS):
                pass
            if is_locked:
                _tidy(folder)
            try:
                yield is_locked
            finally:
                if is_locked:
                    _tidy(folder)


def discard(folder: Path) -> int:
    """Removes a clone unless another process uses it; gives the bytes that this freed."""
    with _opened(folder) as descriptor, suppress(OSError):
        if descriptor is not None and _try_lock(descriptor) and _is_at(descriptor, folder):
            size = clone_size(folder)
            going = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            folder.rename(going)  # over the empty folder
            shutil.rmtree(going, ignore_errors=True)
            return size
    return 0


def remove_leftovers(cache: Path, names: re.Pattern[str] = _HIDDEN) -> None:
    """Removes the folders of these names in a cache that killed processes of this user have left."""
    try:
        hidden = [path for path in cache.iterdir() if names.fullmatch(path.name)]
    except OSError:
        return
    for half in hidden:
        with _opened(half) as descriptor:
            if descriptor is not None and _is_abandoned(descriptor):
                shutil.rmtree(half, ignore_errors=True)


def _is_abandoned(descriptor: int) -> bool:
    status = os.fstat(descriptor)
    is_stale = time.time() - status.st_mtime > _STALE_SECONDS
    return status.st_uid == os.getuid() and _try_lock(descriptor, without_locks=is_stale)


def _tidy(folder: Path) -> None:
    """Removes the locks that a killed fetch has left, for which git would refuse to fetch, and the halves of packs."""
    for pattern in ("*.lock", "refs/wherefrom/*.lock", "objects/pack/tmp_*"):
        for left in folder.glob(pattern):
            with suppress(OSError):
                left.unlink()


def _try_lock(descriptor: int, *, without_locks: bool = True) -> bool:
    """Locks unless another process has; gives `without_locks` where the file system has no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return without_locks
    return True


@contextmanager
def _opened(folder: Path) -> Iterator[int | None]:
    descriptor = None
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    with nullcontext() if descriptor is None else _closing(descriptor):
        yield descriptor


@contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    """Closes a file and gives up the lock on it, also for a process that is being started, which has a copy of it."""
    try:
        yield descriptor
    finally:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _is_at(descriptor: int, folder: Path) -> bool:
    """Whether an open folder still has this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), folder.stat())
    except OSError:
        return False
