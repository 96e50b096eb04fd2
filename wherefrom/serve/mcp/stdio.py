"""The server on standard input and output, which an assistant starts."""

from __future__ import annotations

from collections.abc import Callable

import anyio

from wherefrom.index import Index
from wherefrom.options.serving import McpOptions
from wherefrom.serve.calls import Defaults
from wherefrom.serve.desk import Desk
from wherefrom.serve.mcp.server import make_server

WAITING = 100
"""The highest number of waiting calls: a single assistant makes few at the same time."""


def run(opener: Callable[[], Index], options: McpOptions, defaults: Defaults) -> None:
    """Serves one assistant until it closes standard input."""
    with Desk(opener, options, processes=1, waiting=WAITING) as desk:
        desk.start()
        anyio.run(make_server(desk, defaults, is_local=True).run_stdio_async)
