"""The web server: it listens, starts the processes and serves until a signal stops it.

It limits the number of connections, and the time that each may take to send a request. uvicorn limits neither: its
`limit_concurrency` refuses requests but keeps their connections, and its `timeout_keep_alive` applies only between two
requests.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from ipaddress import ip_address
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from wherefrom.errors import UsageError
from wherefrom.options.serving import ServeOptions
from wherefrom.public import Index
from wherefrom.serve.desk import Desk, processes
from wherefrom.serve.jobs.store import JobQueue, JobStore
from wherefrom.serve.people import People
from wherefrom.serve.web.app import make_app
from wherefrom.serve.web.guard import BODY_SECONDS
from wherefrom.serve.web.search_page import WebDefaults
from wherefrom.support.system import system

CLOSING_SECONDS = 10  # seconds that requests may still take if they are running when the server is stopped
HEADER_BYTES = 64_000  # the highest size of the head of a request, with the query in its URL
SAY_SECONDS = 60.0  # the shortest time between two messages that the server has run out of file descriptors or memory

_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


def run(
    location: str,
    opener: Callable[[], Index],
    options: ServeOptions,
    defaults: WebDefaults,
    people: People,
    *,
    say: Callable[[str], None],
) -> None:
    """Serves the index at `location`, which `opener` opens, until SIGINT or SIGTERM. `say` gets a line with the address
    of the server. Raises UsageError if it cannot listen at the address, or the address needs a token.
    """
    if people.is_open and not _is_loopback(options.host):
        raise UsageError(
            f"host {options.host} may be reached by other machines, which needs tokens: make one with "
            "`wherefrom token add NAME`"
        )
    number = options.processes or processes()
    desk = Desk(opener, options, processes=number, waiting=options.waiting)
    # Several servers may share the folder, and one must not check by the index of another.
    folder = options.reports / sha256(os.fsencode(location)).hexdigest()[:16]
    store = JobStore(folder, options.report_days)
    queue = JobQueue(store, opener, defaults.check, options, processes=max(number - 1, 1))
    # Without this handler, the SDK of the tools adds one that loads modules at the first logged error. If no file
    # descriptor is free then, loading raises another error, which ends the event loop.
    logging.basicConfig(level=logging.ERROR, format="wherefrom: %(message)s", stream=sys.stderr)
    with _listening(options) as listening, desk:
        desk.start()
        config = uvicorn.Config(
            make_app(desk, queue, options, defaults, people, say=say),
            http=TimedConnection,
            # uvicorn accepts `backlog` connections at once, before `TimedConnection` can count the first one.
            backlog=max(most_connections() // 8, 1),
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            h11_max_incomplete_event_size=HEADER_BYTES,
            timeout_keep_alive=HEAD_SECONDS,
            timeout_graceful_shutdown=CLOSING_SECONDS,
        )
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        say(f"serving {location} at http://{shown}:{port}/")
        asyncio.run(_serve(config, listening, say))


async def _serve(config: uvicorn.Config, listening: socket.socket, say: Callable[[str], None]) -> None:
    """Serves until a signal comes. An unhandled error ends neither the server nor other requests."""
    next_time = 0.0

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal next_time
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _EXHAUSTED:
            loop.default_exception_handler(context)
        elif time.monotonic() >= next_time:  # asyncio retries every second, and calls this each time
            next_time = time.monotonic() + SAY_SECONDS
            say(f"new connections have to wait: {error.strerror}; see `ulimit -n`, or close other programs")

    asyncio.get_running_loop().set_exception_handler(handle)
    await uvicorn.Server(config).serve(sockets=[listening])


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(options: ServeOptions) -> socket.socket:
    try:
        [found, *_] = socket.getaddrinfo(options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        made = socket.socket(found[0], found[1])
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(found[4])
            made.listen(2048)
        except BaseException:
            made.close()
            raise
    except OSError as error:
        raise UsageError(
            f"cannot listen at {options.host} port {options.port}: {error.strerror}; use another --host or --port"
        ) from error
    return made


MOST = 512  # the highest number of open connections

HEAD_SECONDS = 15
"""The time for the head of a request, from the start of the connection or the end of the previous answer."""

SLOWEST = 50_000  # a body may take longer than `BODY_SECONDS` if at least this many bytes a second come
REFUSING_SECONDS = 5.0  # the time after `BODY_SECONDS` to send the answer 408

_SECONDS = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS + REFUSING_SECONDS, h11.CLOSED: HEAD_SECONDS}
"""The time of a client by its next step: to send a head, to send a body, or (`h11.CLOSED`) to read the last answer."""


class TimedConnection(H11Protocol):
    """One connection. It is closed if its client takes too long to send a request or to read the answer.

    If there are too many connections, the one whose time ends first is closed. A connection whose request is being
    answered is never closed; if all others are being answered, the new one is closed.
    """

    _awaited: object = None  # the next step of the client, as h11 names it
    _deadline: asyncio.TimerHandle | None = None  # the end of the client's time; None while its request is answered
    _received = 0  # bytes that have come since the client's time was started
    _unread = 0  # bytes of the answer that the client had not read at the last check

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Starts the client's time. If there are too many connections, closes one."""
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > most_connections():
            due = {
                connection: connection._deadline.when()
                for connection in self.connections
                if isinstance(connection, TimedConnection) and connection._deadline is not None
            }
            min(due, key=due.__getitem__)._abort()

    def data_received(self, data: bytes) -> None:
        """Reads data from the client, and starts the time of its next step if this completes a step."""
        self._received += len(data)
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Waits for the next request, or for the client to read the answer."""
        super().on_response_complete()
        self._awaited = None
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the client's time."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        awaited = h11.CLOSED if self.transport.is_closing() else self.conn.their_state
        if awaited is not self._awaited:
            self._stop()
            self._awaited = awaited
            self._received = 0
            if awaited in _SECONDS:
                self._deadline = self.loop.call_later(_SECONDS[awaited], self._cut)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _cut(self) -> None:
        """Closes the connection, unless its client is still sending a long body or reading the previous answer."""
        unread = self.transport.get_write_buffer_size()
        if self._awaited is h11.SEND_BODY and self._received >= SLOWEST * BODY_SECONDS:
            self._received = 0
            self._deadline = self.loop.call_later(BODY_SECONDS, self._cut)
        elif unread and unread != self._unread:
            self._unread = unread
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut)
        else:
            self._abort()

    def _abort(self) -> None:
        self._stop()
        self.transport.abort()


def most_connections() -> int:
    """The highest number of connections: at most half of the file descriptors that the process may open."""
    descriptors = system.most_descriptors()
    return MOST if descriptors is None else min(MOST, descriptors // 2)
