"""The pages of the server, and what they are shown with."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.convertors import Convertor, register_url_convertor

from wherefrom.errors import NotFound, UnusableIndex, WherefromError
from wherefrom.options.shared import NO_SET
from wherefrom.serve.calls import ALWAYS_LONG, Call, asked
from wherefrom.serve.desk import CallFailed, Desk
from wherefrom.serve.web import facets
from wherefrom.serve.web.assets import files, page
from wherefrom.serve.web.file_page import file_lines, file_page, repositories_page
from wherefrom.serve.web.search_page import Page, SearchForm, search_page

if TYPE_CHECKING:
    from wherefrom.serve.web.api import Defaults

_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}


class _Any(Convertor[str]):
    """Any part of a path, line breaks included, which the convertor `path` does not take."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("any", _Any())

_SINGLE = ("code", "name", "language", "source", "repository", "path", "limit")


def router(desk: Desk, defaults: Defaults) -> APIRouter:
    """The addresses of the pages."""
    made = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

    def searched(form: SearchForm) -> Call[Page]:
        return asked(len(form.code), search_page, form, defaults.search, defaults.posts)

    @made.get("/assets/{name}")
    async def assets(name: str) -> Response:
        text, media_type = files().get(name, ("", "text/plain"))
        return Response(text, 200 if text else 404, _FOREVER if text else None, media_type)

    @made.get("/")
    async def start(request: Request) -> Response:
        return await _shown(desk, request, searched(SearchForm()))

    @made.get("/search")
    async def search(request: Request) -> Response:
        return await _shown(desk, request, searched(_form(request.url.query)))

    @made.post("/search")
    async def search_long(request: Request) -> Response:
        sent = (await request.body()).decode("utf-8", "replace")
        return await _shown(desk, request, searched(_form(sent)))

    @made.get("/repositories")
    async def repositories(request: Request) -> Response:
        return await _shown(desk, request, asked(0, repositories_page))

    @made.get("/r/{place:any}")
    async def file(request: Request, place: str) -> Response:
        return await _shown(desk, request, asked(0, file_page, place))

    @made.get("/lines/{place:any}")
    async def lines(request: Request, place: str) -> Response:
        answer = await desk.ask(asked(ALWAYS_LONG, file_lines, place), request.is_disconnected)
        return Response(answer.body, media_type="application/json")

    return made


async def _shown(desk: Desk, request: Request, call: Call[Page]) -> Response:
    """What is sent for a page; an error is a page as well."""
    try:
        shown = await desk.ask(call, request.is_disconnected)
    except WherefromError as error:
        status = 404 if isinstance(error, NotFound) else 503 if isinstance(error, CallFailed | UnusableIndex) else 422
        return HTMLResponse(page("problem", problem=str(error)), status)
    return HTMLResponse(shown.html, shown.status)


def _form(query: str) -> SearchForm:
    """The form of the fields of a URL or a body."""
    fields = parse_qs(query, keep_blank_values=True, errors="replace", max_num_fields=200)
    # A button, such as that for more hits, comes after the field of its name.
    single = {name: fields[name][-1] for name in _SINGLE if name in fields}
    # Browsers send line feeds as both.
    single["code"] = single.get("code", "").replace("\r\n", "\n")
    chosen = dict.fromkeys((facet, value) for facet in facets.NAMES for value in fields.get(f"only_{facet}", ()))
    sets = fields.get("without")
    without = None if sets is None else tuple(name for name in dict.fromkeys(sets) if name != NO_SET)
    return SearchForm(**single, without=without, chosen=tuple(chosen))
