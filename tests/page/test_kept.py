"""What a reader keeps stays whole until something newer is kept as a whole."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.page.dropping import ComparePage, by_the_command, comparable, until
from tests.page.handing_in import hand_ins, zipped

COPIES = """(async () => {
    const all = await (await navigator.storage.getDirectory()).getDirectoryHandle("wherefrom-kept");
    return (await Array.fromAsync(all.keys())).length;
})()"""
"""The number of copies in the storage of the browser."""


def kept(page: ComparePage, *paths: Path) -> None:
    """Chooses and keeps something."""
    page.choose(*paths)
    page.page.locator("#keep").click()
    expect(page.page.locator("#status")).to_have_text("Kept in this browser")


def opened(page: Page) -> None:
    page.locator("#open-kept").click()
    expect(page.locator(".sources li").first).to_be_visible()


def assert_alone(page: ComparePage, folder: Path) -> None:
    """Only this folder is kept, and it can be compared."""
    assert page.page.evaluate(COPIES) == 1
    opened(page.page)
    assert comparable(page.compare("folder")) == by_the_command([folder], by="folder")


def test_what_was_kept_stays_if_a_file_is_gone(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    kept(page, folder)
    page.page.reload()
    other = hand_ins(tmp_path / "other")
    page.choose(other)
    (other / "dan" / "main.py").unlink()
    page.page.locator("#keep").click()
    expect(page.page.locator("#problem")).to_contain_text("a file was changed or removed since it was chosen")
    expect(page.page.locator("#kept-text")).to_contain_text("hand-ins")
    assert_alone(page, folder)


def test_what_was_kept_stays_if_the_tab_is_closed_meanwhile(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    kept(page, folder)
    page.choose(hand_ins(tmp_path / "other"))
    page.page.evaluate(
        "void (FileSystemWritableFileStream.prototype.close = () => new Promise(() => {}))"
    )  # a slow disk
    page.page.locator("#keep").click()
    until(page.page, f"{COPIES}.then((copies) => copies === 2)")
    page.page.reload()
    expect(page.page.locator("#kept-text")).to_contain_text(": hand-ins (")
    assert_alone(page, folder)


def test_what_was_opened_is_kept_again_with_more(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    (folder / "huge.py").write_bytes(b" " * 1_000_001)
    kept(page, folder)
    page.page.reload()
    opened(page.page)
    archive = zipped(hand_ins(tmp_path / "more"), tmp_path / "more.zip")
    kept(page, archive)
    assert page.listed() == ["hand-ins/ 5 files", "more.zip 4 files"]
    assert comparable(page.compare("folder")) == by_the_command([folder, archive], by="folder")
    assert page.skipped() == {"hand-ins/huge.py": "too_large"}
    page.again()
    page.page.locator("#forget").click()
    expect(page.page.locator("#status")).to_have_text("Forgotten")
    assert page.listed() == []
