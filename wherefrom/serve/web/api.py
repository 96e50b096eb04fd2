"""The API: each address turns its request into a call, and sends the answer of the call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response

from wherefrom.options import CompareOptions, ReleasesOptions
from wherefrom.options.shared import OwnOption
from wherefrom.public import FingerprintedQuery
from wherefrom.serve import calls
from wherefrom.serve.calls import ALWAYS_LONG, Call, Defaults, make_call
from wherefrom.serve.desk import Desk
from wherefrom.serve.web import models
from wherefrom.serve.web.guard import MEDIA_TYPE, TITLES

PREFIX = "/api/v1"


def router(desk: Desk, defaults: Defaults) -> APIRouter:
    """The addresses under `/api/v1`."""
    made = APIRouter(prefix=PREFIX)

    def add(method: str, path: str, summary: str, result: Any, endpoint: Callable[..., Any]) -> None:
        made.add_api_route(
            path,
            endpoint,
            methods=[method],
            operation_id=endpoint.__name__,
            summary=summary,
            responses=described(result),
        )

    def add_call(summary: str, model: Any, result: str, call: Callable[[Any], Call[bytes]], of: str = "") -> None:
        async def endpoint(request: Request, body: Any) -> Response:
            return await answered(desk, request, call(body))

        endpoint.__annotations__ = {"request": Request, "body": model, "return": Response}
        endpoint.__name__ = name = model.__name__.removesuffix("Request").lower()
        add("POST", f"/{name}", f"{summary}; the answer is that of `wherefrom {of or name}`.", result, endpoint)

    def of_code(method: str, options: OwnOption) -> Callable[[Any], Call[bytes]]:
        def call(body: Any) -> Call[bytes]:
            code = _bytes(body.code)
            return make_call(len(code), calls.answer_of, method, code, models.options_of(body, options))

        return call

    def fingerprints(body: Any) -> Call[bytes]:
        query = FingerprintedQuery.of_values(body.fingerprints, "the field fingerprints")
        return make_call(query.terms, calls.answer_of, "search", query, models.options_of(body, defaults.search))

    def releases(body: Any) -> Call[bytes]:
        options = models.options_of(body, ReleasesOptions())
        return make_call(ALWAYS_LONG, calls.answer_of, "releases", {"": _bytes(body.code)}, options)

    def check(body: Any) -> Call[bytes]:
        options = replace(models.options_of(body, defaults.check), jobs=1)
        return make_call(ALWAYS_LONG, calls.answer_of, "check_diff", _bytes(body.diff), options)

    def compare(body: Any) -> Call[bytes]:
        left, right = _side(body.left), _side(body.right)
        size = sum(len(side[1]) for side in (left, right) if not isinstance(side, str))
        options = models.options_of(body, CompareOptions())
        return make_call(size, calls.compare, left, right, options, body.language)

    async def document(request: Request, blob: models.Blob) -> Response:
        return await answered(desk, request, make_call(0, calls.document, blob))

    async def repositories(request: Request) -> Response:
        return await answered(desk, request, make_call(0, calls.repositories))

    search, first, sources = (of_code(name, getattr(defaults, name)) for name in ("search", "first", "sources"))
    add_call("Find where code appears", models.SearchRequest, "SearchResult", search)
    summary = "Find where code appears by its fingerprints"
    add_call(summary, models.FingerprintsRequest, "SearchResult", fingerprints, "search")
    add_call("Find where code appeared first", models.FirstRequest, "FirstResult", first)
    add_call("Find the release that a file is from", models.ReleasesRequest, "ReleasesResult", releases)
    add_call("Explain a file by few indexed ones", models.SourcesRequest, "SourcesResult", sources)
    add_call("Check what a diff adds", models.CheckRequest, "CheckResult", check)
    summary = "Find what two texts or indexed documents share"
    add_call(summary, models.CompareRequest, "CompareResult", compare)

    add("GET", "/documents/{blob}", "An indexed content, and all its locations.", models.DocumentResult, document)
    listing = "The indexed repositories; the answer is that of `wherefrom list`."
    add("GET", "/repositories", listing, models.RepositoriesResult, repositories)
    return made


async def answered(desk: Desk, request: Request, call: Call[bytes]) -> Response:
    """The response to a call."""
    answer = await desk.ask(call, request.is_disconnected)
    return Response(answer, media_type="application/json")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _side(side: models.TextSide | models.DocumentSide) -> calls.Side:
    return side.blob if isinstance(side, models.DocumentSide) else (side.name, _bytes(side.code))


def described(result: Any, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The responses of an address: the answer, and problems. `result` is the model of the answer, or the name of its
    schema; None if it is not JSON of a schema.
    """
    good: dict[str, Any] = {"description": "The answer."}
    if isinstance(result, str):
        good["content"] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{result}"}}}
    elif result is not None:
        good["model"] = result
    problem = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    statuses = (400, 401, 403, 404, 408, 413, 421, 422, 503)
    return {status: good, **{status: {"description": f"{TITLES[status]}.", **problem} for status in statuses}}
