"""Everybody can use the page: by keyboard, with a screen reader, on a phone, in the dark; and it says what it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.page.dropping import ComparePage, FileServer, opened_page
from tests.page.handing_in import hand_ins


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1300])
def test_nothing_is_in_the_way_of_a_reader(
    browser: Browser, server: FileServer, tmp_path: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    with opened_page(browser, server.address, scheme=scheme, width=width) as page:
        page.choose(hand_ins(tmp_path / "hand-ins"))
        for summary in page.page.locator("#choose summary").all():
            summary.click()
        assert page.opened.violations() == []
        assert is_within(page)
        page.compare("folder")
        assert page.opened.violations() == []
        assert is_within(page)


def is_within(page: ComparePage) -> bool:
    """Whether the page does not scroll sideways."""
    return bool(page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_it_is_used_by_keyboard(page: ComparePage, tmp_path: Path) -> None:
    keyboard = page.page.keyboard
    folder = hand_ins(tmp_path / "hand-ins")
    page.page.locator(".zone.first .choose-folder").focus()
    with page.page.expect_file_chooser() as dialog:
        keyboard.press("Enter")
    dialog.value.set_files(str(folder))
    expect(page.page.locator(".zone.first li")).to_have_count(1)
    for _ in range(20):
        if page.page.evaluate("document.activeElement.id") == "compare":
            break
        keyboard.press("Tab")
    keyboard.press("Enter")
    expect(page.page.locator("#answer")).to_be_focused()
    expect(page.page.locator("#status")).to_contain_text("found")
    keyboard.press("Tab")
    expect(page.page.locator("#save")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(page.page.locator("#compare")).to_be_focused()


def test_back_leads_from_the_report_to_what_was_chosen(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    page.choose(folder)
    page.compare("folder")
    page.page.locator("#pair-list .list-rows [role=row]").first.click()
    expect(page.page.locator("#pair")).to_be_visible()
    page.page.go_back()
    expect(page.page.locator("#overview")).to_be_visible()
    page.page.go_back()
    expect(page.page.locator("#compare")).to_be_focused()
    assert page.listed() == ["hand-ins/ 4 files"]
    page.page.go_forward()
    expect(page.page.locator("#answer")).to_be_focused()
    page.again()
    page.compare("file")
    page.page.go_back()
    expect(page.page.locator("#compare")).to_be_focused()


def test_each_field_has_its_own_name(page: ComparePage) -> None:
    for name in ("Submissions", "Template code", "Earlier work"):
        expect(page.page.get_by_role("group", name=name)).to_be_visible()


def test_opened_from_a_file_it_says_what_it_needs(browser: Browser, site: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    expect(page.locator("#needs")).to_be_visible()
    expect(page.locator("#needs")).to_contain_text("python -m http.server --bind 127.0.0.1 --directory DIR")
    expect(page.locator("#choose")).to_be_hidden()
    context.close()
