"""An open load counts from when each request was due, and tells polite refusals from others."""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Barrier, Thread

import httpx
import pytest

import wherefrom
from benchmarks.load import SentRequests, at_a_rate, by_wherefrom, by_zoekt, of_wherefrom, search, shown, snippets
from tests.processes import HANGS
from tests.repositories import Repository

TEXTS = ["a = 1"]


@contextmanager
def answering(statuses: list[tuple[int, dict[str, str]]], together: int = 1) -> Iterator[str]:
    """A server that answers with these statuses and headers, one after the other. It answers nobody before `together`
    clients wait.
    """
    all_ask = Barrier(together)
    left = iter(statuses)

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            all_ask.wait(HANGS)
            status, headers = next(left)
            if not status:
                return
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_requests_are_sent_though_none_is_answered_and_wait_since_they_were_due() -> None:
    with answering([(200, {})] * 6, together=6) as address:
        sent = asyncio.run(at_a_rate(address, TEXTS, 20, 0.3))
    assert sent.statuses == {200: 6}
    assert max(sent.seconds) >= 5 / 20


def test_a_request_that_was_sent_late_counts_from_when_it_was_due() -> None:
    sent = SentRequests()

    async def late(address: str) -> None:
        async with httpx.AsyncClient(base_url=address) as client:
            await search(client, TEXTS[0], sent, by=by_wherefrom, due=time.perf_counter() - 50)

    with answering([(200, {})]) as address:
        asyncio.run(late(address))
    assert sent.seconds[0] >= sent.late >= 50


def test_only_a_refusal_that_says_when_to_come_again_is_polite() -> None:
    again = {"Retry-After": "2"}
    statuses = [(200, {}), (503, again), (429, again), (503, {}), (429, {}), (500, again), (422, {}), (0, {})]
    with answering(statuses) as address:
        sent = asyncio.run(at_a_rate(address, TEXTS, 100, len(statuses) / 100))
    assert sent.statuses == {
        200: 1,
        503: 1,
        429: 1,
        "503 without Retry-After": 1,
        "429 without Retry-After": 1,
        500: 1,
        422: 1,
        "RemoteProtocolError": 1,
    }
    assert (sent.errors, sent.impolite, len(sent.seconds)) == (7, 5, 1)


def test_a_server_that_does_not_answer_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert asyncio.run(at_a_rate(address, TEXTS, 100, 0.01)).statuses == {"ConnectError": 1}


def test_the_table_has_the_times_and_all_statuses() -> None:
    sent = SentRequests([0.1, 0.3, 0.2], {200: 3, 503: 1200, "ReadError": 1}, 0.004)  # type: ignore[arg-type]
    assert shown([("all", sent, "note"), ("none", SentRequests(), "")]).splitlines()[2:] == [
        "| all | 3 | 503: 1,200, ReadError: 1 | 200 | 300 | 300 | 4 | note |",
        "| none | 0 |  |  |  |  | 0 |  |",
    ]


def test_zoekt_is_asked_for_the_longest_line_as_a_text() -> None:
    path, arguments = by_zoekt('x\n  if (a.b == "c"):  \ny')
    assert path == "/api/search"
    assert json.loads(arguments["json"]["Q"]) == r'if\ \(a\.b\ ==\ "c"\):'


@pytest.mark.thorough
def test_a_real_server_answers_searches_and_pages(tmp_path: Path) -> None:
    lines = "".join(f"def f{at}(a, b):\n    return [a[{at}], b.c{at}(a)]\n\n\n" for at in range(30))
    files = {f"{number}.py": lines.replace("a", f"a{number}").encode() for number in range(4)}
    made = Repository.make(tmp_path / "clone", files)
    location = str(tmp_path / "index.wherefrom")
    wherefrom.index_sources([made.folder], location, jobs=1)
    texts, addresses = snippets(location, 10)
    assert len(texts) == len(addresses) == len(files)
    options = argparse.Namespace(index=location, processes=1, seconds=1, overload_seconds=0.2)
    rows, targets = asyncio.run(of_wherefrom(options, texts))
    loads = ["9 searches", "1 pages", "45 searches", "5 pages", "then 9 searches", "then 1 pages"]
    assert [(name, sent.statuses.total(), sent.impolite) for name, sent, _ in rows] == [
        (f"{load} a second", number, 0) for load, number in zip(loads, [9, 1, 9, 1, 9, 1], strict=True)
    ]
    assert all(target.met for target in targets if target.bound == 0)
