"""What became of each request, for the metrics and the audit log."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

GONE = 499
"""The status if the client goes away before the answer begins, as nginx has it."""


@dataclass(slots=True)
class Exchange:
    """A request and what became of it.

    Attributes:
        status: the HTTP status, or `GONE`.
        received, sent: bytes of the bodies.
        seconds: from the first byte of the request to the last of its answer.
    """

    status: int = GONE
    received: int = 0
    sent: int = 0
    seconds: float = 0.0


class Watched:
    """An application whose requests are reported.

    Args:
        app: the application.
        watchers: each gets the scope of every request at its end, and what became of the request.
    """

    def __init__(self, app: ASGIApp, *watchers: Callable[[Scope, Exchange], None]) -> None:
        self._app, self._watchers = app, watchers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; see ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange()

        async def receiving() -> Message:
            message = await receive()
            exchange.received += len(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            exchange.status = message.get("status", exchange.status)
            exchange.sent += len(message.get("body", b""))
            await send(message)

        begin = time.perf_counter()
        try:
            await self._app(scope, receiving, sending)
        finally:
            exchange.seconds = time.perf_counter() - begin
            for watch in self._watchers:
                watch(scope, exchange)
