"""The application: the API, the pages, the tools for assistants, the monitoring, and the guard before them. It records
what became of each request, for the metrics and the audit log.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wherefrom.errors import UnusableIndex, UsageError, WherefromError
from wherefrom.options.serving import ServeOptions
from wherefrom.serve.calls import health, make_call
from wherefrom.serve.desk import CallFailed, Desk
from wherefrom.serve.jobs.store import JobQueue
from wherefrom.serve.people import People
from wherefrom.serve.web import api, guard, jobs, models, site
from wherefrom.serve.web.jobs import Uploads
from wherefrom.serve.web.search_page import WebDefaults
from wherefrom.support.system import system
from wherefrom.support.values import dataclass
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
    assistants = Assistants(desk, defaults, options.max_body, lambda tool: counted.tools.labels(tool).inc())

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with assistants.running(), queue.running():
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
    app.router.routes.append(Route("/mcp", assistants, methods=["POST"]))
    guard.install(app)
    _describe(app)
    guarded = guard.Guard(
        GZipMiddleware(app, compresslevel=5),
        people=people,
        trusted_hosts=[*options.trusted_hosts, options.host],
        max_body=options.max_body,
        max_upload=options.max_upload,
    )
    logs = [] if options.audit is None else [AuditLog(options.audit, say).write]
    return Watched(guarded, counted.count, *logs)


class Assistants:
    """The application of the tools for assistants. Their SDK is loaded for the first request: that takes as long as all
    else at the start of a server.
    """

    def __init__(self, desk: Desk, defaults: WebDefaults, max_body: int, called: Callable[[str], None]) -> None:
        self._desk, self._defaults, self._max_body, self._called = desk, defaults, max_body, called
        self._app: ASGIApp | None = None
        self._begun, self._ended = asyncio.Event(), asyncio.Event()
        self._sessions: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; see ASGI."""
        if self._app is None:
            from wherefrom.serve.mcp.server import application, make_server  # noqa: PLC0415 -- see above

            tools = make_server(self._desk, self._defaults, is_local=False, called=self._called)
            self._app = application(tools, self._max_body)
            self._sessions = asyncio.create_task(self._run(tools.session_manager.run()))
        await self._begun.wait()
        await self._app(scope, receive, send)

    async def _run(self, sessions: AbstractAsyncContextManager[None]) -> None:
        try:
            async with sessions:  # in a task of its own, since it has to be left in the task that entered it
                self._begun.set()
                await self._ended.wait()
        finally:
            self._begun.set()  # else requests would wait forever

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Ends the sessions at the end of the block."""
        try:
            yield
        finally:
            self._ended.set()
            if self._sessions is not None:
                await self._sessions


def _add_watching(app: FastAPI, desk: Desk, counted: Metrics) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        return Response("ok\n", media_type="text/plain")

    @app.get("/readyz", include_in_schema=False)
    async def readyz() -> Response:
        try:
            await desk.ask(make_call(0, health))
        except CallFailed as error:
            return guard.of_error(error)
        except WherefromError:
            # This address needs no token. The reason names the index, so it is left out.
            return guard.of_error(UnusableIndex("the index cannot be used; `wherefrom stats` says why"))
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


GONE = 499  # the status if the client goes away before the answer begins, as nginx has it
LONGEST_PATH = 1_000  # a longer path is cut in the log

MEDIA_TYPE = CONTENT_TYPE_LATEST

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@dataclass(slots=True)
class Exchange:
    """What became of a request: its HTTP status or `GONE`, the bytes of both bodies, and the seconds from the first
    byte of the request to the last of its answer.
    """

    status: int = GONE
    received: int = 0
    sent: int = 0
    seconds: float = 0.0


class Watched:
    """An application that reports each request at its end to some functions: its scope, and what became of it."""

    def __init__(self, app: ASGIApp, *watchers: Callable[[Scope, Exchange], None]) -> None:
        self._app, self._watchers = app, watchers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; see ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange()

        async def receiving() -> Message:
            message = await receive()
            exchange.received += len(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            exchange.status = message.get("status", exchange.status)
            exchange.sent += len(message.get("body", b""))
            await send(message)

        begin = time.perf_counter()
        try:
            await self._app(scope, receiving, sending)
        finally:
            exchange.seconds = time.perf_counter() - begin
            for watch in self._watchers:
                watch(scope, exchange)


class Metrics:
    """The metrics of one server."""

    def __init__(self, desk: Desk) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "wherefrom_requests", "Requests by address and status.", ["path", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "wherefrom_request_seconds",
            "Seconds from the first byte of a request to the last of its answer.",
            ["path"],
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self.tools = Counter(
            "wherefrom_tool_calls", "Calls of the tools for assistants.", ["tool"], registry=self.registry
        )
        for name, meaning, value in (
            ("wherefrom_calls_running", "Calls that are being answered.", lambda: desk.running),
            ("wherefrom_calls_waiting", "Calls that wait for a process.", lambda: desk.waiting),
            ("wherefrom_processes_ended", "Processes that a call was too much for.", lambda: desk.ended),
        ):
            Gauge(name, meaning, registry=self.registry).set_function(value)

    def count(self, scope: Scope, exchange: Exchange) -> None:
        """Counts an answered request."""
        # The label is the path of the route, since clients could request any number of different paths.
        path = getattr(scope.get("route"), "path", "") or "other"
        self.requests.labels(path, str(exchange.status)).inc()
        self.seconds.labels(path).observe(exchange.seconds)

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


class AuditLog:
    """Logs who asked for what, as lines of a file. The query of a URL and the body are left out, because they may have
    code. A new file is for its owner alone (mode 0600). `say` gets a message once if the log cannot be written. Raises
    UsageError if the log cannot be opened.
    """

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path, self._say = path, say
        try:
            self._file: int = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | system.BINARY, 0o600)
        except OSError as error:
            raise UsageError(f"the audit log {path} cannot be written: {error.strerror}; name another file") from error
        self._is_failing = False

    def write(self, scope: Scope, exchange: Exchange) -> None:
        """Writes the line of a request. The guard has put the `Person` into its scope as `person`."""
        person, client = scope.get("person"), scope.get("client")
        row = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "person": None if person is None else person.name,
            "client": None if client is None else client[0],
            "method": scope["method"],
            "path": scope["path"][:LONGEST_PATH],
            "status": None if exchange.status == GONE else exchange.status,
            "received": exchange.received,
            "sent": exchange.sent,
            "seconds": round(exchange.seconds, 3),
        }
        try:
            # One call for the whole line, so that the lines of several servers in one file do not mix.
            os.write(self._file, json.dumps(row).encode("ascii") + b"\n")
            self._is_failing = False
        except OSError as error:
            if not self._is_failing:
                self._say(f"the audit log {self._path} cannot be written: {error.strerror}; requests go on without it")
            self._is_failing = True
