"""`wherefrom compare --html`: the page of a real comparison, reviews that are read back, names that are replaced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.end_to_end.edits import renamed
from tests.reports.compare.unpacked import all_text, unpacked


@pytest.fixture
def hand_ins(wherefrom: Wherefrom) -> Path:
    """Three submissions, two of them one program with other variables, signed with a name."""
    folder = wherefrom.folder / "hand-ins"
    heap = module_source("heapq")
    contents = {
        "annabel.py": b"# by Annabel Lee\n" + heap,
        "bartleby.py": renamed(heap.decode()).encode(),
        "cleo.py": module_source("textwrap"),
    }
    folder.mkdir()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


def test_the_page_has_the_pairs_and_the_sources(wherefrom: Wherefrom, hand_ins: Path) -> None:
    page = wherefrom.folder / "page.html"
    answer = wherefrom.json("compare", hand_ins, "--html", page)
    held = unpacked(page.read_text(encoding="utf-8"))
    assert held["overview"]["pairs"]["id"] == [pair["id"] for pair in answer["pairs"]]
    texts = [source["text"] for source in held["sources-0"]]
    assert texts == [(hand_ins / name).read_text(encoding="utf-8") for name in ("annabel.py", "bartleby.py")]
    [[[left, right, *_, regions]]] = held["pairs-0"]
    assert (left, right) == (0, 1)
    [pair] = answer["pairs"]
    assert [region[9] for region in regions] == [region["tokens"] for region in pair["files"][0]["regions"]]


def test_reviews_are_read_back(wherefrom: Wherefrom, hand_ins: Path) -> None:
    page, reviews = wherefrom.folder / "page.html", wherefrom.folder / "reviews.json"
    [pair] = wherefrom.json("compare", hand_ins)["pairs"]
    review = {"pair": pair["id"], "state": "dismissed", "note": "both from the book"}
    reviews.write_text(json.dumps({"format": 1, "reader": 1, "reviews": [review]}))
    wherefrom("compare", hand_ins, "--html", page, "--reviewed", reviews)
    held = unpacked(page.read_text(encoding="utf-8"))["overview"]["reviews"]
    assert held == {pair["id"]: {"state": "dismissed", "note": "both from the book"}}


def test_names_are_replaced_and_the_key_is_a_file_of_its_own(wherefrom: Wherefrom, hand_ins: Path) -> None:
    page, key = wherefrom.folder / "page.html", wherefrom.folder / "key.json"
    wherefrom("compare", hand_ins, "--html", page, "--anonymize", key)
    everything = all_text(page.read_text(encoding="utf-8"))
    for name in ("annabel", "bartleby", "cleo", str(hand_ins).casefold()):
        assert name not in everything
    assert sorted(json.loads(key.read_text())["names"].values()) == ["annabel.py", "bartleby.py", "cleo.py"]
    before = key.read_bytes()
    wherefrom("compare", hand_ins, "--html", page, "--anonymize", key)
    assert key.read_bytes() == before


def test_flags_that_cannot_be_followed_are_refused_before_the_work(wherefrom: Wherefrom, hand_ins: Path) -> None:
    page, other = wherefrom.folder / "page.html", wherefrom.folder / "other.json"
    other.write_text("{}")
    for flags, message in (
        (("--reviewed", other), "--reviewed is about the page; add --html FILE"),
        (("--anonymize", other), "--anonymize is about the page; add --html FILE"),
        (("--html", page, "--reviewed", other), "holds no reviews"),
        (("--html", page, "--anonymize", other), "is not a key of --anonymize"),
        (("--html", wherefrom.folder / "none" / "page.html"), "no file can be made in"),
        (("--html", wherefrom.folder), "is a folder"),
    ):
        code, output, error = wherefrom.run("compare", hand_ins, *flags)
        assert code == 2
        assert message in error
        assert output == ""
        assert not page.exists()
    assert other.read_text() == "{}"


def test_a_date_that_is_none_is_refused(wherefrom: Wherefrom, hand_ins: Path) -> None:
    page = wherefrom.folder / "page.html"
    code, _, error = wherefrom.run("compare", hand_ins, "--html", page, SOURCE_DATE_EPOCH="soon")
    assert code == 2
    assert "SOURCE_DATE_EPOCH is 'soon'" in error
    assert not page.exists()
