"""The checks before every request: sender, site, size and speed; and the security headers of every answer. Errors are
answered as a page for a browser, and in the form of RFC 9457 for programs.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import math
import re
from collections import deque
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wherefrom.errors import AnalysisError, NotFound, UnknownRepository, UnusableIndex, WherefromError
from wherefrom.serve.desk import Busy, CallDied, CallTimeout, Gone
from wherefrom.serve.jobs.store import QueueFull
from wherefrom.serve.people import RIGHTS, People, Right
from wherefrom.serve.web.assets import page
from wherefrom.support.printable import one_line

BODY_SECONDS = 30.0  # the time for the body of a request

BODIES = 8
"""The limit for all bodies in memory together, as a multiple of the largest allowed body. A body counts until its
request is answered."""

SHORT = 65_536
"""This many bytes of each body do not count, so that short requests are answered beside any number of long ones."""

OPEN = frozenset({"/healthz", "/readyz"})  # the addresses for monitoring, which need no token and no trusted host

NEEDED: tuple[tuple[tuple[str, ...], tuple[Right, ...]], ...] = (
    # The page of a check shows indexed code, and needs the right to read too; see `jobs`.
    (("/api/v1/check", "/api/v1/compare", "/api/v1/jobs", "/check", "/compare", "/jobs"), (Right.CHECK,)),
    (("/api/v1/documents/", "/r/", "/lines/"), (Right.READ,)),
    (("/mcp",), (Right.SEARCH, Right.CHECK)),
    (("/api/v1/",), (Right.SEARCH,)),
    (("/api", "/openapi.json", "/metrics"), ()),
)
"""The rights that addresses with these beginnings need, the first that fits; all others need the right to search."""

UPLOADS = frozenset({"/api/v1/jobs", "/check", "/compare"})
"""The addresses to which files are uploaded. These requests go to the application while they come in."""

MOST_UPLOADS = 2  # the highest number of uploads at the same time

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

_TOO_LONG = "a request has at most {:,} bytes here; send a part of it"

_CLOSING = {"Connection": "close"}

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:/@\s]+)(?::\d{1,5})?")


class Guard:
    """Passes a request to an application, or answers it with a problem.

    A request must show a token as bearer token, or as password of basic authentication, for which browsers ask. Besides
    the trusted hosts, which are names of the server, `localhost` and all IP addresses are trusted: another site can
    point its own name to this server, but not a number. An upload has at most `max_upload` bytes, and another request
    `max_body`.
    """

    def __init__(
        self, app: ASGIApp, *, people: People, trusted_hosts: Collection[str], max_body: int, max_upload: int
    ) -> None:
        self._app = app
        self._people = people
        self._hosts = {"localhost", *(name.lower() for name in trusted_hosts)}
        self._max_body, self._max_upload = max_body, max_upload
        self._uploads = 0
        self._bytes = 0
        """The bytes of all bodies in memory, without the first `SHORT` of each."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; see ASGI. The application finds who asks in the scope, as `person`."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded, headers = _with_headers(send), Headers(scope=scope)
        try:
            self._check(scope, headers)
            async with self._upload(receive) if _is_upload(scope, headers) else self._body(receive) as passed:
                # HEAD is answered as GET, and the web server leaves the body out.
                asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
                await self._app(asked, passed, guarded)
                scope["route"] = asked.get("route")  # which the metrics count
        except _RefusedRequest as refused:
            await refused.answer(scope, receive, guarded)

    def _check(self, scope: Scope, headers: Headers) -> None:
        host, path, length = headers.get("host", ""), scope["path"], headers.get("content-length", "0")
        if path not in OPEN:
            if not self._is_trusted(host):
                detail = "this server is not known by that name; its owner can name it with --trusted-host"
                raise _RefusedRequest(421, "host", detail)
            if not _is_same_site(headers, host):
                detail = "requests of other sites are refused; ask from this server's own page"
                raise _RefusedRequest(403, "origin", detail)
            # A browser asks for the style of a refused page without the token.
            if not path.startswith("/assets/"):
                self._check_person(scope, _shown_token(headers.get("authorization", "")))
        is_upload = _is_upload(scope, headers)
        most = self._max_upload if is_upload else self._max_body
        if not length.isdecimal() or int(length) > most:
            raise _too_long(most)
        if is_upload and self._uploads >= MOST_UPLOADS:
            raise _busy("too many files are being uploaded; try again later")

    def _check_person(self, scope: Scope, token: bytes | None) -> None:
        person = self._people.holder(token)
        if person is None:
            challenge = 'Bearer realm="wherefrom", Basic realm="wherefrom", charset="UTF-8"'
            detail = (
                "in a browser give any name, and the token as password; in a program send `Authorization: Bearer TOKEN`"
            )
            raise _RefusedRequest(401, "token", detail, headers={"WWW-Authenticate": challenge})
        scope["person"] = person
        for right in needed(scope["path"]):
            if right not in person.rights:
                detail = f"your token does not allow to {RIGHTS[right]}; the owner of the server can make one that does"
                raise _RefusedRequest(403, "right", detail, title="The token does not allow this")
        if seconds := self._people.wait_for(person):
            late = f"your token allows {person.per_minute:,} requests in a minute; ask again later"
            raise _RefusedRequest(429, "too-many", late, headers={"Retry-After": str(math.ceil(seconds))})

    @asynccontextmanager
    async def _upload(self, receive: Receive) -> AsyncIterator[Receive]:
        """A function that gives the messages of an upload, and raises HTTPException once they are too long."""
        size = 0

        async def receiving() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._max_upload:
                raise HTTPException(413, _TOO_LONG.format(self._max_upload), _CLOSING)
            return message

        self._uploads += 1
        try:
            yield receiving
        finally:
            self._uploads -= 1

    @asynccontextmanager
    async def _body(self, receive: Receive) -> AsyncIterator[Receive]:
        """Reads a body. The function gives its messages again, and then those after it."""
        messages: deque[Message] = deque()
        size = counted = 0

        async def replay() -> Message:
            return messages.popleft() if messages else await receive()

        try:
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    while not messages or messages[-1].get("more_body", False):
                        messages.append(await receive())
                        size += len(messages[-1].get("body", b""))
                        if size > self._max_body:
                            raise _too_long(self._max_body)
                        before, counted = counted, max(size - SHORT, 0)
                        self._bytes += counted - before
                        if counted and self._bytes > BODIES * self._max_body:
                            raise _busy("too many long requests are being answered; ask again later")
            except TimeoutError:
                late = f"the request was not there after {BODY_SECONDS:g} s; send it faster, or less of it"
                raise _RefusedRequest(408, "too-slow-request", late, headers=_CLOSING) from None
            yield replay
        finally:
            self._bytes -= counted

    def _is_trusted(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found[1].strip("[]").lower()
        try:
            ip_address(name)
        except ValueError:
            return name in self._hosts
        return True


class _RefusedRequest(Exception):
    """A request that is not passed on; the arguments are those of `problem`."""

    def __init__(self, status: int, kind: str, detail: str, **others: Any) -> None:
        super().__init__(detail)
        self.answer = problem(status, kind, detail, **others)


def _too_long(most: int) -> _RefusedRequest:
    return _RefusedRequest(413, "too-long", _TOO_LONG.format(most), headers=_CLOSING)


def _busy(detail: str) -> _RefusedRequest:
    return _RefusedRequest(503, "busy", detail, headers={**_CLOSING, **RETRY})


def _is_upload(scope: Scope, headers: Headers) -> bool:
    """True for a form with files, which is not read into memory."""
    is_form = headers.get("content-type", "").startswith("multipart/form-data")
    return is_form and scope["method"] == "POST" and scope["path"] in UPLOADS


def needed(path: str) -> tuple[Right, ...]:
    """The rights that a request to an address needs."""
    return next((rights for beginnings, rights in NEEDED if path.startswith(beginnings)), (Right.SEARCH,))


def _shown_token(authorization: str) -> bytes | None:
    scheme, _, value = authorization.partition(" ")
    given = value.strip().encode()
    if scheme.lower() == "bearer":
        return given
    if scheme.lower() != "basic":
        return None
    try:
        return base64.b64decode(given, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return None


def _is_same_site(headers: Headers, host: str) -> bool:
    """True unless a page of another site made the request."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    # Our pages send no referrer, so their forms have the origin `null`. Then Sec-Fetch-Site tells the site.
    if origin is not None and not (origin == "null" and site == "same-origin"):
        return origin.partition("://")[2].lower() == host.lower()
    return site != "cross-site" or headers.get("sec-fetch-mode") == "navigate"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


MEDIA_TYPE = "application/problem+json"

RETRY = {"Retry-After": "2"}
"""The header of errors that may soon be over: the client should try again after this number of seconds."""

_KINDS: tuple[tuple[type[WherefromError], int, str, str], ...] = (
    (Busy, 503, "busy", "Too many requests are waiting"),
    (QueueFull, 503, "busy", "Too many jobs are waiting"),
    (CallTimeout, 422, "too-slow", "The request takes too long"),
    (CallDied, 422, "too-costly", "The request takes too much memory"),
    (NotFound, 404, "not-found", "Not found"),
    (UnknownRepository, 404, "not-found", "Not found"),
    (UnusableIndex, 503, "index-unusable", "The index cannot be used"),
    (AnalysisError, 422, "not-analyzable", "The text cannot be analyzed"),
    (WherefromError, 422, "invalid-request", "The request is wrong"),
)
"""The status, kind and title of the errors of a class; the first matching class counts."""

TITLES = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "The request is from another site",
    404: "Not found",
    405: "The address does not take this method",
    408: "The request came too slowly",
    413: "The request is too long",
    415: "The request must be JSON",
    421: "The request names another host",
    422: "The request is wrong",
    429: "Too many requests",
    500: "Unexpected error",
    503: "Too many requests are waiting",
}

_ACCEPTED = re.compile(r"(text/html|application/(?:problem\+)?json)(?:\s*;\s*q=([01](?:\.\d*)?))?")
"""A kind in the header `Accept` that decides the form of a problem, and its weight."""


class ProblemResponse(JSONResponse):
    """The response for an error: a page if the request prefers HTML to JSON, except by the API; else JSON."""

    media_type = MEDIA_TYPE

    def __init__(self, content: dict[str, Any], headers: dict[str, str] | None) -> None:
        super().__init__(content, content["status"], headers)
        self._content, self._given = content, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the response; see ASGI."""
        found = _ACCEPTED.findall(Headers(scope=scope).get("accept", "").lower())
        kind, _ = max(found, key=lambda each: float(each[1] or 1), default=("", ""))
        if kind != "text/html" or scope["path"].startswith("/api/"):
            await super().__call__(scope, receive, send)
        else:
            title, detail = self._content["title"], self._content["detail"]
            shown = page("problem", self.status_code, self._given, title=title, problem=detail)
            await shown(scope, receive, send)


def problem(
    status: int,
    kind: str,
    detail: str,
    *,
    title: str | None = None,
    headers: dict[str, str] | None = None,
    **others: Any,
) -> ProblemResponse:
    """The response for an error. `kind` names it to programs, the title is by default that of the status, and `others`
    are members in addition to those of RFC 9457.
    """
    content = {"type": f"urn:wherefrom:problem:{kind}", "title": title or TITLES[status], "status": status}
    return ProblemResponse({**content, "detail": detail, **others}, headers)


def of_error(error: WherefromError) -> ProblemResponse:
    """The response for an error of wherefrom."""
    _, status, kind, title = next(row for row in _KINDS if isinstance(error, row[0]))
    return problem(status, kind, one_line(str(error)), title=title, headers=RETRY if status == 503 else None)


def install(app: FastAPI) -> None:
    """Makes an application answer every error with the response of `problem`."""

    @app.exception_handler(WherefromError)
    async def _(_request: Request, error: WherefromError) -> ProblemResponse:
        return of_error(error)

    @app.exception_handler(Gone)
    async def _(_request: Request, _error: Gone) -> ProblemResponse:
        return problem(408, "gone", "nobody waits for this answer any longer")

    @app.exception_handler(RequestValidationError)
    async def _(_request: Request, error: RequestValidationError) -> ProblemResponse:
        found = [{"at": "/".join(map(str, wrong["loc"][1:])), "detail": str(wrong["msg"])} for wrong in error.errors()]
        reasons = "; ".join(": ".join(filter(None, wrong.values())) for wrong in found[:3])
        return problem(422, "invalid-request", one_line(reasons)[:500], errors=found[:20])

    @app.exception_handler(HTTPException)
    async def _(_request: Request, error: HTTPException) -> ProblemResponse:
        kinds = {404: "not-found", 405: "method-not-allowed", 400: "invalid-request"}
        details = {
            404: "there is nothing here; see /api",
            405: "this address takes other methods; see the header Allow",
        }
        status = error.status_code if error.status_code in TITLES else 400
        detail = details.get(status, str(error.detail))
        return problem(status, kinds.get(status, "invalid-request"), detail, headers=dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def _(_request: Request, _error: Exception) -> ProblemResponse:
        return problem(500, "unexpected", "please report this with the log of the server")
