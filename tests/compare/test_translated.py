"""A comparison pairs submissions in different languages by the words of their names."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browsing import opened
from tests.queries.test_translations import JAVA, OTHER, PYTHON
from tests.reports.compare.unpacked import unpacked
from wherefrom import compare_sources
from wherefrom.compare.pairing import pair_id
from wherefrom.reports.compare import html
from wherefrom.reports.compare.text import RENDERERS
from wherefrom.reports.renderer import Look
from wherefrom.results import Comparison, Review, ReviewState


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    folder = tmp_path / "all"
    for name, content in {"ann/Tide.java": JAVA, "ben/tide.py": PYTHON, "cy/header.py": OTHER}.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)
    return folder


def written(made: Comparison, name: str) -> str:
    return "".join(RENDERERS[name].write(made, Look(width=100)))


def test_two_submissions_in_two_languages_are_a_pair(handed_in: Path) -> None:
    made = compare_sources([handed_in], by="folder")
    [pair] = made.pairs
    assert [made.name(side) for side in (pair.left, pair.right)] == ["ann", "ben"]
    assert pair.is_translated
    assert pair.probability > 0.9
    assert min(pair.left_containment, pair.right_containment) > 0.9
    [files] = pair.files
    for region in files.regions:
        for content, side in ((JAVA, region.left), (PYTHON, region.right)):
            words = re.sub(rb"[^a-z]", b"", content[side.start_byte : side.end_byte].lower())
            assert b"semidiurnal" in words
    assert made.counts.found_pairs == sum(made.counts.histogram) == 1
    assert {made.submissions[side].best_pair for side in (pair.left, pair.right)} == {0}


def test_a_pair_has_its_copies_and_its_translations(handed_in: Path) -> None:
    for name in ("ann", "ben"):
        (handed_in / name / "header.py").write_bytes(OTHER)
    made = compare_sources([handed_in], by="folder", min_containment=0.0, max_share=1.0)
    pair = next(pair for pair in made.pairs if {made.name(pair.left), made.name(pair.right)} == {"ann", "ben"})
    assert not pair.is_translated
    assert [files.is_translated for files in pair.files] == [False, True]
    assert pair.left_matched_tokens == pair.files[0].matched_tokens


def test_code_that_was_given_and_words_of_the_whole_course_are_no_translation(handed_in: Path) -> None:
    assert compare_sources([handed_in], by="folder", template=[handed_in / "ben"]).pairs == ()
    for number in range(40):
        names = [f"name_{number}_{place}" for place in range(9)]
        code = PYTHON.replace(b"    if", "".join(f"    {name} = {name}_of()\n" for name in names).encode() + b"    if")
        (handed_in / f"more{number}").mkdir()
        (handed_in / f"more{number}" / "tide.py").write_bytes(code)
    assert not [pair for pair in compare_sources([handed_in], by="folder").pairs if pair.is_translated]


@pytest.mark.parametrize(("limit", "state"), [(1, None), (1, ReviewState.DISMISSED), (2, ReviewState.RELEVANT)])
def test_the_limit_and_reviews_hold_for_translations(handed_in: Path, limit: int, state: ReviewState | None) -> None:
    (handed_in / "dan").mkdir()
    (handed_in / "dan" / "copy.py").write_bytes(OTHER)
    reviews = {pair_id("ann", "ben"): Review(state)} if state else {}
    made = compare_sources([handed_in], by="folder", limit=limit, reviews=reviews)
    is_shown = state is not None
    assert [pair.is_translated for pair in made.pairs] == [False, True][: 1 + is_shown]
    assert made.counts.found_pairs == (1 if state is ReviewState.DISMISSED else 2)
    assert made.counts.dismissed_pairs == (state is ReviewState.DISMISSED)


def test_each_report_says_so(handed_in: Path) -> None:
    made = compare_sources([handed_in], by="folder")
    assert "in different languages, by the words of names" in written(made, "text")
    [row] = csv.DictReader(io.StringIO(written(made, "csv")))
    assert row["is_translated"] == "true"
    data = unpacked("".join(html.write(made)))
    assert data["overview"]["pairs"]["translated"] == [1]
    [[*_, [region]]] = data["pairs-0"][0]
    texts = [data["sources-0"][place]["text"] for _, place in data["overview"]["files"]["places"][:2]]
    for text, begin, end, gaps in zip(texts, region[0:4:2], region[1:4:2], region[-2:], strict=True):
        marked = "".join(text[one:other] for one, other in zip([begin, *gaps[1::2]], [*gaps[::2], end], strict=True))
        assert "spring" in marked.lower()
        assert "(" not in marked


def test_the_page_marks_the_words_on_both_sides(browser: Browser, handed_in: Path, tmp_path: Path) -> None:
    path = tmp_path / "compare.html"
    path.write_text("".join(html.write(compare_sources([handed_in], by="folder"))), encoding="utf-8")
    with opened(browser, path) as shown:
        page = shown.page
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("#pair-list .list-rows")).to_contain_text("java, translated")
        page.locator("#pair-list .list-rows a").first.click()
        for pane in page.locator("#pair pre").all():
            expect(pane.locator("mark").first).to_be_visible()
            assert {"warn", "tidalRange", "tidal_range", "12421"} & {*pane.locator("mark").all_inner_texts()}
            assert "=" not in "".join(pane.locator("mark").all_inner_texts())
