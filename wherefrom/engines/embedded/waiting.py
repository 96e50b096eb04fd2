"""Waiting to commit: a writer logs which processes are reading the index, and long readers give way to it.

SQLite cannot commit while another process reads, and does not tell that process. So a writer that waits locks the file
`commit.lock` (`flock`), and long readers look at this lock. The lock ends with the writer's process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from wherefrom.engines.embedded.folder import RECORDS
from wherefrom.support.printable import visible
from wherefrom.support.system import system

COMMIT_LOCK = "commit.lock"

LOOK_SECONDS = 0.2
"""The interval at which a long reader looks for a waiting writer."""

_LOCK_BYTE = 0x4000_0000
"""The first byte that SQLite locks in its file ("Database File Format", 1.5: the lock-byte page)."""


@contextmanager
def asking(folder: Path) -> Iterator[None]:
    """A block in a writer that waits to commit. The lock that the block has makes long readers give way."""
    with (folder / COMMIT_LOCK).open("ab") as file:
        with suppress(OSError):  # on a file system without locks, readers do not give way
            system.lock(file.fileno())
        yield


@contextmanager
def giving_way(folder: Path, interrupt: Callable[[], None]) -> Iterator[None]:
    """A block with a long read. As long as a writer waits to commit, a thread calls `interrupt` again and again."""
    has_ended = Event()

    def watch() -> None:
        while not has_ended.wait(LOOK_SECONDS):
            if _is_asked(folder):
                interrupt()

    thread = Thread(target=watch, daemon=True, name="wherefrom-giving-way")
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()


def _is_asked(folder: Path) -> bool:
    try:
        with (folder / COMMIT_LOCK).open("rb") as file:
            system.lock(file.fileno(), shared=True)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def readers(folder: Path) -> str:
    """The other processes that read the index, as `process 4711 (stopped)`; "another process" if they are unknown."""
    import psutil  # noqa: PLC0415 -- most writers never wait

    found = []
    for pid in _lockers(folder / RECORDS):
        with suppress(psutil.Error):
            is_stopped = psutil.Process(pid).status() == psutil.STATUS_STOPPED
            found.append(f"process {pid}{' (stopped)' if is_stopped else ''}")
    return " and ".join(found) or "another process"


def _lockers(path: Path) -> list[int]:
    """The ids of the other processes with a lock of SQLite on a file, ascending, from `/proc/locks` of Linux
    (proc_locks(5)). A line is `1: POSIX  ADVISORY  READ 4711 08:01:1234567 1073741826 1073742335`.
    """
    found = set()
    with suppress(OSError):
        inode = str(path.stat().st_ino)
        for line in Path("/proc/locks").read_text().splitlines():
            fields = line.replace("->", "").split()
            if fields[1] == "POSIX" and fields[5].rpartition(":")[2] == inode and int(fields[6]) >= _LOCK_BYTE:
                found.add(int(fields[4]))
    return sorted(found - {0, -1, os.getpid()})


def say_for_whom(folder: Path) -> None:
    """Logs which processes a writer waits for."""
    import logging  # noqa: PLC0415 -- most writers never wait

    # Python writes the warning to standard error if the program has set up no logging.
    logging.getLogger("wherefrom").warning(
        "wherefrom: the index %s is ready to be committed and waits until %s has read it",
        visible(folder),
        readers(folder),
    )
