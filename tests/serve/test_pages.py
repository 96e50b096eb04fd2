"""What every page of the server keeps to, in Chromium and Firefox."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from tests.browsing import Opened
from tests.firefox import Firefox, firefox
from tests.polygons import AREA
from tests.serve.pages import HOSTILE, NAME, NAMES, REPORTS, Pages, served_pages
from tests.serve.running import WEB
from tests.serve.test_page_in_browser import visited
from tests.service.indexed import RENAMED, UNKNOWN
from wherefrom.reports.hit_fields import MEANINGS

pytestmark = pytest.mark.browser

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

FIRST_PAINT = 50_000
"""The highest number of bytes of the start page with all that it loads, before any compression."""

COMBINED = """\
diff --cc a.py
index 1111111,2222222..3333333
--- a/a.py
+++ b/a.py
@@@ -1,1 -1,1 +1,6 @@@
  x = 1
""" + "".join(f"++{line}\n" for line in RENAMED.splitlines())
"""A diff of a merge that adds a function."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with served_pages(tmp_path_factory.mktemp("pages")) as made:
        yield made


@pytest.mark.parametrize("width", [390, 1300, 2560])
def test_axe_finds_no_problem_and_the_window_is_used(browser: Browser, pages: Pages, width: int) -> None:
    with visited(browser, pages.address, width=width) as shown:
        page = shown.page
        for name in NAMES:
            page.goto(pages[name])
            page.wait_for_load_state("networkidle")
            for summary in page.locator("summary:visible").all():
                summary.click()
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                assert shown.violations() == [], (name, scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            expect(page).to_have_title(re.compile(r"wherefrom"))
            if width == 2560:
                assert page.evaluate("document.querySelector('main').clientWidth") > 1800, name
        forget_statuses(shown)


def test_a_hostile_name_is_shown_and_does_nothing(browser: Browser, pages: Pages) -> None:
    with visited(browser, pages.address) as shown:
        page = shown.page
        for name in NAMES:
            page.goto(pages[name])
            page.wait_for_load_state("networkidle")
            assert page.locator("img").count() == 0, name
            assert not {"\u2028", "\u202e"} & set(page.locator("body").inner_text()), name
        forget_statuses(shown)


def test_all_is_read_without_scripts(browser: Browser, pages: Pages) -> None:
    with visited(browser, pages.address, scripts=False) as shown:
        for name in NAMES:
            shown.page.goto(pages[name])
            assert len(shown.page.locator("main").inner_text()) > 20, name
        forget_statuses(shown)


def forget_statuses(shown: Opened) -> None:
    """Forgets that the console tells of pages with another status than 200."""
    shown.problems[:] = [text for text in shown.problems if "the server responded with a status" not in text]


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_a_strict_policy(pages: Pages, name: str) -> None:
    answer = WEB.get(pages[name], headers={"Accept": "text/html"})
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    inside = re.findall(r"<(?:style|script)\b(?![^>]*(?:src=|type=\"(?:application|text)))", answer.text)
    assert bool(inside) == (name in REPORTS), "other pages have no style and no script inside"
    assert not re.search(r"<[^>]* (?:on\w+|style)=", answer.text.replace("onerror=alert(1)&gt;", ""))


@pytest.mark.thorough
def test_the_first_page_is_small(pages: Pages) -> None:
    page = WEB.get(pages.address).text
    loaded = [WEB.get(f"{pages.address}{path}").text for path in re.findall(r'"(/assets/[^"]+)"', page)]
    assert len(loaded) == 2
    assert sum(map(len, (page, *loaded))) < FIRST_PAINT


def test_a_page_is_reached_and_left_by_keys_alone(browser: Browser, pages: Pages) -> None:
    with visited(browser, pages["the start"]) as shown:
        page, keyboard = shown.page, shown.page.keyboard
        for link in ("Search", "Check a change", "Compare hand-ins", "Reports", "Repositories"):
            page.goto(pages["the API"])
            while page.evaluate("document.activeElement.textContent") != link:
                keyboard.press("Tab")
                assert page.evaluate("document.activeElement.closest('main')") is None, link
            keyboard.press("Enter")
            expect(page).not_to_have_url(pages["the API"])


@pytest.fixture(scope="module")
def tab() -> Iterator[Firefox]:
    with firefox() as opened:
        yield opened


@pytest.mark.slow
def test_firefox_shows_all(tab: Firefox, pages: Pages) -> None:
    tab.problems.clear()
    for name in NAMES:
        tab.resize(1300)
        tab.open(pages[name])
        assert tab.evaluate("document.querySelector('main').innerText.length") > 20, name
        assert tab.evaluate("document.querySelectorAll('img').length") == 0, name
        for width in (1300, 390):
            tab.resize(width)
            for _ in SCHEMES:
                tab.click("button[data-theme-of]")
                assert tab.violations() == [], (name, width)
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, name
    assert without_icons(tab) == []


FOCUS = """(() => {
  const focused = document.activeElement;
  focused.dataset.isReached = getComputedStyle(focused).outlineStyle !== 'none';
  return focused === document.body;
})()"""

MISSED = """[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((each) => each.checkVisibility() && !each.disabled && each.dataset.isReached !== 'true')
  .map((each) => each.outerHTML.slice(0, 200))"""
"""What can be focused and was not reached, or had no outline then."""


@pytest.mark.parametrize(("name", "hits"), [("one hit", 1), ("ten hits", 10), ("fifty hits", 50)])
def test_all_of_the_hits_is_reached_by_keys_alone(
    browser: Browser, tab: Firefox, pages: Pages, name: str, hits: int
) -> None:
    with visited(browser, pages[name]) as shown:
        expect(shown.page.locator(".hit")).to_have_count(hits)
        for evaluate, press in (
            (shown.page.evaluate, shown.page.keyboard.press),
            (tab.evaluate, lambda _: tab.press("\ue004")),
        ):
            tab.open(pages[name])
            press("Tab")
            # A Firefox whose page was left by Tab does not come back to it, so the last element ends this.
            while not evaluate(FOCUS) and evaluate(MISSED):
                press("Tab")
            assert evaluate(MISSED) == []


def without_icons(tab: Firefox) -> list[str]:
    """The problems, without those of the icon that Firefox wants of every site, and that a report refuses."""
    return [problem for problem in tab.problems if "favicon.ico" not in problem]


@pytest.mark.slow
def test_firefox_searches_looks_around_and_compares(tab: Firefox, pages: Pages, tmp_path: Path) -> None:
    tab.problems.clear()
    tab.open(pages["the start"])
    tab.evaluate(f"document.getElementById('code').value = {RENAMED!r}")
    tab.click("button.main")
    tab.until("document.querySelectorAll('.hit').length === 4")
    tab.click("a.place")
    tab.until("document.querySelector('button.mark') !== null")
    tab.click("button.mark")
    tab.until("!document.getElementById('elsewhere').hidden")
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, text in (("ann", AREA), ("ben", RENAMED)):
            archive.writestr(f"{name}/a.py", text)
    tab.open(pages["the start"])
    tab.choose("#file", [tmp_path / "all.zip"])
    tab.until("document.querySelector('#took form[action=\"/compare\"]') !== null")
    tab.click("#took form[action='/compare'] button")
    tab.until("document.querySelector('#pair-list [role=row]') !== null")
    assert without_icons(tab) == []


def test_a_diff_in_the_box_is_said_and_checked(browser: Browser, pages: Pages) -> None:
    with visited(browser, pages["a diff"]) as shown:
        page = shown.page
        expect(page.get_by_text("Taken for a diff")).to_be_visible()
        expect(page.locator("#found")).to_have_text(re.compile("^1 finding to look at"))
        expect(page.locator(".entry.failing .row").first).to_be_visible()
        page.get_by_role("button", name="Make a report of it").click()
        expect(page.get_by_text("1 finding to look at")).to_be_visible()


def file(name: str, text: str) -> FilePayload:
    """A file to choose."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def test_a_file_with_a_diff_in_the_box_is_checked(browser: Browser, pages: Pages) -> None:
    with visited(browser, pages["the start"]) as shown:
        page = shown.page
        for name in ("change.txt", "change.PATCH"):
            page.locator("#file").set_input_files(file(name, COMBINED))
            expect(page.locator("#took")).to_contain_text(f"Taken for the file {name}.")
            expect(page.locator("#took button")).to_have_count(int(name == "change.PATCH"))
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.get_by_text("Taken for a diff")).to_be_visible()
        expect(page.locator(".entry.failing")).to_have_count(1)
        page.go_back()
        page.locator("#file").set_input_files(file("a.diff", COMBINED))
        page.get_by_role("button", name="Check whether it copies").click()
        expect(page.get_by_text("1 finding to look at")).to_be_visible()


def test_hostile_names_of_files_that_are_looked_up_are_seen_and_do_nothing(browser: Browser, pages: Pages) -> None:
    contents = {NAME: f"# {HOSTILE}\n{RENAMED}", "empty\u202e.py": "", "unknown.py": UNKNOWN}
    seen = NAME.replace("\u2028", "<U+2028>").replace("\u202e", "<U+202E>")
    with visited(browser, pages["the start"]) as shown:
        page = shown.page
        page.locator("#file").set_input_files([file(name, text) for name, text in contents.items()])
        files = page.locator("#files")
        expect(files.get_by_role("status")).to_have_text("2 files looked up, 1 left out")
        row = files.locator("tbody tr").first
        expect(row.locator("td").first).to_have_text(seen)
        expect(row.locator("td").last).to_contain_text(seen)
        assert page.locator("img").count() == 0
        assert not {"\u2028", "\u202e"} & set(page.locator("body").inner_text())
        page.locator("#file").set_input_files(file(NAME, RENAMED))
        expect(page.locator("#took")).to_have_text(f"Taken for the file {seen}.")


def test_figures_are_explained_where_nothing_is_found(browser: Browser, pages: Pages) -> None:
    meanings = dict(MEANINGS)
    with visited(browser, pages["nothing"]) as shown:
        page = shown.page
        expect(page.locator("#found")).to_have_text("Nothing found")
        page.get_by_text("What the figures mean").click()
        expect(page.locator(".meanings li").first).to_have_text(f"tokens: {meanings['tokens']}")


@pytest.mark.parametrize(("names", "button"), [(["a.zip"], "Check the project"), (["a.zip", "b.tgz"], "Compare")])
def test_archives_in_the_box_are_checked_or_compared(
    browser: Browser, pages: Pages, tmp_path: Path, names: list[str], button: str
) -> None:
    for name in names:
        with ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(f"{NAME}/a.py", RENAMED)
    with visited(browser, pages["the start"]) as shown:
        page = shown.page
        page.locator("#file").set_input_files([tmp_path / name for name in names])
        expect(page.locator("#took")).to_contain_text("archive")
        page.locator("#took").get_by_role("button", name=button).click()
        expect(page).to_have_url(re.compile("/jobs/"))
        expect(page.locator("h1")).to_contain_text("a.zip")
