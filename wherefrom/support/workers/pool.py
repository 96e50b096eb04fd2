"""A process pool for untrusted input: a task that crashes or hangs affects only its own result."""

from __future__ import annotations

import _thread
import mmap
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, Generic, TypeVar, cast

from wherefrom.errors import UsageError, WherefromError
from wherefrom.support.closing import Closing
from wherefrom.support.system import system
from wherefrom.support.values import dataclass
from wherefrom.support.workers import LOOK_SECONDS, PARSE_MEMORY, Died, Meter, Reason, check_memory
from wherefrom.support.workers.fork import ForkedWorker, can_fork, interrupts_held_back, used_memory

Task = TypeVar("Task")
Result = TypeVar("Result")

IN_FLIGHT = 4  # a worker has at most this many batches: with several, it works while this process reads or writes

TRIES, TRIES_KILLED = 2, 5
"""The pool gives up a task after this many workers have died of it. The second number applies if the last worker was
killed from outside, for example by the kernel because other programs use the memory."""

SHARE_FORKED = 4
"""A process forks only if it uses less than one in this many bytes of a worker's limit, since a fork begins with its
memory."""

LEAST_ADDRESSES = 400_000 * 1024  # with a lower limit on its address space, a worker may hang while it loads NumPy
_PROGRESS_BYTES = 8

_PROTOCOL = pickle.HIGHEST_PROTOCOL

_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class _TaskBatch(Generic[Task]):
    """Tasks that a worker gets together."""

    tasks: Sequence[Task]
    alone: bool = False  # marks a task of a batch whose worker died: if its next worker dies too, it is to blame
    lost: int = 0  # the number of workers that died of the task


class Pool(Closing, Generic[Task, Result]):
    """Worker processes that start when they are first needed. Use it in a `with` block, which ends them.

    A worker has at most `IN_FLIGHT` batches, so `jobs` bounds the memory, whatever the length of the input.

    If a worker dies, a new worker tries its task again while all others pause. If that worker dies too, the pool gives
    the task up.

    `work` handles a task. It must be in a module that can be imported, not in a script. If it raises an exception, that
    is a bug and ends the run; only `MemoryError` counts as the death of the worker. If `forks`, the first workers are
    forks of this process, if that is safe: they need no start of an interpreter.
    """

    def __init__(
        self,
        work: Callable[[Task], Result],
        *,
        jobs: int,  # the number of workers, at least 1
        seconds: float | None = None,  # a worker that takes longer for a step is killed, as `Meter` measures it
        memory: int | None = PARSE_MEMORY,  # the limit on the memory of a worker in bytes (None: no limit)
        initialize: Callable[[], None] | None = None,  # called once in each worker before its first task
        steps: Sequence[Callable[[Any], Any]] = (),  # those of `work`, each to be done for a batch before the next one
        tries: int = TRIES,  # the pool gives up a task after this many workers have died of it
        forks: bool = False,
    ) -> None:
        if jobs < 1:
            raise UsageError(f"there cannot be {jobs} worker processes; ask for 1 or more")
        if seconds is not None and not seconds > 0:
            raise UsageError(f"a limit of {seconds} seconds leaves no time for any task; give more, or none")
        if memory is not None:
            check_memory(memory)
        self._forks = forks
        self._functions = pickle.dumps((steps or (work,), initialize), _PROTOCOL)
        self._jobs = jobs
        self._seconds, self._memory = seconds, memory
        self._tries = tries
        self._workers: list[_Worker[Task, Result]] = []

    def close(self) -> None:
        """Ends all workers. The pool starts new ones when it needs them."""
        try:
            self._end()
        finally:
            self._end()  # ends the other workers if Ctrl-C interrupted the first call

    def start(self) -> None:
        """Starts a worker if there is none, without waiting for it."""
        if not self._workers:
            self._started()

    def map(
        self,
        batches: Iterable[Sequence[Task]],
        *,
        seconds: float | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[Sequence[tuple[Task, Result | Died]]]:
        """Runs `work` on every task. The results of a batch come together, as soon as the batch is done.

        The batch of a worker that died comes in pieces: new workers do its tasks one by one. The pool takes a batch
        only when a worker has room for it. `seconds` changes the limit on a task from now on. When `is_stopped` returns
        True, the workers are ended, and no more results come. Raises WherefromError if the workers cannot start;
        otherwise whatever one of the functions raised.
        """
        if seconds is not None:
            self._seconds = seconds
        given = iter(batches)
        first = [*islice(given, 2)] if self._forks and not self._workers else []
        if first and can_fork() and (self._memory is None or used_memory() < self._memory // SHARE_FORKED):
            self._fork(self._jobs if len(first) > 1 else 1)
        waiting = (_TaskBatch(batch) for batch in chain(first, given))
        again: deque[_TaskBatch[Task]] = deque()
        suspects: deque[_TaskBatch[Task]] = deque()
        try:
            while True:
                self._fill(waiting, again, suspects)
                if not self._is_busy() or is_stopped():
                    return
                wait([worker.news for worker in self._workers], LOOK_SECONDS)
                for worker in list(self._workers):
                    yield from worker.results()
                    if reason := worker.ending(self._seconds, self._memory):
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

    def _fill(
        self, waiting: Iterator[_TaskBatch[Task]], again: deque[_TaskBatch[Task]], suspects: deque[_TaskBatch[Task]]
    ) -> None:
        """Gives out batches while there is room, always to the worker with the fewest. A task that is to blame for a
        death gets a new worker, when all others have finished.
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

    def _fork(self, count: int) -> None:
        """Starts workers as forks: all together, since a process with the threads of a worker must not fork."""
        forked: list[_Worker[Task, Result]] = [_Worker() for _ in range(count)]
        self._workers += forked
        with interrupts_held_back():
            for worker in forked:
                worker.fork()
            for worker in forked:
                worker.start(self._functions, self._memory)

    def _started(self) -> _Worker[Task, Result]:
        most = system.most_addresses()
        if most is not None and most < LEAST_ADDRESSES:
            raise WherefromError(
                f"the limit on memory (ulimit -v) is {most // 1024:,} kB; allow {LEAST_ADDRESSES // 1024:,} kB or more"
            )
        worker: _Worker[Task, Result] = _Worker()
        # The worker is listed before its process starts, so that `_end` finds it even if the start is interrupted.
        self._workers.append(worker)
        worker.start(self._functions, self._memory)
        return worker

    def _end(self) -> None:
        for worker in self._workers:
            worker.kill()
        while self._workers:
            self._workers[-1].close()
            self._workers.pop()


class _Worker(Generic[Task, Result]):
    """A worker process as this process sees it; `wherefrom/support/workers/worker.py` defines the messages.

    One thread starts the worker, sends to it and waits for its end; another thread receives. So the worker can go on
    with its next batch while the main thread is busy. The main thread must not start the worker: a KeyboardInterrupt
    there could interrupt `subprocess` in the middle. The threads block SIGINT. The worker inherits this, so Ctrl-C
    never reaches it, not even while its interpreter starts.
    """

    def __init__(self) -> None:
        self.batches: deque[_TaskBatch[Task]] = deque()
        self.is_up = False
        self.has_ended = False
        self._progress_file = _shared_file()
        self._progress = memoryview(mmap.mmap(self._progress_file.fileno(), _PROGRESS_BYTES)).cast("q")
        """The worker's own count: 2 for each finished task, 1 more while it works on one. Each step counts again."""
        self._finished = 0  # the number of tasks whose results have come
        self._seen = 0  # the worker's count when `ending` last saw it change
        self._next_look = 0.0  # when to measure the current task next, on the monotonic clock
        self._meter: Meter | None = None  # measures the current task, once the task has run for `LOOK_SECONDS`
        self._connection, self._its_end = Pipe()  # of the connection to the process; only the threads use them
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._inbox: deque[bytes] = deque()  # messages for `_messages`: at most the results of `IN_FLIGHT` batches
        self.news, self._its_news = Pipe(duplex=False)  # readable when messages are in the inbox; ends with the last
        self._lock = threading.RLock()  # so that the process never starts after `kill`; a thread can take it twice
        self._is_over = False
        self._has_begun = False  # whether the thread has begun to start it. Then `close` waits for the thread's end
        self._ended, self._its_last = Pipe(duplex=False)
        self._process: subprocess.Popen[bytes] | ForkedWorker | None = None
        self._failure: Exception | None = None

    def fork(self) -> None:
        """Makes the process a fork of this one, for `start`. If that fails, `start` starts another."""
        with suppress(OSError):
            self._process = ForkedWorker(self._its_end.fileno(), self._progress_file.fileno())

    def start(self, functions: bytes, memory: int | None) -> None:
        """Starts the process without waiting for it. `functions` are pickled: the steps, `initialize`."""
        self._outbox.put(pickle.dumps((sys.path, memory, functions), _PROTOCOL))
        # `threading.Thread.start` would wait, and fail with a RuntimeError if it is interrupted.
        try:
            _thread.start_new_thread(self._run, ())
        except RuntimeError as error:  # there is no memory for its stack
            for opened in (self._progress_file, self._its_end, self._connection, self._its_news, self._its_last):
                opened.close()
            raise _not_started(error) from None

    def give(self, batch: _TaskBatch[Task]) -> None:
        """Hands over a batch; never waits."""
        payload = pickle.dumps(batch.tasks, _PROTOCOL)
        self.batches.append(batch)
        self._outbox.put(payload)

    def results(self) -> Iterator[list[tuple[Task, Result | Died]]]:
        """Yields the results of each batch that the worker has finished. Raises what one of the functions raised."""
        for kind, value in self._messages():
            self.is_up = True
            if kind == "raised":
                raise value
            if kind == "done":
                self._finished += len(value)
                yield list(zip(self.batches.popleft().tasks, value, strict=True))

    def ending(self, seconds: float | None, memory: int | None) -> Reason | None:
        """Why `bury` must be called: the worker has ended, or its task exceeds one of these limits. None if the worker
        can go on. Call `results` first. The task is measured every `LOOK_SECONDS`, however often this is called.
        """
        if self.has_ended:
            return "died"
        now, progress = time.monotonic(), self._progress[0]
        if progress != self._seen:
            self._seen, self._next_look, self._meter = progress, now + LOOK_SECONDS, None
        if not progress % 2 or self._process is None:
            return None
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            if self._meter is None:
                self._meter = Meter(self._process.pid)
            self._meter.look()
        if self._meter is None:
            return None
        if memory is not None and self._meter.memory > memory:
            return "died"
        return "timeout" if seconds is not None and self._meter.seconds > seconds else None

    def _current(self) -> int | None:
        """The index of the worker's current task in its first batch; None if it works on none. Call `results` first."""
        finished, is_at_one = divmod(self._progress[0], 2)
        index = finished - self._finished
        return index if is_at_one and 0 <= index < len(self.batches[0].tasks) else None

    def bury(
        self, reason: Reason, tries: int
    ) -> tuple[list[tuple[Task, Result | Died]], _TaskBatch[Task] | None, list[_TaskBatch[Task]]]:
        """Ends the worker and finds the task that is to blame. Returns its result, if the pool gives it up (after
        `tries` deaths); otherwise the task as a batch, to be tried alone; and the other batches, to be done again.
        Raises WherefromError if the worker never started to work.
        """
        current = self._current() if self.batches else None
        code = self.close()
        if self._failure is not None:
            raise _not_started(self._failure)
        if not self.is_up:
            raise WherefromError(
                f"a worker process ended before it began (exit code {code}); free some memory, or use fewer jobs"
            )
        if not self.batches:
            return [], None, []
        first = self.batches.popleft()
        culprit = 0 if first.alone else current
        others = [_TaskBatch([task], alone=True) for index, task in enumerate(first.tasks) if index != culprit]
        others.extend(self.batches)
        if culprit is None:
            return [], None, others
        blamed = _TaskBatch([first.tasks[culprit]], alone=True, lost=first.lost + 1)
        is_killed = self.has_ended and code == system.KILLED
        if blamed.lost < (TRIES_KILLED if is_killed else tries):
            return [], blamed, others
        return [(blamed.tasks[0], Died(reason))], None, others

    def kill(self) -> None:
        """Kills the process or prevents its start, without waiting for its end."""
        with self._lock:
            if self._process is not None and not self._is_over:
                system.kill(self._process.pid)
            self._is_over = True

    def close(self) -> int | None:
        """Kills the process, waits for its end and frees its resources; calling it again is harmless. Returns the exit
        code, or a negative signal number if a signal ended it; None if it was never started.
        """
        self.kill()
        self._outbox.put(None)
        self.news.close()
        if self._has_begun and not self._ended.closed:
            wait([self._ended])
        self._ended.close()
        return None if self._process is None else self._process.returncode

    def _messages(self) -> Iterator[tuple[str, Any]]:
        try:
            while self.news.poll():
                self.news.recv_bytes()
        except (EOFError, OSError):
            self.has_ended = True
        while self._inbox:
            yield pickle.loads(self._inbox.popleft())  # noqa: S301 -- from a process that this one started

    def _receive(self) -> None:
        """Receives the messages of the process until it ends, even in the middle of a message."""
        with self._its_news, suppress(EOFError, OSError, MemoryError):
            while True:
                self._inbox.append(self._connection.recv_bytes())
                self._its_news.send_bytes(b".")  # an empty message may be lost on Windows

    def _run(self) -> None:
        """Starts the process, sends what is in the outbox up to a None, and waits for the end of the killed process."""
        system.hold_back_interrupts()
        receiver = threading.Thread(target=self._receive, daemon=True)
        with self._its_last, self._connection:
            try:
                # This process closes the worker's end, so that the connection ends when the worker does.
                with self._its_end, self._progress_file, self._lock:
                    receiver.start()
                    if not self._is_over:
                        self._has_begun = True
                        if self._process is None:
                            self._process = _started(self._its_end.fileno(), self._progress_file.fileno())
            except (OSError, RuntimeError, MemoryError) as error:
                self._failure = error
                if receiver.ident is None:
                    self._its_news.close()  # as the receiver does at its end
            for payload in iter(self._outbox.get, None):
                with suppress(OSError):  # the process has ended
                    self._connection.send_bytes(payload)
            if self._process is not None:
                # `wait` frees the id of the process, which `kill` may need until the None comes.
                self._process.wait()
                assert self._process.stdin is not None, "the pipe that ends with this process"
                self._process.stdin.close()
            if receiver.ident is not None:
                receiver.join()


def _not_started(error: Exception) -> WherefromError:
    reason = getattr(error, "strerror", None) or str(error) or "too little memory"
    return WherefromError(f"cannot start a worker process: {reason}; close other programs, or use fewer jobs")


def _shared_file() -> BinaryIO:
    """A file of `_PROGRESS_BYTES` without a name, in memory if the system supports that."""
    is_in_memory = hasattr(os, "memfd_create")
    file = os.fdopen(os.memfd_create("progress"), "r+b") if is_in_memory else tempfile.TemporaryFile()  # noqa: SIM115 -- the worker's start closes it
    file.write(bytes(_PROGRESS_BYTES))
    file.flush()
    return cast("BinaryIO", file)


def _started(connection: int, progress: int) -> subprocess.Popen[bytes]:
    """A new process that runs `worker.py`; it inherits both of these, the working directory and standard error. Its
    interpreter treats warnings, the environment and the user's packages like this one. Its standard output is dropped,
    since this process may be writing results to its own.
    """
    options = ["-P", *(f"-W{option}" for option in sys.warnoptions)]
    options += ["-E"] if sys.flags.ignore_environment else []
    options += ["-s"] if sys.flags.no_user_site else []
    arguments, inheriting = system.handed_over(connection, progress)
    return subprocess.Popen(
        [sys.executable, *options, str(_WORKER), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        **inheriting,
        # Otherwise NumPy would start a thread for each processor in each worker, and reserve 32 MB for each.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
