"""Requests reach only public addresses if that is wanted, and end in time."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.sources.packages.registries import Answer, Server, serving
from wherefrom.support import http
from wherefrom.support.hosts import is_public_address


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving() as made:
        made.put("/", b"content")
        yield made


def fetched(url: str, *, is_public: bool = False) -> bytes:
    request = http.HttpRequest(url, seconds=30, is_public=lambda _: is_public)
    with closing(http.HttpClient()) as client:
        return client.ask(request, lambda response: http.unpacked(response, 100))


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("2002:7f00:0001::1", False),
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("::ffff:8.8.8.8", True),
    ],
)
def test_addresses(address: str, is_public: bool) -> None:
    assert is_public_address(address) is is_public


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_private_host_gets_no_request(host: str, server: Server) -> None:
    url = f"{server.url.replace('127.0.0.1', host)}/"
    assert fetched(url) == b"content"
    with pytest.raises(http.NotPublic):
        fetched(url, is_public=True)
    assert len(server.asked) == 1


def test_one_private_address_of_several_is_enough_to_refuse(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def both(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 80)) for host in ("8.8.8.8", "10.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(http.NotPublic, match=r"has the address 10\.0\.0\.1, which is not public"):
        fetched("http://packages.invalid/", is_public=True)


def test_a_proxy_may_be_private(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    server.put("http://packages.invalid/", b"through the proxy")
    assert fetched("http://packages.invalid/", is_public=True) == b"through the proxy"


def test_no_redirect_is_followed_unless_wanted(server: Server) -> None:
    server.put("/", Answer(b"moved", 302, {"Location": "/other"}))
    assert fetched(f"{server.url}/") == b"moved"


def test_only_gzip_is_unpacked_and_only_so_much_of_it(server: Server) -> None:
    server.put("/", b"plain")
    assert fetched(f"{server.url}/") == b"plain"
    server.put("/", b"\x1f\x8bbroken")
    with pytest.raises(ValueError, match="broken gzip"):
        fetched(f"{server.url}/")
    for content in (b"x" * 101, gzip.compress(b"x" * 101)):
        server.put("/", content)
        with pytest.raises(http.TooLong, match="more than 100 bytes"):
            fetched(f"{server.url}/")


def test_a_wait_is_as_long_as_the_server_asks(server: Server) -> None:
    waits: list[float] = []
    server.put("/", Answer(status=503, headers={"Retry-After": "7"}), Answer(status=429), b"content")
    request = http.HttpRequest(f"{server.url}/", seconds=30, waits=(1.0, 1.0), wait=waits.append)
    with closing(http.HttpClient()) as client:
        assert client.ask(request, lambda response: response.status) == 200
    assert waits[0] == 7
    assert 1 <= waits[1] <= 1.5
