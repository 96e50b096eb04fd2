"""A process pool for untrusted input: a task that crashes or hangs loses only its own result."""

from __future__ import annotations

import _thread
import mmap
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, Literal, TypeVar, cast

from wherefrom.errors import UsageError, WherefromError
from wherefrom.support.closing import Closing
from wherefrom.support.workers import LEAST_PARSE_MEMORY, PARSE_MEMORY

if TYPE_CHECKING:
    from wherefrom.support.workers.meter import Meter

Task = TypeVar("Task")
Result = TypeVar("Result")
Reason = Literal["died", "timeout"]

IN_FLIGHT = 4
"""Batches that a worker holds at most: so many that it goes on while the process that gives them reads or writes."""

TRIES, TRIES_KILLED = 2, 5
"""How many workers a task may lose before it is given up; more of them where the last one was killed by another
process. Who kills a worker from outside, such as the kernel for want of memory, need not have meant its task."""

LOOK_SECONDS = 0.1
"""How often a worker that is at a task is looked at from outside."""

_PROGRESS_BYTES = 8

_PROTOCOL = pickle.HIGHEST_PROTOCOL

_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Died:
    """What a task gives that its worker did not survive."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class _Batch(Generic[Task]):
    """Tasks that are given to a worker together. `alone` is one task of a batch whose worker died: if it loses another
    one, it is to blame. `lost` counts the workers that it was to blame for.
    """

    tasks: Sequence[Task]
    alone: bool = False
    lost: int = 0


@dataclass(frozen=True, slots=True)
class _Limits:
    """What a task may take; see `Pool`."""

    seconds: float | None
    memory: int | None

    def excess(self, meter: Meter) -> Reason | None:
        """How a worker ends that takes more."""
        if self.memory is not None and meter.memory > self.memory:
            return "died"
        return "timeout" if self.seconds is not None and meter.seconds > self.seconds else None


class Pool(Closing, Generic[Task, Result]):
    """Worker processes, started when they are first needed. Use it in a `with` block, which ends them.

    A worker holds `IN_FLIGHT` batches at most, so that memory is bounded by `jobs`, whatever the length of the input.

    A task whose worker dies is tried again by a new worker, while all others have nothing to do. Only if it loses that
    one too is it given up.

    Args:
        work: what is done with a task: a function of a module that can be imported, not of a script. An exception that
            it raises is a bug and ends the run; only `MemoryError` counts as the task's fault, and as the death of its
            worker.
        jobs: workers, at least 1.
        seconds: a worker that spends more on one task is killed (None: no limit). What counts is processor time, so
            a run may be stopped for any length of time; a worker that only sleeps is charged by the clock.
        memory: a worker that uses more is ended, in bytes (None: no limit).
        initialize: called once in each worker before its first task.
        tries: workers that a task may lose before it is given up; with 1 nobody waits for a second try.
    """

    def __init__(
        self,
        work: Callable[[Task], Result],
        *,
        jobs: int,
        seconds: float | None = None,
        memory: int | None = PARSE_MEMORY,
        initialize: Callable[[], None] | None = None,
        tries: int = TRIES,
    ) -> None:
        if jobs < 1:
            raise UsageError(f"there cannot be {jobs} worker processes; ask for 1 or more")
        if seconds is not None and not seconds > 0:
            raise UsageError(f"a limit of {seconds} seconds leaves no time for any task; give more, or none")
        if memory is not None and memory < LEAST_PARSE_MEMORY:
            raise UsageError(
                f"a limit of {memory} bytes leaves no memory for any task; give {LEAST_PARSE_MEMORY} or more, or none"
            )
        self._functions = pickle.dumps((work, initialize), _PROTOCOL)
        self._jobs = jobs
        self._limits = _Limits(seconds, memory)
        self._tries = tries
        self._workers: list[_Worker[Task, Result]] = []

    def close(self) -> None:
        """Ends all workers; more are started when they are needed."""
        try:
            self._end()
        finally:
            self._end()  # ends what is left where Ctrl-C came in the middle

    def start(self) -> None:
        """Starts a worker if there is none, and does not wait for it."""
        if not self._workers:
            self._started()

    def map(
        self, batches: Iterable[Sequence[Task]], *, seconds: float | None = None
    ) -> Iterator[Sequence[tuple[Task, Result | Died]]]:
        """Does the work on every task; a batch's results come together, the batches as they are ready.

        A batch whose worker died comes in pieces: its tasks are done again, one by one, by new workers. Batches are
        pulled only when a worker has room for one; `seconds` is the limit on a task from now on.

        Raises:
            WherefromError: the workers cannot start.
            Exception: whatever `work` or `initialize` raised.
        """
        if seconds is not None:
            self._limits = replace(self._limits, seconds=seconds)
        waiting = (_Batch(batch) for batch in batches)
        again: deque[_Batch[Task]] = deque()
        suspects: deque[_Batch[Task]] = deque()
        try:
            while True:
                self._fill(waiting, again, suspects)
                if not self._is_busy():
                    return
                for worker in self._ready():
                    yield from worker.results()
                    if reason := worker.ending(self._limits):
                        lost, suspect, others = worker.bury(reason, self._tries)
                        self._workers.remove(worker)
                        again.extend(others)
                        if suspect is not None:
                            suspects.append(suspect)
                        if lost:
                            yield lost
        finally:
            if self._is_busy():
                self._end()

    def _is_busy(self) -> bool:
        return any(worker.batches for worker in self._workers)

    def _fill(self, waiting: Iterator[_Batch[Task]], again: deque[_Batch[Task]], suspects: deque[_Batch[Task]]) -> None:
        """Gives batches away while there is room, first to the worker that has the fewest. A task that has lost a
        worker is tried alone, by a new worker, when all others have finished.
        """
        if suspects and not self._is_busy():
            self._started().give(suspects.popleft())
        if suspects or any(batch.lost for worker in self._workers for batch in worker.batches):
            return
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.batches), default=None)
            is_new = len(self._workers) < self._jobs and (worker is None or bool(worker.batches))
            if not is_new and (worker is None or len(worker.batches) == IN_FLIGHT):
                return
            batch = again.popleft() if again else next(waiting, None)
            if batch is None:
                return
            if is_new or worker is None:
                worker = self._started()
            worker.give(batch)

    def _started(self) -> _Worker[Task, Result]:
        """A new worker."""
        worker: _Worker[Task, Result] = _Worker()
        # Listed before it has a process: whatever interrupts its start, `_end` finds it.
        self._workers.append(worker)
        worker.start(self._functions, self._limits.memory)
        return worker

    def _ready(self) -> list[_Worker[Task, Result]]:
        """The workers that have sent something, have ended or are over a limit, after waiting for the first of them."""
        heard = wait([worker.news for worker in self._workers], LOOK_SECONDS)
        return [worker for worker in self._workers if worker.news in heard or worker.excess(self._limits)]

    def _end(self) -> None:
        """Ends all workers, whatever they are doing."""
        for worker in self._workers:
            worker.kill()
        while self._workers:
            self._workers[-1].close()
            self._workers.pop()


class _Worker(Generic[Task, Result]):
    """A worker process (`wherefrom/support/workers/worker.py` says what it sends), seen from outside.

    One thread starts it, sends to it and waits for its end; another takes what it sends, so that it goes on with its
    next batch however long the main thread has other things to do. Python raises KeyboardInterrupt only in the main
    thread, where it would break off `subprocess` in the middle. The threads block SIGINT, and a new process inherits
    that: Ctrl-C never reaches it, not even while its interpreter starts.
    """

    def __init__(self) -> None:
        self.batches: deque[_Batch[Task]] = deque()
        self.is_up = False
        self.has_ended = False
        self._progress_file = _shared_file()
        self._progress = memoryview(mmap.mmap(self._progress_file.fileno(), _PROGRESS_BYTES)).cast("q")
        """What it notes itself: twice the tasks that it has finished, and 1 more while it is at one."""
        self._finished = 0
        """The tasks of the batches that it has sent the results of."""
        self._seen = 0
        """Its progress at the last look."""
        self._next_look = 0.0
        """When to look at it again while it is at that task, on the monotonic clock."""
        self._meter: Meter | None = None
        """Of that task, from the second look on."""
        self._connection, self._its_end = Pipe()
        """Only for the threads."""
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._inbox: deque[bytes] = deque()
        """What it has sent and nobody has looked at: the results of the batches that it holds, at most."""
        self.news, self._its_news = Pipe(duplex=False)
        """Something can be received whenever something was put into the inbox. It ends when nothing will be."""
        self._lock = threading.RLock()
        """Held to start the process, and to kill it: what is over is not started. Who was interrupted in between can
        take it again."""
        self._is_over = False
        self._has_begun = False
        """Whether the threads have anything to do; `_its_last` is closed when that is done."""
        self._ended, self._its_last = Pipe(duplex=False)
        self._process: subprocess.Popen[bytes] | None = None
        self._failure: OSError | None = None

    def start(self, functions: bytes, memory: int | None) -> None:
        """Starts it with the pickled pair of its work and its initializer and its limit in bytes; does not wait for
        that.
        """
        self._outbox.put(pickle.dumps((sys.path, memory, functions), _PROTOCOL))
        # Not `threading.Thread`: its `start` waits, and fails with a RuntimeError when it is interrupted.
        _thread.start_new_thread(self._run, ())

    def give(self, batch: _Batch[Task]) -> None:
        """Hands over a batch; never waits."""
        payload = pickle.dumps(batch.tasks, _PROTOCOL)
        self.batches.append(batch)
        self._outbox.put(payload)

    def results(self) -> Iterator[list[tuple[Task, Result | Died]]]:
        """The results of every batch that is done, after taking in all that the worker has sent. Raises what `work` or
        `initialize` raised.
        """
        for kind, value in self._heard():
            self.is_up = True
            if kind == "raised":
                raise value
            if kind == "done":
                self._finished += len(value)
                yield list(zip(self.batches.popleft().tasks, value, strict=True))

    def excess(self, limits: _Limits) -> Reason | None:
        """How it will end because its task takes more than these limits, or None. It is looked at every `LOOK_SECONDS`,
        however often this is called.
        """
        now, progress = time.monotonic(), self._progress[0]
        if progress != self._seen:
            self._seen, self._next_look, self._meter = progress, now + LOOK_SECONDS, None
        if not progress % 2 or self._process is None:
            return None
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            if self._meter is None:
                from wherefrom.support.workers.meter import Meter  # noqa: PLC0415 -- most tasks are done by then

                self._meter = Meter(self._process.pid)
            self._meter.look()
        return None if self._meter is None else limits.excess(self._meter)

    def _current(self) -> int | None:
        """The index of the task in the first batch that it is at, or None. What it sent must have been taken in."""
        finished, is_at_one = divmod(self._progress[0], 2)
        index = finished - self._finished
        return index if is_at_one and 0 <= index < len(self.batches[0].tasks) else None

    def ending(self, limits: _Limits) -> Reason | None:
        """Why it is to be buried, None while it is well. What it said must have been taken in."""
        return "died" if self.has_ended else self.excess(limits)

    def bury(
        self, reason: Reason, tries: int
    ) -> tuple[list[tuple[Task, Result | Died]], _Batch[Task] | None, list[_Batch[Task]]]:
        """Ends it for a reason; its task may lose so many workers before it is given up.

        Returns:
            The task that is to blame, as a result if it is given up, else to be tried alone; and the batches that are
            to be done again.

        Raises:
            WherefromError: it never came up.
        """
        current = self._current() if self.batches else None
        code = self.close()
        if self._failure is not None:
            raise WherefromError(
                f"cannot start a worker process: {self._failure.strerror}; close other programs, or use fewer jobs"
            )
        if not self.is_up:
            raise WherefromError(
                f"a worker process ended before it began (exit code {code}); free some memory, or use fewer jobs"
            )
        if not self.batches:
            return [], None, []
        first = self.batches.popleft()
        culprit = 0 if first.alone else current
        others = [_Batch([task], alone=True) for index, task in enumerate(first.tasks) if index != culprit]
        others.extend(self.batches)
        if culprit is None:
            return [], None, others
        blamed = _Batch([first.tasks[culprit]], alone=True, lost=first.lost + 1)
        is_killed = self.has_ended and code == -signal.SIGKILL
        if blamed.lost < (TRIES_KILLED if is_killed else tries):
            return [], blamed, others
        return [(blamed.tasks[0], Died(reason))], None, others

    def kill(self) -> None:
        """Kills the process, or keeps it from being started; does not wait for its end."""
        with self._lock:
            if self._process is not None and not self._is_over:
                os.kill(self._process.pid, signal.SIGKILL)
            self._is_over = True

    def close(self) -> int | None:
        """Kills the process, waits for its end and frees what belonged to it; may be called again. Returns its exit
        code, a negative signal number if a signal ended it; None if it was never started.
        """
        self.kill()
        self._outbox.put(None)
        self.news.close()
        if self._has_begun and not self._ended.closed:
            wait([self._ended])
        self._ended.close()
        return None if self._process is None else self._process.returncode

    def _heard(self) -> Iterator[tuple[str, Any]]:
        """The messages that nobody has looked at."""
        try:
            while self.news.poll():
                self.news.recv_bytes()
        except (EOFError, OSError):
            self.has_ended = True
        while self._inbox:
            yield pickle.loads(self._inbox.popleft())  # noqa: S301 -- from a process that this one started

    def _receive(self) -> None:
        """Takes the messages of the process until it ends, which it may do in the middle of one."""
        with self._its_news, suppress(EOFError, OSError, MemoryError):
            while True:
                self._inbox.append(self._connection.recv_bytes())
                self._its_news.send_bytes(b"")

    def _run(self) -> None:
        """Starts the process, sends until there is a None, and waits for the end of the process, which was killed."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        receiver = threading.Thread(target=self._receive, daemon=True)
        with self._its_last, self._connection:
            receiver.start()
            try:
                # The end of the process is closed here, so that the connection ends when the process does.
                with self._its_end, self._progress_file, self._lock:
                    if not self._is_over:
                        self._has_begun = True
                        self._process = _started(self._its_end.fileno(), self._progress_file.fileno())
            except OSError as error:
                self._failure = error
            for payload in iter(self._outbox.get, None):
                with suppress(OSError):  # it has ended
                    self._connection.send_bytes(payload)
            if self._process is not None:
                # Not before the None: until then the process may be killed by its id.
                self._process.wait()
                assert self._process.stdin is not None, "the pipe that ends with this process"
                self._process.stdin.close()
            receiver.join()


def _shared_file() -> BinaryIO:
    """A file of `_PROGRESS_BYTES` without a name, in memory where the system has that."""
    is_in_memory = sys.platform == "linux"
    file = os.fdopen(os.memfd_create("progress"), "r+b") if is_in_memory else tempfile.TemporaryFile()  # noqa: SIM115 -- the worker's start closes it
    file.write(bytes(_PROGRESS_BYTES))
    file.flush()
    return cast("BinaryIO", file)


def _started(*descriptors: int) -> subprocess.Popen[bytes]:
    """A new process that runs `worker.py`; it inherits the descriptors, the working directory and standard error.

    Its interpreter treats warnings, the environment and the user's packages as this one does. What it prints on
    standard output is dropped: this process may be writing its results there.
    """
    options = ["-P", *(f"-W{option}" for option in sys.warnoptions)]
    options += ["-E"] if sys.flags.ignore_environment else []
    options += ["-s"] if sys.flags.no_user_site else []
    return subprocess.Popen(
        [sys.executable, *options, str(_WORKER), *map(str, descriptors)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=descriptors,
        # NumPy would start a thread for each processor, in each worker, and reserve 32 MB for it.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
