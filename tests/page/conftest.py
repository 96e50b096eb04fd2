"""Fixtures of the page that compares in a browser: the built site, a plain server for it, and the page opened there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.page.dropping import ComparePage, FileServer, opened_page, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, built from source. Without a tool for that the test is skipped, or fails if CI is set."""
    from release.page import build

    try:
        return build()
    except RuntimeError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[FileServer]:
    """A server that hands out the files of the site."""
    with serving(site) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: FileServer) -> Iterator[ComparePage]:
    """The page, loaded, in a browser without stored data. Fails if the policy is violated or a script has an error."""
    with opened_page(browser, server.address) as opened:
        yield opened
