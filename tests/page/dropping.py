"""What a reader does on the page that compares in a browser."""

from __future__ import annotations

import functools
import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, cast

from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browsing import LONGEST_WAIT, Opened
from wherefrom import CompareOptions, compare_sources

Role = Literal["submission", "template", "archive"]

FIELDS = {
    "counts": None,
    "cut_off": None,
    "clusters": None,
    "pairs": None,
    "submissions": None,
    "files": ("submission", "path", "language", "size", "tokens", "boilerplate_tokens", "boilerplate"),
}
"""The fields of an answer that the page has too; of the files only some."""

ONLY_PAGE = {"facing", "gaps"}
"""What a region has in the page and not in JSON."""


@dataclass
class FileServer:
    """A plain server for files on this machine.

    Attributes:
        address: the address of the folder, with a slash at its end.
        requested: the paths that were requested.
    """

    address: str
    requested: list[str] = field(default_factory=list)


@contextmanager
def serving(folder: Path) -> Iterator[FileServer]:
    """Serves a folder, as `python -m http.server` does, but lets no browser keep an answer for a while by itself."""

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Cache-Control", "no-store")
            super().end_headers()

        def log_message(self, *_: object) -> None:
            running.requested.append(self.path.partition("?")[0])

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    running = FileServer(f"http://127.0.0.1:{server.server_port}/")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def until(page: Page, expression: str) -> None:
    """Waits until an expression is true; `Page.wait_for_function` does what the policy of the page forbids."""
    page.evaluate(
        f"""async () => {{
            const end = performance.now() + {LONGEST_WAIT};
            while (!(await ({expression}))) {{
                if (performance.now() > end) throw new Error("it never became true");
                await new Promise((resolve) => setTimeout(resolve, 10));
            }}
        }}"""
    )


@dataclass
class ComparePage:
    """The page in a browser, with what a reader can do there."""

    opened: Opened

    @property
    def page(self) -> Page:
        """The page of Playwright."""
        return self.opened.page

    def load(self, address: str) -> None:
        """Opens the page, and waits until it also works without a network."""
        self.page.goto(address)
        expect(self.page.locator("#choose")).to_be_visible()
        until(self.page, "navigator.serviceWorker.controller !== null")

    def choose(self, *paths: Path, role: Role = "submission") -> None:
        """Chooses a folder, or files, in the dialog of the browser, and waits until they are listed."""
        zone = self.page.locator(f"[data-role={role}]")
        before = zone.locator("li").count()
        self.open(*paths, role=role)
        expect(zone.locator("li")).not_to_have_count(before)

    def open(self, *paths: Path, role: Role = "submission") -> None:
        """Chooses a folder, or files, in the dialog of the browser."""
        zone = self.page.locator(f"[data-role={role}]")
        with self.page.expect_file_chooser() as dialog:
            zone.locator(".choose-folder" if paths[0].is_dir() else ".choose-files").click()
        dialog.value.set_files([str(path) for path in paths])

    def drop(self, *paths: Path, role: Role = "submission") -> None:
        """Drops folders and files, as from a file manager, and waits until they are listed."""
        zone = self.page.locator(f"[data-role={role}]")
        before = zone.locator("li").count()
        box = zone.bounding_box()
        assert box is not None
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 5}
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        protocol = self.page.context.new_cdp_session(self.page)
        for kind in ("dragEnter", "dragOver", "drop"):
            protocol.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
        protocol.detach()
        expect(zone.locator("li")).not_to_have_count(before)

    def paste(self, snippet: str, language: str = "") -> None:
        """Writes a snippet into its field."""
        if not self.page.locator("#snippet").is_visible():
            self.page.locator("#snippet-part summary").click()
        self.page.locator("#snippet").fill(snippet)
        self.page.locator("#language").select_option(language)

    def start(self, by: str | None = None) -> None:
        """Starts a comparison."""
        if by is not None:
            self.page.locator("#by").select_option(by)
        self.page.locator("#compare").click()

    def compare(self, by: str | None = None) -> dict[str, Any]:
        """Compares, and returns the answer in the form of `wherefrom compare --format json`."""
        self.start(by)
        expect(self.page.locator("#answer:not([hidden]), #problem:not([hidden])")).to_be_visible()
        assert self.problem() == ""
        return cast("dict[str, Any]", self.page.evaluate("async () => (await import('./app.js')).answer"))

    def problem(self) -> str:
        """The shown problem; empty if there is none."""
        problem = self.page.locator("#problem")
        return problem.inner_text() if problem.is_visible() else ""

    def listed(self, role: Role = "submission") -> list[str]:
        """What was chosen in a role: names and numbers of files."""
        rows = self.page.locator(f"[data-role={role}] li").all_inner_texts()
        return [re.sub(r"\s+", " ", row.replace("Remove", "")).strip() for row in rows]

    def skipped(self) -> dict[str, str]:
        """The reasons of the skipped files, by path, as the report's data has them."""
        found = self.page.evaluate("async () => (await import('./app.js')).shown.overview.skippedFiles")
        return dict(found)

    def again(self) -> None:
        """Goes back to the chosen sources."""
        self.page.locator("#again").click()
        expect(self.page.locator("#choose")).to_be_visible()

    def save(self, folder: Path) -> Path:
        """Saves the report as a file."""
        with self.page.expect_download() as download:
            self.page.locator("#save").click()
        path = folder / "saved.html"
        download.value.save_as(path)
        return path

    def refuse_network(self) -> list[str]:
        """From now on nothing can be loaded. Returns a list to which the refused addresses are added."""
        refused: list[str] = []

        def refuse(route: Route) -> None:
            refused.append(route.request.url)
            route.abort()

        self.page.context.route("**/*", refuse)
        return refused


@contextmanager
def opened_page(
    browser: Browser,
    address: str,
    *,
    context: BrowserContext | None = None,
    scheme: Literal["light", "dark"] = "light",
    width: int = 1300,
) -> Iterator[ComparePage]:
    """The page, loaded. Fails if a script has an error, or if the policy is violated."""
    own = context or browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    opened = Opened(own.new_page())
    opened.page.set_default_timeout(LONGEST_WAIT)
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    opened.page.on("pageerror", lambda error: opened.problems.append(f"error: {error}"))
    opened.page.on("console", lambda message: opened.problems.append(message.text) if message.type == "error" else None)
    opened.page.on("dialog", lambda dialog: opened.problems.append(f"dialog: {dialog.message}"))
    opened.page.on("filechooser", lambda _: None)  # so that it is the browser's driver that answers, from the start
    shown = ComparePage(opened)
    try:
        shown.load(address)
        yield shown
        assert opened.problems == []
    finally:
        opened.page.close()
        if context is None:
            own.close()


def by_the_command(paths: Sequence[Path], **options: Any) -> dict[str, Any]:
    """The answer of `wherefrom compare --format json`, with the fields that the page has."""
    return comparable(json.loads(json.dumps(compare_sources(paths, CompareOptions(**options)).to_dict())))


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """The fields of an answer that the page and the command have. A field that is null may also be missing."""
    found: dict[str, Any] = {}
    for name, inner in FIELDS.items():
        value = answer[name]
        found[name] = value if inner is None else [{each: item[each] for each in inner} for item in value]
    return cast("dict[str, Any]", _without_null(found))


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_null(item) for key, item in value.items() if item is not None and key not in ONLY_PAGE}
    return [_without_null(item) for item in value] if isinstance(value, list | tuple) else value
