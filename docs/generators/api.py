"""The page of the HTTP API, from the OpenAPI description of `wherefrom serve`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from wherefrom import fetch_post, open_index
from wherefrom.options import CheckOptions, FirstOptions, SearchOptions, SourcesOptions, TraceOptions
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.desk import Desk
from wherefrom.serve.jobs.store import JobQueue, JobStore
from wherefrom.serve.people import People
from wherefrom.serve.web.app import make_app
from wherefrom.serve.web.search_page import WebDefaults
from wherefrom.serve.web.site import Operation, operations

INTRODUCTION = """\
# HTTP API

`wherefrom serve` answers these requests ([how to serve a team](../how-to/serve.md)). The server describes them at
`/api`, and for programs at `/openapi.json`. Answers are the [JSON of the commands](schemas.md). Errors are problems as
RFC 9457 has them, with `status`, `title` and `detail`. If the server asks for a token, send
`Authorization: Bearer TOKEN`.
"""


def page() -> str:
    """The page in Markdown."""
    sections = map(_section, operations(asyncio.run(_described())))
    return "\n".join([INTRODUCTION, *(line for section in sections for line in section)])


async def _described() -> dict[str, Any]:
    opener = partial(open_index, "unused")
    desk = Desk(opener, ServeOptions(), processes=0, waiting=0)  # answers no call
    defaults = WebDefaults(
        SearchOptions(), FirstOptions(), SourcesOptions(), CheckOptions(), TraceOptions(), fetch_post
    )
    queue = JobQueue(JobStore(Path("unused"), 1), opener, CheckOptions(), ServeOptions(), processes=1)  # runs no job
    app = make_app(desk, queue, ServeOptions(), defaults, People(), say=print)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        described: dict[str, Any] = (await client.get("/openapi.json")).raise_for_status().json()
        return described


def _section(operation: Operation) -> Iterator[str]:
    yield f"## `{operation.method} {operation.path}`\n\n{operation.meaning}\n\n```sh\n{operation.example}\n```\n"
    if operation.fields:
        yield "| field | type | meaning |\n| --- | --- | --- |"
        for field in operation.fields:
            optional = "" if field.is_required else " (optional)"
            yield f"| `{field.name}`{optional} | {field.kind} | {field.meaning.replace('|', chr(92) + '|')} |"
        yield ""
