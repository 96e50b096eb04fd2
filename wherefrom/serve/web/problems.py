"""Errors as a page for a browser, and in the form of RFC 9457 for programs."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from wherefrom.errors import AnalysisError, NotFound, UnknownRepository, UnusableIndex, WherefromError
from wherefrom.serve.desk import Busy, CallDied, CallTimeout, Gone
from wherefrom.serve.jobs.store import QueueFull
from wherefrom.serve.web.assets import page
from wherefrom.support.printable import one_line

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
