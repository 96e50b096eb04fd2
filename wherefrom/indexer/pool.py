"""A pool of worker processes for contents that nobody vouches for: a task may crash or hang and loses only itself."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, cast

from wherefrom.errors import UsageError, WherefromError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from types import TracebackType

Task = TypeVar("Task")
Result = TypeVar("Result")
Reason = Literal["died", "timeout"]

IN_FLIGHT = 2
"""Batches that a worker holds at most: the one that it works on and one to go on with at once."""

_SPAWN = get_context("spawn")


@dataclass(frozen=True, slots=True)
class Died:
    """What a task gives that its worker did not survive."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class _Batch(Generic[Task]):
    """`alone` says that it is the one task of a batch whose worker died: if it loses another one, it is to blame."""

    tasks: Sequence[Task]
    alone: bool = False


class Pool(Generic[Task, Result]):
    """Worker processes, started by `spawn` when they are first needed. Use it in a `with` block, which ends them.

    The workers do not import the caller's main module, so a script needs no `if __name__ == "__main__":`.
    A worker holds `IN_FLIGHT` batches at most, so that memory is bounded by `jobs`, whatever the length of the input.

    Args:
        work: what is done with a task, a function of a module that is not the main one. An exception that it raises
            is a bug and ends the run; `MemoryError` alone counts as the task's fault, and as the death of its worker.
        jobs: workers, at least 1.
        seconds: a worker that is longer at one task is killed (None: no limit).
        initialise: called once in each worker before its first task.
    """

    def __init__(
        self,
        work: Callable[[Task], Result],
        *,
        jobs: int,
        seconds: float | None = None,
        initialise: Callable[[], None] | None = None,
    ) -> None:
        if jobs < 1:
            raise UsageError(f"there cannot be {jobs} worker processes; ask for 1 or more")
        if seconds is not None and not seconds > 0:
            raise UsageError(f"a limit of {seconds} seconds leaves no time for any task; give more, or none")
        self._work = work
        self._jobs = jobs
        self._seconds = seconds
        self._initialise = initialise
        self._workers: list[_Worker[Task, Result]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def map(self, batches: Iterable[Sequence[Task]]) -> Iterator[Sequence[tuple[Task, Result | Died]]]:
        """Does the work on every task; a batch's results come together, the batches as they are ready.

        A batch whose worker died comes in pieces: its other tasks are done again, one by one, by a new worker.

        Args:
            batches: pulled only when a worker has room for one.

        Raises:
            WherefromError: the workers cannot start.
            Exception: whatever `work` or `initialise` raised.
        """
        waiting = (_Batch(batch) for batch in batches)
        again: deque[_Batch[Task]] = deque()
        try:
            while True:
                self._fill(waiting, again)
                if not any(worker.batches for worker in self._workers):
                    return
                for worker in self._ready():
                    yield from worker.results()
                    if reason := worker.ending(self._seconds):
                        self._workers.remove(worker)
                        lost, others = worker.bury(reason)
                        again.extend(others)
                        if lost:
                            yield lost
        finally:
            if any(worker.batches for worker in self._workers):
                self._end()

    def _fill(self, waiting: Iterator[_Batch[Task]], again: deque[_Batch[Task]]) -> None:
        """Gives batches away while there is room, first to the worker that has the fewest."""
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.batches), default=None)
            is_new = len(self._workers) < self._jobs and (worker is None or bool(worker.batches))
            if not is_new and (worker is None or len(worker.batches) == IN_FLIGHT):
                return
            batch = again.popleft() if again else next(waiting, None)
            if batch is None:
                return
            if is_new or worker is None:
                worker = _Worker(self._work, self._initialise)
                self._workers.append(worker)
            worker.give(batch)

    def _ready(self) -> list[_Worker[Task, Result]]:
        """The workers that have said something, have ended or are late, after waiting for the first of them."""
        handles = [handle for worker in self._workers for handle in (worker.connection, worker.process.sentinel)]
        limits = [worker.started + self._seconds for worker in self._workers if worker.started and self._seconds]
        spoke = wait(handles, max(min(limits) - time.monotonic(), 0.0) if limits else None)
        return [
            worker
            for worker in self._workers
            if worker.connection in spoke or worker.process.sentinel in spoke or worker.is_late(self._seconds)
        ]

    def _end(self) -> None:
        """Ends all workers, whatever they are doing."""
        for worker in self._workers:
            worker.process.kill()
        while self._workers:
            self._workers.pop().close()


class _Worker(Generic[Task, Result]):
    """A worker process, seen from outside. It says `begun` before each task, and `done` with all results of a batch.

    Batches are sent by a thread: the worker may be sending a large answer while a large batch is on its way to it.
    """

    def __init__(self, work: Callable[[Task], Result], initialise: Callable[[], None] | None) -> None:
        self.batches: deque[_Batch[Task]] = deque()
        self.is_up = False
        self.has_ended = False
        self.current: int | None = None
        """The index of the task in the first batch that it is at, if it is at one."""
        self.started = 0.0
        """When that was heard, on the monotonic clock; 0 while it is at none."""
        self.connection, its_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(its_end, work, initialise), daemon=True)
        resource_tracker.ensure_running()
        # A new process inherits the mask: it never sees Ctrl-C, not even before it can say that it ignores it.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with _main_hidden():
                self.process.start()
        finally:
            its_end.close()
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        self.outbox: SimpleQueue[memoryview | None] = SimpleQueue()
        self.sender = threading.Thread(target=_send, args=(self.connection, self.outbox), daemon=True)
        self.sender.start()

    def give(self, batch: _Batch[Task]) -> None:
        """Hands over a batch; never waits."""
        payload = ForkingPickler.dumps(batch.tasks)
        self.batches.append(batch)
        self.outbox.put(payload)

    def results(self) -> Iterator[list[tuple[Task, Result | Died]]]:
        """The results of every batch that is done, after taking in all that the worker has said so far.

        Raises:
            Exception: what `work` or `initialise` raised.
        """
        ended = self.process.exitcode is not None  # asked first: what it said before it ended is still to be heard
        while message := self._heard():
            kind, value = message
            self.is_up = True
            self.current, self.started = None, 0.0
            if kind == "begun":
                self.current, self.started = value, time.monotonic()
            elif kind == "raised":
                raise value
            elif kind == "done":
                yield list(zip(self.batches.popleft().tasks, value, strict=True))
        self.has_ended |= ended

    def is_late(self, seconds: float | None) -> bool:
        """Whether it has been longer than that at its task."""
        return bool(seconds and self.started and time.monotonic() >= self.started + seconds)

    def ending(self, seconds: float | None) -> Reason | None:
        """Why it is to be buried, None while it is well. What it said must have been taken in."""
        if self.has_ended:
            return "died"
        return "timeout" if self.is_late(seconds) else None

    def bury(self, reason: Reason) -> tuple[list[tuple[Task, Result | Died]], list[_Batch[Task]]]:
        """Ends it; returns the task that is to blame, as a result, and the batches that are to be done again.

        Raises:
            WherefromError: it never came up.
        """
        self.process.kill()
        code = self.process.exitcode
        self.close()
        if not self.is_up:
            raise WherefromError(
                f"a worker process ended before it began (exit code {code}); "
                "see what it wrote to standard error, and that there is memory for it"
            )
        if not self.batches:
            return [], []
        first = self.batches.popleft()
        culprit = 0 if first.alone else self.current
        lost: list[tuple[Task, Result | Died]] = []
        others = []
        for index, task in enumerate(first.tasks):
            if index == culprit:
                lost.append((task, Died(reason)))
            else:
                others.append(_Batch([task], alone=True))
        return lost, [*others, *self.batches]

    def close(self) -> None:
        """Waits for the end of the process, which was killed, and frees what belonged to it."""
        self.process.join()
        self.outbox.put(None)
        self.sender.join()
        self.connection.close()
        self.process.close()

    def _heard(self) -> tuple[str, Any] | None:
        """The next message, None where there is none yet or none ever again: it may end in the middle of one."""
        try:
            return cast("tuple[str, Any]", self.connection.recv()) if self.connection.poll() else None
        except (EOFError, OSError):
            self.has_ended = True
            return None


_STARTING = threading.Lock()


class _Nameless(ModuleType):
    """Stands in for a module: it has everything of it but `__spec__` and `__file__`, by which it could be imported."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module.__name__)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name == "__file__":
            raise AttributeError(name)
        return getattr(self._module, name)


@contextmanager
def _main_hidden() -> Iterator[None]:
    """In the block `spawn` does not find the caller's main module, so a worker does not run it a second time.

    Other threads may look names up in that module meanwhile, as `pickle` does: the stand-in has them all.
    """
    with _STARTING:
        main = sys.modules["__main__"]
        try:
            sys.modules["__main__"] = _Nameless(main)
            yield
        finally:
            sys.modules["__main__"] = main


def _send(connection: Connection, outbox: SimpleQueue[memoryview | None]) -> None:
    """Sends until there is a None, or nobody to receive."""
    with suppress(OSError):
        while (payload := outbox.get()) is not None:
            connection.send_bytes(payload)


def _serve(connection: Connection, work: Callable[[Any], Any], initialise: Callable[[], None] | None) -> None:
    """What a worker process does until nobody listens any longer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        if initialise is not None:
            initialise()
    except Exception as error:  # the parent raises it
        connection.send_bytes(_raised(error))
        return
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        connection.send(("up", None))
        while True:
            connection.send_bytes(_answer(connection, work, connection.recv()))


def _answer(connection: Connection, work: Callable[[Any], Any], tasks: Sequence[Any]) -> memoryview:
    """Does a batch and gives the message about it. Making the message counts as a part of no task."""
    try:
        results = []
        for index, task in enumerate(tasks):
            connection.send(("begun", index))
            results.append(work(task))
        connection.send(("finished", None))
        return ForkingPickler.dumps(("done", results))
    except MemoryError:
        os._exit(1)
    except Exception as error:  # the parent raises it
        return _raised(error)


def _raised(error: Exception) -> memoryview:
    """The message that carries an exception, with its traceback as a note; another exception where it cannot travel."""
    trace = "".join(traceback.format_exception(error))
    error.add_note(trace)
    try:
        payload = ForkingPickler.dumps(("raised", error))
        ForkingPickler.loads(payload)
    except Exception:  # whatever its own methods for that raise
        stand_in = RuntimeError(f"{type(error).__name__} in a worker process")
        stand_in.add_note(trace)
        return ForkingPickler.dumps(("raised", stand_in))
    return payload


def _end_with_parent() -> None:
    """Ends the worker, even in the middle of a task, when the process that started it is gone."""
    parent = parent_process()
    assert parent is not None, "a worker has been started by another process"
    wait([parent.sentinel])
    os._exit(1)
