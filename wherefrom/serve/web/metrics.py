"""The metrics of the server for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.types import Scope

from wherefrom.serve.desk import Desk
from wherefrom.serve.web.watched import Exchange

MEDIA_TYPE = CONTENT_TYPE_LATEST

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


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
