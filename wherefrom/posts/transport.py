"""Fetches a JSON object from the Stack Exchange API, with limits of time and size."""

from __future__ import annotations

import io
import json
import time
import zlib
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.error import URLError
from urllib.request import HTTPErrorProcessor, HTTPHandler, HTTPSHandler, Request, build_opener

from wherefrom.errors import SourceError, UsageError

if TYPE_CHECKING:
    import socket

    from _typeshed import WriteableBuffer

SECONDS = 30.0
"""A whole call takes at most this many seconds, even if the server sends a byte now and then."""

_LARGEST = 8 << 20
"""An answer has at most this many bytes, both packed and unpacked. A longer answer is an error."""


class _AnyStatus(HTTPErrorProcessor):
    """Returns every response, whatever its status. Follows no redirect, so that no other server sees the URL's key."""

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


def _connected(kind: type[HTTPConnection], host: str, **options: Any) -> HTTPConnection:
    """A connection for a call that begins now. The response must arrive within `SECONDS`."""
    made = kind(host, **options)
    made.response_class = partial(_TimelyResponse, until=time.monotonic() + SECONDS)  # type: ignore[assignment]
    return made


class _TimelyHandler(HTTPHandler, HTTPSHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_connected, HTTPConnection), req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_connected, HTTPSConnection), req)


_OPENER = build_opener(_AnyStatus, _TimelyHandler)


def get_object(url: str) -> dict[str, Any]:
    """Fetches the JSON object at a URL. The API answers errors with an object too, so this returns any object.

    Raises:
        SourceError: the server cannot be reached, or its answer is not a JSON object. The message does not show the
            URL, which may have a key.
        UsageError: `url` is not a URL.
    """
    if not url.startswith(("https://", "http://")):
        raise UsageError("the address of the Stack Exchange API begins with https://; give such a one")
    # The API always compresses its answers.
    request = Request(url, headers={"Accept-Encoding": "gzip", "User-Agent": "wherefrom"})  # noqa: S310  # checked above
    try:
        with _OPENER.open(request, timeout=SECONDS) as response:
            status, packed = response.status, response.read(_LARGEST + 1)
    except URLError as error:
        raise _unreachable(error.reason) from None
    except (OSError, HTTPException) as error:
        raise _unreachable(error) from None
    content = _unpacked(packed)
    if status >= 400 and not content.lstrip().startswith(b"{"):
        raise unknown_answer(f"status {status}")
    try:
        answer = json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise unknown_answer("no JSON") from None
    if not isinstance(answer, dict):
        raise unknown_answer("no object")
    return answer


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def unknown_answer(what: str) -> SourceError:
    """The error for an answer that contradicts the API's documentation."""
    return SourceError(f"the Stack Exchange API answered in an unknown way ({what}); try again later")


def shown(text: str) -> str:
    """A text from a server, shortened and escaped for an error message."""
    return ascii(text[:200])[1:-1]


def _unreachable(reason: object) -> SourceError:
    message = shown(str(reason) or type(reason).__name__)
    return SourceError(f"cannot reach the Stack Exchange API: {message}; check the network and try again")


def _unpacked(content: bytes) -> bytes:
    """Unpacks the content of a response. Raises an error if it is larger than `_LARGEST`."""
    if content.startswith(b"\x1f\x8b"):
        try:
            content = zlib.decompressobj(wbits=31).decompress(content, _LARGEST + 1)
        except zlib.error:
            raise unknown_answer("broken gzip") from None
    if len(content) > _LARGEST:
        raise unknown_answer("too long")
    return content
