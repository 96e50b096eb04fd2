"""Which clients and hosts may send requests, how large, and how many at a time."""

from __future__ import annotations

import base64
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.serve.running import WEB, serving
from tests.service.indexed import RENAMED

pytestmark = pytest.mark.slow

TOKEN = "a secret of the tests"

SEARCH = {"code": RENAMED}


def kind(answer: httpx.Response) -> str:
    reported = str(answer.json()["type"])
    assert answer.headers["content-type"] == "application/problem+json"
    return reported.removeprefix("urn:wherefrom:problem:")


def test_other_machines_are_served_only_with_a_token(code_index: Path) -> None:
    for host in ("0.0.0.0", "::", "192.168.1.1", "example.org"):
        done = subprocess.run(
            [sys.executable, "-m", "wherefrom", "serve", "--index", str(code_index), "--host", host],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert "needs tokens: make one with `wherefrom token add NAME" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_one_line(code_index: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "wherefrom", "serve", "--index", str(code_index)),
                *("--port", str(taken.getsockname()[1])),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.endswith("Address already in use; use another --host or --port\n")


@pytest.mark.nightly
def test_a_token_is_shown(code_index: Path) -> None:
    with serving(code_index, WHEREFROM_TOKEN=TOKEN) as address, httpx.Client(base_url=address, timeout=120) as client:
        basic = base64.b64encode(f"anyone:{TOKEN}".encode()).decode()
        for shown, status in (
            (None, 401),
            ("Bearer nonsense", 401),
            ("Bearer", 401),
            ("Basic nonsense", 401),
            (f"Negotiate {TOKEN}", 401),
            (f"Bearer {TOKEN}", 200),
            (f"Basic {basic}", 200),
        ):
            headers = {} if shown is None else {"Authorization": shown}
            for path in ("/api/v1/repositories", "/metrics", "/openapi.json"):
                assert client.get(path, headers=headers).status_code == status, (shown, path)
            assert client.post("/mcp", json={}, headers=headers).status_code in ({401} if status == 401 else {400, 406})
        refused = client.post("/api/v1/search", json=SEARCH)
        assert kind(refused) == "token"
        assert "Bearer" in refused.headers["www-authenticate"]
        assert client.get("/healthz").status_code == client.get("/readyz").status_code == 200


def test_another_site_cannot_ask(client: httpx.Client) -> None:
    host = client.base_url.netloc.decode()
    for headers, status in (
        ({"Origin": f"http://{host}"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:80"}, 421),
        ({"Host": "localhost"}, 200),
        ({"Host": "[::1]:99"}, 200),
    ):
        answer = client.post("/api/v1/search", json=SEARCH, headers=headers)
        assert answer.status_code == status, headers
        assert "access-control-allow-origin" not in answer.headers
    assert client.post("/mcp", json={}, headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_name_can_be_trusted(code_index: Path) -> None:
    with serving(code_index, "--trusted-host", "Code.example") as address:
        answer = WEB.get(f"{address}/api/v1/repositories", headers={"Host": "code.example:443"})
        assert answer.status_code == 200


def test_every_answer_has_the_headers(client: httpx.Client) -> None:
    for answer in (client.get("/healthz"), client.get("/nothing"), client.get("/", headers={"Host": "evil.example"})):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


@pytest.mark.nightly
def test_a_long_request_is_refused(code_index: Path) -> None:
    with serving(code_index, "--max-body", "1000") as address, httpx.Client(base_url=address, timeout=120) as client:
        for content in (b"x" * 2000, iter([b"x" * 600, b"x" * 600])):
            answer = client.post("/api/v1/search", content=content)
            assert answer.status_code == 413
            assert kind(answer) == "too-long"
        page = client.post("/search", content=b"x" * 2000, headers={"Accept": "text/html"})
        assert (page.status_code, page.headers["content-type"]) == (413, "text/html; charset=utf-8")
        assert client.post("/api/v1/search", json=SEARCH).status_code == 200


@pytest.mark.nightly
def test_limits_on_time_and_memory_are_said(code_index: Path) -> None:
    slow = "".join(f"value_{number} = other_{number} + {number}\n" for number in range(100_000))
    with serving(code_index, "--call-seconds", "0.1", "--processes", "1") as address:
        answer = WEB.post(f"{address}/api/v1/sources", json={"code": slow, "name": "a.py"})
        assert answer.status_code == 422
        assert kind(answer) == "too-slow"
        assert WEB.get(f"{address}/readyz").status_code == 200


@pytest.mark.nightly
def test_too_many_requests_are_refused_at_once(code_index: Path) -> None:
    text = "".join(f"value_{number} = other_{number} + {number}\n" for number in range(100_000))
    with serving(code_index, "--processes", "1", "--waiting", "0") as address:
        WEB.get(f"{address}/readyz")
        statuses: list[int] = []

        def ask() -> None:
            with httpx.Client(timeout=120) as client:
                statuses.append(client.post(f"{address}/api/v1/search", json={"code": text}).status_code)

        long = threading.Thread(target=ask)
        long.start()
        while "wherefrom_calls_running 1.0" not in WEB.get(f"{address}/metrics").text:
            time.sleep(0.01)
        refused = WEB.post(f"{address}/api/v1/search", json=SEARCH)
        assert refused.status_code == 503
        assert kind(refused) == "busy"
        assert refused.headers["retry-after"]
        page = WEB.get(f"{address}/search", params=SEARCH, headers={"Accept": "text/html"})
        assert (page.status_code, page.headers["content-type"]) == (503, "text/html; charset=utf-8")
        assert page.headers["retry-after"] == refused.headers["retry-after"]
        long.join()
        assert statuses == [200]


@pytest.mark.parametrize(
    "sent", [b"", b"POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"]
)
def test_a_slow_client_and_one_that_goes_away_harm_nobody(client: httpx.Client, sent: bytes) -> None:
    address = urlsplit(str(client.base_url))
    with socket.create_connection((address.hostname or "", address.port or 0)) as slow:
        slow.sendall(sent)
        assert client.post("/api/v1/search", json=SEARCH).status_code == 200
    assert client.post("/api/v1/search", json=SEARCH).status_code == 200
