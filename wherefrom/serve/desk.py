"""The processes that answer calls, each with an open index of its own: what one call takes never harms another."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from wherefrom.errors import WherefromError
from wherefrom.index import Index, open_index
from wherefrom.options import EngineOptions
from wherefrom.support.closing import Closing
from wherefrom.support.workers.pool import Died, Pool

if TYPE_CHECKING:
    from wherefrom.serve.calls import Call

_Result = TypeVar("_Result")

WARM = (
    "int sum(int *values, int count) {\n  int total = 0;\n  while (count--) total += *values++;\n  return total;\n}\n"
)
"""What a process looks up before its first call, so that nothing is loaded during that."""


class CallFailed(WherefromError):
    """A call that a server did not answer."""


class Busy(CallFailed):
    """Too many calls are waiting already."""


class CallTimeout(CallFailed):
    """It took longer than the limit."""


class CallDied(CallFailed):
    """It took more memory than the limit, or crashed the process that answers."""


class Gone(Exception):
    """Whoever asked has gone away while the call was waiting."""


class Desk(Closing):
    """Answers calls about one index in several processes, which are started once and stay.

    A call that takes more than the limits is ended with its process; another one is started. Calls take turns; where
    there are several processes, long calls leave one to the others.

    Args:
        location: of the index.
        engine: what its engine needs.
        parse_memory: bytes for the process that parses, of which each process has one.
        processes: how many.
        seconds: what a call may take, as `Pool` counts.
        memory: what a process may use, in bytes.
        waiting: calls that may wait at most.
    """

    def __init__(
        self,
        location: str,
        engine: EngineOptions | None,
        *,
        parse_memory: int,
        processes: int,
        seconds: float,
        memory: int,
        waiting: int,
    ) -> None:
        self._open = partial(_open, location, engine, parse_memory)
        self._pools = [self._pool(seconds, memory) for _ in range(processes)]
        self._free = list(self._pools)
        self._seconds, self._memory, self._most_waiting = seconds, memory, waiting
        self._turns = asyncio.Semaphore(processes)
        self._long_turns = asyncio.Semaphore(max(processes - 1, 1))
        self.waiting = 0
        """Calls that wait for a process."""
        self.ended = 0
        """Processes that were ended because of a call."""

    def _pool(self, seconds: float, memory: int) -> Pool[Call[object], object]:
        return Pool(_answer, jobs=1, seconds=seconds, memory=memory, initialize=self._open, tries=1)

    def start(self) -> None:
        """Starts all processes, and does not wait for them."""
        for pool in self._pools:
            pool.start()

    def close(self) -> None:
        """Ends all processes."""
        for pool in self._pools:
            pool.close()

    @property
    def running(self) -> int:
        """Calls that are being answered."""
        return len(self._pools) - len(self._free)

    async def ask(self, call: Call[_Result], is_gone: Callable[[], Awaitable[bool]] | None = None) -> _Result:
        """Answers a call, or raises its error.

        Args:
            call: what is asked.
            is_gone: whether nobody waits for the answer any longer; asked when the call's turn has come.

        Raises:
            Busy: too many calls wait.
            CallTimeout, CallDied: it took more than the limits.
            Gone: nobody waits.
        """
        async with self._turn(is_long=call.is_long) as pool:
            if is_gone is not None and await is_gone():
                raise Gone
            # Whatever becomes of the one who asked: a process is free again when it has answered.
            found = await _finished(pool, call)
        if isinstance(found, Died):
            self.ended += 1
            if found.reason == "timeout":
                raise CallTimeout(f"to answer this takes more than {self._seconds:g} s; ask for a part of it")
            raise CallDied(
                f"to answer this takes more than {self._memory / 1e9:g} GB of memory, or crashes; ask for a part of it"
            )
        if isinstance(found, WherefromError):
            raise found
        return cast("_Result", found)

    @asynccontextmanager
    async def _turn(self, *, is_long: bool) -> AsyncIterator[Pool[Call[object], object]]:
        """A process for a call, when its turn has come.

        Raises:
            Busy: too many wait before it.
        """
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


async def _finished(pool: Pool[Call[object], object], call: Call[object]) -> object:
    """What a process answers. Cancelled or not, it waits for that: the process is busy until then."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[object] = loop.create_future()

    def work() -> None:
        try:
            [found] = [result for batch in pool.map([[call]]) for _, result in batch]
            if isinstance(found, Died):
                pool.start()  # before the process belongs to another call
        except BaseException as error:  # given to the one who waits
            loop.call_soon_threadsafe(done.set_exception, error)
        else:
            loop.call_soon_threadsafe(done.set_result, found)

    threading.Thread(target=work, daemon=True, name="wherefrom-call").start()
    was_cancelled = False
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            was_cancelled = True
    if was_cancelled:
        raise asyncio.CancelledError
    return done.result()


def processes() -> int:
    """How many are used unless told otherwise: one for each core that may be used."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_index: list[Index] = []
"""The open index of this process."""


def _open(location: str, engine: EngineOptions | None, parse_memory: int) -> None:
    """Prepares a process: it has an index of its own, and a process that parses for it, both warm."""
    index = open_index(location, engine, parse_memory=parse_memory)
    index.search(WARM, name="warm.c")
    _index.append(index)


def _answer(call: Call[object]) -> object:
    """Answers a call; what is wrong with it is given back and not raised."""
    try:
        return call.answer(_index[0])
    except WherefromError as error:
        return error
