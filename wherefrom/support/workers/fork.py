"""Forks of this process: for one task, and as workers of a `Pool`. No interpreter has to start for them."""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from wherefrom.support.system import system
from wherefrom.support.workers import LOOK_SECONDS, Died, Meter, Reason
from wherefrom.support.workers.worker import answered, end_with_parent, main, silence

Result = TypeVar("Result")

FIRST_LOOK = 2.0  # after this many seconds a task is measured for the first time, which loads what measures it


def can_fork() -> bool:
    """True if a fork is safe: on Linux, while this process has no second thread, whose locks a fork would keep."""
    return sys.platform == "linux" and sum(1 for _ in Path("/proc/self/task").iterdir()) == 1


def used_memory() -> int:
    """The memory that this process uses, in bytes; on Linux."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """A block during which Ctrl-C reaches neither this thread nor a fork that does not ignore it yet."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def forked(work: Callable[[], Result], memory: int, seconds: float) -> Result | Died:
    """Calls `work` in a fork; returns its pickled result, or raises what it raised. For the limits see `Pool`."""
    readable, writable = os.pipe()
    ended, alive = os.pipe()
    child = None
    try:
        with interrupts_held_back():
            child = os.fork()
            if child == 0:
                os.close(alive)
                _be_child(work, memory, writable, ended)
        os.close(writable)
        message, reason = _received(readable, child, memory, seconds)
    finally:
        for descriptor in (readable, ended, alive, *((writable,) if child is None else ())):
            os.close(descriptor)
        if child is not None:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    try:
        kind, value = pickle.loads(message)  # noqa: S301 -- from a process that this one started
    except (EOFError, pickle.UnpicklingError):
        return Died(reason)
    if kind == "raised":
        raise value
    result: Result = value[0]
    return result


def _be_child(work: Callable[[], object], memory: int, writable: int, ended: int) -> None:
    """Does the task, sends the message about it and ends the process, without any of the ends that the parent has."""
    try:
        gc.disable()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.dup2(ended, 0)
        end_with_parent()
        system.limit_memory(memory)
        silence()
        message = answered(memoryview(bytearray(8)).cast("q"), [lambda task: task()], [work])
        with open(writable, "wb") as file:
            file.write(message)
    finally:
        os._exit(0)


class ForkedWorker:
    """A fork of this process that runs `worker.main`. A `Pool` uses it like a `subprocess.Popen`. Of this process's
    files, only these two stay open in the fork. Raises OSError if it cannot be made.
    """

    def __init__(self, connection: int, progress: int) -> None:
        self.returncode: int | None = None
        ended, alive = os.pipe()
        self.stdin = os.fdopen(alive, "wb", buffering=0)
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _be_worker(connection, progress, ended)
        finally:
            os.close(ended)

    def wait(self) -> int:
        """Waits for its end; returns the exit code."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.returncode


def _be_worker(connection: int, progress: int, ended: int) -> None:
    try:
        gc.freeze()  # else it would close what the parent has open
        os.dup2(ended, 0)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        for file in {int(each.name) for each in Path("/proc/self/fd").iterdir()} - {0, 1, 2, connection, progress}:
            with suppress(OSError):  # that of the listing
                os.close(file)
        main(str(connection), str(progress))
    finally:
        os._exit(0)


def _received(readable: int, child: int, memory: int, seconds: float) -> tuple[bytes, Reason]:
    """What the child sent, and why it ended without a message."""
    news = select.poll()
    news.register(readable)
    meter, parts = None, [b""]
    while True:
        if news.poll((FIRST_LOOK if meter is None else LOOK_SECONDS) * 1000):
            parts.append(os.read(readable, 1 << 20))
            if not parts[-1]:
                return b"".join(parts), "died"
        else:
            meter = meter or Meter(child)
            meter.look()
            if meter.memory > memory or meter.seconds > seconds:
                return b"", "died" if meter.memory > memory else "timeout"
