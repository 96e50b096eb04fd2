"""Proxies between a client and a server that harm the connection."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, create_connection, socket

CHUNK = 1 << 16


class Proxy(socketserver.ThreadingTCPServer):
    """Relays connections to a port on loopback.

    Attributes:
        answers: while it is cleared, the proxy keeps answers back.
        connections: the number of connections so far.
        awaited: bytes that a test waits for.
        passed: set after an answer with these bytes was relayed.
    """

    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Relay)
        host, _, port = upstream.rpartition(":")
        self.upstream = (host, int(port))
        self.answers = threading.Event()
        self.answers.set()
        self.connections = 0
        self.awaited = b""
        self.passed = threading.Event()

    @property
    def host(self) -> str:
        """The address of the proxy: `127.0.0.1:PORT`."""
        return f"127.0.0.1:{self.server_address[1]}"


class _Relay(socketserver.BaseRequestHandler):
    """One connection."""

    server: Proxy

    def handle(self) -> None:
        self.server.connections += 1
        client: socket = self.request
        with create_connection(self.server.upstream) as upstream:
            asking = threading.Thread(target=_pump, args=(client, upstream))
            asking.start()
            before = b""
            with suppress(OSError):
                while answer := upstream.recv(CHUNK):
                    self.server.answers.wait()
                    client.sendall(answer)
                    if (awaited := self.server.awaited) and awaited in before + answer:
                        self.server.passed.set()
                    before = answer[-len(awaited) :]
            for end in (client, upstream):
                with suppress(OSError):
                    end.shutdown(SHUT_RDWR)
            asking.join()


def _pump(source: socket, target: socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(SHUT_RDWR)


@contextmanager
def proxy(upstream: str) -> Iterator[Proxy]:
    """A block with a proxy for `HOST:PORT`."""
    with Proxy(upstream) as made:
        serving = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield made
        finally:
            made.answers.set()
            made.shutdown()
            serving.join()
