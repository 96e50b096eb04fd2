"""Asks servers over HTTP, with a limit on the time of a whole call, without redirects, and if wanted only at public
addresses. A proxy in the environment (`https_proxy`) is used.
"""

from __future__ import annotations

import io
import socket
import ssl
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, HTTPHandler, HTTPSHandler, Request, build_opener, getproxies

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class NotPublic(OSError):
    """A host has an address in a private network, or none that is public."""


class _AnyStatus(HTTPErrorProcessor):
    """Returns every response, whatever its status. Follows no redirect, so that no other server sees the request."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:  # noqa: ARG002
        return response

    https_response = http_response


class _Timely(io.RawIOBase):
    """Reads from a server, but not after the time `until`. The timeout of a socket would start again with each byte."""

    def __init__(self, stream: io.RawIOBase, connected: socket.socket, until: float) -> None:
        super().__init__()
        self._stream, self._socket, self._until = stream, connected, until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._socket.settimeout(left)
        return self._stream.readinto(buffer)

    def close(self) -> None:
        self._stream.close()
        super().close()


class _TimelyResponse(HTTPResponse):
    """A response that must arrive completely (status, headers and content) before the time `until`."""

    def __init__(self, sock: socket.socket, *, until: float, method: str | None = None) -> None:
        super().__init__(sock, method=method)
        self.fp = io.BufferedReader(_Timely(self.fp.detach(), sock, until))


class _TimelyHandler(HTTPHandler, HTTPSHandler):
    """Opens connections for calls of at most `seconds`; if `is_public`, only to public addresses or to a proxy."""

    def __init__(self, seconds: float, *, is_public: bool) -> None:
        super().__init__()
        self._seconds, self._is_public = seconds, is_public

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(self._connected, HTTPConnection), req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(self._connected, HTTPSConnection), req, context=_context())

    def _connected(self, kind: type[HTTPConnection], host: str, **options: Any) -> HTTPConnection:
        made = kind(host, **options)
        made.response_class = partial(  # type: ignore[assignment]
            _TimelyResponse, until=time.monotonic() + self._seconds
        )
        if self._is_public and made.host not in _proxies():
            made._create_connection = _connected_to_public  # type: ignore[attr-defined]
        return made


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()  # reading the certificates takes a while


def _proxies() -> set[str | None]:
    return {urlsplit(proxy if "://" in proxy else f"//{proxy}").hostname for proxy in getproxies().values()}


def _connected_to_public(at: tuple[str, int], timeout: float, source: tuple[str, int] | None = None) -> socket.socket:
    """Connects to a host whose addresses are all public. It resolves the name once, so that the checked address is the
    one that is used.
    """
    addresses = [str(found[4][0]) for found in socket.getaddrinfo(*at, type=socket.SOCK_STREAM)]
    for address in addresses:
        if not is_public_address(address):
            raise NotPublic(f"{at[0]} has the address {address}, which is not public")
    error: OSError = NotPublic(f"{at[0]} has no address")
    for address in addresses:
        try:
            return socket.create_connection((address, at[1]), timeout, source)
        except OSError as failure:
            error = failure
    raise error


def is_public_address(text: str) -> bool:
    """Whether an IP address belongs to the public internet; ValueError if it is not an IP address."""
    address = ip_address(text.partition("%")[0])
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    return bool(inner.is_global and not inner.is_multicast)


@contextmanager
def opened(
    url: str, *, headers: Mapping[str, str], seconds: float, is_public: bool = False, content: bytes | None = None
) -> Iterator[HTTPResponse]:
    """The response to a GET request, or to a POST request if there is `content`, whatever its status.

    Args:
        url: with `http://` or `https://`.
        headers: of the request.
        seconds: the response must have arrived completely after this time, even if the server sends a byte now and
            then.
        is_public: whether a host with a private address is refused.
        content: what is posted.

    Raises:
        OSError: the server cannot be reached, or is too slow; a `NotPublic`, perhaps as the reason of a `URLError`.
        HTTPException: it does not answer in HTTP. Reading the response raises these too.
    """
    opener = build_opener(_AnyStatus, _TimelyHandler(seconds, is_public=is_public))
    sent = {"User-Agent": "wherefrom", **headers}
    request = Request(url, content, headers=sent)  # noqa: S310  # the caller checks the scheme
    with opener.open(request, timeout=seconds) as response:
        yield response


def unpacked(content: bytes, most: int) -> bytes:
    """The content of a response without gzip, or its first `most + 1` bytes; ValueError if it is broken."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        return zlib.decompressobj(wbits=31).decompress(content, most + 1)
    except zlib.error as error:
        raise ValueError("broken gzip") from error
