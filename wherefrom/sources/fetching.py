"""Fetches the URLs and packages of an indexing run, several at a time and before the run needs them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Self

from wherefrom.sources import clones
from wherefrom.sources.remote import PassingFailure
from wherefrom.sources.source import TRIES, FetchedSource, Source, Unreachable
from wherefrom.support.closing import Closing
from wherefrom.support.system import system
from wherefrom.support.values import dataclass, field
from wherefrom.support.writing import folder_size

AHEAD = 8  # for each thread, at most this many repositories are fetched and not released yet
HOLDS = 3  # how often to try a fetch if another process discards the clone each time before this process can lock it
TICK = 0.2  # longest single wait for a source, in seconds


@dataclass(slots=True, eq=False)
class _Fetched:
    """A source that a thread fetches, or has fetched."""

    size: int = 0  # the bytes of its clone
    error: Exception | None = None
    is_done: bool = False
    lease: ExitStack = field(default_factory=ExitStack)  # keeps other processes from discarding the clone


class Fetches(Closing):
    """The fetches of one run, in the order of its sources; a `with` block starts and ends them. A source takes room
    from the beginning of its fetch until `release`. There is room for `AHEAD` sources for each thread, and for clones
    of `space` bytes together (None: no limit). A source on this machine is ready from the beginning.
    """

    def __init__(self, sources: Iterable[Source], *, threads: int, space: int | None = None) -> None:
        self._waiting = deque(source for source in sources if isinstance(source, FetchedSource))
        self._threads_wanted, self._space = threads, space
        self._threads: list[threading.Thread] = []
        self._taken: dict[FetchedSource, _Fetched] = {}
        self._silent_hosts: set[str] = set()
        self._changed = threading.Condition()
        self._stop = threading.Event()

    def __enter__(self) -> Self:
        try:
            for cache in {source.path.parent for source in self._waiting}:
                clones.remove_leftovers(cache)
            for _ in range(min(self._threads_wanted, len(self._waiting))):
                self._threads.append(threading.Thread(target=self._run, daemon=True))
                self._threads[-1].start()
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """Ends all fetches and removes incomplete clones. Complete ones can still be released."""
        try:
            self._end()
        finally:
            self._end()  # Ctrl-C may have interrupted the first call

    def _end(self) -> None:
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()
        for fetched in self._taken.values():
            fetched.lease.close()

    def is_ready(self, source: Source, seconds: float = TICK) -> bool:
        """Waits for at most `seconds` until a source is ready, and returns whether it is. A source of a server is
        ready once its fetch has succeeded or failed; any other source is always ready.
        """
        if not isinstance(source, FetchedSource):
            return True
        with self._changed:
            return self._changed.wait_for(lambda: source in self._taken and self._taken[source].is_done, seconds)

    def check(self, source: Source) -> None:
        """Raises the error if the fetch of a source failed. The source must be ready."""
        if isinstance(source, FetchedSource) and (error := self._taken[source].error) is not None:
            raise error

    def is_blocked_by(self, sources: Sequence[Source]) -> bool:
        """True if fetching waits for room, and releasing `sources` frees half of the clones, or half of their bytes."""
        with self._changed:
            if not self._waiting or self._is_room():
                return False
            finished = [self._taken[source] for source in sources if source in self._taken]
            size = sum(fetched.size for fetched in finished)
            return 2 * len(finished) >= len(self._taken) or 0 < self._size() <= 2 * size

    def release(self, sources: Sequence[Source], *, discard: bool) -> list[int]:
        """Frees the room of finished sources. If `discard`, removes unused clones, and returns the bytes of each."""
        freed = []
        for source in sources:
            if not isinstance(source, FetchedSource) or source not in self._taken:
                continue
            self._taken[source].lease.close()
            if discard and (size := clones.discard(source.path)):
                freed.append(size)
            with self._changed:
                del self._taken[source]
                self._changed.notify_all()
        return freed

    def _size(self) -> int:
        return sum(fetched.size for fetched in self._taken.values())

    def _is_room(self) -> bool:
        if len(self._taken) >= AHEAD * self._threads_wanted:
            return False
        return self._space is None or not self._taken or self._size() < self._space

    def _run(self) -> None:
        # The main thread handles Ctrl-C. It would not wake up if the system gave the signal to this thread.
        system.hold_back_interrupts()
        while (source := self._next()) is not None:
            self._fetch(source)

    def _next(self) -> FetchedSource | None:
        """Waits for room and returns the next source to fetch; None if there is no other, or fetching must stop."""
        with self._changed:
            while self._waiting and not self._stop.is_set():
                if self._is_room():
                    source = self._waiting.popleft()
                    self._taken[source] = _Fetched()
                    return source
                self._changed.wait()
        return None

    def _fetch(self, source: FetchedSource) -> None:
        fetched = self._taken[source]
        is_silent = source.host in self._silent_hosts
        try:
            for _ in range(HOLDS):
                source.fetch(self._stop, tries=1 if is_silent else TRIES)
                is_there = fetched.lease.enter_context(clones.in_use(source.path))
                if is_there or source.revision == source.known:
                    break
            fetched.size = folder_size(source.path)
            self._silent_hosts.discard(source.host)
        except Exception as error:  # `check` raises it in the main thread
            fetched.error = error
            if isinstance(error, Unreachable) or (isinstance(error, PassingFailure) and error.is_unreachable):
                self._silent_hosts.add(source.host)
        finally:
            with self._changed:
                fetched.is_done = True
                self._changed.notify_all()
