"""Fetches the URLs among the sources of a run ahead of their turn, several at a time."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Self

from wherefrom.sources import clones
from wherefrom.sources.remote import RETRY_SECONDS, PassingFailure, RemoteSource
from wherefrom.sources.source import Source
from wherefrom.support.closing import Closing

AHEAD = 8
"""For each fetch at a time, so many repositories are fetched at most before the first of them is finished."""

HOLDS = 3
"""How often a clone is fetched that another process discards before it is held."""

TICK = 0.2
"""Seconds after which a wait looks up."""


@dataclass(slots=True, eq=False)
class _Fetched:
    """A source that was given to a thread.

    Attributes:
        size: bytes of its clone; 0 without a clone.
        error: what the fetch raised.
        is_done: whether the fetch has ended.
        lease: keeps its clone from being discarded by another process.
    """

    size: int = 0
    error: Exception | None = None
    is_done: bool = False
    lease: ExitStack = field(default_factory=ExitStack)


class Fetches(Closing):
    """The fetches of one run, in the order of its sources; a `with` block starts and ends them.

    A source is held from the beginning of its fetch until it is released. A fetch begins while fewer than `AHEAD`
    sources for each thread are held, and their clones leave room.

    Args:
        sources: of the run; those that are not URLs are ready from the beginning.
        threads: so many fetches at a time.
        space: bytes that the clones of the sources that are held may have when another fetch begins; None: any number.
    """

    def __init__(self, sources: Iterable[Source], *, threads: int, space: int | None = None) -> None:
        self._waiting = deque(source for source in sources if isinstance(source, RemoteSource))
        self._threads_wanted, self._space = threads, space
        self._threads: list[threading.Thread] = []
        self._taken: dict[RemoteSource, _Fetched] = {}
        self._silent_hosts: set[str] = set()
        self._changed = threading.Condition()
        self._stop = threading.Event()

    def __enter__(self) -> Self:
        try:
            for cache in {source.folder.parent for source in self._waiting}:
                clones.remove_leftovers(cache)
            for _ in range(min(self._threads_wanted, len(self._waiting))):
                self._threads.append(threading.Thread(target=self._run, daemon=True))
                self._threads[-1].start()
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """Ends all fetches, and removes what is half fetched; what was fetched can still be released."""
        try:
            self._end()
        finally:
            self._end()  # ends what is left where Ctrl-C came in the middle

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
        """Whether a source is ready, after at most so many seconds: not a URL, or fetched, or given up."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_done(source), seconds)

    def check(self, source: Source) -> None:
        """Raises the SourceError that kept a source from being fetched, if one did."""
        if isinstance(source, RemoteSource) and (error := self._taken[source].error) is not None:
            raise error

    def is_held_up(self, sources: Sequence[Source]) -> bool:
        """Whether nothing more is fetched until a source is released, and releasing these would free at least half of
        the clones or of their bytes.
        """
        with self._changed:
            if not self._waiting or self._is_room():
                return False
            finished = [self._taken[source] for source in sources if source in self._taken]
            size = sum(each.size for each in self._taken.values())
            return 2 * len(finished) >= len(self._taken) or 0 < size <= 2 * sum(each.size for each in finished)

    def release(self, sources: Sequence[Source], *, discard: bool) -> list[int]:
        """Makes room by sources that are finished. If `discard`, their clones are removed unless another process uses
        them; gives the bytes of each that was.
        """
        freed = []
        for source in sources:
            if not isinstance(source, RemoteSource) or source not in self._taken:
                continue
            self._taken[source].lease.close()
            if discard and (size := clones.discard(source.folder)):
                freed.append(size)
            with self._changed:
                del self._taken[source]
                self._changed.notify_all()
        return freed

    def _is_done(self, source: Source) -> bool:
        return not isinstance(source, RemoteSource) or (source in self._taken and self._taken[source].is_done)

    def _is_room(self) -> bool:
        if len(self._taken) >= AHEAD * self._threads_wanted:
            return False
        return self._space is None or not self._taken or sum(each.size for each in self._taken.values()) < self._space

    def _run(self) -> None:
        # Ctrl-C is for the main thread, which would not wake if another one took the signal.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        while (source := self._next()) is not None:
            self._fetch(source)

    def _next(self) -> RemoteSource | None:
        """The next source, once there is room for it; None at the end."""
        with self._changed:
            while self._waiting and not self._stop.is_set():
                if self._is_room():
                    source = self._waiting.popleft()
                    self._taken[source] = _Fetched()
                    return source
                self._changed.wait()
        return None

    def _fetch(self, source: RemoteSource) -> None:
        fetched = self._taken[source]
        is_silent = source.host in self._silent_hosts
        try:
            for _ in range(HOLDS):
                source.fetch(self._stop, tries=1 if is_silent else 1 + len(RETRY_SECONDS))
                is_there = fetched.lease.enter_context(clones.in_use(source.folder))
                if is_there or source.revision == source.known:
                    break
            fetched.size = clones.clone_size(source.folder)
            self._silent_hosts.discard(source.host)
        except Exception as error:  # for `check` to raise
            fetched.error = error
            if isinstance(error, PassingFailure) and error.is_unreachable:
                self._silent_hosts.add(source.host)
        finally:
            with self._changed:
                fetched.is_done = True
                self._changed.notify_all()
