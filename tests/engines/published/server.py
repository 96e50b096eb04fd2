"""A web server of a folder that answers wrongly when a test wants it to."""

from __future__ import annotations

import re
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BOUNDARY = "a-line-between-parts"


@dataclass(frozen=True)
class Asked:
    """A request: the name of a file, the headers (in lower case), and the ranges, half-open."""

    name: str
    headers: dict[str, str]
    ranges: tuple[tuple[int, int], ...]


@dataclass
class Reply:
    """An answer to a request. `raw` is sent in place of all else."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: Iterable[bytes] = ()
    raw: Iterable[bytes] | None = None


class LyingServer:
    """A server in threads of this process.

    Attributes:
        folder: the folder of the files.
        base: its URL.
        requests: all requests in their order.
        has_multipart: whether it answers several ranges at once; otherwise such a request gets the whole file, as with
            the protocol of S3.
        plan: gives the answer to a request from the honest answer.
        sent: how many bytes of bodies were sent.
        is_over: set at the end of a test, for answers that wait.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base = ""
        self.requests: list[Asked] = []
        self.has_multipart = True
        self.plan: Callable[[Asked, Reply], Reply] = lambda _, honest: honest
        self.sent = 0
        self.is_over = threading.Event()

    def honest(self, asked: Asked) -> Reply:
        """What a good server answers."""
        try:
            content = (self.folder / asked.name).read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            return Reply(404, {}, [b"not found"])
        if not asked.ranges or (len(asked.ranges) > 1 and not self.has_multipart):
            return Reply(200, {}, [content])
        parts = [(f"bytes {begin}-{end - 1}/{len(content)}", content[begin:end]) for begin, end in asked.ranges]
        if len(parts) == 1:
            return Reply(206, {"Content-Range": parts[0][0]}, [parts[0][1]])
        return multipart(parts)


def multipart(parts: Iterable[tuple[str, bytes]], boundary: str = BOUNDARY) -> Reply:
    """An answer with several ranges, each with its `Content-Range`."""
    body = b"".join(
        b"\r\n--%b\r\nContent-Type: text/plain\r\nContent-Range: %b\r\n\r\n%b"
        % (BOUNDARY.encode(), name.encode(), data)
        for name, data in parts
    )
    headers = {"Content-Type": f"multipart/byteranges; boundary={boundary}"}
    return Reply(206, headers, [body, b"\r\n--%b--\r\n" % BOUNDARY.encode()])


@contextmanager
def serve(folder: Path, certificate: Path | None = None) -> Iterator[LyingServer]:
    """Runs a server during the block, with TLS if there is a certificate; ends it even if requests hang."""
    made = LyingServer(folder)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            ranges = tuple(
                (int(first), int(last) + 1) for first, last in re.findall(r"(\d+)-(\d+)", headers.get("range", ""))
            )
            asked = Asked(self.path.lstrip("/"), headers, ranges)
            made.requests.append(asked)
            reply = made.plan(asked, made.honest(asked))
            with suppress(OSError):
                self._send(reply)

        def _send(self, reply: Reply) -> None:
            if reply.raw is not None:
                self.close_connection = True
                for part in reply.raw:
                    self.wfile.write(part)
                return
            body = reply.body
            headers = dict(reply.headers)
            if isinstance(body, list):
                headers.setdefault("Content-Length", str(sum(map(len, body))))
            else:
                self.close_connection = True
            self.send_response(reply.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            for part in body:
                made.sent += len(part)
                self.wfile.write(part)
            if isinstance(body, list):
                self.close_connection |= headers["Content-Length"] != str(sum(map(len, body)))

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that gives up is not an error."""

    server = Quiet(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    made.base = f"{'http' if certificate is None else 'https'}://localhost:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield made
    finally:
        made.is_over.set()
        server.shutdown()
        thread.join()
        server.socket.close()
