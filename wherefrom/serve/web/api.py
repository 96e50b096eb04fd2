"""The API: each address makes a call of its request, and sends the answer as it comes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from wherefrom.options import CheckOptions, CompareOptions, SearchOptions, SourcesOptions
from wherefrom.serve import calls
from wherefrom.serve.calls import ALWAYS_LONG, Answer, Call, asked
from wherefrom.serve.desk import Desk
from wherefrom.serve.web import models
from wherefrom.serve.web.problems import MEDIA_TYPE
from wherefrom.serve.web.search_page import PostsAccess

PREFIX = "/api/v1"

BLOB = r"^[0-9a-f]{40}([0-9a-f]{24})?$"


@dataclass(frozen=True, slots=True)
class Defaults:
    """What the owner of the server has set: the options of calls, and how posts are looked up."""

    search: SearchOptions
    sources: SourcesOptions
    check: CheckOptions
    posts: PostsAccess


def router(desk: Desk, defaults: Defaults) -> APIRouter:
    """The addresses under `/api/v1`."""
    made = APIRouter(prefix=PREFIX)

    def add(summary: str, model: Any, result: str, call: Callable[[Any], Call[Answer]]) -> None:
        name = call.__name__

        async def endpoint(request: Request, asked: Any) -> Response:
            return await answered(desk, request, call(asked))

        endpoint.__signature__ = inspect.Signature(  # type: ignore[attr-defined] # a function takes any
            [
                inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request),
                inspect.Parameter("asked", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=model),
            ],
            return_annotation=Response,
        )
        made.add_api_route(
            f"/{name}",
            endpoint,
            methods=["POST"],
            name=name,
            operation_id=name,
            summary=f"{summary}; the answer is that of `wherefrom {name}`.",
            responses=_described(result),
        )

    def search(body: Any) -> Call[Answer]:
        code = _bytes(body.code)
        return asked(len(code), calls.search, code, models.options_of(body, SearchOptions, defaults.search))

    def sources(body: Any) -> Call[Answer]:
        code = _bytes(body.code)
        return asked(len(code), calls.sources, code, models.options_of(body, SourcesOptions, defaults.sources))

    def check(body: Any) -> Call[Answer]:
        options = models.options_of(body, CheckOptions, defaults.check)
        return asked(ALWAYS_LONG, calls.check, _bytes(body.diff), options)

    def compare(body: Any) -> Call[Answer]:
        left, right = _side(body.left), _side(body.right)
        size = sum(len(side[1]) for side in (left, right) if not isinstance(side, str))
        options = models.options_of(body, CompareOptions, CompareOptions())
        return asked(size, calls.compare, left, right, options, body.language)

    add("Find where code appears", models.SearchRequest, "SearchResult", search)
    add("Explain a file by few indexed ones", models.SourcesRequest, "SourcesResult", sources)
    add("Check what a diff adds", models.CheckRequest, "CheckResult", check)
    add("Find what two texts or indexed documents share", models.CompareRequest, "CompareResult", compare)

    @made.get(
        "/documents/{blob}",
        operation_id="document",
        summary="An indexed content, and everywhere it is.",
        responses=_described(models.DocumentResult),
    )
    async def document(
        request: Request, blob: Annotated[str, Path(pattern=BLOB, description="Its git blob id.")]
    ) -> Response:
        return await answered(desk, request, asked(0, calls.document, blob))

    @made.get(
        "/repositories",
        operation_id="repositories",
        summary="What is indexed; the answer is that of `wherefrom list`.",
        responses=_described(models.RepositoriesResult),
    )
    async def repositories(request: Request) -> Response:
        return await answered(desk, request, asked(0, calls.repositories))

    return made


async def answered(desk: Desk, request: Request, call: Call[Answer]) -> Response:
    """What is sent for a call."""
    answer = await desk.ask(call, request.is_disconnected)
    return Response(answer.body, media_type="application/json")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _side(side: models.TextSide | models.DocumentSide) -> calls.Side:
    return side.blob if isinstance(side, models.DocumentSide) else (side.name, _bytes(side.code))


def _described(result: Any) -> dict[int | str, dict[str, Any]]:
    """The answers of an address: the good one, and problems."""
    good: dict[str, Any] = {"description": "The answer."}
    if isinstance(result, str):
        good["content"] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{result}"}}}
    else:
        good["model"] = result
    problem = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    texts = {
        400: "The request cannot be read.",
        401: "A token is needed.",
        403: "The request is from another site.",
        404: "What it names is not in the index.",
        408: "The request came too slowly.",
        413: "The request is too long.",
        421: "The request names another host.",
        422: "The request cannot be right, or takes more time or memory than is given to one.",
        503: "Too many requests are waiting, or the index cannot be used.",
    }
    return {200: good, **{status: {"description": text, **problem} for status, text in texts.items()}}
