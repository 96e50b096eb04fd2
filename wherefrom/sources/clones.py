"""The cache of the clones that wherefrom makes, and temporary folders. Several processes may use them at a time.

While a clone is made or removed, its folder has a hidden name, so a clone with a normal name is complete. A process
locks a folder (`flock`) while it works on it, so a hidden folder without a lock is left over from a killed process. A
temporary folder is locked as long as its process lives, which removes it even if a signal ends the process. After a
SIGKILL, the next process that makes a temporary folder removes those without a lock.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from threading import Event

from wherefrom.sources.repository_urls import url_key, without_credentials
from wherefrom.support.pattern import later
from wherefrom.support.system import system
from wherefrom.support.writing import folder_size

LOCK_SECONDS = 0.2  # seconds between two checks whether another process has finished with a clone
_STALE_SECONDS = 86_400.0  # if the file system has no locks, a hidden folder of this age counts as left over
_NAME = later(r"[0-9a-f]{16}-[A-Za-z0-9._-]{1,40}")
_HIDDEN = later(rf"\.{_NAME.pattern}\.[^.]+")  # the name of a clone while it is made or removed
_FETCH_LOCK = "wherefrom-fetch"


def clone_name(url: str) -> str:
    """The folder name of a URL's clone: a digest of the URL without credentials, then the end of the URL for people."""
    shown = without_credentials(url)
    digest = hashlib.sha256(f"{shown.partition('://')[0]} {url_key(url)}".encode()).hexdigest()[:16]
    tail = re.sub(r"[^A-Za-z0-9._-]", "", url_key(url).rpartition("/")[2])[:40]
    return f"{digest}-{tail or 'repository'}"


def is_clone_name(name: str) -> bool:
    """Whether a folder's name has the form that `clone_name` gives."""
    return bool(_NAME.fullmatch(name))


@contextmanager
def half_made(folder: Path) -> Iterator[Path]:
    """An empty folder with a hidden name, to make a clone in; removed at the end unless renamed. Raises OSError."""
    while True:
        half = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        with in_use(half) as is_there:
            if not is_there:  # another process removed it as a leftover
                continue
            try:
                yield half
            finally:
                system.remove_tree(half)
            return


@contextmanager
def in_use(folder: Path) -> Iterator[bool]:
    """Keeps all processes from discarding a clone during the block; yields whether the clone exists."""
    with ExitStack() as stack:
        descriptor = None
        with suppress(OSError):  # no such folder, or a file system without locks
            descriptor = stack.enter_context(system.opened_folder(folder))
            system.lock(descriptor, shared=True, wait=True)
        yield descriptor is not None and system.is_at(descriptor, folder)


@contextmanager
def alone(folder: Path, stop: Event) -> Iterator[bool]:
    """Waits until no other process fetches into a clone, or `stop` is set. Yields True if the clone exists and only
    this process may fetch into it during the block. Removes the leftovers of killed fetches before and after the block.
    """
    with in_use(folder) as is_there:
        if not is_there:
            yield False
            return
        with (folder / _FETCH_LOCK).open("ab") as file:
            while not (is_locked := _try_lock(file.fileno())) and not stop.wait(LOCK_SECONDS):
                pass
            if is_locked:
                _tidy(folder)
            try:
                yield is_locked
            finally:
                if is_locked:
                    _tidy(folder)
                system.unlock(file.fileno())


def discard(folder: Path) -> int:
    """Removes a clone unless another process uses it; returns the number of bytes that this frees."""
    with suppress(OSError), system.opened_folder(folder) as descriptor:
        if _try_lock(descriptor) and system.is_at(descriptor, folder):
            size = folder_size(folder)
            going = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            system.replace(folder, going / folder.name)
            system.remove_tree(going)
            return size
    return 0


def remove_leftovers(cache: Path, names: re.Pattern[str] = _HIDDEN) -> None:
    """Removes the folders in a cache that killed processes of this user left behind. `names` matches their names."""
    try:
        hidden = [path for path in cache.iterdir() if names.fullmatch(path.name)]
    except OSError:
        return
    for half in hidden:
        with suppress(OSError), system.opened_folder(half) as descriptor:
            status = half.stat()
            is_stale = time.time() - status.st_mtime > _STALE_SECONDS
            if system.is_mine(status) and _try_lock(descriptor, without_locks=is_stale):
                system.remove_tree(half)


def _tidy(folder: Path) -> None:
    """Removes what a killed fetch left behind: incomplete packs, and locks that would make the next fetch fail."""
    for pattern in ("*.lock", "refs/wherefrom/*.lock", "objects/pack/tmp_*"):
        for left in folder.glob(pattern):
            with suppress(OSError):
                left.unlink()


def _try_lock(descriptor: int, *, without_locks: bool = True) -> bool:
    """Tries to take the lock: False if another process has it, `without_locks` if the file system has no locks."""
    try:
        system.lock(descriptor)
    except BlockingIOError:
        return False
    except OSError:
        return without_locks
    return True


_FOLDER = later(r"wherefrom-[a-z]+-[0-9a-f]{16}")

_ENDING = ("SIGHUP", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU")
"""Signals that end a process unless it handles them, except signals that report a fault of the process."""

_TRIES = 10  # how often to try to remove a folder: git may still be making files there
_made: set[Path] = set()  # the folders that this process has made or is about to make


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """An empty folder, removed at the end, with `purpose` (lower-case letters) in its name. Raises OSError."""
    _prepare()
    while True:
        folder = Path(gettempdir()) / f"wherefrom-{purpose}-{os.urandom(8).hex()}"
        _made.add(folder)
        try:
            folder.mkdir(mode=0o700)
            with in_use(folder) as is_there:
                if is_there:  # otherwise another process removed it as a leftover
                    yield folder
                    return
        finally:
            _remove(folder)


@cache
def _prepare() -> None:
    remove_leftovers(Path(gettempdir()), _FOLDER)
    atexit.register(_remove_all)
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in _ENDING if hasattr(signal, name)):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _end)


def _end(number: int, _frame: object) -> None:
    _remove_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _remove_all() -> None:
    for folder in list(_made):
        _remove(folder)


def _remove(folder: Path) -> None:
    for _ in range(_TRIES):
        system.remove_tree(folder)
        if not os.path.lexists(folder):
            break
    _made.discard(folder)
