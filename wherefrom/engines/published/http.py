# ruff: noqa: D102 - the methods are documented in the protocol
"""The files of a published index on a web server, read by ranges of bytes (RFC 9110, section 14).

A server that answers several ranges at once (`multipart/byteranges`) gets one request for each file. Others, such as
those with the protocol of S3, get many requests at a time with one range each. Nothing that a server sends is trusted:
it sends at most the bytes of the request, within a limit of time, and the caller compares them with checksums.
"""

from __future__ import annotations

import hashlib
import netrc
import os
import re
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from http import HTTPStatus
from itertools import groupby
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, ProxyError

from wherefrom.engines.published.address import PublishedOptions
from wherefrom.engines.published.pages import PublishedFiles, Span
from wherefrom.errors import UnusableIndex, UsageError
from wherefrom.support.chunks import batches
from wherefrom.support.pattern import later
from wherefrom.support.printable import quoted

AT_ONCE = 16
"""The number of requests that are made at a time."""

MOST_RANGES = 100
"""The highest number of ranges in a request."""

TRIES, WAIT = 3, 0.3
"""A request that fails for a reason that may pass is made again, after `WAIT` seconds, then twice that, and so on."""

REDIRECTS = 5
"""At most this many redirects of a request are followed."""

_PART = 300
"""A part of a response with several ranges has at most this many bytes of headers."""

_RANGE = later(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")
_BOUNDARY = later(r'multipart/byteranges\s*;.*?boundary="?([^"\s;]{1,100})"?', re.IGNORECASE)

_TRANSIENT = {429, 500, 502, 503, 504}
_MOVED = {301, 302, 303, 307, 308}


class _NoRanges(Exception):
    """The server answered a request for ranges with something else."""


class WebPlace(PublishedFiles):
    """The files of a published index on a web server.

    Args:
        url: its address, which ends with `/`.
        options: how to read it.
    """

    def __init__(self, url: str, options: PublishedOptions) -> None:
        self.location = url
        self._options = options
        self._has_multipart = True
        self._requests = _Requests(options.timeout)
        self._headers = _credentials(url, options)

    @property
    def secret(self) -> str:
        """A digest of the credentials, which decide what the server shows."""
        return hashlib.sha256(repr(sorted(self._headers.items())).encode()).hexdigest()

    def whole(self, name: str, most: int) -> bytes:
        with self._asked(name, None) as response:
            self._refuse(response, name, HTTPStatus.OK)
            return _body(response, most, self._options.timeout)

    def read(self, spans: Sequence[Span]) -> Sequence[bytes]:
        found: dict[Span, bytes] = {}
        if self._has_multipart and len(spans) > 1:
            try:
                found = self._several(spans)
            except _NoRanges:
                self._has_multipart = False
        missing = [span for span in dict.fromkeys(spans) if span not in found]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found.update(zip(missing, pool.map(self._one, missing), strict=True))
        return [found[span] for span in spans]

    def _several(self, spans: Sequence[Span]) -> dict[Span, bytes]:
        """Reads spans by requests with several ranges each. Raises _NoRanges if the server answers other requests."""
        groups = [
            group
            for _, own in groupby(sorted(set(spans)), key=lambda span: span.file)
            for group in batches(own, MOST_RANGES)
        ]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return {span: data for found in pool.map(self._group, groups) for span, data in found.items()}

    def _group(self, spans: Sequence[Span]) -> dict[Span, bytes]:
        """Reads spans of one file by one request."""
        if len(spans) == 1:
            return {spans[0]: self._one(spans[0])}
        ranges = ",".join(f"{span.begin}-{span.end - 1}" for span in spans)
        with self._asked(spans[0].file, ranges) as response:
            self._refuse(response, spans[0].file, HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT)
            boundary = _BOUNDARY.match(response.headers.get("content-type", ""))
            if response.status != HTTPStatus.PARTIAL_CONTENT or boundary is None:
                raise _NoRanges
            most = sum(span.end - span.begin for span in spans) + _PART * (len(spans) + 1)
            parts = dict(_parts(_body(response, most, self._options.timeout), boundary[1].encode()))
        found = {}
        for span in spans:
            begin = max((begin for begin in parts if begin <= span.begin), default=0)
            found[span] = parts.get(begin, b"")[span.begin - begin : span.end - begin]
        return found

    def _one(self, span: Span) -> bytes:
        """Reads a span by one request."""
        with self._asked(span.file, f"{span.begin}-{span.end - 1}") as response:
            self._refuse(response, span.file, HTTPStatus.PARTIAL_CONTENT)
            given = _RANGE.fullmatch(response.headers.get("content-range", ""))
            if given is None or (int(given[1]), int(given[2])) != (span.begin, span.end - 1):
                raise UnusableIndex(
                    f"{self.location} answers with another range than the request has; use a server that has ranges"
                )
            return _body(response, span.end - span.begin, self._options.timeout)

    @contextmanager
    def _asked(self, name: str, ranges: str | None) -> Iterator[urllib3.BaseHTTPResponse]:
        """The response to a request for a file, or for ranges of its bytes."""
        url = urljoin(self.location, quote(name))
        headers = {"Accept-Encoding": "identity", "User-Agent": "wherefrom"}
        if ranges is not None:
            headers["Range"] = f"bytes={ranges}"
        try:
            response = self._requests.get(url, headers, self._headers)
        except (HTTPError, OSError) as error:
            raise self._unreachable(error) from error
        try:
            yield response
        except (HTTPError, TimeoutError) as error:
            raise self._unreachable(error) from error
        finally:
            _end(response)

    def _unreachable(self, error: Exception) -> UnusableIndex:
        return UnusableIndex(f"{self.location} cannot be read: {_reason(error)}; check the address, or try again later")

    def _refuse(self, response: urllib3.BaseHTTPResponse, name: str, *wanted: HTTPStatus) -> None:
        """Raises an error if a response has another status, or is compressed."""
        status = response.status
        if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            raise FileNotFoundError(name)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise UnusableIndex(
                f"{self.location} refuses to be read (HTTP {status}); put user and password for its host into ~/.netrc"
            )
        if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            raise UnusableIndex(
                f"{self.location} is behind a proxy that wants a user and a password; set its URL in the environment "
                "to http://USER:PASSWORD@HOST:PORT"
            )
        if status == HTTPStatus.OK and HTTPStatus.OK not in wanted:
            raise UnusableIndex(f"{self.location} is on a server without ranges; serve it with one that has ranges")
        if status not in wanted:
            raise UnusableIndex(f"{self.location} answers with HTTP {status}; check the address, or try again later")
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise UnusableIndex(f"{self.location} is compressed by its server; turn compression off for these files")

    def close(self) -> None:
        self._requests.close()


@contextmanager
def _within(seconds: float, give_up: Callable[[], object]) -> Iterator[None]:
    """Calls `give_up`, in a thread, if the block takes longer. Then raises TimeoutError, whatever the block raises.

    The timeout of a socket is not enough: a server that sends a byte now and then never exceeds it.
    """
    is_late = threading.Event()

    def late() -> None:
        is_late.set()
        with suppress(OSError, RuntimeError, AttributeError):  # the connection is closed already
            give_up()

    timer = threading.Timer(seconds, late)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if is_late.is_set():
            raise TimeoutError("it is too slow") from error
        raise
    finally:
        timer.cancel()
    if is_late.is_set():
        raise TimeoutError("it is too slow")


class _Limited(HTTPConnection):
    """A connection that gives up a server whose headers take longer than the timeout."""

    def connect(self) -> None:
        with self._limit(self.timeout):
            super().connect()

    def getresponse(self) -> urllib3.HTTPResponse:  # type: ignore[override] # urllib3 has its own responses
        with self._limit(None if self.sock is None else self.sock.gettimeout()):
            return super().getresponse()

    def _limit(self, seconds: object) -> AbstractContextManager[None]:
        return _within(seconds, self._shut) if isinstance(seconds, int | float) else nullcontext()

    def _shut(self) -> None:
        if self.sock is not None:
            self.sock.shutdown(socket.SHUT_RDWR)


class _LimitedTls(_Limited, HTTPSConnection):
    """The same with TLS."""


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Limited


class _TlsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _LimitedTls


class _Requests:
    """Makes requests over kept connections, through the proxies of the environment."""

    def __init__(self, seconds: float) -> None:
        self._timeout = urllib3.Timeout(connect=min(10.0, seconds), read=seconds)
        self._pools: dict[str, urllib3.PoolManager] = {}

    def get(self, url: str, headers: Mapping[str, str], secret: Mapping[str, str]) -> urllib3.BaseHTTPResponse:
        """The response to a GET request, after redirects. Only the host of `url` sees the headers in `secret`."""
        origin = urlsplit(url)[:2]
        for _ in range(REDIRECTS + 1):
            own = {**headers, **secret} if urlsplit(url)[:2] == origin else headers
            response = self._tried(url, own)
            target = response.headers.get("location")
            if response.status not in _MOVED or target is None:
                return response
            _end(response)
            try:
                url = urljoin(url, target)
                parts = urlsplit(url)
            except ValueError as error:
                raise OSError("it redirects to a wrong address") from error
            if parts.scheme != "https" and parts[:2] != origin:
                raise OSError("it redirects to an address without encryption")
        raise OSError(f"it redirects more than {REDIRECTS} times")

    def _tried(self, url: str, headers: Mapping[str, str]) -> urllib3.BaseHTTPResponse:
        """The response to a request, which is made again if it fails for a reason that may pass."""
        for attempt in range(TRIES):
            is_last = attempt == TRIES - 1
            try:
                response = self._pool(url).request(
                    "GET",
                    url,
                    headers=headers,
                    timeout=self._timeout,
                    redirect=False,
                    retries=False,
                    preload_content=False,
                    decode_content=False,
                )
            except HTTPError:
                if is_last:
                    raise
            else:
                if response.status not in _TRANSIENT or is_last:
                    return response
                _end(response)
            time.sleep(WAIT * 2**attempt)
        raise AssertionError  # the last attempt returned or raised

    def _pool(self, url: str) -> urllib3.PoolManager:
        parts = urlsplit(url)
        proxy = None if proxy_bypass(parts.netloc) else getproxies().get(parts.scheme, getproxies().get("all"))
        key = proxy or ""
        if key not in self._pools:
            if proxy is None:
                self._pools[key] = urllib3.PoolManager(maxsize=AT_ONCE, block=True)
            else:
                self._pools[key] = _through(proxy)
            self._pools[key].pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}
        return self._pools[key]

    def close(self) -> None:
        for pool in self._pools.values():
            pool.clear()


def _through(proxy: str) -> urllib3.ProxyManager:
    """Makes requests through a proxy, whose URL may have a user and a password. Raises OSError for a wrong URL."""
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if not parts.hostname:
            raise ValueError("it has no host")
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return urllib3.ProxyManager(
            urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "", "", "")),
            proxy_headers={"Proxy-Authorization": _basic(user, password)} if user else {},
            maxsize=AT_ONCE,
            block=True,
        )
    except (ValueError, AssertionError) as error:
        # The message of the cause may have the password.
        raise OSError("the URL of the proxy in the environment is wrong; write http://HOST:PORT") from error


def _basic(user: str, password: str) -> str:
    """The value of a header with a user and a password (RFC 7617)."""
    return f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"


def _reason(error: BaseException) -> str:
    """Why a request failed, in the words of the system or of this module: the first known cause."""
    if isinstance(error, ProxyError) and error.__cause__ is not None:
        return f"the proxy in the environment fails: {_reason(error.__cause__)}"
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not valid ({quoted(cause.verify_message)})"
        if isinstance(cause, ssl.SSLError):
            return "its encryption fails"
        if isinstance(cause, TimeoutError):
            return "it is too slow"
        if isinstance(cause, OSError) and not isinstance(cause, ConnectionResetError | BrokenPipeError):
            return quoted(cause.strerror or str(cause))
        cause = cause.__cause__ or cause.__context__
    return "it ends the connection, or does not answer by HTTP"


def _credentials(url: str, options: PublishedOptions) -> dict[str, str]:
    """The headers that name the user: by the options, else by the file `.netrc`, as curl has it."""
    if options.user is not None:
        return {"Authorization": _basic(options.user, options.password or "")}
    path = Path(os.environ.get("NETRC") or "~/.netrc").expanduser()
    try:
        found = netrc.netrc(path).authenticators(urlsplit(url).hostname or "")
    except FileNotFoundError:
        return {}
    except netrc.NetrcParseError as error:  # its message may have the password
        raise UsageError(f"{path} has an error in line {error.lineno}; correct it") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8; correct it") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; correct it") from error
    return {} if found is None else {"Authorization": _basic(found[0], found[2] or "")}


def _end(response: urllib3.BaseHTTPResponse) -> None:
    """Gives the connection of a response back to its pool. It is closed if the response was not read to its end."""
    if not response.closed:
        response.close()
    response.release_conn()


def _body(response: urllib3.BaseHTTPResponse, most: int, seconds: float) -> bytes:
    """The body of a response. Raises ValueError if it has more than `most` bytes, and TimeoutError if it is slow."""
    parts = []
    size = 0
    with _within(seconds, response.shutdown):
        while part := response.read1(1 << 16):
            size += len(part)
            if size > most:
                raise ValueError(f"a response has more than {most:,} bytes")
            parts.append(part)
    return b"".join(parts)


def _parts(body: bytes, boundary: bytes) -> Iterator[tuple[int, bytes]]:
    """The parts of a response with several ranges: the offset of the first byte, and the bytes."""
    delimiter = b"--" + boundary
    at = body.find(delimiter)
    while at >= 0:
        begin = body.find(b"\r\n\r\n", at)
        if begin < 0:
            return
        head = body[at:begin].decode("latin-1").lower()
        given = _RANGE.search(head[head.find("content-range") :].replace("content-range:", "", 1))
        if given is None or int(given[2]) < int(given[1]):
            return
        begin += 4
        end = begin + int(given[2]) - int(given[1]) + 1
        yield int(given[1]), body[begin:end]
        at = body.find(delimiter, min(end, len(body)))
