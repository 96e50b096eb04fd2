"""The overview of a comparison in a real browser: figures, pictures, and tables that a script draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from turbohtml import parse

from tests.browsing import opened
from tests.reports.compare.made import comparison
from wherefrom.reports.compare import html
from wherefrom.reports.compare.page_data import MOST_BYTES
from wherefrom.results import (
    Change,
    Comparison,
    CorpusMap,
    CutOff,
    MapEdge,
    MapEntry,
    RepositoryReport,
    Role,
    VendoredFolder,
)

INSIDE = """(svg) => {
  const { width, height } = svg.viewBox.baseVal;
  return [...svg.querySelectorAll("circle, text")].map((one) => one.getBBox()).every((box) =>
    box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height);
}"""


def written(folder: Path, made: Comparison, most: int = MOST_BYTES) -> Path:
    path = folder / "compare.html"
    path.write_text("".join(html.write(made, most=most)), encoding="utf-8")
    return path


def ready(page: Page) -> Page:
    page.wait_for_selector("html[data-ready]")
    return page


def rows_of(page: Page, table: str) -> list[list[str]]:
    """The text of the cells of each row of tables."""
    rows = page.locator(f"{table} tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in rows]


def test_the_figures_are_those_of_the_comparison(browser: Browser, tmp_path: Path) -> None:
    made = comparison(10, shared=0.7, pool=12, limit=5)
    made = replace(
        made,
        cut_off={**made.cut_off, CutOff.SHORT_PAIRS: 1},
        warnings=("all is one file",),
        failed=(RepositoryReport("gone", "failed", "", error="not there"),),
    )
    file = written(tmp_path, made)
    with opened(browser, file) as shown:
        page = ready(shown.page)
        [lead] = parse(file.read_text(encoding="utf-8")).select(".lead")
        expect(page.locator("#summary")).to_have_text(lead.text)
        found = made.counts.found_pairs
        expect(page.locator("#cards li").nth(2)).to_have_text(f"{found}pairs")
        expect(page.locator("#warnings")).to_have_text("Warning: all is one file")
        note = (
            f"The 5 strongest pairs are shown; {found - 5} weaker ones are left out. The histogram counts all of them."
        )
        expect(page.locator("#left-out")).to_have_text(note)
        bars = page.locator(".histogram g > title").all_text_contents()
        assert [int(bar.split()[0]) for bar in bars] == [*made.counts.histogram]
        rows = rows_of(page, ".tables")
        assert ["terms in too many submissions left out (--max-share)", "12"] in rows
        assert ["pair of files compared, and no region is long enough (--min-tokens)", "1"] in rows
        assert ["binary", "2"] in rows
        assert ["max share", "0.5"] in rows
        expect(page.locator("#overview")).to_contain_text("gone: not there")


def test_a_page_without_room_says_how_many_pairs_it_leaves_out(browser: Browser, tmp_path: Path) -> None:
    made = comparison(30, shared=0.7, pool=14)
    with opened(browser, written(tmp_path, made, most=25_000)) as shown:
        page = ready(shown.page)
        number = int(page.locator("#shown").inner_text().split()[0])
        assert 0 < number < len(made.pairs)
        left = len(made.pairs) - number
        note = f"{left} weaker ones are left out, {left} of them since this page would be larger than 25 MB"
        expect(page.locator("#left-out")).to_contain_text(note)


def test_two_corpora_have_a_map_and_copied_folders(browser: Browser, tmp_path: Path) -> None:
    made = comparison(6, shared=0.9, pool=8)
    mapped = CorpusMap(
        (
            MapEntry(Change.MOVED_CHANGED, (0,), (3,), 1.0, 1.0, (MapEdge(0, 3, 1.0, 1.0),)),
            MapEntry(Change.SPLIT, (1,), (4, 5), 0.9, 0.7, (MapEdge(1, 4, 0.6, 0.9), MapEdge(1, 5, 0.3, 0.5))),
        ),
        (2,),
        (),
    )
    origin = ("github.com/madler/zlib", "", "abc", "v1.2.11")
    folder = VendoredFolder("me", "src/zlib", *origin, 12, 9, ("a.c", "b.c", "c.c"), (), ("d.c",), 0.97)
    submissions = tuple(replace(one, role=Role.WITH) if at > 2 else one for at, one in enumerate(made.submissions))
    parameters = replace(made.parameters, paths=("me",), with_sources=("zlib", "hiredis"))
    made = replace(made, map=mapped, vendored=(folder,), parameters=parameters, submissions=submissions)
    with opened(browser, written(tmp_path, made)) as shown:
        page = ready(shown.page)
        facts = page.locator("header .facts div").all_inner_texts()
        assert [fact.split() for fact in facts][:2] == [["compared", "me"], ["with", "zlib,", "hiredis"]]
        expect(page.locator(".graph figcaption")).to_contain_text("Hollow dots: submissions of the second corpus.")
        names = [submission.name for submission in made.submissions]
        assert rows_of(page, "section:has(#map)") == [
            ["moved and changed", f"{names[0]}\n", f"{names[3]}\n", "100%", "100%"],
            ["split", f"{names[1]}\n", f"{names[4]}\n{names[5]}\n", "90%", "70%"],
        ]
        expect(page.locator(".map path")).to_have_count(3)
        expect(page.locator("section:has(#map)")).to_contain_text(f"In the first corpus alone{names[2]}")
        page.locator("section:has(#vendored) summary").click()
        [vendored] = rows_of(page, "section:has(#vendored)")
        assert vendored[:6] == ["me src/zlib/", "github.com/madler/zlib", "v1.2.11", "97%", "12", "9"]
        assert "missing: d.c" in vendored[6]
        page.locator("section:has(#map)").get_by_role("button", name="change").click()
        expect(page.locator("section:has(#map) th").first).to_have_attribute("aria-sort", "ascending")
        assert shown.violations() == []


def test_a_picture_of_clusters_is_always_the_same_and_bounded(browser: Browser, tmp_path: Path) -> None:
    pair = comparison(2, shared=1.0, pool=4).pairs[0]
    edges = tuple(
        replace(pair, id=f"{one}-{other}", left=one, right=other, similarity=1 / (1 + other - one), files=())
        for one in range(300)
        for other in range(one + 1, one + 6)
    )
    file = written(tmp_path, replace(comparison(305, shared=0.0, functions=1), pairs=edges))
    drawn = []
    for _ in range(2):
        with opened(browser, file) as shown:
            svg = ready(shown.page).locator(".graph svg")
            drawn.append(svg.inner_html())
            dots, lines = svg.locator("circle").count(), svg.locator("line").count()
            assert 0 < dots <= 200
            assert 0 < lines <= 1000
            left_out = f"{305 - dots} more submissions and {len(edges) - lines} more pairs are not drawn"
            expect(shown.page.locator(".graph figcaption")).to_contain_text(left_out)
            assert svg.evaluate(INSIDE)
    assert drawn[0] == drawn[1]


def test_the_names_of_a_picture_are_inside_of_it(browser: Browser, tmp_path: Path) -> None:
    names = {number: f"a-name-that-is-long-{number}/x.py" for number in range(6)} | {0: "\u6f22\u5b57" * 9}
    with opened(browser, written(tmp_path, comparison(12, shared=1.0, pool=8, seed=4, names=names))) as shown:
        svg = ready(shown.page).locator(".graph svg")
        assert svg.locator("text").count() > 2
        assert svg.evaluate(INSIDE)


def test_a_comparison_without_pairs_has_an_overview(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, comparison(3, shared=0.0))) as shown:
        page = ready(shown.page)
        expect(page.locator("#summary")).to_contain_text("no pairs found among 3 submissions")
        expect(page.locator("#pair-list")).to_contain_text("Nothing fits.")
        expect(page.locator(".graph")).to_be_hidden()
