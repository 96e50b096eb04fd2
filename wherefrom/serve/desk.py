"""The processes that answer calls, each with its own open index, so that a heavy call does not harm others."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TypeVar, cast

from wherefrom.errors import WherefromError
from wherefrom.options.serving import CallOptions
from wherefrom.public import Index
from wherefrom.serve.calls import Call
from wherefrom.support.closing import Closing
from wherefrom.support.workers import Died
from wherefrom.support.workers.pool import Pool

_Result = TypeVar("_Result")

WARM = (
    "int sum(int *values, int count) {\n  int total = 0;\n  while (count--) total += *values++;\n  return total;\n}\n"
)
"""The snippet that a process looks up before its first call, so that the call waits for no module to load."""


class CallFailed(WherefromError):
    """A call that the server did not answer."""


class Busy(CallFailed):
    """Too many calls are waiting already."""


class CallTimeout(CallFailed):
    """The call took longer than the limit."""


class CallDied(CallFailed):
    """The call took more memory than the limit, or crashed its process."""


class Gone(Exception):
    """The client went away while its call was waiting."""


class Desk(Closing):
    """Answers calls about one index in several processes, which are started once.

    A call that exceeds the limits (its time, as `Pool` counts it, and the memory of its process) is stopped with its
    process, and another process is started. Calls take turns, and at most `waiting` calls wait. If there are several
    processes, one is never used for long calls, so that short calls do not wait. With `stops`, a call that is cancelled
    ends its process, instead of waiting for the answer.
    """

    def __init__(
        self, opener: Callable[[], Index], limits: CallOptions, *, processes: int, waiting: int, stops: bool = False
    ) -> None:
        seconds, memory, initialize = limits.call_seconds, limits.call_memory, partial(_open, opener)
        self._pools: list[Pool[Call[object], object]] = [
            Pool(_answer, jobs=1, seconds=seconds, memory=memory, initialize=initialize, tries=1)
            for _ in range(processes)
        ]
        self._free = list(self._pools)
        self._limits, self._most_waiting, self._stops = limits, waiting, stops
        self._turns = asyncio.Semaphore(processes)
        self._long_turns = asyncio.Semaphore(max(processes - 1, 1))
        self.waiting = 0
        """The number of calls that wait for a process."""
        self.ended = 0
        """The number of processes that a call has ended."""

    def start(self) -> None:
        """Starts all processes without waiting for them."""
        for pool in self._pools:
            pool.start()

    def close(self) -> None:
        """Ends all processes."""
        for pool in self._pools:
            pool.close()

    @property
    def running(self) -> int:
        """The number of calls that are being answered."""
        return len(self._pools) - len(self._free)

    async def ask(self, call: Call[_Result], is_gone: Callable[[], Awaitable[bool]] | None = None) -> _Result:
        """Answers a call, or raises its error. `is_gone` returns True if the client has gone away; it is called when
        the call's turn comes.

        Raises:
            Busy: too many calls are waiting.
            CallTimeout, CallDied: the call exceeded the limits.
            Gone: the client has gone away.
        """
        async with self._turn(is_long=call.is_long) as pool:
            if is_gone is not None and await is_gone():
                raise Gone
            # If the client goes away now, the call keeps its turn, since the process is busy until it has answered.
            found = await _finished(pool, call, stops=self._stops)
        if isinstance(found, Died):
            self.ended += 1
            if found.reason == "timeout":
                limit = f"{self._limits.call_seconds:g} s"
                raise CallTimeout(f"to answer this takes more than {limit}; ask for a part of it")
            limit = f"{self._limits.call_memory / 1e9:g} GB of memory"
            raise CallDied(f"to answer this takes more than {limit}, or crashes; ask for a part of it")
        if isinstance(found, WherefromError):
            raise found
        return cast("_Result", found)

    @asynccontextmanager
    async def _turn(self, *, is_long: bool) -> AsyncIterator[Pool[Call[object], object]]:
        """Waits for a turn, and yields the process for the call. Raises `Busy` if too many calls are waiting."""
        limits = [self._long_turns, self._turns] if is_long and len(self._pools) > 1 else [self._turns]
        if self.waiting >= self._most_waiting and any(limit.locked() for limit in limits):
            raise Busy(f"{self._most_waiting} calls are waiting already; ask again later")
        async with AsyncExitStack() as taken:
            self.waiting += 1
            try:
                for limit in limits:
                    await taken.enter_async_context(limit)
            finally:
                self.waiting -= 1
            pool = self._free.pop()
            taken.callback(self._free.append, pool)
            yield pool


async def _finished(pool: Pool[Call[object], object], call: Call[object], *, stops: bool) -> object:
    """The answer of a process. If it is cancelled, it still waits for the answer or, if it `stops`, for the end of the
    process: the process is busy until then.
    """
    answer: Future[object] = Future()
    stopped = threading.Event()

    def work() -> None:
        try:
            batches = pool.map([[call]], is_stopped=stopped.is_set)
            # Exhausted, since dropping the iterator early would disturb the next call of the pool.
            results = [result for batch in batches for _, result in batch]
            found = results[0] if results else None
            if isinstance(found, Died) or stopped.is_set():
                pool.start()  # The next call must find a running process.
            answer.set_result(found)
        except BaseException as error:  # The waiting coroutine raises it.
            answer.set_exception(error)

    threading.Thread(target=work, daemon=True, name="wherefrom-call").start()
    done = asyncio.wrap_future(answer)
    was_cancelled = False
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            was_cancelled = True
            if stops:
                stopped.set()
    if was_cancelled:
        raise asyncio.CancelledError
    return done.result()


def processes() -> int:
    """The default number of processes: one for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_index: list[Index] = []
"""The open index of this process."""


def _open(opener: Callable[[], Index]) -> None:
    index = opener()
    index.search(WARM, name="warm.c")
    _index.append(index)


def _answer(call: Call[object]) -> object:
    """Answers a call; an error of the call is returned, not raised."""
    try:
        return call.function(_index[0], *call.values)
    except WherefromError as error:
        return error
