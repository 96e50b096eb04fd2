"""A JSON object over HTTP from the Stack Exchange API, bounded in time and size."""

from __future__ import annotations

import io
import json
import time
import zlib
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import IO, TYPE_CHECKING, Any, NoReturn
from urllib.error import HTTPError, URLError
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from wherefrom.errors import SourceError, UsageError

if TYPE_CHECKING:
    import socket

    from _typeshed import WriteableBuffer

SECONDS = 30.0
"""What a whole call may take, however often the server sends a byte."""

_LARGEST = 8 << 20
"""Bytes of an answer, before and after it is unpacked."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows none: the key, which is in the URL, goes to the API and nowhere else."""

    def redirect_request(  # noqa: PLR0917  # the signature is urllib's
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """Makes it an error."""


class _Timely(io.RawIOBase):
    """What a server sends, until a time. A timeout of a socket alone begins again with each byte."""

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
    """A response whose status, headers and content all come before a time."""

    def __init__(self, sock: socket.socket, *, until: float, method: str | None = None) -> None:
        super().__init__(sock, method=method)
        self.fp = io.BufferedReader(_Timely(self.fp.detach(), sock, until))


def _connected(kind: type[HTTPConnection], host: str, **options: Any) -> HTTPConnection:
    """A connection of this kind for one call, whose time begins now."""
    made = kind(host, **options)
    made.response_class = partial(_TimelyResponse, until=time.monotonic() + SECONDS)  # type: ignore[assignment]
    return made


class _Http(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_connected, HTTPConnection), req)


class _Https(HTTPSHandler):
    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_connected, HTTPSConnection), req)


_OPENER = build_opener(_NoRedirects, _Http, _Https)


def get_object(url: str) -> dict[str, Any]:
    """The JSON object at a URL, be it an answer or an error object, whatever the status.

    Raises:
        SourceError: it cannot be reached, or answers something else. The URL is in no message: it may hold a key.
        UsageError: it is not a URL.
    """
    if not url.startswith(("https://", "http://")):
        raise UsageError("the address of the Stack Exchange API begins with https://; give such a one")
    # Compressed always: the API answers nothing else.
    request = Request(url, headers={"Accept-Encoding": "gzip", "User-Agent": "wherefrom"})  # noqa: S310  # checked above
    try:
        status, packed = _answer(request)
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


def _answer(request: Request) -> tuple[int, bytes]:
    """The status and the content of an answer, the latter cut off above `_LARGEST` bytes."""
    try:
        response = _OPENER.open(request, timeout=SECONDS)
    except HTTPError as error:
        response = error
    with response:
        return response.status, response.read(_LARGEST + 1)


def _no_number(name: str) -> NoReturn:
    """Refuses `NaN` and `Infinity`, which JSON does not have."""
    raise ValueError(name)


def unknown_answer(what: str) -> SourceError:
    """The error of an answer that is not as the API's documentation has it."""
    return SourceError(f"the Stack Exchange API answered in an unknown way ({what}); try again later")


def shown(text: str) -> str:
    """A text from a server, made safe for a message."""
    return ascii(text[:200])[1:-1]


def _unreachable(reason: object) -> SourceError:
    message = shown(str(reason) or type(reason).__name__)
    return SourceError(f"cannot reach the Stack Exchange API: {message}; check the network and try again")


def _unpacked(content: bytes) -> bytes:
    """The content of a response, which gzip may have made large."""
    if content.startswith(b"\x1f\x8b"):
        try:
            content = zlib.decompressobj(wbits=31).decompress(content, _LARGEST + 1)
        except zlib.error:
            raise unknown_answer("broken gzip") from None
    if len(content) > _LARGEST:
        raise unknown_answer("too long")
    return content
