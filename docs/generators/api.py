"""The page of the HTTP API, from the OpenAPI description of `wherefrom serve`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx

from wherefrom import fetch_post, open_index
from wherefrom.options import CheckOptions, FirstOptions, SearchOptions, SourcesOptions
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.desk import Desk
from wherefrom.serve.people import People
from wherefrom.serve.web.app import make_app
from wherefrom.serve.web.site import WebDefaults

MOST_WORDS = 12
"""A field with more possible values than this is shown as a string."""

INTRODUCTION = """\
# HTTP API

`wherefrom serve` answers these requests ([how to serve a team](../how-to/serve.md)). The server describes them at
`/openapi.json`, too. Answers are the [JSON of the commands](schemas.md). Errors are problems as RFC 9457 has them, with
`status`, `title` and `detail`. If the server has a token, send `Authorization: Bearer TOKEN`.
"""


def page() -> str:
    """The page in Markdown."""
    described = asyncio.run(_described())
    parts = described["components"]["schemas"]
    sections = (
        _section(method, path, operation, parts)
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    )
    return "\n".join([INTRODUCTION, *(line for section in sections for line in section)])


async def _described() -> dict[str, Any]:
    desk = Desk(partial(open_index, "unused"), ServeOptions(), processes=0, waiting=0)  # answers no call
    defaults = WebDefaults(SearchOptions(), FirstOptions(), SourcesOptions(), CheckOptions(), fetch_post)
    app = make_app(desk, ServeOptions(), defaults, People(), print)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        described: dict[str, Any] = (await client.get("/openapi.json")).raise_for_status().json()
        return described


def _section(method: str, path: str, operation: dict[str, Any], parts: dict[str, Any]) -> Iterator[str]:
    yield f"## `{method.upper()} {path}`\n\n{operation.get('description') or operation.get('summary', '')}\n"
    rows = [
        (parameter["name"], parameter["schema"], parameter.get("required"), parameter.get("description"))
        for parameter in operation.get("parameters", ())
    ]
    content = operation.get("requestBody", {}).get("content", {})
    for body in content.values():
        schema = _resolved(body.get("schema", {}), parts)
        rows += [
            (name, value, name in schema.get("required", ()), value.get("description"))
            for name, value in schema.get("properties", {}).items()
        ]
    if rows:
        yield "| field | type | meaning |\n| --- | --- | --- |"
        for name, schema, required, meaning in rows:
            optional = "" if required else " (optional)"
            yield f"| `{name}`{optional} | {_type(schema)} | {(meaning or '').replace('|', chr(92) + '|')} |"
        yield ""


def _resolved(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    part: dict[str, Any] = parts[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return part


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"] if each.get("type") != "null")
    if len(schema.get("enum", ())) in range(1, MOST_WORDS):
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if schema.get("type") == "array":
        return f"array of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "any"))
