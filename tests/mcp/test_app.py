"""The page of `search_code`, in a real browser, in a frame of a host that follows MCP Apps (SEP-1865)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from playwright.sync_api import Browser, expect

from tests.browsing import opened
from tests.mcp.test_tools import asked
from tests.service.indexed import RENAMED

pytestmark = [pytest.mark.browser, pytest.mark.slow]

APP = "ui://wherefrom/sides"

HOSTILE = "<img src=x onerror=alert(1)>\u202e"

HOST = """<!DOCTYPE html>
<html lang="en"><title>host</title><main><h1>host</h1>
<iframe id="frame" title="app" sandbox="allow-scripts"></iframe></main>
<script>
const known = KNOWN;
const frame = document.getElementById("frame");
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
window.seen = [];
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  window.seen.push(data.method);
  if (data.method === "ui/initialize") send({ id: data.id, result: { hostContext: { theme: "dark" } } });
  if (data.method === "ui/notifications/initialized") {
    send({ method: "ui/notifications/tool-input", params: { arguments: { code: known.code } } });
    send({ method: "ui/notifications/tool-result", params: known.result });
  }
  if (data.method === "tools/call") {
    const answer = known.reads[data.params.arguments.path];
    send(answer ? { id: data.id, result: answer } : { id: data.id, error: { message: "no such tool" } });
  }
});
frame.srcdoc = known.html;
</script></html>
"""


def host(folder: Path, known: dict[str, Any]) -> Path:
    """A page that shows the app as a host does."""
    made = folder / "host.html"
    value = json.dumps(known).replace("<", "\\u003c")
    made.write_text(HOST.replace("KNOWN", value))
    return made


def answers(location: Path) -> dict[str, Any]:
    """What a host gets from the server: the page, the answer of a search, and the code at each hit."""
    known: dict[str, Any] = {"code": RENAMED, "reads": {}}

    async def ask(client: Client) -> None:
        [tool] = [each for each in (await client.list_tools()).tools if each.name == "search_code"]
        assert tool.meta == {"ui": {"resourceUri": APP}}
        [page] = (await client.read_resource(APP)).contents
        assert page.mime_type == "text/html;profile=mcp-app"
        known["html"] = page.text  # type: ignore[union-attr] # a text
        found = await client.call_tool("search_code", {"code": RENAMED})
        known["result"] = found.model_dump(mode="json", by_alias=True)
        assert found.structured_content is not None
        for hit in found.structured_content["hits"]:
            place = {name: hit[name] for name in ("repository", "path", "first_line", "last_line")}
            read = await client.call_tool("read_location", place)
            known["reads"][hit["path"]] = read.model_dump(mode="json", by_alias=True)

    with ThreadPoolExecutor(1) as thread:  # the browser's loop is running in this one
        thread.submit(asked, location, ask).result()
    return known


def test_a_host_shows_both_sides_of_a_hit(browser: Browser, code_index: Path, tmp_path: Path) -> None:
    with opened(browser, host(tmp_path, answers(code_index))) as shown:
        app = shown.page.frame_locator("#frame")
        expect(app.locator("#status")).to_have_text("3 hits")
        expect(app.locator("#code")).to_contain_text("def area_of_polygon(corners)")
        expect(app.locator("#text")).to_contain_text("def area_of_polygon(points)")
        expect(app.get_by_role("button").first).to_have_attribute("aria-pressed", "true")
        app.get_by_role("button").nth(2).click()
        expect(app.get_by_role("button").nth(2)).to_have_attribute("aria-pressed", "true")
        expect(app.locator("#text")).to_contain_text("def area_of_polygon(points)")
        assert shown.page.evaluate("window.seen.includes('ui/notifications/size-changed')")
        assert shown.violations() == []


def test_a_hostile_name_does_nothing(browser: Browser, code_index: Path, tmp_path: Path) -> None:
    known = answers(code_index)
    known["code"] = HOSTILE
    for hit in known["result"]["structuredContent"]["hits"]:
        hit["repository"] = hit["path"] = HOSTILE
    with opened(browser, host(tmp_path, known)) as shown:
        app = shown.page.frame_locator("#frame")
        expect(app.locator("#code")).to_have_text(HOSTILE)
        expect(app.locator("#text")).to_have_text("no such tool")
        assert app.locator("img").count() == 0
