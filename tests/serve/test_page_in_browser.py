"""The page in a real browser: from pasted code to the file that has it, by pointer and by keys alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Literal
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsing import Opened
from tests.polygons import AREA, FEET, OWN
from tests.posts.api_server import ANSWER
from tests.posts.api_server import serving as posts_api
from tests.queries.test_long_queries import code
from tests.queries.test_refused import make_index, missed_by
from tests.repositories import Repository
from tests.serve.pages import HOSTILE
from tests.serve.running import serving, serving_copy
from tests.serve.uploading import HEAVY_FILES
from tests.service.indexed import LICENSED, RENAMED, UNKNOWN
from wherefrom import index_sources, open_index
from wherefrom.reports.hit_fields import MEANINGS

# On a busy machine a page waits long for a search.
expect.set_options(timeout=120_000)

GEOMETRY = "github.com/example/geometry"


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("elasticsearch", marks=[pytest.mark.live, pytest.mark.nightly])]
)
def served(code_index: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server, once with each engine."""
    with serving_copy(code_index, request) as address:
        yield address


@contextmanager
def visited(
    browser: Browser,
    address: str,
    *,
    scheme: Literal["light", "dark"] = "light",
    scripts: bool = True,
    width: int = 1300,
) -> Iterator[Opened]:
    """Opens an address. Checks that the page makes no request to another server and has no error."""
    context = browser.new_context(
        color_scheme=scheme, java_script_enabled=scripts, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    shown = Opened(page)
    page.on("request", lambda request: shown.requests.append(request.url))
    page.on("pageerror", lambda error: shown.problems.append(f"error: {error}"))
    page.on("console", lambda message: shown.problems.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: shown.problems.append(f"dialog: {dialog.message}"))
    server = "/".join(address.split("/")[:3])
    try:
        page.goto(address)
        yield shown
        assert [url for url in shown.requests if not url.startswith((f"{server}/", "data:"))] == []
        assert shown.problems == []
    finally:
        context.close()


def search(page: Page, text: str) -> None:
    page.get_by_label("Code", exact=True).fill(text)
    page.get_by_role("button", name="Search", exact=True).click()


def test_pasted_code_is_found_and_the_query_is_in_the_url(browser: Browser, served: str) -> None:
    with visited(browser, served) as shown:
        page = shown.page
        search(page, RENAMED)
        expect(page.locator("#found")).to_have_text("3 hits found")
        expect(page.locator(".hit")).to_have_count(3)
        first = page.locator(".hit").first
        expect(first.locator(".match")).to_have_text("100%")
        expect(first.locator("mark").first).to_be_visible()
        for side in ("first", "last"):
            expect(first.locator(f".row > :{side}-child mark b.keyword").first).to_have_text("def")
        assert "/search?code=def+area_of_polygon" in page.url
        page.goto(page.url)
        expect(page.locator(".hit")).to_have_count(3)
        assert page.get_by_label("Code", exact=True).input_value() == RENAMED.rstrip("\n") + "\n"
        search(page, UNKNOWN)
        expect(page.locator("#found")).to_have_text("Nothing found")
        tips = page.get_by_label("What to try")
        expect(tips).to_contain_text("in python")
        expect(tips).to_contain_text("Paste more of the code")
        search(page, "x")
        expect(page.locator("#found")).to_have_text(re.compile("Too short"))


def test_facing_lines_are_in_one_row(browser: Browser, served: str) -> None:
    with visited(browser, served) as shown:
        page = shown.page
        page.set_viewport_size({"width": 1280, "height": 900})
        search(page, AREA.replace("total", "twice_the_area"))
        rows = page.locator(".hit").first.locator(".rows")
        expect(rows).to_be_visible()
        measure = (
            "rows => [...rows.children].map(row => [...row.children].map(cell => [cell.offsetTop, cell.offsetHeight]))"
        )
        assert all(here == there for here, there in rows.evaluate(measure))
        page.set_viewport_size({"width": 390, "height": 900})
        same = rows.locator(".row.same")
        expect(same).not_to_have_count(0)
        expect(same.first.locator("> :last-child")).to_be_hidden()
        places = rows.evaluate(measure)
        assert all(abs(here[0] + here[1] - there[0]) <= 1 for here, there in places if here[1] and there[1])
        assert sum(there[1] > 0 for _, there in places) + same.count() == len(places)
        page.set_viewport_size({"width": 1280, "height": 900})
        wide = "rows => rows.scrollWidth - rows.clientWidth"
        rows.locator("> .row > :first-child").first.evaluate("line => line.append(' x'.repeat(300))")
        assert rows.evaluate(wide) == 0
        page.get_by_role("button", name="Wrap lines").click()
        assert rows.evaluate(wide) > 0
        page.reload()
        expect(page.get_by_role("button", name="Wrap lines")).to_have_attribute("aria-pressed", "false")


def test_a_source_and_filters_are_said(browser: Browser, served: str) -> None:
    with visited(browser, served) as shown:
        page = shown.page
        page.get_by_label("From the URL").fill(f"https://{GEOMETRY}")
        page.get_by_text("Filters and boilerplate").click()
        page.get_by_label("Repositories").fill("*/maps, */geometry")
        search(page, RENAMED)
        expect(page.locator(".hit")).to_have_count(2)
        expect(page.locator(".hit .badge.verdict-attributed")).to_have_count(1)
        expect(page.locator(".hit .badge.verdict-source")).to_have_count(1)
        expect(page.get_by_text("# From https://github.com/example/geometry, thanks.").first).to_be_visible()
        page.get_by_label("From the URL").fill("nonsense")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("nonsense")
        shown.problems.clear()  # the console tells of the status 422


def test_the_oldest_places_come_first(browser: Browser, dated: str) -> None:
    with visited(browser, dated) as shown:
        page = shown.page
        page.get_by_text("Filters and boilerplate").click()
        page.get_by_label("Order").select_option("oldest first")
        search(page, RENAMED)
        first = page.locator(".hit").first
        expect(first.locator(".place").first).to_have_text(re.compile(f"^{GEOMETRY}"))
        expect(first).to_contain_text("here since 2017-11-20 (v1.0)")
        first.locator(".others summary").click()
        expect(first.locator(".others")).to_contain_text(re.compile(r"maps\.py:\d+-\d+ .*since 2019-03-02"))
        assert "oldest=yes" in page.url
        expect(page.get_by_label("Order")).to_have_value("yes")


def test_facets_narrow_the_hits(browser: Browser, served: str) -> None:
    with visited(browser, served) as shown:
        page = shown.page
        search(page, RENAMED)
        expect(page.locator("#found")).to_have_text("3 hits found")
        page.get_by_label("MIT 1").check()
        expect(page.locator("#found")).to_have_text("1 of 3 hits found")
        expect(page.locator(".hit h3")).to_contain_text(GEOMETRY)
        assert "only_license=MIT" in page.url
        expect(page.get_by_label("MIT 1")).to_be_checked()
        expect(page.get_by_label("MIT 1")).to_be_focused()
        expect(page.locator(".facets")).to_contain_text("Each number is how many hits you see with that choice.")
        page.goto(page.url)
        expect(page.locator("#found")).to_have_text("1 of 3 hits found")
        expect(page.get_by_label("no license stated 2")).not_to_be_checked()
        page.get_by_label("no license stated 2").check()
        expect(page.locator("#found")).to_have_text("3 hits found")
        page.get_by_label(f"{GEOMETRY} 1").check()
        expect(page.locator("#found")).to_have_text("1 of 3 hits found")
        page.get_by_label("MIT 1").uncheck()
        expect(page.locator("#found")).to_have_text("0 of 3 hits found")
        expect(page.locator(".hit")).to_have_count(0)
        page.get_by_role("button", name="Show all").click()
        expect(page.locator(".hit")).to_have_count(3)
        # The facets that were chosen for one search do not apply to the next one.
        page.get_by_label("MIT 1").check()
        expect(page.locator("#found")).to_have_text("1 of 3 hits found")
        search(page, FEET)
        expect(page.locator("#found")).to_have_text("1 hit found")


def test_facets_work_without_scripts_and_for_long_code(browser: Browser, served: str) -> None:
    for scripts in (True, False):
        with visited(browser, served, scripts=scripts) as shown:
            page = shown.page
            search(page, RENAMED + "# a comment that is long\n" * 1000)
            expect(page.locator("#found")).to_have_text("3 hits found")
            page.get_by_label("MIT 1").check()
            if not scripts:
                page.get_by_role("button", name="Narrow").click()
            expect(page.locator("#found")).to_have_text("1 of 3 hits found")
            assert page.url == f"{served}/search"


def test_a_file_has_permalinks_and_marks_of_lines_that_are_elsewhere(browser: Browser, served: str) -> None:
    with visited(browser, f"{served}/r/{GEOMETRY}/geometry.py#L3-4") as shown:
        page = shown.page
        expect(page.locator(".chosen")).to_have_count(2)
        expect(page.locator("#L3")).to_contain_text("total = 0")
        expect(page.locator("#L2 b.keyword").first).to_have_text("def")
        expect(page.locator("#L1 b.comment")).to_have_text("# SPDX-License-Identifier: MIT")
        expect(page.locator("#marks")).to_have_text("5 lines also in 2 other files: choose a mark to see where")
        mark = page.get_by_role("button", name="Line 3 is also in 2 other files: show where")
        expect(mark).to_have_text("2")
        expect(page.locator("#L13 > button.mark")).to_have_count(0)
        mark.click()
        place = page.locator("#elsewhere li a").first
        expect(page.locator("#elsewhere")).to_contain_text("Line 3 is also in")
        place.click()
        expect(page.locator(".chosen")).to_have_count(1)
        expect(page.locator(".chosen")).to_contain_text(re.compile("total = 0|twice = 0"))
        page.go_back()
        page.locator("#L2 > a.number").click()
        page.locator("#L5 > a.number").click(modifiers=["Shift"])
        assert page.url.endswith("#L2-5")
        expect(page.locator(".chosen")).to_have_count(4)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_lines_that_are_elsewhere_are_listed(browser: Browser, served: str, scripts: bool) -> None:
    with visited(browser, f"{served}/r/{GEOMETRY}/geometry.py", scripts=scripts) as shown:
        page = shown.page
        page.get_by_role("link", name="List of the lines that are also elsewhere").click()
        rows = page.locator("tbody tr")
        expect(rows).to_have_count(1)
        expect(rows.locator("td").first).to_have_text("2-6")
        expect(rows.locator("td").nth(1)).to_have_text("2")
        expect(rows.locator("td").nth(2)).to_contain_text(
            re.compile(r"games +board\.py:4-8.*no license stated.*maps +maps/shapes\.py", re.DOTALL)
        )
        page.get_by_role("link", name="2-6").click()
        expect(page.locator("#L2")).to_contain_text("def area_of_polygon")
        page.goto(f"{served}/r/github.com/example/tools/measure.py?elsewhere=1")
        expect(page.get_by_role("main")).to_contain_text("No line was found in another file.")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_repository_says_who_shares_its_code(browser: Browser, served: str, scripts: bool) -> None:
    with visited(browser, f"{served}/r/github.com/example/maps/", scripts=scripts) as shown:
        page = shown.page
        page.get_by_role("link", name="Who shares this code?").click()
        expect(page).to_have_title(re.compile("^Shared code: github.com/example/maps · wherefrom$"))
        expect(page.get_by_role("main")).to_contain_text("parts of the 1 largest were looked up too")
        geometry = page.get_by_role("region", name=GEOMETRY)
        expect(geometry.locator(".badge")).to_have_text("attributed")
        expect(geometry).to_contain_text("5 lines of other files")
        expect(geometry).to_contain_text("License here: no license stated; there: MIT")
        expect(page.get_by_role("region", name="games").locator(".badge")).to_have_text("unattributed")
        geometry.get_by_text("1 example").click()
        expect(geometry.locator("li")).to_contain_text("credited here by maps/shapes.py:1: # From https://")
        geometry.get_by_role("link", name="geometry.py").click()
        expect(page.locator("#L2")).to_contain_text("def area_of_polygon")
        page.goto(f"{served}/r/github.com/example/maps/maps/?elsewhere=1")
        expect(page.locator(".entry")).to_have_count(2)
        page.goto(f"{served}/r/github.com/example/tools?elsewhere=1")
        expect(page.get_by_role("main")).to_contain_text("No other repository was found to have this code.")
        page.goto(f"{served}/r/github.com/example/maps/nothing/?elsewhere=1")
        expect(page.get_by_role("alert")).to_contain_text("no folder 'nothing/'")
        shown.problems.clear()  # the console tells of the status 404


def test_the_next_files_of_a_large_repository_are_looked_up(browser: Browser, tmp_path: Path) -> None:
    # Twenty files are looked up at once.
    copies = {f"{number:02}.py": f"{AREA}\n\nNUMBER = {number}\n".encode() for number in range(22)}
    clones = [Repository.make(tmp_path / "many", copies), Repository.make(tmp_path / "one", {"a.py": FEET.encode()})]
    clones.append(Repository.make(tmp_path / "same", {"b.py": copies["03.py"]}))
    index_sources([clone.folder for clone in clones], tmp_path / "made.wherefrom", jobs=1)
    address = f"/r/%2F{str(clones[0].folder)[1:]}/?elsewhere=1"
    with serving(tmp_path / "made.wherefrom") as server, visited(browser, server + address) as shown:
        page = shown.page
        main = page.get_by_role("main")
        expect(main).to_contain_text("1 file with the same content")
        while page.get_by_role("link", name="Go on with the next ones").count():
            page.get_by_role("link", name="Go on with the next ones").click()
        expect(main).to_contain_text(
            re.compile(r"Of the 21 contents that are nowhere else, parts of number \d+ to 21 by")
        )
        page.get_by_role("link", name="Back to the largest files").click()
        expect(main).to_contain_text(re.compile(r"parts of the \d+ largest"))
        for begin in ("-1", "x", "9" * 30, "²"):
            page.goto(f"{server}{address}&from={begin}")
            expect(main).to_contain_text(re.compile(r"parts of the \d+ largest"))


def test_a_file_says_since_when_it_is_here(browser: Browser, dated: str) -> None:
    with visited(browser, f"{dated}/r/github.com/roads/maps/maps.py") as shown:
        page = shown.page
        expect(page.locator(".facts").first).to_contain_text(re.compile(r"here since\s*2019-03-02"))
        page.get_by_text("1 identical file elsewhere, the oldest first").click()
        expect(page.locator(".places li").first).to_have_text(re.compile(r"geometry +geometry\.py since 2017-11-20"))
        page.goto(f"{dated}/r/github.com/roads/maps/?elsewhere=1")
        page.get_by_text("1 example").click()
        expect(page.locator(".entry li")).to_contain_text(re.compile("here since 2019-03-02.*there since 2017-11-20"))


def test_the_name_of_a_file_stays_in_sight_and_the_title_names_the_product(browser: Browser, tmp_path: Path) -> None:
    code = "".join(f"value_{number} = {number}\n" for number in range(2_000))
    made = Repository.make(tmp_path / "long", {"long.py": code.encode()})
    index_sources([made.folder], tmp_path / "made.wherefrom", jobs=1)
    with serving(tmp_path / "made.wherefrom") as address:
        for width in (1280, 390):
            with visited(browser, f"{address}/r/%2F{str(made.folder)[1:]}/long.py#L1500", width=width) as shown:
                heading = shown.page.get_by_role("heading", level=1)
                expect(shown.page.locator("#L1500")).to_be_in_viewport()
                expect(heading).to_be_in_viewport()
                expect(shown.page).to_have_title(re.compile(r"long\.py · wherefrom$"))


def test_the_button_for_colors_says_what_it_does(browser: Browser, served: str) -> None:
    with visited(browser, served, scheme="dark") as shown:
        shown.page.get_by_role("button", name="Light colors").click()
        expect(shown.page.get_by_role("button", name="Dark colors")).to_be_visible()
        expect(shown.page.locator("html")).to_have_attribute("data-theme", "light")


def test_a_repository_that_is_a_path_on_the_server_is_listed_by_the_end_of_it(browser: Browser, tmp_path: Path) -> None:
    folders = [
        Repository.make(tmp_path / name, {"a.py": FEET.encode()}).folder for name in ("x/tools", "y/tools", "y/maps")
    ]
    index_sources(folders, tmp_path / "made.wherefrom", jobs=1)
    with serving(tmp_path / "made.wherefrom") as address, visited(browser, f"{address}/repositories") as shown:
        links = shown.page.locator("#repositories td.name a")
        expect(links).to_have_text(["x/tools", "maps", "y/tools"])
        links.nth(1).click()
        expect(shown.page.get_by_role("link", name="a.py")).to_be_visible()


CHANGE = "--- /dev/null\n+++ b/shapes.py\n@@ -0,0 +1,{0} @@\n{1}"
"""A diff that adds a file with a number of lines."""


def added(code: str) -> str:
    """A diff that adds a file with this code."""
    lines = code.splitlines()
    return CHANGE.format(len(lines), "".join(f"+{line}\n" for line in lines))


@pytest.mark.parametrize("scripts", [True, False])
def test_a_change_is_checked(browser: Browser, served: str, scripts: bool) -> None:
    with visited(browser, served, scripts=scripts) as shown:
        page = shown.page
        page.get_by_role("link", name="Check a change").click()
        page.get_by_label("Change", exact=True).fill(added(RENAMED))
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("1 finding to look at")).to_be_visible()  # the report opens by itself
        expect(page).to_have_title(re.compile("shapes.py"))
        expect(page.locator(".entry").first).to_contain_text(GEOMETRY)
        expect(page.get_by_role("button", name="Export the baseline")).to_be_visible(visible=scripts)
        page.get_by_role("link", name="Downloads of this one").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="sarif").click()
        assert download.value.suggested_filename == "check-report.sarif"
        assert "shapes.py" in download.value.path().read_text()
        page.get_by_role("link", name="Check a change").click()
        page.get_by_label("Change", exact=True).fill("no diff")
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_role("alert")).to_contain_text("not a unified diff")


@pytest.mark.parametrize("scripts", [True, False])
def test_hand_ins_are_compared(browser: Browser, served: str, scripts: bool, tmp_path: Path) -> None:
    names = "anna", "ben", HOSTILE.replace("/", "_")
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, text in zip(names, (AREA, RENAMED, UNKNOWN), strict=True):
            archive.writestr(f"{name}/a.py", text)
    with visited(browser, served, scripts=scripts) as shown:
        page = shown.page
        page.get_by_role("link", name="Compare hand-ins").click()
        page.get_by_label("Hand-ins", exact=True).set_input_files(tmp_path / "all.zip")
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_text("1 pair found among 3 submissions")).to_be_visible()
        pairs = page.locator("#pair-list" if scripts else "#plain")
        expect(pairs).to_contain_text("anna")
        if scripts:
            page.get_by_role("link", name="anna").first.click()
            with page.expect_response(re.compile("/reviews/")):
                page.get_by_role("radio", name="dismissed").check()
        job = page.url.partition("/report")[0]
        page.get_by_role("link", name="All reports").click()
        expect(page.locator("td.name").first).to_have_text("Comparison of all.zip")
    with visited(browser, f"{job}/report", scripts=scripts) as shown:
        if scripts:
            expect(shown.page.locator("#pair-list")).to_contain_text("dismissed")
        shown.page.goto(job)
        shown.page.get_by_role("button", name="Delete it now").click()
        expect(shown.page).to_have_url(f"{served}/jobs")


def test_a_running_comparison_is_cancelled(browser: Browser, served: str, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "heavy.zip", "w") as archive:
        for name, content in HEAVY_FILES:
            archive.writestr(name, content)
    with visited(browser, f"{served}/compare") as shown:
        page = shown.page
        page.get_by_label("Hand-ins", exact=True).set_input_files(tmp_path / "heavy.zip")
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("status")).to_contain_text(re.compile("read|counted|compared"))
        page.get_by_role("button", name="Cancel").click()
        expect(page).to_have_url(f"{served}/jobs")
        expect(page.get_by_text("heavy.zip")).to_have_count(0)


def test_the_start_page_says_what_is_indexed_and_has_examples(browser: Browser, served: str) -> None:
    with visited(browser, served) as shown:
        page = shown.page
        facts = page.get_by_label("What is indexed")
        expect(facts).to_contain_text(re.compile(r"repositories:?\s*4"))
        expect(facts).to_contain_text(re.compile(r"last run:?\s*20\d\d-\d\d-\d\d"))
        for name in ("a permalink", "some code"):
            page.get_by_role("link", name=name).click()
            expect(page.locator(".hit").first).to_be_visible()
            page.go_back()


def test_a_permalink_is_read_from_the_index_and_searched(browser: Browser, served: str) -> None:
    with visited(browser, served) as shown:
        page = shown.page
        search(page, f"https://{GEOMETRY}/blob/main/geometry.py#L2-L6")
        expect(page.get_by_text("Taken for a permalink of")).to_contain_text(f"{GEOMETRY}:geometry.py, lines 2-6")
        expect(page.locator(".hit")).to_have_count(3)
        expect(page.locator(".verdict-source")).to_have_count(1)
        search(page, f"https://{GEOMETRY}/blob/main/nothing.py")
        expect(page.get_by_role("alert")).to_contain_text("has no file")
        search(page, "https://github.com/nobody/unknown/blob/main/a.py")
        expect(page.get_by_role("alert")).to_be_visible()
        assert len(shown.problems) == 2, "the status of both is 422"
        shown.problems.clear()


def test_a_package_is_looked_up_by_its_url(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "shapes").mkdir()
    (tmp_path / "shapes" / "shapes.py").write_text(RENAMED)
    index_sources([tmp_path / "shapes"], tmp_path / "made.wherefrom", jobs=1, name="pkg:pypi/shapes@1.2")
    with serving(tmp_path / "made.wherefrom") as address, visited(browser, address) as shown:
        page = shown.page
        for url, number in (("pkg:pypi/shapes", 1), ("pkg:pypi/shapes@1.2", 1), ("pkg:pypi/shapes@1", 0)):
            search(page, url)
            expect(page.get_by_text("Taken for a package URL.")).to_be_visible()
            expect(page.locator("#found")).to_have_text(f"{number} indexed package{'' if number == 1 else 's'}")
        expect(page.locator("#main")).to_contain_text("wherefrom index PURL")
        search(page, "pkg:pypi/shapes")
        page.get_by_role("link", name="pkg:pypi/shapes@1.2").click()
        page.get_by_role("link", name="shapes.py").click()
        expect(page.locator("pre")).to_contain_text("area_of_polygon")


def test_what_is_indexed_is_listed(browser: Browser, served: str) -> None:
    with visited(browser, f"{served}/repositories") as shown:
        page = shown.page
        expect(page.locator("table.sortable tbody tr")).to_have_count(4)
        row = page.locator("tr", has_text="github.com/example/maps")
        expect(row.locator("td").nth(2)).to_have_text(re.compile(r"^[\d.]+ k?B$"))
        page.get_by_label("Filter").fill("MAPS")
        expect(page.locator("table.sortable tbody tr:visible")).to_have_count(1)
        expect(page.locator("#shown")).to_have_text("1 of 4 repositories")
        expect(row).to_contain_text("data file 1")
        row.get_by_role("link").click()
        expect(page.locator(".files li").first).to_have_text("maps/ 1 file")
        page.get_by_role("link", name="maps/", exact=True).click()
        page.get_by_role("link", name="shapes.py").click()
        folders = page.get_by_role("navigation", name="Folders")
        expect(folders).to_have_text("github.com/example/maps / maps")
        expect(page.locator("#L2")).to_contain_text("def area_of_polygon(points):")
        page.goto(f"{served}/r/github.com/example/nothing.py")
        expect(page.get_by_role("alert")).to_contain_text("see /repositories")
        page.goto(f"{served}/r/{GEOMETRY}/nothing/")
        expect(page.get_by_role("alert")).to_contain_text("no folder 'nothing/'")
        shown.problems.clear()  # the console tells of the status 404


def test_control_and_enter_search_from_every_field(browser: Browser, served: str) -> None:
    for field in ("From the URL", "File name", "Language"):
        with visited(browser, served) as shown:
            shown.page.get_by_label("Code", exact=True).fill(RENAMED)
            shown.page.get_by_label(field).press("Control+Enter")
            expect(shown.page.locator(".hit")).to_have_count(3)


def test_keys_alone(browser: Browser, served: str) -> None:
    with visited(browser, served) as shown:
        page = shown.page
        keyboard = page.keyboard
        expect(page.get_by_label("Code", exact=True)).to_be_focused()  # autofocus follows the first frame
        keyboard.insert_text(RENAMED)
        keyboard.press("Control+Enter")
        expect(page.locator(".hit")).to_have_count(3)
        page.wait_for_load_state()  # the hits are there before the script is
        keyboard.press("j")
        keyboard.press("j")
        expect(page.locator(".hit").nth(1)).to_be_focused()
        keyboard.press("k")
        expect(page.locator(".hit").nth(0)).to_be_focused()
        keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        keyboard.press("Escape")
        expect(page.get_by_role("dialog")).not_to_be_visible()
        keyboard.press("/")
        expect(page.get_by_label("Code", exact=True)).to_be_focused()
        keyboard.press("Escape")
        keyboard.press("j")
        keyboard.press("Enter")
        page.wait_for_url("**/r/github.com/example/**")
        expect(page.locator(".chosen").first).to_be_visible()
        expect(page.locator("button.mark").first).to_be_visible()
        page.locator("button.mark").first.focus()
        keyboard.press("ArrowDown")
        keyboard.press("Enter")
        expect(page.locator("#elsewhere")).to_be_visible()


def test_files_and_folders_are_taken(browser: Browser, served: str, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(RENAMED)
    (tmp_path / "two.py").write_text(FEET)
    (tmp_path / "three.py").write_text(UNKNOWN)
    with visited(browser, served) as shown:
        page = shown.page
        page.locator("#file").set_input_files(tmp_path / "one.py")
        expect(page.get_by_label("Code", exact=True)).to_have_value(RENAMED)
        expect(page.get_by_label("File name")).to_have_value("one.py")
        page.locator("#file").set_input_files([tmp_path / f"{name}.py" for name in ("one", "two", "three")])
        expect(page.locator("#files p")).to_have_text("3 files looked up")
        rows = page.locator("#files tbody tr")
        expect(rows.nth(1)).to_have_text(
            re.compile(r"^two\.py100%(fair|strong) 0\.\d\dnone statedgithub\.com/example/tools +measure\.py:")
        )
        expect(rows.nth(2)).to_contain_text("nothing found")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as JSON").click()
        one, two, three = json.loads(saved.value.path().read_text())
        assert (one["file"], two["repository"], two["path"]) == ("one.py", "github.com/example/tools", "measure.py")
        assert two["lines"]["start_line"] >= 1
        assert three == {"file": "three.py"}
        found = rows.nth(1).get_by_role("link")
        href = found.get_attribute("href")
        assert (
            href == f"/r/github.com/example/tools/measure.py#L{two['lines']['start_line']}-{two['lines']['end_line']}"
        )
        rows.nth(1).get_by_role("button").click()
        expect(page.locator("#found")).to_have_text("1 hit found")


def drop(page: Page, *paths: Path) -> None:
    """Drops files and folders on the code, as a file manager does."""
    area = page.get_by_label("Code", exact=True).bounding_box()
    assert area is not None
    place = {"x": area["x"] + 20, "y": area["y"] + 20}
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    browser = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})


def test_files_and_folders_are_dropped(browser: Browser, served: str, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(RENAMED)
    for path, text in {
        "src/two.py": FEET,
        "src/deep/three.py": UNKNOWN,
        ".git/config": RENAMED,
        "empty.py": "",
    }.items():
        (tmp_path / "project" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / path).write_text(text)
    with visited(browser, served) as shown:
        page = shown.page
        drop(page, tmp_path / "one.py")
        expect(page.get_by_label("Code", exact=True)).to_have_value(RENAMED)
        drop(page, tmp_path / "project")
        expect(page.locator("#files p")).to_have_text("2 files looked up, 1 left out")
        rows = page.locator("#files tbody tr")
        expect(rows.filter(has_text="project/src/two.py")).to_contain_text("measure.py:")
        expect(rows.filter(has_text="project/src/deep/three.py")).to_contain_text("nothing found")


@pytest.mark.nightly
def test_what_is_found_and_left_out_is_told(browser: Browser, tmp_path: Path) -> None:
    clones = [
        Repository.make(tmp_path / name, {"area.py": f"{header}{AREA}\n\n{OWN}".encode()}).folder
        for name, header in {"first": LICENSED, "second": "", "third": ""}.items()
    ]
    clones.append(Repository.make(tmp_path / "other", {"other.py": f"{FEET}\n\n{AREA}".encode()}).folder)
    # Code that all files of an index have is not significant, so there are other files.
    clones.append(Repository.make(tmp_path / "rest", {f"{at}.c": code(at, at + 9) for at in range(0, 180, 9)}).folder)
    index_sources(clones, tmp_path / "made.wherefrom", jobs=1)
    with open_index(tmp_path / "made.wherefrom") as index:
        index.add_boilerplate("reports", [("own.py", OWN.encode())])
    with serving(tmp_path / "made.wherefrom") as address, visited(browser, address) as shown:
        page = shown.page
        page.get_by_text("Filters and boilerplate").click()
        page.get_by_label("Hits").fill("1")
        search(page, f"{RENAMED}\n\n{OWN}")
        expect(page.locator("#found")).to_have_text("2 hits found, showing 1")
        expect(page.locator(".facts").first).to_contain_text(
            re.compile(r"language\s*python.*time\s*\d+\.\d\d s", re.DOTALL)
        )
        hit = page.locator(".hit")
        expect(hit.locator(".heading")).to_contain_text(re.compile(r"^100%.*area\.py:\d+-\d+", re.DOTALL))
        # Three nearly identical files are one hit.
        hit.get_by_text("2 more locations").click()
        expect(hit.locator(".others a")).to_have_count(2)
        why = hit.locator(".why")
        expect(why).to_contain_text(
            re.compile(r"(fair|strong): 0\.\d\d probable · \d+ of \d+ tokens in the same order")
        )
        expect(why).not_to_contain_text("bits")
        hit.get_by_text("In the terms of the model").click()
        expect(hit.locator(".model")).to_contain_text(re.compile(r"score .*that is \d+ bits of evidence", re.DOTALL))
        page.get_by_role("button", name="Show 2 hits").click()
        expect(page.locator("#found")).to_have_text("2 hits found")
        assert "limit=2" in page.url
        page.get_by_label("reports").check()
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.get_by_text(re.compile(r"^\d+ tokens left out as boilerplate$"))).to_be_visible()
        expect(page.locator(".match").nth(1)).to_have_text("100%")
        page.get_by_label("reports").uncheck()
        page.get_by_label("Language").select_option("text")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.locator(".facts").first).to_contain_text(re.compile(r"language\s*text"))


def test_where_nothing_is_found_the_nearest_is_named_with_what_it_lacks(browser: Browser, tmp_path: Path) -> None:
    location, _ = make_index(tmp_path)
    with open_index(location) as index:
        missed = missed_by(index).decode()
    with serving(location) as address, visited(browser, address) as shown:
        page = shown.page
        page.get_by_label("Language").select_option("c")
        search(page, missed)
        expect(page.locator("#found")).to_have_text("Nothing found")
        nearest = page.get_by_role("region", name="The nearest")
        needs = r"\d+ of \d+ tokens in the same order"
        expect(nearest).to_contain_text(re.compile(rf"The nearest is .*near\.c:\d+.*: 0\.[0-4]\d probable, {needs}"))
        page.get_by_text("What the figures mean").click()
        explained = [f"{name}: {meaning}" for name, meaning in MEANINGS if name in {"tokens", "probable"}]
        expect(page.locator(".meanings li")).to_have_text(explained)
        nearest.get_by_text("In the terms of the model").click()
        expect(nearest).to_contain_text(re.compile(r"\d+ of \d+ tokens are there in the same order: "))
        # The text of the file is on the linked page, not here.
        expect(nearest.locator("pre, code, table")).to_have_count(0)
        nearest.get_by_role("link").click()
        expect(page).to_have_title(re.compile(r"near\.c"))
        page.go_back()
        page.get_by_text("Filters and boilerplate").click()
        page.get_by_label("Paths").fill("other/*")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page).to_have_url(re.compile("other"))
        expect(page.locator("#found")).to_have_text("Nothing found")
        expect(page.get_by_role("region", name="The nearest")).to_have_count(0)


def test_the_blocks_of_a_post_are_looked_up_by_the_api_alone(
    browser: Browser, code_index: Path, tmp_path: Path
) -> None:
    body = f"<p>So:</p><pre><code>{escape(FEET)}</code></pre><pre><code>&lt;b&gt;</code></pre>"
    with posts_api() as api:
        api.posts["/2.3/answers/12"] = {**ANSWER, "body": body}
        variables = {"WHEREFROM_STACKEXCHANGE_API": api.base, "HOME": str(tmp_path)}
        with serving(code_index, **variables) as address, visited(browser, address) as shown:
            page = shown.page
            search(page, "https://stackoverflow.com/a/12")
            expect(page.locator("#found")).to_have_text("2 blocks of code in this post")
            expect(page.locator("pre").nth(1)).to_have_text("<b>")
            page.get_by_role("button", name="Search this block").first.click()
            expect(page.locator(".hit")).to_have_count(1)
            expect(page.locator(".hit h3")).to_contain_text("github.com/example/tools")
            expect(page.locator(".badge.verdict-unattributed")).to_be_visible()
            assert page.get_by_label("From the URL").input_value() == "https://stackoverflow.com/questions/11#12"
            assert api.paths == ["/2.3/answers/12", "/2.3/questions/11"]
            search(page, f"{api.base}/answers/12")
            expect(page.get_by_role("alert")).to_contain_text("is not a post of a Stack Exchange site")
            assert api.paths == ["/2.3/answers/12", "/2.3/questions/11"]
            shown.problems.clear()  # the console tells of the status 422


def test_it_works_without_scripts_and_for_long_code(browser: Browser, served: str) -> None:
    long = RENAMED + "# a comment that is long\n" * 1000
    for scripts in (True, False):
        with visited(browser, served, scripts=scripts) as shown:
            page = shown.page
            search(page, long)
            expect(page.locator(".hit")).to_have_count(3)
            assert page.url == f"{served}/search"
            page.locator("a.place").first.click()
            expect(page.locator("pre")).to_contain_text("def area_of_polygon")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong(browser: Browser, served: str, scheme: Literal["light", "dark"]) -> None:
    with visited(browser, served, scheme=scheme) as shown:
        page = shown.page
        assert shown.violations() == []
        page.get_by_label("From the URL").fill(f"https://{GEOMETRY}")
        search(page, RENAMED)
        expect(page.locator(".hit")).to_have_count(3)
        for summary in page.locator("summary").all():
            summary.click()
        page.get_by_label("MIT 1").check()
        expect(page.locator(".hit")).to_have_count(1)
        assert shown.violations() == []
        for path in (
            f"r/{GEOMETRY}/geometry.py",
            f"r/{GEOMETRY}/geometry.py?elsewhere=1",
            f"r/{GEOMETRY}/?elsewhere=1",
        ):
            page.goto(f"{served}/{path}")
            if path.endswith(".py"):
                page.locator("button.mark").first.click()
            for summary in page.locator("summary").all():
                summary.click()
            assert shown.violations() == [], path


def test_hostile_names_and_contents_are_seen_and_do_nothing(browser: Browser, tmp_path: Path) -> None:
    name = HOSTILE.replace("/", "_")
    clone = Repository.make(tmp_path / "clone", {name: f"# {HOSTILE}\n{RENAMED}".encode()})
    clone.git("remote", "add", "origin", "https://github.com/example/hostile.git")
    index_sources([clone.folder], tmp_path / "made.wherefrom", jobs=1)
    with open_index(tmp_path / "made.wherefrom") as index:
        index.add_boilerplate("<b>set", [("a.py", UNKNOWN.encode())])
    with serving(tmp_path / "made.wherefrom") as address, visited(browser, address) as shown:
        page = shown.page
        search(page, f"# {HOSTILE}\n{RENAMED}")
        expect(page.locator(".hit")).to_have_count(1)
        page.get_by_text("Filters and boilerplate").click()
        expect(page.get_by_label("<b>set")).to_be_visible()
        assert page.locator("img, b:not([class], .meanings b)").count() == 0
        seen = name.replace("\u2028", "<U+2028>").replace("\u202e", "<U+202E>")
        expect(page.locator(".hit h3")).to_contain_text(seen)
        page.locator("a.place").click()
        expect(page.locator("h1")).to_contain_text(seen)
        expect(page.locator("#marks")).to_have_text("No line was found in another file.")
        assert page.locator("img").count() == 0
        assert not {"\u2028", "\u202e"} & set(page.content())


def test_hostile_names_on_the_pages_about_shared_code_do_nothing(browser: Browser, tmp_path: Path) -> None:
    name = HOSTILE.replace("/", "_")
    files = {name: f"# By {HOSTILE}\n# Copyright 2020 {HOSTILE} Ltd\n{RENAMED}\n".encode(), "LICENSE": HOSTILE.encode()}
    one = Repository.make(tmp_path / name, {**files, f"{name} folder/a.py": f"{FEET}# here\n".encode()})
    other = Repository.make(tmp_path / f"other {name}", {**files, "b.py": f"{FEET}# there\n".encode()})
    index_sources([one.folder, other.folder], tmp_path / "made.wherefrom", jobs=1)
    with serving(tmp_path / "made.wherefrom") as address, visited(browser, f"{address}/repositories") as shown:
        page = shown.page
        page.locator("#repositories a").first.click()
        page.get_by_role("link", name="Who shares this code?").click()
        page.get_by_text("2 examples").click()
        pages = [page.content()]
        page.locator(".entry li a").last.click()
        page.get_by_role("link", name="List of the lines that are also elsewhere").click()
        expect(page.locator("tbody tr").first).to_be_visible()
        for text in (*pages, page.content()):
            assert "<U+202E>" in text.replace("&lt;", "<").replace("&gt;", ">")
            assert not {"\u2028", "\u202e"} & set(text)
        assert page.locator("img").count() == 0
