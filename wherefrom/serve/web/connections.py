"""Connections of the server: their highest number, and the time that each may take to send a request.

uvicorn limits neither: its `limit_concurrency` refuses requests but keeps their connections, and its
`timeout_keep_alive` applies only between two requests.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from wherefrom.support.system import system

MOST = 512
"""The highest number of open connections."""

HEAD_SECONDS = 15
"""The time for the head of a request, from the start of the connection or the end of the previous answer."""

BODY_SECONDS = 30.0
"""The time for the body of a request."""

SLOWEST = 50_000
"""A body may take longer than `BODY_SECONDS` if at least this many bytes a second come."""

CLOSING_SECONDS = 5.0
"""The time after `BODY_SECONDS` to send the answer 408."""

_SECONDS = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS + CLOSING_SECONDS, h11.CLOSED: HEAD_SECONDS}
"""The time of a client by its next step: to send a head, to send a body, or (`h11.CLOSED`) to read the last answer."""


class TimedConnection(H11Protocol):
    """One connection. It is closed if its client takes too long to send a request or to read the answer.

    If there are too many connections, the one whose time ends first is closed. A connection whose request is being
    answered is never closed; if all others are being answered, the new one is closed.
    """

    _awaited: object = None
    """The next step of the client, as h11 names it."""

    _deadline: asyncio.TimerHandle | None = None
    """The end of the client's time; None while its request is being answered."""

    _received = 0
    """Bytes that have come since the client's time was started."""

    _unread = 0
    """Bytes of the answer that the client had not read at the last check."""

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
        """Starts the time of the client's next step."""
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
