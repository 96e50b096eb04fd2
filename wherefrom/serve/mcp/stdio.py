"""The server on standard input and output, as an assistant starts it."""

from __future__ import annotations

import anyio

from wherefrom.options import CheckOptions, EngineOptions, SearchOptions
from wherefrom.options.serving import McpOptions
from wherefrom.serve.desk import Desk
from wherefrom.serve.mcp.server import make_server

WAITING = 100
"""Calls that may wait: one assistant asks for few at a time."""


def run(
    location: str,
    engine: EngineOptions | None,
    options: McpOptions,
    *,
    parse_memory: int,
    search: SearchOptions,
    check: CheckOptions,
) -> None:
    """Serves one assistant until it closes standard input, with the options of a search and a check that the user has
    set.
    """
    desk = Desk(
        location,
        engine,
        parse_memory=parse_memory,
        processes=1,
        seconds=options.call_seconds,
        memory=options.call_memory,
        waiting=WAITING,
    )
    with desk:
        desk.start()
        server = make_server(desk, search=search, check=check, is_local=True)
        anyio.run(server.run_stdio_async)
