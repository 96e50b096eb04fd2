"""Clients that open many connections, send slowly or send much do not stop the server from answering others."""

from __future__ import annotations

import resource
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from tests.serve.running import WEB, server, serving
from tests.service.indexed import RENAMED

pytestmark = pytest.mark.slow

SEARCH = {"code": RENAMED}

UNFINISHED = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "


def connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=120)


@contextmanager
def connections(address: str, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Opens `count` connections; every second one sends something."""
    with ExitStack() as stack:
        found = [stack.enter_context(connected(address)) for _ in range(count)]
        for connection in found[::2]:
            connection.sendall(sent)
        yield found


def answers(address: str) -> bool:
    """Whether the server answers a search."""
    return WEB.post(f"{address}/api/v1/search", json=SEARCH).status_code == 200


@pytest.mark.nightly
def test_many_connections_without_a_request_end_nothing(code_index: Path) -> None:
    with serving(code_index, "--processes", "1", descriptors="256") as address:
        with connections(address, 400, UNFINISHED):
            assert answers(address)
        assert answers(address)


@pytest.mark.nightly
def test_running_out_of_descriptors_ends_nothing(code_index: Path) -> None:
    with serving(code_index, "--processes", "1") as address:
        assert answers(address)
        process = server(address)
        limits = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        few = process.num_fds() + 3
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (few, limits[1]))
        with connections(address, 50, UNFINISHED):
            while process.status() != psutil.STATUS_ZOMBIE and process.num_fds() < few:
                time.sleep(0.01)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, limits)
        assert answers(address)


@pytest.mark.nightly
def test_the_head_of_a_request_has_to_come_in_time(served: str) -> None:
    with connected(served) as silent, connected(served) as unfinished, connected(served) as trickling:
        unfinished.sendall(UNFINISHED)
        left = {silent, unfinished, trickling}
        trickling.sendall(UNFINISHED)
        end = time.monotonic() + 300
        while left and time.monotonic() < end:
            if trickling in left:
                try:
                    trickling.sendall(b"x")
                except OSError:
                    left.remove(trickling)
            for connection in select.select(list(left), [], [], 0.5)[0]:
                left.remove(connection)
    assert not left


@pytest.mark.nightly
def test_long_bodies_have_a_bound_together(code_index: Path) -> None:
    head = b"POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
    with serving(code_index, "--processes", "1", "--max-body", "1000000") as address:
        with ExitStack() as stack:
            senders = [stack.enter_context(connected(address)) for _ in range(12)]
            for sender in senders:
                sender.sendall(head + b" " * 990_000)
            # The server accepts eight bodies of the largest size at a time, so it refuses four.
            refused: list[socket.socket] = []
            while len(refused) < 4:
                refused = select.select(senders, [], [], 120)[0]
            for sender in refused:
                reported = sender.recv(4096).decode().lower()
                assert reported.startswith("http/1.1 503 ")
                assert "retry-after: 2" in reported
            assert answers(address)
        body = b'{"code": "%b"}' % (b"x = y + z\\n" * 50_000)
        answer = WEB.post(f"{address}/api/v1/search", content=body)
        while answer.status_code == 503:  # until the server notices that the connections were closed
            answer = WEB.post(f"{address}/api/v1/search", content=body)
        assert answer.status_code in {200, 422}


def test_a_stream_of_events_does_not_keep_a_connection(served: str) -> None:
    accepted = {"Accept": "application/json, text/event-stream"}
    with httpx.stream("GET", f"{served}/mcp", headers=accepted, timeout=120) as answer:
        assert answer.status_code == 405
