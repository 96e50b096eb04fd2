"""The application: the API, the pages, the tools for assistants, the monitoring, and the guard before them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Response
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from wherefrom.errors import UnusableIndex, WherefromError
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.calls import health, make_call
from wherefrom.serve.desk import CallFailed, Desk
from wherefrom.serve.jobs.queue import JobQueue
from wherefrom.serve.mcp.server import make_server, routes
from wherefrom.serve.people import People
from wherefrom.serve.web import api, jobs, models, problems, site
from wherefrom.serve.web.guard import Guard
from wherefrom.serve.web.search_page import WebDefaults
from wherefrom.serve.web.uploads import Uploads
from wherefrom.serve.web.watched import MEDIA_TYPE, AuditLog, Metrics, Watched
from wherefrom.support.version import __version__


def make_app(
    desk: Desk,
    queue: JobQueue,
    options: ServeOptions,
    defaults: WebDefaults,
    people: People,
    *,
    say: Callable[[str], None],
) -> ASGIApp:
    """The application; the caller closes the desk. `say` gets messages for the owner of the server. Raises UsageError
    if the audit log cannot be opened.
    """
    counted = Metrics(desk)
    tools = make_server(desk, defaults, is_local=False, called=lambda tool: counted.tools.labels(tool).inc())

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with tools.session_manager.run(), queue.running():
            yield

    app = FastAPI(
        title="wherefrom",
        version=__version__,
        summary="Where else does this code appear, and is it credited there?",
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    uploads = Uploads(queue, defaults.check, options.max_body)
    app.include_router(api.router(desk, defaults))
    app.include_router(jobs.router(queue, uploads))
    app.include_router(site.router(desk, defaults))
    app.include_router(jobs.pages(queue, uploads))
    _add_watching(app, desk, counted)
    # Only POST: a GET opens a stream of events. Without sessions it would get none, and keep its connection forever.
    app.router.routes.extend(
        Route(route.path, route.endpoint, methods=["POST"])
        for route in routes(tools, options.max_body)
        if isinstance(route, Route)
    )
    problems.install(app)
    _describe(app)
    guarded = Guard(
        GZipMiddleware(app, compresslevel=5),
        people=people,
        trusted_hosts=[*options.trusted_hosts, options.host],
        max_body=options.max_body,
        max_upload=options.max_upload,
    )
    logs = [] if options.audit is None else [AuditLog(options.audit, say).write]
    return Watched(guarded, counted.count, *logs)


def _add_watching(app: FastAPI, desk: Desk, counted: Metrics) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        """Does the server answer?"""
        return Response("ok\n", media_type="text/plain")

    @app.get("/readyz", include_in_schema=False)
    async def readyz() -> Response:
        """Can a process read the index?"""
        try:
            await desk.ask(make_call(0, health))
        except CallFailed as error:
            return problems.of_error(error)
        except WherefromError:
            # This address needs no token. The reason names the index, so it is left out.
            return problems.of_error(UnusableIndex("the index cannot be used; `wherefrom stats` says why"))
        return Response("ok\n", media_type="text/plain")

    @app.get("/metrics", include_in_schema=False)
    async def measured() -> Response:
        return Response(counted.text(), headers={"Content-Type": MEDIA_TYPE})


def _describe(app: FastAPI) -> None:
    """Adds to the OpenAPI description what FastAPI does not know: the published schemas, the problems and the token."""
    original = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            described = original()
            schemas = described.setdefault("components", {}).setdefault("schemas", {})
            schemas |= models.published_schemas()
            problem = models.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas |= problem.pop("$defs", {})
            schemas["Problem"] = problem
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            described["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            described["security"] = [{"token": []}, {}]
            app.openapi_schema = described
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign] # as FastAPI documents it
