"""The addresses of the pages, their styles and their scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.convertors import PathConvertor, register_url_convertor

from wherefrom.errors import NotFound, UsageError
from wherefrom.options.shared import NO_SET
from wherefrom.serve.calls import ALWAYS_LONG, Call, make_call
from wherefrom.serve.desk import Desk
from wherefrom.serve.people import Right
from wherefrom.serve.web import facets
from wherefrom.serve.web.api import answered
from wherefrom.serve.web.assets import files, page
from wherefrom.serve.web.file_page import elsewhere_page, file_lines, file_page, repositories_page
from wherefrom.serve.web.search_page import SearchForm, WebDefaults, search_page

_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}


class _AnyPath(PathConvertor):
    """The rest of an address, also with line breaks."""

    regex = r"[\s\S]*"


register_url_convertor("any", _AnyPath())

MOST_VALUES = 1_000  # the highest number of values in the form of a search

_SINGLE = ("code", "name", "language", "source", "repository", "path", "limit", "oldest")


def router(desk: Desk, defaults: WebDefaults) -> APIRouter:
    """The addresses of the pages."""
    made = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

    async def shown(request: Request, call: Call[HTMLResponse]) -> Response:
        return await desk.ask(call, request.is_disconnected)

    async def searched(request: Request, form: SearchForm) -> Response:
        may_read = Right.READ in request.scope["person"].rights
        size = ALWAYS_LONG if "\n@@ " in form.code else len(form.code)  # a diff is checked
        return await shown(request, make_call(size, search_page, form, defaults, may_read))

    @made.get("/assets/{name}")
    async def assets(name: str) -> Response:
        if name not in files():
            raise NotFound("there is no such file")
        text, media_type = files()[name]
        return Response(text, headers=_FOREVER, media_type=media_type)

    @made.get("/")
    async def start(request: Request) -> Response:
        return await searched(request, SearchForm())

    @made.get("/search")
    async def search(request: Request) -> Response:
        return await searched(request, _form(request.url.query))

    @made.post("/search")
    async def search_long(request: Request) -> Response:
        if request.headers.get("content-type", "").startswith("multipart/"):
            raise UsageError("this form takes no files; send it as application/x-www-form-urlencoded")
        return await searched(request, _form((await request.body()).decode("utf-8", "replace")))

    @made.get("/repositories")
    async def repositories(request: Request) -> Response:
        given = [request.query_params.get(name, "") for name in ("part", "after")]
        return await shown(request, make_call(0, repositories_page, *given))

    @made.get("/api")
    async def api(request: Request) -> Response:
        return page("api", operations=[*operations(request.app.openapi())])

    @made.get("/r/{place:any}")
    async def file(request: Request, place: str) -> Response:
        parameters = request.query_params
        if "elsewhere" in parameters:
            return await shown(request, make_call(ALWAYS_LONG, elsewhere_page, place, parameters.get("from", "")))
        return await shown(request, make_call(0, file_page, place))

    @made.get("/lines/{place:any}")
    async def lines(request: Request, place: str) -> Response:
        return await answered(desk, request, make_call(ALWAYS_LONG, file_lines, place))

    return made


def _form(query: str) -> SearchForm:
    """Reads the form from the query of a URL, or from a body. Raises UsageError for more than `MOST_VALUES`."""
    try:
        fields = parse_qs(query, keep_blank_values=True, errors="replace", max_num_fields=MOST_VALUES)
    except ValueError:
        raise UsageError(f"a search has at most {MOST_VALUES:,} values; choose fewer") from None
    # A button may have the name of a field, such as the one for more hits. It comes after the field and wins.
    # Browsers send line feeds of a form as CR LF.
    single = {name: fields[name][-1].replace("\r\n", "\n") for name in _SINGLE if fields.get(name, [""])[-1]}
    chosen = dict.fromkeys((facet, value) for facet in facets.NAMES for value in fields.get(f"only_{facet}", ()))
    sets = fields.get("without")
    without = None if sets is None else tuple(name for name in dict.fromkeys(sets) if name != NO_SET)
    return SearchForm(**single, without=without, chosen=tuple(chosen))


MOST_WORDS = 12  # a field with more possible values than this is shown as a string


class ApiField(NamedTuple):
    """A parameter, or a field of the body of a request. `kind` is its type, or its possible values."""

    name: str
    kind: str
    is_required: bool
    meaning: str


class Operation(NamedTuple):
    """A request that the API answers: its parameters, the fields of its body, and a command that sends an example."""

    method: str
    path: str
    meaning: str
    fields: tuple[ApiField, ...]
    example: str


def operations(described: Mapping[str, Any]) -> Iterator[Operation]:
    """The requests of an OpenAPI description, in its order."""
    parts = described["components"]["schemas"]
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            fields = tuple(_fields(operation, parts))
            meaning = operation.get("description") or operation.get("summary", "")
            yield Operation(method.upper(), path, meaning, fields, _example(method, path, operation, fields))


_SAMPLES: Mapping[str, Any] = {
    "code": "def area(points):\n    ...",
    "diff": "--- a/area.py\n+++ b/area.py\n@@ -1 +1 @@\n...",
    "fingerprints": {"...": "..."},
    "left": {"code": "...", "name": "a.py"},
    "right": {"code": "...", "name": "b.py"},
    "state": "relevant",
}
"""Values of required fields in examples."""


def _example(method: str, path: str, operation: Mapping[str, Any], fields: Sequence[ApiField]) -> str:
    if "multipart/form-data" in operation.get("requestBody", {}).get("content", {}):
        sent = " -F kind=check -F change=@project.zip"
    elif "requestBody" in operation:
        body = {field.name: _SAMPLES.get(field.name, "...") for field in fields if field.is_required}
        sent = f" --json '{json.dumps(body)}'"
    else:
        sent = ""
    kind = "" if sent or method == "get" else f" -X {method.upper()}"
    return f"curl{kind}{sent} http://localhost:8765{path}"


def _fields(operation: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[ApiField]:
    for parameter in operation.get("parameters", ()):
        required, meaning = parameter.get("required", False), parameter.get("description") or ""
        yield ApiField(parameter["name"], _kind(parameter["schema"]), required, meaning)
    for body in operation.get("requestBody", {}).get("content", {}).values():
        schema = body.get("schema", {})
        schema = parts[_part(schema)] if "$ref" in schema else schema
        for name, value in schema.get("properties", {}).items():
            yield ApiField(name, _kind(value), name in schema.get("required", ()), value.get("description") or "")


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _part(schema)
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"] if each.get("type") != "null")
    if len(schema.get("enum", ())) in range(1, MOST_WORDS):
        return ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"array of {_kind(schema.get('items') or next(iter(schema.get('prefixItems', ())), {}))}"
    return str(schema.get("type", "any"))


def _part(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]
