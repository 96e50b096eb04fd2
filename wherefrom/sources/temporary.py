"""Temporary folders that do not outlive their process, however it ends.

A process removes its folders before a signal ends it. After a SIGKILL, the next process that makes a temporary folder
removes those that are not locked: a process locks its folders as long as it lives (see `clones`).
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import gettempdir

from wherefrom.sources.clones import in_use, remove_leftovers
from wherefrom.support.pattern import later

_NAME = later(r"wherefrom-[a-z]+-[0-9a-f]{16}")

_ENDING = ("SIGHUP", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU")
"""Signals that end a process unless it handles them, except signals that report a fault of the process."""

_TRIES = 10
"""How often to try to remove a folder: git may still be making files there."""

_made: set[Path] = set()
"""The folders that this process has made or is about to make."""


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """An empty folder that is removed at the end of the block. Raises OSError if the folder cannot be made. `purpose`
    is a part of its name, of lower-case letters.
    """
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
    remove_leftovers(Path(gettempdir()), _NAME)
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
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            break
    _made.discard(folder)
