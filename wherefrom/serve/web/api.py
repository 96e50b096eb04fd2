"""The API: each address makes a call of its request, and sends the answer as it comes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from wherefrom.options import CheckOptions, CompareOptions, SearchOptions, SourcesOptions
from wherefrom.serve.calls import (
    Answer,
    Call,
    CheckDiff,
    Compare,
    Document,
    Repositories,
    Search,
    Sources,
)
from wherefrom.serve.desk import Desk
from wherefrom.serve.web import models
from wherefrom.serve.web.problems import MEDIA_TYPE
from wherefrom.serve.web.search_page import PostsAccess

PREFIX = "/api/v1"

BLOB = r"^[0-9a-f]{40}([0-9a-f]{24})?$"


@dataclass(frozen=True, slots=True)
class Defaults:
    """What the owner of the server has set.

    Attributes:
        search, sources, check: the options of these calls.
        posts: how posts are looked up.
    """

    search: SearchOptions
    sources: SourcesOptions
    check: CheckOptions
    posts: PostsAccess


def router(desk: Desk, defaults: Defaults) -> APIRouter:
    """The addresses under `/api/v1`.

    Args:
        desk: what answers.
        defaults: what holds where a request says nothing.
    """
    made = APIRouter(prefix=PREFIX)

    def add(name: str, summary: str, model: Any, result: Any, call: Callable[[Any], Call[Answer]]) -> None:
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
            summary=summary,
            responses=_described(result),
        )

    add(
        "search",
        "Find where code appears; the answer is that of `wherefrom search`.",
        models.SearchRequest,
        "SearchResult",
        lambda asked: Search(_bytes(asked.code), models.options_of(asked, SearchOptions, defaults.search)),
    )
    add(
        "sources",
        "Explain a file by few indexed ones; the answer is that of `wherefrom sources`.",
        models.SourcesRequest,
        "SourcesResult",
        lambda asked: Sources(_bytes(asked.code), models.options_of(asked, SourcesOptions, defaults.sources)),
    )
    add(
        "check",
        "Check what a diff adds; the answer is that of `wherefrom check`.",
        models.CheckRequest,
        "CheckResult",
        lambda asked: CheckDiff(_bytes(asked.diff), models.options_of(asked, CheckOptions, defaults.check)),
    )
    add(
        "compare",
        "Find what two texts or indexed documents share; the answer is that of `wherefrom compare`.",
        models.CompareRequest,
        "CompareResult",
        lambda asked: Compare(
            _side(asked.left),
            _side(asked.right),
            models.options_of(asked, CompareOptions, CompareOptions()),
            asked.language,
        ),
    )

    @made.get(
        "/documents/{blob}",
        operation_id="document",
        summary="An indexed content, and everywhere it is.",
        responses=_described(models.DocumentResult),
    )
    async def document(
        request: Request, blob: Annotated[str, Path(pattern=BLOB, description="Its git blob id.")]
    ) -> Response:
        return await answered(desk, request, Document(blob))

    @made.get(
        "/repositories",
        operation_id="repositories",
        summary="What is indexed; the answer is that of `wherefrom list`.",
        responses=_described(models.RepositoriesResult),
    )
    async def repositories(request: Request) -> Response:
        return await answered(desk, request, Repositories())

    return made


async def answered(desk: Desk, request: Request, call: Call[Answer]) -> Response:
    """What is sent for a call."""
    answer = await desk.ask(call, request.is_disconnected)
    return Response(answer.body, media_type="application/json")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _side(side: models.TextSide | models.DocumentSide) -> tuple[str, bytes] | str:
    return side.blob if isinstance(side, models.DocumentSide) else (side.name, _bytes(side.code))


def _described(result: Any) -> dict[int | str, dict[str, Any]]:
    """The answers of an address: the good one, and problems."""
    good: dict[str, Any] = {"description": "The answer."}
    if isinstance(result, str):
        good["content"] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{result}"}}}
    else:
        good["model"] = result
    problem = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    told = {
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
    return {200: good, **{status: {"description": text, **problem} for status, text in told.items()}}
