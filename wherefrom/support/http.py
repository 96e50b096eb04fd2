"""Asks servers over HTTP, with limits on the time, the redirects and the tries of a request, through the proxies of the
environment, and if wanted only at public addresses. Nothing that a server sends is trusted.
"""

from __future__ import annotations

import io
import netrc
import os
import random
import socket
import ssl
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.client import HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, NewConnectionError, ProxyError

from wherefrom.errors import UsageError
from wherefrom.support.hosts import is_public_address
from wherefrom.support.printable import quoted
from wherefrom.support.values import KW_ONLY, dataclass

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Response = urllib3.BaseHTTPResponse
CONNECT_SECONDS = 10.0  # a connection has to be made within this time
LONGEST_WAIT = 60.0  # if a server asks to wait longer than this many seconds (`Retry-After`), the request fails at once
AT_ONCE = 16  # the number of connections to a host that are kept
TRANSIENT = {408, 425, 429, 500, 502, 503, 504}  # statuses of failures that may pass
_MOVED = {301, 302, 303, 307, 308}

_T = TypeVar("_T")


class Failure(OSError):
    """A server is not reached, or does not answer by HTTP. The message says why, in plain words. `may_pass` tells
    whether another try may succeed, `is_unreachable` whether not even a connection was made.
    """

    def __init__(self, message: str, *, may_pass: bool = True, is_unreachable: bool = False) -> None:
        super().__init__(message)
        self.may_pass, self.is_unreachable = may_pass, is_unreachable


class NotPublic(Failure):
    """A host has an address in a private network, or none that is public."""

    def __init__(self, message: str) -> None:
        super().__init__(message, may_pass=False)


class TooManyRedirects(Failure):
    """A server redirects again and again."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request to a server, with its limits."""

    url: str  # with `http://` or `https://`
    _: KW_ONLY
    # a response must have arrived completely after this time, even if the server sends a byte now and then
    seconds: float
    # seconds before each new try of a request that failed for a reason that may pass. Up to half as much is added at
    # random, and more if the server asks for it
    waits: Sequence[float] = ()
    redirects: int = 0  # at most this many are followed
    # the headers for a URL, that of a redirect too. May raise to refuse it
    headers: Callable[[str], Mapping[str, str]] = lambda _: {}
    is_public: Callable[[str], bool] = lambda _: False  # whether the host of a URL must have a public address
    content: bytes | None = None  # what is posted
    wait: Callable[[float], object] = time.sleep  # waits between two tries. May raise to end them


class HttpClient:
    """Makes requests over kept connections."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str | None, bool], urllib3.PoolManager] = {}

    def ask(self, request: HttpRequest, read: Callable[[Response], _T]) -> _T:
        """What `read` makes of the response, whatever its status. It may raise a `Failure` to ask again. Raises Failure
        if the server is not reached, is too slow, or does not answer by HTTP.
        """
        waits = [*request.waits]
        while True:
            after = 0.0
            try:
                with self._answered(request) as response:
                    after = retry_after(response)
                    if response.status not in TRANSIENT or not waits or after > LONGEST_WAIT:
                        return read(response)
            except Failure as failure:
                if not waits or not failure.may_pass:
                    raise
            request.wait(max(after, waits.pop(0) * random.uniform(1, 1.5)))  # noqa: S311

    @contextmanager
    def _answered(self, request: HttpRequest) -> Iterator[Response]:
        url = request.url
        for _ in range(request.redirects + 1):
            with self._responded(request, url) as response:
                target = response.headers.get("location")
                if not request.redirects or response.status not in _MOVED or target is None:
                    yield response
                    return
            try:
                url = urljoin(url, target)
                urlsplit(url)
            except ValueError as error:
                raise Failure("it redirects to a wrong address", may_pass=False) from error
        raise TooManyRedirects(f"it redirects more than {request.redirects} times", may_pass=False)

    @contextmanager
    def _responded(self, request: HttpRequest, url: str) -> Iterator[Response]:
        headers = {"User-Agent": "wherefrom", "Accept-Encoding": "identity", **request.headers(url)}
        try:
            response = self._pool(url, is_public=request.is_public(url)).request(
                "GET" if request.content is None else "POST",
                url,
                body=request.content,
                headers=headers,
                timeout=urllib3.Timeout(connect=min(CONNECT_SECONDS, request.seconds), read=request.seconds),
                redirect=False,
                retries=False,
                preload_content=False,
                decode_content=False,
            )
            try:
                yield response
            finally:
                # A connection is closed if the response was not read to its end, and else kept.
                if not response.closed:
                    response.close()
                response.release_conn()
        except HTTPError as error:
            raise _failure(error) from error

    def _pool(self, url: str, *, is_public: bool) -> urllib3.PoolManager:
        parts = urlsplit(url)
        proxies = getproxies()
        proxy = proxies.get(parts.scheme, proxies.get("all"))
        if proxy is not None and proxy_bypass(parts.netloc):
            proxy = None
        is_public &= proxy is None
        if (proxy, is_public) not in self._pools:
            pool = urllib3.PoolManager(maxsize=AT_ONCE, block=True) if proxy is None else _through(proxy)
            plain, tls = (_PublicConnection, _PublicTlsConnection) if is_public else (_Connection, _TlsConnection)
            pool.pool_classes_by_scheme = {
                "http": type("Pool", (urllib3.HTTPConnectionPool,), {"ConnectionCls": plain}),
                "https": type("TlsPool", (urllib3.HTTPSConnectionPool,), {"ConnectionCls": tls}),
            }
            self._pools[proxy, is_public] = pool
        return self._pools[proxy, is_public]

    def close(self) -> None:
        """Closes all connections."""
        for pool in self._pools.values():
            pool.clear()


class TooLong(ValueError):
    """A response has more bytes than it may have."""


def parts(response: Response, most: int) -> Iterator[bytes]:
    """The body of a response, part by part. Raises `TooLong` if it has more than `most` bytes."""
    size = 0
    while part := response.read1(1 << 16):
        size += len(part)
        if size > most:
            raise TooLong(f"a response has more than {most:,} bytes")
        yield part


def body(response: Response, most: int) -> bytes:
    """The body of a response. Raises `TooLong` if it has more than `most` bytes."""
    return b"".join(parts(response, most))


def unpacked(response: Response, most: int) -> bytes:
    """The body of a response without gzip, at most `most` bytes. Raises `TooLong`, or a ValueError if it is broken."""
    content = body(response, most)
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        content = zlib.decompressobj(wbits=31).decompress(content, most + 1)
    except zlib.error as error:
        raise ValueError("broken gzip") from error
    if len(content) > most:
        raise TooLong(f"a response has more than {most:,} bytes")
    return content


def retry_after(response: Response) -> float:
    """The seconds that a header `Retry-After` names; 0 for a date and for anything else."""
    after = response.headers.get("retry-after", "")
    return float(after) if after.isdecimal() and len(after) < 9 else 0.0


def basic(user: str, password: str) -> str:
    """The value of `Authorization` for a user and a password (RFC 7617)."""
    return f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"


def netrc_entries() -> dict[str, str]:
    """`Authorization` by host, from `.netrc` or the file that `NETRC` names, as curl has it; `default`: for others."""
    try:
        path = Path(os.environ.get("NETRC") or "~/.netrc").expanduser()
    except RuntimeError:  # there is no home
        return {}
    try:
        hosts = netrc.netrc(path).hosts
    except FileNotFoundError:
        return {}
    except netrc.NetrcParseError as error:  # its message may have the password
        raise UsageError(f"cannot read {path}: line {error.lineno} is wrong; correct it") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read {path}: it is not UTF-8; correct it") from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}; correct it") from error
    return {host.lower(): basic(user or "", password or "") for host, (user, _, password) in hosts.items()}


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
            raise TimeoutError
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


class _Connection(HTTPConnection):
    """A connection with a limit on the time of a whole response."""

    @property
    def response_class(self) -> Callable[..., HTTPResponse]:  # type: ignore[override] # it depends on the time
        return partial(_TimelyResponse, until=time.monotonic() + (self.timeout or 0.0))


class _PublicConnection(_Connection):
    """A connection to a host with public addresses only. It resolves the name once, and uses what it checked."""

    def _new_conn(self) -> socket.socket:
        try:
            addresses = [
                str(found[4][0]) for found in socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            ]
            for address in addresses:
                if not is_public_address(address):
                    raise NotPublic(f"{self.host} has the address {address}, which is not public")
            failure: OSError = NotPublic(f"{self.host} has no address")
            for address in addresses:
                try:
                    return socket.create_connection((address, self.port), self.timeout)
                except OSError as error:
                    failure = error
            raise failure
        except (OSError, UnicodeError) as error:
            raise NewConnectionError(self, str(error)) from error


class _TlsConnection(_Connection, HTTPSConnection):
    pass


class _PublicTlsConnection(_PublicConnection, HTTPSConnection):
    pass


def _through(proxy: str) -> urllib3.ProxyManager:
    """Makes requests through a proxy, whose URL may have a user and a password."""
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if not parts.hostname:
            raise ValueError("it has no host")
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return urllib3.ProxyManager(
            urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "", "", "")),
            proxy_headers={"Proxy-Authorization": basic(user, password)} if user else {},
            maxsize=AT_ONCE,
            block=True,
        )
    except (ValueError, AssertionError) as error:
        # The message of the cause may have the password.
        raise Failure("the URL of the proxy in the environment is wrong; write http://HOST:PORT") from error


def _failure(error: BaseException) -> Failure:
    """Why a request failed, in the words of the system or of this module: the first known cause."""
    if isinstance(error, ProxyError) and error.__cause__ is not None:
        return Failure(f"the proxy in the environment fails: {_failure(error.__cause__)}", is_unreachable=True)
    is_unreachable = isinstance(error, NewConnectionError)
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, Failure):
            return cause
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Failure(f"its certificate is not valid ({quoted(cause.verify_message)})", may_pass=False)
        if isinstance(cause, ssl.SSLError):
            return Failure("its encryption fails")
        if isinstance(cause, TimeoutError):
            return Failure("it is too slow and timed out", is_unreachable=is_unreachable)
        if isinstance(cause, OSError) and not isinstance(cause, ConnectionResetError | BrokenPipeError):
            return Failure(quoted(cause.strerror or str(cause)), is_unreachable=is_unreachable)
        cause = cause.__cause__ or cause.__context__
    return Failure("it ends the connection, or does not answer by HTTP")
