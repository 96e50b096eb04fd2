"""The page of a check in a real browser: its filter, its baseline, hostile names, accessibility."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browsing import opened
from tests.results.answers import DOCUMENT, QUERY, check_report
from wherefrom.model import Rule
from wherefrom.projects.check.baseline import load_baseline
from wherefrom.projects.check.findings import Acceptance, BaselineEntry, CheckReport, FileCopy, FolderCopy
from wherefrom.reports.check import html
from wherefrom.reports.renderer import Look
from wherefrom.results.locations import Texts

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\u2028\u202e.py"


def report() -> CheckReport:
    """Findings in three files and a folder: three fail, one is a note, one is accepted by the baseline."""
    made = check_report()
    failing, _, note = made.findings
    copied = [
        replace(failing, path=f"deps/{name}.py", fingerprint=f"d{name}:1", copy=FileCopy(True, 1.0, 2))
        for name in "abc"
    ]
    paths = tuple(finding.path for finding in copied)
    return replace(
        made,
        index="/home/me/.local/share/wherefrom/index",
        findings=(
            failing,
            *copied,
            replace(failing, path="other.py", fingerprint="o:1", rule=Rule.LICENSE_CONFLICT, licenses=("MIT",)),
            replace(note, path="noted.py", fingerprint="n:1"),
            replace(failing, path="known.py", fingerprint="k:1", accepted=Acceptance("baseline")),
        ),
        fail_on=(Rule.COPIED_UNATTRIBUTED, Rule.LICENSE_CONFLICT),
        folders=(FolderCopy("deps", "github.com/x/y", "src", paths, 3),),
        baseline=(BaselineEntry("known.py", Rule.COPIED_UNATTRIBUTED, "k:1"),),
        contents=dict.fromkeys(("mine.py", "other.py", "noted.py", "known.py", *paths), QUERY),
        texts=Texts(QUERY, lambda _: DOCUMENT),
    )


def written(folder: Path, value: CheckReport) -> Path:
    file = folder / "check.html"
    file.write_text("".join(html.write(value, Look(accepted=True))), encoding="utf-8")
    return file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path, report())


def test_the_contents_are_filtered_and_sorted(browser: Browser, file: Path) -> None:
    with opened(browser, file) as shown:
        page = shown.page
        rows = page.locator("#contents tbody tr:visible")
        expect(page.locator("#shown")).to_have_text("5 entries of 5")
        page.get_by_label("Filter").fill("other")
        expect(rows).to_have_count(1)
        expect(page.locator("section.entry:visible")).to_have_count(1)
        page.get_by_label("Filter").fill("")
        page.get_by_role("combobox", name="Rule").select_option("license-conflict")
        expect(page.locator("#shown")).to_have_text("1 entry of 5")
        page.get_by_role("combobox", name="Rule").select_option("")
        page.get_by_role("combobox", name="State").select_option("accepted")
        expect(rows.locator("a")).to_have_text(["known.py:2-12"])
        page.get_by_role("combobox", name="State").select_option("")
        page.get_by_role("button", name="where").click()
        first = rows.first.locator("a").inner_text()
        page.get_by_role("button", name="where").click()
        expect(rows.last.locator("a")).to_have_text(first)


def test_the_exported_baseline_has_the_entries_that_a_reader_accepted(
    browser: Browser, file: Path, tmp_path: Path
) -> None:
    context = browser.new_context(offline=True, accept_downloads=True)
    with opened(browser, file, context=context) as shown:
        page = shown.page
        for box in page.locator("section.entry", has_text="Lines 2-12").get_by_label("accept").all()[:1]:
            box.check()
        page.locator("section.entry", has_text="deps/").get_by_label("accept").check()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export the baseline with 2 more").click()
        download.value.save_as(tmp_path / "baseline.json")
    entries = load_baseline(tmp_path / "baseline.json")
    assert {(entry.path, entry.fingerprint) for entry in entries} == {
        ("known.py", "k:1"),
        ("mine.py", "f:1"),
        *((f"deps/{name}.py", f"d{name}:1") for name in "abc"),
    }
    # An accepted finding is still accepted when the page is opened again.
    with opened(browser, file, context=context) as shown:
        expect(shown.page.locator("section.entry input:checked")).to_have_count(2)
    context.close()


def test_a_page_works_in_a_browser_without_storage(browser: Browser, file: Path) -> None:
    context = browser.new_context(offline=True)
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})")
    with opened(browser, file, context=context) as shown:
        shown.page.locator("section.entry").get_by_label("accept").first.check()
        expect(shown.page.get_by_role("button", name="Export the baseline with 1 more")).to_be_visible()
        expect(shown.page.locator("#not-kept")).to_be_visible()
    context.close()


def test_hostile_names_and_contents_are_visible_and_do_nothing(browser: Browser, tmp_path: Path) -> None:
    made = check_report()
    code = HOSTILE.encode() + b"\n" + QUERY
    finding = made.findings[0]
    at = replace(finding.places[0].occurrence, repository=HOSTILE, path=HOSTILE)
    hostile = replace(
        made,
        project=HOSTILE,
        findings=(replace(finding, path=HOSTILE, places=(replace(finding.places[0], occurrence=at),)),),
        contents={HOSTILE: code},
        texts=Texts(code, lambda _: code),
        baseline=(BaselineEntry(HOSTILE, Rule.COPIED_UNATTRIBUTED, "k:1"),),
    )
    with opened(browser, written(tmp_path, hostile)) as shown:
        page = shown.page
        assert page.locator("img").count() == 0
        seen = HOSTILE.replace("\u2028", "<U+2028>").replace("\u202e", "<U+202E>")
        expect(page.locator("summary h2")).to_have_text(seen)
        expect(page.locator("pre").first).to_contain_text(seen)
        assert not {"\u2028", "\u202e"} & set(page.content())
        data = json.loads(page.locator("#report").inner_text())
        assert data["baseline"]["findings"][0]["path"] == HOSTILE


def test_a_page_without_findings_has_no_script(browser: Browser, tmp_path: Path) -> None:
    empty = replace(check_report(), findings=(), stale=(), unexplained=())
    with opened(browser, written(tmp_path, empty)) as shown:
        assert shown.page.locator("script").count() == 0
        expect(shown.page.get_by_text("nothing to look at")).to_be_visible()


def test_a_link_opens_the_file_of_its_entry(browser: Browser, tmp_path: Path) -> None:
    made = report()
    many = [replace(made.findings[0], path=f"m{number}.py", fingerprint=f"m{number}:1") for number in range(30)]
    value = replace(made, findings=tuple(many), folders=(), contents={one.path: QUERY for one in many})
    with opened(browser, written(tmp_path, value), place="#entry-30") as shown:
        expect(shown.page.locator("#entry-30 pre").first).to_be_visible()
        expect(shown.page.locator("details.file[open]")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 390])
def test_axe_finds_no_problem(browser: Browser, file: Path, scheme: Literal["light", "dark"], width: int) -> None:
    with opened(browser, file, scheme=scheme, width=width) as shown:
        expect(shown.page.locator("#shown")).not_to_be_empty()
        assert shown.violations() == []


def test_code_is_colored(browser: Browser, file: Path) -> None:
    with opened(browser, file) as shown:
        shown.page.wait_for_function("CSS.highlights.has('keyword') && CSS.highlights.get('keyword').size > 0")
        words = shown.page.evaluate(
            "[...CSS.highlights.get('keyword')]"
            ".map(({startContainer, startOffset, endOffset}) => startContainer.data.slice(startOffset, endOffset))"
        )
        assert {"def", "for", "return"} <= set(words)
        assert "parse" not in words
