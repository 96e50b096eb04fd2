"""A server that takes what watches post."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Message(NamedTuple):
    """A request: its headers, with names in lower case, and its body."""

    headers: dict[str, str]
    body: bytes


class Hook(NamedTuple):
    """A running server.

    Attributes:
        url: where to post.
        messages: what was posted, those that were refused too.
        statuses: the statuses of the next answers; after them all are 204.
    """

    url: str
    messages: list[Message]
    statuses: list[int]


@contextmanager
def receiving() -> Iterator[Hook]:
    """A server on this machine, as long as the block runs."""
    messages: list[Message] = []
    statuses: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            messages.append(Message({name.lower(): value for name, value in self.headers.items()}, body))
            status = statuses.pop(0) if statuses else 204
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Hook(f"http://127.0.0.1:{server.server_address[1]}/hook", messages, statuses)
        finally:
            server.shutdown()
            thread.join()
