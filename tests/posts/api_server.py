"""A server that speaks the format of the Stack Exchange API, version 2.3, as documented."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

QUESTION = {
    "tags": ["python", "regex"],
    "owner": {"account_id": 1, "user_id": 2, "display_name": "A &amp; B"},
    "is_answered": True,
    "creation_date": int(datetime(2012, 3, 4, 23, 59, tzinfo=UTC).timestamp()),
    "question_id": 11,
    "content_license": "CC BY-SA 3.0",
    "link": "https://stackoverflow.com/questions/11/how",
    "title": "How?",
    "body": "<p>How?</p>",
}
ANSWER = {
    "owner": {"account_id": 3, "user_id": 4, "display_name": "C"},
    "is_accepted": True,
    "creation_date": int(datetime(2018, 5, 2, tzinfo=UTC).timestamp()),
    "answer_id": 12,
    "question_id": 11,
    "content_license": "CC BY-SA 4.0",
    "body": '<pre class="lang-py"><code>a &lt; b\n</code></pre>',
}
POSTS = {"/2.3/questions/11": QUESTION, "/2.3/answers/12": ANSWER}


@dataclass
class Server:
    """The requests that the server got, and its answers instead of posts. `more` is added to an answer's wrapper.

    With `slow` the server sends only these bytes, and then a byte at a time until the client hangs up.
    """

    base: str = ""
    asked: list[tuple[str, dict[str, str], str | None]] = field(default_factory=list)
    posts: dict[str, dict[str, Any]] = field(default_factory=lambda: dict(POSTS))
    more: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    raw: tuple[int, dict[str, str], bytes] | None = None
    slow: bytes | None = None
    left: threading.Event = field(default_factory=threading.Event)

    @property
    def paths(self) -> list[str]:
        return [path for path, _, _ in self.asked]

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        if self.raw is not None:
            return self.raw
        if self.error is not None:
            status, value = 400, self.error
        else:
            items = [self.posts[path]] if path in self.posts else []
            status, value = (
                200,
                {"items": items, "has_more": False, "quota_max": 300, "quota_remaining": 297, **self.more},
            )
        headers = {"Content-Type": "application/json; charset=utf-8", "Content-Encoding": "gzip"}
        return status, headers, gzip.compress(json.dumps(value).encode())


@contextmanager
def serving() -> Iterator[Server]:
    """A server on this machine, while the block runs."""
    made = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
            made.asked.append((parts.path, parameters, self.headers["Accept-Encoding"]))
            if made.slow is not None:
                self.trickle(made.slow)
                return
            status, headers, content = made.answer(parts.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def trickle(self, content: bytes) -> None:
            self.close_connection = True
            with suppress(ConnectionError):
                self.wfile.write(content)
                while True:
                    time.sleep(0.02)
                    self.wfile.write(b"x")
            made.left.set()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is the library's
            """Suppresses the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        made.base = f"http://127.0.0.1:{http.server_port}/2.3"
        yield made
        http.shutdown()
        thread.join()
