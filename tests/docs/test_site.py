"""The documentation as a site: it builds without a warning, asks no other host, and everybody can read it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browsing import opened

ROOT = Path(__file__).parents[2]

PAGES = (
    "index.html",
    "tutorials/ci.html",
    "answers/match.html",
    "how-it-works/winnowing.html",
    "reference/cli.html",
    "reference/library.html",
)
"""Pages of each kind: with printed commands, pictures, tables, and generated ones."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as `./dev docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_every_page_is_in_the_menu(site: Path) -> None:
    menu = set(re.findall(r'<a class="reference internal" href="([^"#]+)"', (site / "index.html").read_text()))
    written = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert {path.as_posix() for path in written} - menu <= {"index.html"}


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1300])
def test_pages_are_accessible_and_fit(
    browser: Browser, site: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    for name in PAGES:
        with opened(browser, site / name, scheme=scheme, width=width, site=site) as shown:
            assert shown.violations() == [], name
            wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert shown.page.evaluate(wider) == 0, name


def test_the_search_needs_no_server(browser: Browser, site: Path) -> None:
    with opened(browser, site / "index.html", site=site) as shown:
        shown.page.get_by_role("textbox", name="Search").fill("anonymize")
        shown.page.keyboard.press("Enter")
        expect(shown.page.locator("#search-results").get_by_role("link", name="Compare submissions")).to_be_visible()
