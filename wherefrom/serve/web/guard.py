"""The checks before every request: sender, site, size and speed; and the security headers of every answer."""

from __future__ import annotations

import asyncio
import base64
import binascii
import math
import re
from collections import deque
from collections.abc import Collection
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wherefrom.serve.people import RIGHTS, People, Right
from wherefrom.serve.web.connections import BODY_SECONDS
from wherefrom.serve.web.problems import RETRY, problem

BODIES = 8
"""The limit for all bodies in memory together, as a multiple of the largest allowed body. A body counts until its
request is answered."""

SHORT = 65_536
"""This many bytes of each body do not count, so that short requests are answered beside any number of long ones."""

OPEN = frozenset({"/healthz", "/readyz"})
"""The addresses for monitoring, which need no token and no trusted host."""

NEEDED: tuple[tuple[tuple[str, ...], tuple[Right, ...]], ...] = (
    # The page of a check shows indexed code, and needs the right to read too; see `jobs_page`.
    (("/api/v1/check", "/api/v1/compare", "/api/v1/jobs", "/check", "/compare", "/jobs"), (Right.CHECK,)),
    (("/api/v1/documents/", "/r/", "/lines/"), (Right.READ,)),
    (("/mcp",), (Right.SEARCH, Right.CHECK)),
    (("/api/v1/",), (Right.SEARCH,)),
    (("/api", "/assets/", "/openapi.json", "/metrics"), ()),
)
"""The rights that addresses with these beginnings need, the first that fits; all others need the right to search."""

UPLOADS = frozenset({"/api/v1/jobs", "/check", "/compare"})
"""The addresses to which files are uploaded. These requests go to the application while they come in."""

MOST_UPLOADS = 2
"""The highest number of uploads at the same time."""

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

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:/@\s]+)(?::\d{1,5})?")


class Guard:
    """Passes a request to an application, or answers it with a problem.

    Args:
        app: the application.
        people: the holders of tokens. A request must show a token as bearer token, or as password of basic
            authentication, for which browsers ask.
        trusted_hosts: names of the server. `localhost` and all IP addresses are trusted too: another site can point its
            own name to this server, but not a number.
        max_body: the highest number of bytes of a request that is not an upload.
        max_upload: the highest number of bytes of an upload.
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
        guarded = _with_headers(send)
        headers = Headers(scope=scope)
        is_upload = _is_upload(scope, headers)
        most = self._max_upload if is_upload else self._max_body
        refused = self._refused(scope, headers)
        if refused is None and (length := headers.get("content-length")) is not None:
            refused = _refused_as_too_long(most) if not length.isdecimal() or int(length) > most else None
        if refused is None and is_upload and self._uploads >= MOST_UPLOADS:
            refused = _busy("too many files are being uploaded; try again later")
        if refused is not None:
            await refused(scope, receive, guarded)
            return
        if is_upload:
            self._uploads += 1
            try:
                await self._app(scope, _bounded(receive, most), guarded)
            finally:
                self._uploads -= 1
            return
        body = _Body()
        try:
            answer = await self._read(body, receive)
            if answer is None:
                await self._app(scope, body.replaying(receive), guarded)
            else:
                await answer(scope, receive, guarded)
        finally:
            self._bytes -= body.counted

    async def _read(self, body: _Body, receive: Receive) -> ASGIApp | None:
        """Reads the body of a request. Returns the answer if the request is refused, else None."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while await body.grows(receive):
                    if body.size > self._max_body:
                        return _refused_as_too_long(self._max_body)
                    counted = max(body.size - SHORT, 0)
                    self._bytes += counted - body.counted
                    body.counted = counted
                    if counted and self._bytes > BODIES * self._max_body:
                        return _busy("too many long requests are being answered; ask again later")
        except TimeoutError:
            late = f"the request was not there after {BODY_SECONDS:g} s; send it faster, or less of it"
            return problem(408, "too-slow-request", late, headers={"Connection": "close"})
        return None

    def _refused(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """The answer if the request is refused for its headers, else None."""
        path = scope["path"]
        if path in OPEN:
            return None
        host = headers.get("host", "")
        if not self._is_trusted(host):
            return problem(
                421, "host", "this server is not known by that name; its owner can name it with --trusted-host"
            )
        if not _is_same_site(headers, host):
            return problem(403, "origin", "requests of other sites are refused; ask from this server's own page")
        return self._refused_to_person(scope, _shown_token(headers.get("authorization", "")))

    def _refused_to_person(self, scope: Scope, token: bytes | None) -> ASGIApp | None:
        """The answer if whoever shows this token may not ask, or not so often; else None."""
        person = self._people.holder(token)
        if person is None:
            challenge = {"WWW-Authenticate": 'Bearer realm="wherefrom", Basic realm="wherefrom", charset="UTF-8"'}
            return problem(
                401, "token", "show a token of this server, as `Authorization: Bearer TOKEN`", headers=challenge
            )
        scope["person"] = person
        missing = next((right for right in needed(scope["path"]) if right not in person.rights), None)
        if missing is not None:
            detail = f"your token does not allow to {RIGHTS[missing]}; the owner of the server can make one that does"
            return problem(403, "right", detail, title="The token does not allow this")
        if seconds := self._people.wait_for(person):
            late = f"your token allows {person.per_minute:,} requests in a minute; ask again later"
            return problem(429, "too-many", late, headers={"Retry-After": str(math.ceil(seconds))})
        return None

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


def _refused_as_too_long(most: int) -> ASGIApp:
    return problem(413, "too-long", _too_long(most), headers={"Connection": "close"})


def _too_long(most: int) -> str:
    return f"a request has at most {most:,} bytes here; send a part of it"


def _busy(detail: str) -> ASGIApp:
    return problem(503, "busy", detail, headers={"Connection": "close", **RETRY})


def _is_upload(scope: Scope, headers: Headers) -> bool:
    """True for a form with files, which is not read into memory."""
    is_form = headers.get("content-type", "").startswith("multipart/form-data")
    return is_form and scope["method"] == "POST" and scope["path"] in UPLOADS


def _bounded(receive: Receive, most: int) -> Receive:
    """A function that gives the messages of a body, and raises HTTPException once they are too long."""
    size = 0

    async def receiving() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise HTTPException(413, _too_long(most), {"Connection": "close"})
        return message

    return receiving


def needed(path: str) -> tuple[Right, ...]:
    """The rights that a request to an address needs."""
    return next((rights for beginnings, rights in NEEDED if path.startswith(beginnings)), (Right.SEARCH,))


def _shown_token(authorization: str) -> bytes | None:
    """The token in the header of a request; None if it has none."""
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


class _Body:
    """The body of a request: its bytes so far, and those that count towards the limit of all bodies."""

    def __init__(self) -> None:
        self.size = self.counted = 0
        self._messages: deque[Message] = deque()
        self._is_whole = False

    async def grows(self, receive: Receive) -> bool:
        """Reads the next part; returns False if the body is complete."""
        if self._is_whole:
            return False
        message = await receive()
        self._messages.append(message)
        self.size += len(message.get("body", b""))
        self._is_whole = message["type"] != "http.request" or not message.get("more_body", False)
        return True

    def replaying(self, receive: Receive) -> Receive:
        """A function that gives the messages of the body again, and then those after it."""

        async def replay() -> Message:
            return self._messages.popleft() if self._messages else await receive()

        return replay


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
