"""Nothing leaves the machine, and the page works without a network."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browsing import Opened
from tests.page.dropping import ComparePage, FileServer, by_the_command, comparable, opened_page, serving, until
from tests.page.handing_in import hand_ins
from tests.processes import HANGS


def test_only_grammars_of_the_own_site_are_loaded_later(page: ComparePage, server: FileServer, tmp_path: Path) -> None:
    before = len(server.requested)
    page.opened.requests.clear()
    page.choose(hand_ins(tmp_path / "hand-ins", "python", "c"))
    page.compare("folder")
    page.save(tmp_path)
    assert sorted(server.requested[before:]) == ["/grammars/c.wasm", "/grammars/python.wasm"]
    assert [url for url in page.opened.requests if not url.startswith((server.address, "blob:"))] == []


def test_a_language_is_kept_once_it_was_used(page: ComparePage, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    page.choose(folder)
    page.compare("folder")
    refused = page.refuse_network()
    page.page.context.set_offline(True)
    page.page.reload()
    expect(page.page.locator("#choose")).to_be_visible()
    page.page.get_by_text("Without a network").click()
    expect(page.page.locator("#offline")).to_contain_text("without a network: python.")
    page.choose(folder)
    assert comparable(page.compare("folder")) == by_the_command([folder], by="folder")
    assert refused == []


def test_a_language_that_is_not_kept_needs_the_network(page: ComparePage, tmp_path: Path) -> None:
    page.page.context.set_offline(True)
    page.choose(hand_ins(tmp_path / "hand-ins", "java"))
    page.start("folder")
    expect(page.page.locator("#problem")).to_contain_text("the grammar of java cannot be loaded")
    page.page.context.set_offline(False)
    assert page.compare("folder")["pairs"]
    page.opened.problems.clear()  # the browser says that the grammar was not loaded


def test_all_languages_are_kept_if_the_reader_wants_that(page: ComparePage, tmp_path: Path) -> None:
    page.page.get_by_text("Without a network").click()
    page.page.locator("#all-grammars").click()
    expect(page.page.locator("#offline")).to_contain_text("All languages work without a network")
    page.page.context.set_offline(True)
    folder = hand_ins(tmp_path / "hand-ins", "java", "c")
    page.choose(folder)
    assert comparable(page.compare("folder")) == by_the_command([folder], by="folder")


def test_what_is_kept_is_there_again_until_it_is_forgotten(page: ComparePage, browser: Browser, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "hand-ins")
    page.choose(folder)
    page.choose(folder, role="archive")
    page.page.locator("#keep").click()
    expect(page.page.locator("#kept-text")).to_contain_text("hand-ins, hand-ins")
    page.page.reload()
    expect(page.page.locator("#kept")).to_be_visible()
    page.page.locator("#open-kept").click()
    expect(page.page.locator(".sources li")).to_have_count(2)
    assert page.listed() == ["hand-ins/ 4 files"] == page.listed("archive")
    page.page.get_by_role("button", name="Remove hand-ins/").last.click()
    assert comparable(page.compare("folder")) == by_the_command([folder], by="folder")
    page.again()
    page.page.locator("#forget").click()
    expect(page.page.locator("#kept")).to_be_hidden()
    stored = "async () => (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length"
    assert page.page.evaluate(stored) == 0
    page.page.reload()
    expect(page.page.locator("#choose")).to_be_visible()
    expect(page.page.locator("#kept")).to_be_hidden()


def test_workers_reach_no_other_site(page: ComparePage, tmp_path: Path) -> None:
    """A worker has a policy of its own if it is loaded from an address."""
    (tmp_path / "other").mkdir()
    page.choose(hand_ins(tmp_path / "hand-ins"))
    page.compare("folder")
    with serving(tmp_path / "other") as other:
        [worker] = page.page.workers
        reach = "(address) => fetch(address, { mode: 'no-cors' }).then(() => 'reached', () => 'refused')"
        assert worker.evaluate(reach, f"{other.address}sent") == "refused"
        assert other.requested == []


@pytest.mark.parametrize("script", ["analysis-worker.js", "comparing-worker.js"])
def test_a_worker_that_cannot_be_loaded_is_said(browser: Browser, site: Path, tmp_path: Path, script: str) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    (folder / script).unlink()
    with serving(folder) as server:
        context = browser.new_context()
        page = ComparePage(Opened(context.new_page()))
        page.page.goto(server.address)
        expect(page.page.locator("#choose")).to_be_visible()
        page.choose(hand_ins(tmp_path / "hand-ins"))
        for _ in range(2):
            page.start("folder")
            expect(page.page.locator("#problem")).to_contain_text(f"{script} cannot be loaded; load this page again")
        context.close()


def newer(folder: Path, site: Path) -> str:
    """Gives a folder the site in a newer version, and returns that."""
    shutil.copytree(site, folder, dirs_exist_ok=True)
    worker = (folder / "service-worker.js").read_text()
    before = worker.partition('"version": "')[2].partition('"')[0]
    (folder / "service-worker.js").write_text(worker.replace(before, "0" * len(before)))
    return "0" * len(before)


def caches(page: Page) -> list[str]:
    """The names of the caches of the page's files; empty while the page loads itself again."""
    try:
        names: list[str] = page.evaluate(
            "caches.keys().then((names) => names.filter((name) => name.includes('-page')))"
        )
    except PlaywrightError:
        return []
    return names


def test_a_newer_version_is_told_while_other_tabs_are_open_and_then_replaces_the_older_one(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    with serving(folder) as server, opened_page(browser, server.address) as page:
        other = page.page.context.new_page()
        other.goto(server.address)
        version = newer(folder, site)
        page.page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        expect(page.page.locator("#newer")).to_be_visible()
        assert len(caches(page.page)) == 2
        other.close()
        deadline = time.monotonic() + HANGS
        while not (found := caches(page.page)) or len(found) > 1:
            assert time.monotonic() < deadline, found
        assert found[0].endswith(version)
        expect(page.page.locator("#newer")).to_be_hidden()


def test_a_site_that_is_half_replaced_is_not_kept(browser: Browser, site: Path, tmp_path: Path) -> None:
    """Its files do not fit the hashes, so the page is not mixed from two versions."""
    folder = tmp_path / "site"
    folder.mkdir()
    for path in site.glob("*.*"):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "zip.js").write_bytes((folder / "zip.js").read_bytes() + b"\n")
    with serving(folder) as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.address)
        expect(page.locator("#choose")).to_be_visible()
        until(page, "navigator.serviceWorker.getRegistration().then((found) => found === undefined)")
        context.close()
