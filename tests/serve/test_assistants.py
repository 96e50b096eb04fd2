"""The tools for assistants of a web server, which the first request loads."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from wherefrom.serve.web.app import Assistants

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


def test_requests_that_come_together_are_answered_though_the_first_one_loads_the_tools() -> None:
    nothing: Any = None  # no tool is called

    async def ask() -> list[httpx.Response]:
        async with Assistants(nothing, nothing, 10_000, print).running():
            pass  # without a request
        assistants = Assistants(nothing, nothing, 10_000, print)
        transport = httpx.ASGITransport(assistants)
        async with assistants.running(), httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await asyncio.gather(*(client.post("/mcp", json=LIST, headers=HEADERS) for _ in range(3)))

    for answer in asyncio.run(ask()):
        assert "search_code" in {tool["name"] for tool in answer.json()["result"]["tools"]}
