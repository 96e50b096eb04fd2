"""Which requests the guard passes to the application. `test_guard.py` tests a running server."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Collection
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from wherefrom.serve.people import People
from wherefrom.serve.web.app import GONE, LONGEST_PATH, AuditLog, Exchange
from wherefrom.serve.web.guard import BODIES, SHORT, Guard

TOKEN = "a secret of the tests"
BASIC = base64.b64encode(f"anyone:{TOKEN}".encode()).decode()


async def _read(request: Request) -> Response:
    await request.body()
    return Response()


application = Starlette(routes=[Route("/{path:path}", _read, methods=["POST"])])
"""Reads the body of every request, and answers with an empty page."""


def status(
    headers: dict[str, str] | None = None,
    *,
    parts: Collection[bytes] = (),
    path: str = "/",
    token: str | None = None,
    trusted_hosts: Collection[str] = (),
) -> int:
    """The status of the answer to a request whose body comes in these parts, without a `Content-Length`."""
    guard = Guard(application, people=People(token), trusted_hosts=trusted_hosts, max_body=1000, max_upload=5000)

    async def content() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    async def ask() -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://localhost") as client:
            answer = await client.post(path, content=content(), headers=headers)
            return answer.status_code

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ({}, 401),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
        ({"Authorization": f"Basic {BASIC}"}, 200),
        ({"Authorization": "Bearer nonsense"}, 401),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, 401),
        ({"Authorization": "Basic nonsense"}, 401),
        ({"Authorization": f"Negotiate {TOKEN}"}, 401),
    ],
)
def test_a_request_must_show_the_token(shown: dict[str, str], expected: int) -> None:
    assert status(shown, token=TOKEN) == expected
    assert status(shown, token=TOKEN, path="/healthz") == 200
    assert status(shown) == 200


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", 200),
        ("LocalHost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:99", 200),
        ("Code.example:443", 200),
        ("evil.example", 421),
        ("evil.example:80", 421),
        ("sub.code.example", 421),
        ("localhost@evil.example", 421),
        ("", 421),
    ],
)
def test_a_request_must_name_the_server_by_a_number_or_a_trusted_name(host: str, expected: int) -> None:
    assert status({"Host": host}, trusted_hosts=["code.EXAMPLE"]) == expected
    assert status({"Host": host}, path="/readyz") == 200


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
    ],
)
def test_a_page_of_another_site_cannot_ask(headers: dict[str, str], expected: int) -> None:
    assert status(headers) == expected


@pytest.mark.parametrize(("parts", "expected"), [([b"x" * 1000], 200), ([b"x" * 600] * 2, 413), ([b"x" * 1001], 413)])
def test_a_body_of_more_than_the_limit_is_refused(parts: list[bytes], expected: int) -> None:
    assert status(parts=parts) == expected


FORM = {"Content-Type": "multipart/form-data; boundary=a"}


@pytest.mark.parametrize(
    ("path", "headers", "size", "expected"),
    [
        ("/compare", FORM, 5000, 200),
        ("/compare", FORM, 5001, 413),
        ("/compare", {**FORM, "Content-Length": "5001"}, 1, 413),
        ("/compare", {}, 1001, 413),
        ("/search", FORM, 1001, 413),
    ],
)
def test_only_a_form_with_files_may_be_longer(path: str, headers: dict[str, str], size: int, expected: int) -> None:
    parts = [b"x" * 500] * (size // 500) + [b"x" * (size % 500)]
    assert status(headers, parts=parts, path=path) == expected


@pytest.mark.parametrize(("length", "expected"), [("1000", 200), ("1001", 413), ("-1", 413), ("many", 413)])
def test_a_body_is_refused_by_its_announced_length_before_it_is_read(length: str, expected: int) -> None:
    assert status({"Content-Length": length}) == expected


@pytest.mark.parametrize(("more", "expected"), [(0, 200), (SHORT, 200), (SHORT + 1, 503)])
def test_long_bodies_take_a_certain_memory_together(more: int, expected: int) -> None:
    """The first `SHORT` bytes of each request are always read."""
    size, released, arrived = 2 * SHORT, asyncio.Event(), 0

    async def wait(request: Request) -> Response:
        nonlocal arrived
        await request.body()
        arrived += 1
        await released.wait()
        return Response()

    waiting = Starlette(routes=[Route("/", wait, methods=["POST"])])
    guard = Guard(waiting, people=People(None), trusted_hosts=(), max_body=size, max_upload=size)

    async def ask() -> list[int]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://localhost") as client:
            bodies = [b"x" * size] * (BODIES * size // (size - SHORT)) + [b"x" * more]
            tasks = [asyncio.create_task(client.post("/", content=body)) for body in bodies]
            while arrived + sum(task.done() for task in tasks) < len(tasks):
                await asyncio.sleep(0)
            released.set()
            return [answer.status_code for answer in await asyncio.gather(*tasks)]

    *others, last = asyncio.run(ask())
    assert ({*others}, last) == ({200}, expected)


@pytest.mark.parametrize(("status", "logged"), [(200, 200), (404, 404), (GONE, None)])
def test_a_client_that_went_away_has_no_status_in_the_log(status: int, logged: int | None, tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log", pytest.fail)
    log.write({"method": "GET", "path": "/x" * 1_000}, Exchange(status))
    row = json.loads((tmp_path / "log").read_text())
    assert (row["status"], row["person"], row["client"], len(row["path"])) == (logged, None, None, LONGEST_PATH)
