"""Asks registries: only hosts that a registry admits, with limits, and again if a failure may pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from pathlib import Path
from threading import Event
from typing import Any, TypeVar
from urllib.parse import urlsplit

from wherefrom.errors import NotFound, SourceError
from wherefrom.sources.packages.registry import Registry, host_of
from wherefrom.sources.source import Unreachable
from wherefrom.support import http
from wherefrom.support.hosts import is_public_address
from wherefrom.support.printable import visible

ANSWER_SECONDS, FILE_SECONDS = 60.0, 1800.0  # limits on the time of one call

ANSWER_BYTES = 100_000_000  # limit on metadata, packed and unpacked. The largest packages of npm have 20 MB
FILE_BYTES = 1_000_000_000  # limit on the bytes of an archive
REDIRECTS = 5
RETRY_SECONDS = (1.0, 5.0, 20.0)  # waits before each new try, if the failure may pass; up to half as much is added
KEPT_ANSWERS = 32  # at most this many answers stay in memory: several versions of a package are in one answer

UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""Errors of reading an answer or a manifest that has another form than documented."""

_T = TypeVar("_T")


class Client:
    """Asks registries. Setting `stop` ends a wait for another try; `tries` is how often to try in all."""

    def __init__(self, stop: Event | None = None, tries: int = 1 + len(RETRY_SECONDS)) -> None:
        self._stop, self._tries = stop or Event(), tries
        self._http = http.HttpClient()
        self._answers: dict[tuple[str, str], bytes] = {}

    def within(self, stop: Event, tries: int) -> Client:
        """A client with the same answers in memory, and another `stop` and `tries`."""
        made = Client(stop, tries)
        made._answers, made._http = self._answers, self._http
        return made

    def answer(self, registry: Registry, url: str, *, accept: str = "*/*") -> bytes:
        """The content at a URL. Raises NotFound if there is none; SourceError if the registry cannot be reached,
        refuses, or links to a host that it does not admit.
        """

        def read(response: http.Response) -> bytes:
            try:
                return http.unpacked(response, ANSWER_BYTES)
            except http.TooLong:
                raise _too_long(url, ANSWER_BYTES) from None
            except ValueError as error:
                raise http.Failure(str(error)) from None

        kept = self._answers.get((url, accept))
        if kept is None:
            headers = {"Accept": accept, "Accept-Encoding": "gzip"}
            kept = self._asked(registry, url, headers, ANSWER_SECONDS, read)
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

        def read(response: http.Response) -> str:
            file.seek(0)
            file.truncate()
            try:
                for part in http.parts(response, FILE_BYTES):
                    if self._stop.is_set():
                        raise SourceError(f"the download of {_shown(url)} was stopped")
                    file.write(part)
            except http.TooLong:
                raise _too_long(url, FILE_BYTES) from None
            with suppress(ValueError, TypeError):
                return parsedate_to_datetime(response.headers.get("Last-Modified") or "").date().isoformat()
            return ""

        with to.open("wb", buffering=0) as file:
            return self._asked(registry, url, {}, FILE_SECONDS, read)

    def _asked(
        self,
        registry: Registry,
        url: str,
        headers: Mapping[str, str],
        seconds: float,
        read: Callable[[http.Response], _T],
    ) -> _T:
        def sent(at: str) -> Mapping[str, str]:
            _check(registry, at)
            header = registry.authorization.get(host_of(at))
            return {**headers, "Authorization": header} if header else headers

        def checked(response: http.Response) -> _T:
            if response.status == 200:
                return read(response)
            raise _refusal(response, url)

        def wait(seconds: float) -> None:
            if self._stop.wait(seconds):
                raise SourceError(f"the fetch of {_shown(url)} was stopped")

        request = http.HttpRequest(
            url,
            seconds=seconds,
            waits=RETRY_SECONDS[: self._tries - 1],
            redirects=REDIRECTS,
            headers=sent,
            is_public=lambda at: not registry.may_be_private(at),
            wait=wait,
        )
        try:
            return self._http.ask(request, checked)
        except http.NotPublic:
            raise _at_private_address(url) from None
        except http.TooManyRedirects:
            raise SourceError(f"{_shown(url)} is one redirect too many; check the address of the registry") from None
        except http.Failure as failure:
            remedy = "the network, or try again later" if failure.may_pass else "the address of the registry"
            kind = Unreachable if failure.is_unreachable else SourceError
            raise kind(f"cannot fetch {_shown(url)}: {visible(str(failure))}; check {remedy}") from None


def _refusal(response: http.Response, url: str) -> SourceError:
    status = response.status
    if status in {404, 410}:
        return NotFound(f"{_shown(url)} does not exist (status {status}); check the name and the version")
    if status in http.TRANSIENT:
        seconds = http.retry_after(response)
        later = f"; it asks to wait {seconds:.0f} s" if seconds else ""
        why = f"status {status}{later}; check the network, or try again later"
        return SourceError(f"cannot fetch {_shown(url)}: {why}")
    remedy = "check your credentials for it" if status in {401, 403} else "check the address of the registry"
    return SourceError(f"{_shown(url)} was refused (status {status}); {remedy}")


def _too_long(url: str, most: int) -> SourceError:
    return SourceError(f"{_shown(url)} has more than {most:,} bytes; leave this package out")


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
            raise _at_private_address(url)


def _at_private_address(url: str) -> SourceError:
    return SourceError(
        f"{_shown(url)} is at a private address, which only a registry itself may have; "
        "check the network, or configure this registry for its own client"
    )


def _shown(url: str) -> str:
    """A URL without credentials and query, which may have a key, for a message."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an address that is not a URL"
    return visible(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()[:500])
