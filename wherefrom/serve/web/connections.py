"""Connections of the server: how many there are, and how long each may take to send a request.

uvicorn has no limit on either: its `limit_concurrency` refuses requests but keeps the connections, and its
`timeout_keep_alive` counts only between two requests.
"""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

MOST = 512
"""Connections at a time."""

HEAD_SECONDS = 15
"""For the head of a request, from the beginning of the connection or the end of the answer before it."""

BODY_SECONDS = 30.0
"""For the body of a request."""

CLOSING_SECONDS = 5.0
"""More than `BODY_SECONDS`, so that the answer 408 can be sent first."""

_SECONDS = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS + CLOSING_SECONDS, h11.CLOSED: HEAD_SECONDS}
"""The time of a client, by what it has to send next; `h11.CLOSED`: to read the last answer."""


class Connection(H11Protocol):
    """One connection. It is cut when its client takes too long to send a request, or to read the answer.

    When there are too many connections, the one whose time ends first is cut. A connection whose request is being
    answered is never cut; if all others are being answered, the new one is cut.
    """

    _awaited: object = None
    """What the client has to send, as h11 names it."""

    _deadline: asyncio.TimerHandle | None = None
    """When the connection is cut; None while its request is being answered."""

    _unread = 0
    """Bytes of the answer that the client had not read when it was last looked at."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Counts the connection."""
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > most_connections():
            due = {
                connection: connection._deadline.when()
                for connection in self.connections
                if isinstance(connection, Connection) and connection._deadline is not None
            }
            min(due, key=due.__getitem__)._abort()

    def data_received(self, data: bytes) -> None:
        """Takes what the client has sent."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Waits for the next request, or for the client to read the answer."""
        super().on_response_complete()
        self._awaited = None
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Gives the client its time when it has to send another thing than before."""
        awaited = h11.CLOSED if self.transport.is_closing() else self.conn.their_state
        if awaited is not self._awaited:
            self._stop()
            self._awaited = awaited
            if awaited in _SECONDS:
                self._deadline = self.loop.call_later(_SECONDS[awaited], self._cut)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _cut(self) -> None:
        """Ends the connection, unless its client still reads the answer before."""
        unread = self.transport.get_write_buffer_size()
        if unread and unread != self._unread:
            self._unread = unread
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut)
        else:
            self._abort()

    def _abort(self) -> None:
        self._stop()
        self.transport.abort()


def most_connections() -> int:
    """How many there may be: at most half of the file descriptors that the process may open."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if descriptors == resource.RLIM_INFINITY else min(MOST, descriptors // 2)
