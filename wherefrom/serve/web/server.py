"""The server, from its options to its end."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
import time
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

import uvicorn

from wherefrom.errors import UsageError
from wherefrom.options import EngineOptions
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.desk import Desk, processes
from wherefrom.serve.web.api import Defaults
from wherefrom.serve.web.app import make_app
from wherefrom.serve.web.connections import HEAD_SECONDS, Connection, most_connections

CLOSING_SECONDS = 10
"""What requests under way are given when the server is stopped."""

HEADER_BYTES = 64_000
"""Of the head of a request; a query in the URL is part of it."""

SAY_SECONDS = 60.0
"""At least so long between two messages that the server has run out of something."""

_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


def run(
    location: str,
    engine: EngineOptions | None,
    options: ServeOptions,
    defaults: Defaults,
    *,
    parse_memory: int,
    say: Callable[[str], None],
) -> None:
    """Serves until it is told to stop, by SIGINT or SIGTERM; says in a line where it listens.

    Raises:
        UsageError: the address cannot be listened at, or may not without a token.
    """
    if options.token is None and not _is_loopback(options.host):
        raise UsageError(
            f"host {options.host} may be reached by other machines, which needs a token: set WHEREFROM_TOKEN to a "
            "secret, such as the output of `openssl rand -hex 32`"
        )
    desk = Desk(
        location,
        engine,
        parse_memory=parse_memory,
        processes=options.processes or processes(),
        seconds=options.call_seconds,
        memory=options.call_memory,
        waiting=options.waiting,
    )
    # The SDK of the tools would add a handler that loads modules when an error is first logged. Without a free file
    # descriptor that raises another error, which ends the event loop.
    logging.basicConfig(level=logging.ERROR, format="wherefrom: %(message)s", stream=sys.stderr)
    with _listening(options) as listening, desk:
        desk.start()
        config = uvicorn.Config(
            make_app(desk, options, defaults),
            http=Connection,
            # uvicorn accepts this many connections at once, before `Connection` can count the first of them.
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
    """Serves until a signal comes. An error that nobody handles ends neither the server nor what else it does."""
    next_time = 0.0

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal next_time
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _EXHAUSTED:
            loop.default_exception_handler(context)
        elif time.monotonic() >= next_time:  # asyncio tries to accept connections again every second
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
    """The socket."""
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
