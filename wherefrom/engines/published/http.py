# ruff: noqa: D102 - the methods are documented in the protocol
"""The files of a published index on a web server, read by ranges of bytes (RFC 9110, section 14).

A server that answers several ranges at once (`multipart/byteranges`) gets one request for each file. Others, such as
those with the protocol of S3, get many requests at a time with one range each. Nothing that a server sends is trusted:
it sends at most the bytes of the request, within a limit of time, and the caller compares them with checksums.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from itertools import groupby
from typing import TypeVar
from urllib.parse import quote, urljoin, urlsplit

from wherefrom.engines.published.address import PublishedOptions
from wherefrom.engines.published.pages import PublishedFiles, Span
from wherefrom.errors import UnusableIndex
from wherefrom.support import http
from wherefrom.support.chunks import batches
from wherefrom.support.pattern import later

MOST_RANGES = 100  # the highest number of ranges in a request
WAITS = (0.3, 0.6)  # seconds before each new try of a request that failed for a reason that may pass
REDIRECTS = 5  # at most this many redirects of a request are followed
_PART = 300  # a part of a response with several ranges has at most this many bytes of headers
_RANGE = later(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")
_BOUNDARY = later(r'multipart/byteranges\s*;.*?boundary="?([^"\s;]{1,100})"?', re.IGNORECASE)

_T = TypeVar("_T")


class _NoRanges(Exception):
    """The server answered a request for ranges with something else."""


class WebPlace(PublishedFiles):
    """The files of a published index on a web server, whose URL ends with `/`."""

    def __init__(self, url: str, options: PublishedOptions) -> None:
        self.location = url
        self._options = options
        self._has_multipart = True
        self._client = http.HttpClient()
        self._origin = urlsplit(url)[:2]
        self._headers = _credentials(url, options)

    @property
    def secret(self) -> str:
        """A digest of the credentials, which decide what the server shows."""
        return hashlib.sha256(repr(sorted(self._headers.items())).encode()).hexdigest()

    def whole(self, name: str, most: int) -> bytes:
        def read(response: http.Response) -> bytes:
            self._refuse(response, name, HTTPStatus.OK)
            return http.body(response, most)

        return self._asked(name, None, read)

    def read(self, spans: Sequence[Span]) -> Sequence[bytes]:
        found: dict[Span, bytes] = {}
        if self._has_multipart and len(spans) > 1:
            try:
                found = self._several(spans)
            except _NoRanges:
                self._has_multipart = False
        missing = [span for span in dict.fromkeys(spans) if span not in found]
        with ThreadPoolExecutor(http.AT_ONCE) as pool:
            found.update(zip(missing, pool.map(self._one, missing), strict=True))
        return [found[span] for span in spans]

    def _several(self, spans: Sequence[Span]) -> dict[Span, bytes]:
        """Reads spans by requests with several ranges each. Raises _NoRanges if the server answers other requests."""
        groups = [
            group
            for _, own in groupby(sorted(set(spans)), key=lambda span: span.file)
            for group in batches(own, MOST_RANGES)
        ]
        with ThreadPoolExecutor(http.AT_ONCE) as pool:
            return {span: data for found in pool.map(self._group, groups) for span, data in found.items()}

    def _group(self, spans: Sequence[Span]) -> dict[Span, bytes]:
        if len(spans) == 1:
            return {spans[0]: self._one(spans[0])}

        def read(response: http.Response) -> dict[int, bytes]:
            self._refuse(response, spans[0].file, HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT)
            boundary = _BOUNDARY.match(response.headers.get("content-type", ""))
            if response.status != HTTPStatus.PARTIAL_CONTENT or boundary is None:
                raise _NoRanges
            most = sum(span.end - span.begin for span in spans) + _PART * (len(spans) + 1)
            return dict(_parts(http.body(response, most), boundary[1].encode()))

        parts = self._asked(spans[0].file, ",".join(f"{span.begin}-{span.end - 1}" for span in spans), read)
        found = {}
        for span in spans:
            begin = max((begin for begin in parts if begin <= span.begin), default=0)
            found[span] = parts.get(begin, b"")[span.begin - begin : span.end - begin]
        return found

    def _one(self, span: Span) -> bytes:
        def read(response: http.Response) -> bytes:
            self._refuse(response, span.file, HTTPStatus.PARTIAL_CONTENT)
            given = _RANGE.fullmatch(response.headers.get("content-range", ""))
            if given is None or (int(given[1]), int(given[2])) != (span.begin, span.end - 1):
                raise UnusableIndex(
                    f"{self.location} answers with another range than the request has; use a server that has ranges"
                )
            return http.body(response, span.end - span.begin)

        return self._asked(span.file, f"{span.begin}-{span.end - 1}", read)

    def _asked(self, name: str, ranges: str | None, read: Callable[[http.Response], _T]) -> _T:
        """What `read` makes of the response to a request for a file, or for ranges of its bytes."""

        def headers(url: str) -> Mapping[str, str]:
            scheme, host = urlsplit(url)[:2]
            is_origin = (scheme, host) == self._origin
            if not is_origin and scheme != "https":
                raise http.Failure("it redirects to an address without encryption", may_pass=False)
            return {**wanted, **(self._headers if is_origin else {})}  # no other host sees the credentials

        wanted = {} if ranges is None else {"Range": f"bytes={ranges}"}
        url = urljoin(self.location, quote(name))
        request = http.HttpRequest(
            url, seconds=self._options.timeout, waits=WAITS, redirects=REDIRECTS, headers=headers
        )
        try:
            return self._client.ask(request, read)
        except http.Failure as error:
            raise UnusableIndex(
                f"{self.location} cannot be read: {error}; check the address, or try again later"
            ) from error

    def _refuse(self, response: http.Response, name: str, *wanted: HTTPStatus) -> None:
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
        self._client.close()


def _credentials(url: str, options: PublishedOptions) -> dict[str, str]:
    """The headers that name the user: by the options, else by the file `.netrc`."""
    if options.user is not None:
        return {"Authorization": http.basic(options.user, options.password or "")}
    entries = http.netrc_entries()
    found = entries.get(urlsplit(url).hostname or "", entries.get("default"))
    return {} if found is None else {"Authorization": found}


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
