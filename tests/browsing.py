"""Opens pages from files in a real browser without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # has no types
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

# A busy machine is not a defect.
LONGEST_WAIT = 120_000
expect.set_options(timeout=LONGEST_WAIT)

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

SITE = "https://site.test/"
"""The address of a folder that is opened as a site. No server answers there: the files are handed to the browser."""

NO_BROWSER = "no browser: "

# Without these, Chromium contacts hosts of its maker when it starts.
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Chromium, as Debian installs it. Without it the test is skipped, or fails if CI is set."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        reason = f"{NO_BROWSER}install one of {', '.join(PROGRAMS)}"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Opened:
    """A page that was opened.

    Attributes:
        page: the page in the browser.
        requests: all requested URLs.
        problems: errors of scripts, dialogs, and messages of the console about errors and the policy.
    """

    page: Page
    requests: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def violations(self) -> list[str]:
        """The problems that axe finds, in words."""
        found = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {node['html'][:300]} {node['failureSummary']}" for one in found for node in one["nodes"]]


@contextmanager
def opened(
    browser: Browser,
    file: Path,
    *,
    place: str = "",
    scheme: Literal["light", "dark"] = "light",
    context: BrowserContext | None = None,
    scripts: bool = True,
    width: int = 1300,
    site: Path | None = None,
) -> Iterator[Opened]:
    """Opens a file with the network off. Fails if the page requests another file, or if anything goes wrong in it.

    Args:
        browser: a running browser.
        file: the file to open.
        place: the text behind the address, such as `#pairs`.
        scheme: the colors that the reader prefers.
        context: has the stored data of the browser (default: a new one).
        scripts: whether the browser runs them.
        width: the width of the window.
        site: a folder that has the file; its files appear under `SITE`, and the page may request all of them.
    """
    own = context or browser.new_context(
        color_scheme=scheme, offline=True, java_script_enabled=scripts, viewport={"width": width, "height": 900}
    )
    page = own.new_page()
    page.set_default_timeout(LONGEST_WAIT)
    shown = Opened(page)
    page.on("request", lambda request: shown.requests.append(request.url))
    page.on("pageerror", lambda error: shown.problems.append(f"error: {error}"))
    page.on("console", lambda message: shown.problems.append(message.text) if message.type == "error" else None)

    def refuse(dialog: object) -> None:
        shown.problems.append(f"dialog: {dialog}")
        dialog.dismiss()  # type: ignore[attr-defined]

    page.on("dialog", refuse)
    address = file.as_uri()
    if site is not None:
        address = f"{SITE}{file.relative_to(site).as_posix()}"
        page.route(f"{SITE}**", lambda route: route.fulfill(path=site / urlsplit(route.request.url).path[1:]))
    try:
        page.goto(f"{address}{place}")
        yield shown
        requested = {url.partition("#")[0].partition("?")[0] for url in shown.requests}
        if site is None:
            assert requested == {address}
        else:
            assert [url for url in requested if not url.startswith((SITE, "data:"))] == []
        assert shown.problems == []
    finally:
        page.close()
        if context is None:
            own.close()
