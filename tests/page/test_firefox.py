"""The page in Firefox: the answer of the command, without a network once it is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firefox import Firefox, firefox
from tests.page.dropping import by_the_command, comparable, serving
from tests.page.handing_in import hand_ins, zipped

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def tab() -> Iterator[Firefox]:
    with firefox() as opened:
        yield opened


def compare(tab: Firefox, archive: Path) -> object:
    """Compares the folders in a zip; returns the answer."""
    tab.click("[data-role=submission] .choose-files")
    tab.choose("#files-input", [archive])
    tab.until("document.querySelector('[data-role=submission] li') !== null")
    tab.evaluate("document.getElementById('by').value = 'folder'")
    tab.click("#compare")
    tab.until("!document.getElementById('answer').hidden || !document.getElementById('problem').hidden")
    assert tab.evaluate("document.getElementById('problem').hidden")
    return comparable(tab.evaluate("import('./app.js').then((module) => module.answer)"))


def test_firefox_gets_the_answer_of_the_command_and_works_offline(tab: Firefox, site: Path, tmp_path: Path) -> None:
    languages = ("python", "c", "java", "javascript")
    archive = zipped(hand_ins(tmp_path / "hand-ins", *languages), tmp_path / "hand-ins.zip")
    wanted = by_the_command([archive], by="folder")
    assert wanted["pairs"]
    with serving(site) as server:
        tab.open(server.address)
        tab.until("navigator.serviceWorker.controller !== null")
        assert compare(tab, archive) == wanted
        tab.until("document.querySelector('#pair-list [role=row]') !== null")
        address = server.address
    # The server has ended: everything comes from the service worker.
    tab.open(address)
    tab.until("!document.getElementById('choose').hidden")
    assert compare(tab, archive) == wanted
    assert tab.problems == []
