"""What went wrong, as RFC 9457 has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from wherefrom.errors import AnalysisError, NotFound, UnknownRepository, UnusableIndex, WherefromError
from wherefrom.serve.desk import Busy, CallDied, CallTimeout, Gone
from wherefrom.support.printable import one_line

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

MEDIA_TYPE = "application/problem+json"

RETRY = {"Retry-After": "2"}
"""The header of errors that may be gone a little later, in seconds."""

_KINDS: tuple[tuple[type[WherefromError], int, str, str], ...] = (
    (Busy, 503, "busy", "Too many requests are waiting"),
    (CallTimeout, 422, "too-slow", "The request takes too long"),
    (CallDied, 422, "too-costly", "The request takes too much memory"),
    (NotFound, 404, "not-found", "Not found"),
    (UnknownRepository, 404, "not-found", "Not found"),
    (UnusableIndex, 503, "index-unusable", "The index cannot be used"),
    (AnalysisError, 422, "not-analyzable", "The text cannot be analyzed"),
    (WherefromError, 422, "invalid-request", "The request cannot be right"),
)
"""The status, the kind and the title of an error; the first class that fits counts."""

_TITLES = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "Not from here",
    404: "Not found",
    405: "Not this method",
    408: "The request came too slowly",
    413: "The request is too long",
    415: "The request must be JSON",
    421: "Not this host",
    422: "The request cannot be right",
    500: "Unexpected error",
    503: "Too many requests are waiting",
}


def problem(
    status: int,
    kind: str,
    detail: str,
    *,
    title: str | None = None,
    headers: dict[str, str] | None = None,
    **others: Any,
) -> JSONResponse:
    """An error as an answer.

    Args:
        status: of HTTP.
        kind: what a program tells it by: `type` is `urn:wherefrom:problem:KIND`.
        detail: one sentence that says what to do.
        title: the same for all of its kind; that of the status unless given.
        headers: of the answer.
        others: members beside those of RFC 9457.
    """
    content = {
        "type": f"urn:wherefrom:problem:{kind}",
        "title": title or _TITLES[status],
        "status": status,
        "detail": detail,
        **others,
    }
    return JSONResponse(content, status, headers, media_type=MEDIA_TYPE)


def of_error(error: WherefromError) -> JSONResponse:
    """An error of ours as an answer."""
    status, kind, title = next((status, kind, title) for cls, status, kind, title in _KINDS if isinstance(error, cls))
    return problem(status, kind, one_line(str(error)), title=title, headers=RETRY if status == 503 else None)


def install(app: FastAPI) -> None:
    """Makes every error of an application an answer of this form."""

    @app.exception_handler(WherefromError)
    async def _(_request: Request, error: WherefromError) -> JSONResponse:
        return of_error(error)

    @app.exception_handler(Gone)
    async def _(_request: Request, _error: Gone) -> JSONResponse:
        return problem(408, "gone", "nobody waits for this answer any longer")

    @app.exception_handler(RequestValidationError)
    async def _(_request: Request, error: RequestValidationError) -> JSONResponse:
        found = [
            {"at": "/".join(str(part) for part in each["loc"][1:]), "detail": str(each["msg"])}
            for each in error.errors()
        ]
        reasons = "; ".join(f"{each['at']}: {each['detail']}" if each["at"] else each["detail"] for each in found[:3])
        return problem(422, "invalid-request", one_line(reasons)[:500], errors=found[:20])

    @app.exception_handler(HTTPException)
    async def _(_request: Request, error: HTTPException) -> JSONResponse:
        kinds = {404: "not-found", 405: "method-not-allowed", 400: "invalid-request"}
        details = {
            404: "there is nothing here; see /openapi.json",
            405: "this address takes other methods; see the header Allow",
        }
        status = error.status_code if error.status_code in _TITLES else 400
        detail = details.get(status, str(error.detail))
        return problem(status, kinds.get(status, "invalid-request"), detail, headers=dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def _(_request: Request, _error: Exception) -> JSONResponse:
        return problem(500, "unexpected", "please report this with the log of the server")
