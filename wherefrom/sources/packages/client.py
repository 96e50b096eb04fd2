"""Asks registries: only hosts that a registry admits, with limits, and again if a failure may pass."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from ssl import SSLError
from threading import Event
from typing import Any, TypeVar
from urllib.error import URLError
from urllib.parse import urljoin, urlsplit

from wherefrom.errors import NotFound, SourceError
from wherefrom.sources.packages.registry import Registry, host_of
from wherefrom.sources.source import Unreachable
from wherefrom.support.printable import visible
from wherefrom.support.web import NotPublic, is_public_address, opened, unpacked

ANSWER_SECONDS = 60.0
FILE_SECONDS = 1800.0
"""Limits on the time of one call."""

ANSWER_BYTES = 100_000_000
"""Limit on the bytes of metadata, packed and unpacked. The largest packages of npm have 20 MB."""

FILE_BYTES = 1_000_000_000
"""Limit on the bytes of an archive."""

REDIRECTS = 5

RETRY_SECONDS = (1.0, 5.0, 20.0)
"""Waits in seconds before each new try, if the failure may pass. Up to half as much is added at random."""

LONGEST_WAIT = 60.0
"""If a registry asks to wait longer than this many seconds, the package fails."""

KEPT_ANSWERS = 32
"""At most this many answers stay in memory: several versions of a package are in one answer."""

UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""Errors of reading an answer or a manifest that has another form than documented."""

_BUSY = {408, 425, 429, 500, 502, 503, 504}
_CHUNK = 1 << 16

_T = TypeVar("_T")


class _Passing(Exception):
    """A failure that may pass.

    Attributes:
        seconds: how long the registry asks to wait; 0 if it does not.
        is_unreachable: whether the host does not answer at all.
    """

    def __init__(self, message: str, seconds: float = 0.0, *, is_unreachable: bool = False) -> None:
        super().__init__(message)
        self.seconds, self.is_unreachable = seconds, is_unreachable


class Client:
    """Asks registries. Setting `stop` ends a wait for another try; `tries` is how often to try in all."""

    def __init__(self, stop: Event | None = None, tries: int = 1 + len(RETRY_SECONDS)) -> None:
        self._stop, self._tries = stop or Event(), tries
        self._answers: dict[tuple[str, str], bytes] = {}

    def within(self, stop: Event, tries: int) -> Client:
        """A client with the same answers in memory, and another `stop` and `tries`."""
        made = Client(stop, tries)
        made._answers = self._answers
        return made

    def answer(self, registry: Registry, url: str, *, accept: str = "*/*") -> bytes:
        """The content at a URL. Raises NotFound if there is none; SourceError if the registry cannot be reached,
        refuses, or links to a host that it does not admit.
        """

        def read(response: HTTPResponse) -> bytes:
            content = response.read(ANSWER_BYTES + 1)
            try:
                content = unpacked(content, ANSWER_BYTES)
            except ValueError as error:
                raise _Passing(str(error)) from None
            if len(content) > ANSWER_BYTES:
                raise SourceError(f"{_shown(url)} has more than {ANSWER_BYTES:,} bytes; leave this package out")
            return content

        kept = self._answers.get((url, accept))
        if kept is None:
            headers = {"Accept": accept, "Accept-Encoding": "gzip"}
            kept = self._called(url, lambda: _followed(registry, url, headers, ANSWER_SECONDS, read))
            if len(self._answers) >= KEPT_ANSWERS:
                self._answers.clear()
            self._answers[url, accept] = kept
        return kept

    def json(self, registry: Registry, url: str, *, accept: str = "application/json") -> dict[str, Any]:
        """The JSON object at a URL; raises as `answer` does, and SourceError for anything but an object."""
        return json_object(self.answer(registry, url, accept=accept), url)

    def download(self, registry: Registry, url: str, to: Path) -> str:
        """Writes the content at a URL to a file. Returns the day (UTC) of its last change in ISO 8601; empty if the
        registry does not tell. Raises SourceError as for `answer`; OSError if the file cannot be written.
        """

        def read(response: HTTPResponse) -> str:
            file.seek(0)
            file.truncate()
            size = 0
            while chunk := response.read(_CHUNK):
                size += len(chunk)
                if self._stop.is_set():
                    raise SourceError(f"the download of {_shown(url)} was stopped")
                if size > FILE_BYTES:
                    raise SourceError(f"{_shown(url)} has more than {FILE_BYTES:,} bytes; leave this package out")
                try:
                    file.write(chunk)
                except OSError as error:
                    raise _WriteFailed(error) from None
            length = response.headers.get("Content-Length")
            if length is not None and length != str(size):
                raise _Passing("the connection was closed too early")
            with suppress(ValueError, TypeError):
                return parsedate_to_datetime(response.headers.get("Last-Modified") or "").date().isoformat()
            return ""

        with to.open("wb", buffering=0) as file:
            headers = {"Accept-Encoding": "identity"}
            return self._called(url, lambda: _followed(registry, url, headers, FILE_SECONDS, read))

    def _called(self, url: str, attempt: Callable[[], _T]) -> _T:
        """The result of `attempt`, which is called again after a failure that may pass."""
        waits = [*RETRY_SECONDS[: self._tries - 1]]
        while True:
            try:
                return attempt()
            except _Passing as failure:
                if not waits or failure.seconds > LONGEST_WAIT:
                    later = f"; it asks to wait {failure.seconds:.0f} s" if failure.seconds else ""
                    kind = Unreachable if failure.is_unreachable else SourceError
                    why = f"{visible(str(failure))}{later}; check the network, or try again later"
                    raise kind(f"cannot fetch {_shown(url)}: {why}") from None
                wait = max(failure.seconds, waits.pop(0) * random.uniform(1, 1.5))  # noqa: S311
            if self._stop.wait(wait):
                raise SourceError(f"the fetch of {_shown(url)} was stopped")


def _followed(
    registry: Registry, url: str, headers: Mapping[str, str], seconds: float, read: Callable[[HTTPResponse], _T]
) -> _T:
    """What `read` makes of the answer at a URL, behind redirects."""
    for _ in range(1 + REDIRECTS):
        _check(registry, url)
        header = registry.authorization.get(host_of(url))
        sent = {**headers, "Authorization": header} if header else headers
        try:
            with opened(url, headers=sent, seconds=seconds, is_public=not registry.may_be_private(url)) as response:
                status = response.status
                if status == 200:
                    return read(response)
                location, after = response.headers.get("Location"), response.headers.get("Retry-After")
        except _WriteFailed as failure:
            raise failure.error from None
        except URLError as error:
            raise _failed(url, error.reason, is_unreachable=True) from None
        except (OSError, HTTPException, ValueError) as error:
            raise _failed(url, error) from None
        if status in {301, 302, 303, 307, 308} and location:
            try:
                url = urljoin(url, location)
            except ValueError:
                raise unknown(url, "a redirect") from None
            continue
        if status in {404, 410}:
            raise NotFound(f"{_shown(url)} does not exist (status {status}); check the name and the version")
        if status in _BUSY:
            raise _Passing(f"status {status}", _seconds(after))
        remedy = "check your credentials for it" if status in {401, 403} else "check the address of the registry"
        raise SourceError(f"{_shown(url)} was refused (status {status}); {remedy}")
    raise SourceError(f"{_shown(url)} is one redirect too many; check the address of the registry")


class _WriteFailed(Exception):
    """The disk, not the network, failed."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error


def json_object(content: bytes, url: str) -> dict[str, Any]:
    """A JSON object that a registry sent; SourceError if it is none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise unknown(url, "no JSON object")
    return value


@contextmanager
def understood(registry: Registry) -> Iterator[None]:
    """Reads answers in the block: what cannot be read there becomes the error of `unknown`."""
    try:
        yield
    except UNREADABLE as error:
        raise unknown(registry.url, str(error)[:200]) from None


def unknown(url: str, what: str) -> SourceError:
    """The error for an answer that contradicts the documentation of the registry's protocol."""
    return SourceError(f"{_shown(url)} answers in an unknown way ({visible(what)}); check the address of the registry")


def _check(registry: Registry, url: str) -> None:
    """Refuses a URL that the registry does not admit, and a private address where it may have none."""
    if not registry.admits(url):
        raise SourceError(
            f"{_shown(registry.url)} leads to {_shown(url)}, which is not a host of this registry; "
            "if you trust it, add its host to .netrc"
        )
    with suppress(ValueError):
        if not registry.may_be_private(url) and not is_public_address(urlsplit(url).hostname or ""):
            raise _refused(url)


def _failed(url: str, reason: object, *, is_unreachable: bool = False) -> Exception:
    if isinstance(reason, NotPublic):
        return _refused(url)
    if isinstance(reason, SSLError):
        return SourceError(f"cannot fetch {_shown(url)}: {visible(str(reason))}; check the certificate of the registry")
    return _Passing(str(reason) or type(reason).__name__, is_unreachable=is_unreachable)


def _refused(url: str) -> SourceError:
    return SourceError(
        f"{_shown(url)} is at a private address, which only a registry itself may have; "
        "check the network, or configure this registry for its own client"
    )


def _seconds(after: str | None) -> float:
    """The seconds that a header `Retry-After` names; 0 for a date and for anything else."""
    return float(after) if after and after.isdecimal() and len(after) < 9 else 0.0


def _shown(url: str) -> str:
    """A URL without credentials and query, which may have a key, for a message."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an address that is not a URL"
    return visible(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()[:500])
