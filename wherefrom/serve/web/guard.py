"""What is checked before every request: who may ask, from where, how much, how fast; and what every answer carries."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import re
from collections import deque
from collections.abc import Collection
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from wherefrom.serve.web.connections import BODY_SECONDS
from wherefrom.serve.web.problems import RETRY, problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODIES = 8
"""All bodies in memory may have as many bytes together as so many of the longest ones. A body counts until its request
is answered."""

SHORT = 65_536
"""Bytes of each body that do not count, so that short requests are answered beside any number of long ones."""

OPEN = frozenset({"/healthz", "/readyz"})
"""Requests of monitoring, answered without a token, by any name."""

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
    """Lets a request through to an application, or answers it with a problem.

    Args:
        app: the application.
        token: what a request shows as bearer, or as the password of basic authentication, which browsers ask for.
        trusted_hosts: names by which the server is reached. `localhost` is always one, and so is every address: another
            site can make its own name lead here, but not a number.
        max_body: bytes of a request.
    """

    def __init__(self, app: ASGIApp, *, token: str | None, trusted_hosts: Collection[str], max_body: int) -> None:
        self._app = app
        self._token = None if token is None else token.encode()
        self._hosts = {"localhost", *(name.lower() for name in trusted_hosts)}
        self._max_body = max_body
        self._bytes = 0
        """Of all bodies in memory, without the first `SHORT` of each."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        headers = Headers(scope=scope)
        refused = self._refused(scope["path"], headers)
        if refused is None and (length := headers.get("content-length")) is not None:
            refused = self._too_long() if not length.isdecimal() or int(length) > self._max_body else None
        if refused is not None:
            await refused(scope, receive, guarded)
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
        """Reads a body; returns the answer to one that is not let through."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while await body.grows(receive):
                    if body.size > self._max_body:
                        return self._too_long()
                    counted = max(body.size - SHORT, 0)
                    self._bytes += counted - body.counted
                    body.counted = counted
                    if counted and self._bytes > BODIES * self._max_body:
                        return problem(
                            503,
                            "busy",
                            "too many long requests are being answered; ask again later",
                            headers={"Connection": "close", **RETRY},
                        )
        except TimeoutError:
            late = f"the request was not there after {BODY_SECONDS:g} s; send it faster, or less of it"
            return problem(408, "too-slow-request", late, headers={"Connection": "close"})
        return None

    def _refused(self, path: str, headers: Headers) -> ASGIApp | None:
        """The answer to a request that is not let through."""
        if path in OPEN:
            return None
        host = headers.get("host", "")
        if not self._is_trusted(host):
            return problem(
                421, "host", "this server is not known by that name; its owner can name it with --trusted-host"
            )
        if not _is_same_site(headers, host):
            return problem(403, "origin", "requests of other sites are refused; ask from this server's own page")
        if self._token is not None and not self._shows_token(headers.get("authorization", "")):
            challenge = {"WWW-Authenticate": 'Bearer realm="wherefrom", Basic realm="wherefrom", charset="UTF-8"'}
            return problem(
                401, "token", "show the token of this server, as `Authorization: Bearer TOKEN`", headers=challenge
            )
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

    def _shows_token(self, shown: str) -> bool:
        scheme, _, value = shown.partition(" ")
        given = value.strip().encode()
        if scheme.lower() == "basic":
            try:
                given = base64.b64decode(given, validate=True).partition(b":")[2]
            except (binascii.Error, ValueError):
                return False
        elif scheme.lower() != "bearer":
            return False
        return self._token is not None and hmac.compare_digest(given, self._token)

    def _too_long(self) -> ASGIApp:
        return problem(
            413,
            "too-long",
            f"a request has at most {self._max_body:,} bytes; look up a part of it",
            headers={"Connection": "close"},
        )


class _Body:
    """The body of a request, read as it comes: its bytes so far, and those that count for all requests."""

    def __init__(self) -> None:
        self.size = self.counted = 0
        self._messages: deque[Message] = deque()
        self._is_whole = False

    async def grows(self, receive: Receive) -> bool:
        """Reads on; returns False when all of it has been read."""
        if self._is_whole:
            return False
        message = await receive()
        self._messages.append(message)
        self.size += len(message.get("body", b""))
        self._is_whole = message["type"] != "http.request" or not message.get("more_body", False)
        return True

    def replaying(self, receive: Receive) -> Receive:
        """What gives the body again, and then what follows it."""

        async def replay() -> Message:
            return self._messages.popleft() if self._messages else await receive()

        return replay


def _is_same_site(headers: Headers, host: str) -> bool:
    """Whether no page of another site has made a request."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    # A form of a page that sends no referrer has the origin `null`; which site it is of, browsers say themselves.
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
