"""The web server: it listens, starts the processes and serves until a signal stops it."""

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

import uvicorn

from wherefrom.errors import UsageError
from wherefrom.index import Index
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.desk import Desk, processes
from wherefrom.serve.jobs.queue import JobQueue
from wherefrom.serve.jobs.store import JobStore
from wherefrom.serve.people import People
from wherefrom.serve.web.app import make_app
from wherefrom.serve.web.connections import HEAD_SECONDS, TimedConnection, most_connections
from wherefrom.serve.web.search_page import WebDefaults

CLOSING_SECONDS = 10
"""Seconds that requests may still take if they are running when the server is stopped."""

HEADER_BYTES = 64_000
"""The highest size of the head of a request, with the query in its URL."""

SAY_SECONDS = 60.0
"""The shortest time between two messages that the server has run out of file descriptors or memory."""

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
    of the server.

    Raises:
        UsageError: the server cannot listen at the address, or the address needs a token.
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
