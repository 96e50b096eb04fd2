"""`wherefrom compare --html`: the page of a real comparison, reviews that are read back, names that are replaced."""

from __future__ import annotations

import csv
import io
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
    contained = unpacked(page.read_text(encoding="utf-8"))
    assert contained["overview"]["pairs"]["id"] == [pair["id"] for pair in answer["pairs"]]
    texts = [source["text"] for source in contained["sources-0"]]
    assert texts == [(hand_ins / name).read_text(encoding="utf-8") for name in ("annabel.py", "bartleby.py")]
    [[[left, right, *_, regions]]] = contained["pairs-0"]
    assert (left, right) == (0, 1)
    [pair] = answer["pairs"]
    assert [region[9] for region in regions] == [region["tokens"] for region in pair["files"][0]["regions"]]


def test_reviews_are_read_back(wherefrom: Wherefrom, hand_ins: Path) -> None:
    page, reviews = wherefrom.folder / "page.html", wherefrom.folder / "reviews.json"
    [pair] = wherefrom.json("compare", hand_ins)["pairs"]
    review = {"pair": pair["id"], "state": "dismissed", "note": "both from the book"}
    reviews.write_text(json.dumps({"format": 1, "reader": 1, "reviews": [review]}))
    assert wherefrom.run("compare", hand_ins, "--html", page, "--reviewed", reviews)[0] == 1
    contained = unpacked(page.read_text(encoding="utf-8"))["overview"]["reviews"]
    assert contained == {pair["id"]: {"state": "dismissed", "note": "both from the book"}}


def test_a_dismissed_pair_is_in_the_answer_and_counts_for_nothing(wherefrom: Wherefrom, hand_ins: Path) -> None:
    reviews = wherefrom.folder / "reviews.json"
    before = wherefrom.json("compare", hand_ins)
    review = {"pair": before["pairs"][0]["id"], "state": "dismissed", "note": "both from the book"}
    reviews.write_text(json.dumps({"format": 1, "reader": 1, "reviews": [review]}))
    flags = ("compare", hand_ins, "--reviewed", reviews)
    code, output, error = wherefrom.run(*flags)
    assert (code, error) == (1, "")
    assert "annabel.py" not in output
    assert "no pairs found (1 dismissed) among 3 submissions" in output
    code, output, _ = wherefrom.run(*flags, "--format", "json")
    answer = json.loads(output)
    assert code == 1
    assert answer["pairs"] == [{**before["pairs"][0], "review": {"state": "dismissed", "note": "both from the book"}}]
    assert (answer["counts"]["found_pairs"], answer["counts"]["dismissed_pairs"]) == (0, 1)
    assert answer["clusters"] == []
    assert [item["best_pair"] for item in answer["submissions"]] == [None] * 3
    [row] = csv.DictReader(io.StringIO(wherefrom.run(*flags, "--format", "csv")[1]))
    assert (row["review"], row["note"]) == ("dismissed", "both from the book")


def test_a_dismissed_pair_takes_no_place_of_the_limit(wherefrom: Wherefrom, hand_ins: Path) -> None:
    (hand_ins / "dana.py").write_bytes(module_source("textwrap") + b"x = 1\n")
    reviews = wherefrom.folder / "reviews.json"
    first, second = wherefrom.json("compare", hand_ins)["pairs"]
    reviews.write_text(
        json.dumps({"format": 1, "reader": 1, "reviews": [{"pair": first["id"], "state": "dismissed", "note": ""}]})
    )
    answer = wherefrom.json("compare", hand_ins, "--reviewed", reviews, "--limit", "1")
    assert [pair["id"] for pair in answer["pairs"]] == [first["id"], second["id"]]
    assert answer["cut_off"].get("pairs-beyond-limit") is None


def test_reviews_of_other_pairs_are_told_of(wherefrom: Wherefrom, hand_ins: Path) -> None:
    reviews = wherefrom.folder / "reviews.json"
    review = {"pair": "0" * 12, "state": "dismissed"}
    reviews.write_text(json.dumps({"format": 1, "reader": 1, "reviews": [review]}))
    code, _, error = wherefrom.run("compare", hand_ins, "--reviewed", reviews)
    assert code == 0
    assert "none of the found pairs is in the reviews" in error


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
        (("--reviewed", other), "holds no reviews"),
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
