"""The page of a comparison in a real browser: lists, both sides of a pair, reviews, hostile names, accessibility."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsing import opened
from tests.reports.compare.made import comparison, reviewed
from wherefrom.compare.reviews import read_reviews
from wherefrom.reports.compare import html
from wherefrom.reports.compare.names import with_key
from wherefrom.results import Comparison, Review, ReviewState

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\u2028\u202e.py"


@pytest.fixture(scope="module")
def made() -> Comparison:
    """Some dozens of pairs, among them clusters, moved matches and renamed ones."""
    return comparison(16, shared=0.7, pool=12, seed=3)


@pytest.fixture(scope="module")
def file(made: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("page"), "".join(html.write(made)))


def written(folder: Path, page: str) -> Path:
    path = folder / "compare.html"
    path.write_text(page, encoding="utf-8")
    return path


def ready(page: Page) -> Page:
    page.wait_for_selector("html[data-ready]")
    return page


def open_all(page: Page) -> None:
    """Opens all closed parts of both sides. Each click draws the parts again, so the buttons are looked up again."""
    expect(page.locator("#pair pre").first).to_be_visible()
    buttons = page.locator("#pair .left-out button")
    while buttons.count():
        buttons.first.click()


def listed(page: Page) -> list[str]:
    """The ranks of the pairs in view."""
    return page.locator("#pair-list .list-rows .rank").all_inner_texts()


def test_pairs_are_listed_sorted_and_filtered(browser: Browser, made: Comparison, file: Path) -> None:
    with opened(browser, file) as shown:
        page = ready(shown.page)
        total = len(made.pairs)
        expect(page.locator("#shown")).to_have_text(f"{total} pairs of {total}")
        assert listed(page)[:3] == ["1", "2", "3"]
        page.locator("#pair-list").get_by_role("button", name="similarity").click()
        strongest = max(range(total), key=lambda at: (made.pairs[at].similarity, at))
        assert listed(page)[0] == str(strongest + 1)
        page.get_by_label("Filter").fill("student0003")
        of_one = [pair for pair in made.pairs if 3 in {pair.left, pair.right}]
        expect(page.locator("#shown")).to_have_text(f"{len(of_one)} pairs of {total}")
        page.get_by_label("Filter").fill("")
        page.get_by_label("Least similarity of the pairs").fill("40")
        similar = [pair for pair in made.pairs if pair.similarity >= 0.4]
        expect(page.locator("#shown")).to_have_text(f"{len(similar)} pairs of {total} from 40% on")
        page.get_by_label("Filter").fill("nobody at all")
        expect(page.locator("#pair-list")).to_contain_text("Nothing fits.")


def test_a_long_path_is_cut_before_the_name_of_the_file(browser: Browser, tmp_path: Path) -> None:
    folders = "/".join(["a-project-with-a-long-name"] * 5)
    names = {0: f"{folders}/first_exercise.py", 1: f"{folders}/second_exercise.py"}
    cut = comparison(2, shared=0.9, pool=3, names=names)
    with opened(browser, written(tmp_path, "".join(html.write(cut)))) as shown:
        page = ready(shown.page)
        for name in names.values():
            place = page.locator(f"#pair-list .path[title='{name}']")
            is_cut = "span => span.scrollWidth > span.clientWidth"
            assert place.locator("span").first.evaluate(is_cut)
            last = place.locator("span").last
            expect(last).to_have_text(name.rpartition("/")[2])
            assert not last.evaluate(is_cut)


def test_clusters_follow_the_similarity_that_links(browser: Browser, made: Comparison, file: Path) -> None:
    with opened(browser, file) as shown:
        page = ready(shown.page)
        rows = page.locator("#cluster-table tbody tr")
        expect(rows).to_have_count(len(made.clusters))
        sizes = [len(cluster.submissions) for cluster in made.clusters]
        assert rows.locator("td:nth-child(2)").all_inner_texts() == list(map(str, sizes))
        page.get_by_label("Least similarity of linked").fill("100")
        expect(rows).to_have_count(0)
        expect(page.locator(".graph line:visible")).to_have_count(0)
        page.get_by_label("Least similarity of linked").fill("0")
        expect(rows).to_have_count(1)
        page.get_by_role("button", name="List the pairs of cluster 1").click()
        expect(page.get_by_role("combobox", name="Cluster")).to_have_value("1")


def test_a_page_without_all_pairs_says_which_of_them_link(browser: Browser, made: Comparison, tmp_path: Path) -> None:
    cut = comparison(16, shared=0.7, pool=12, seed=3, limit=20)
    for comparison_made, note in ((cut, "Only the 20 pairs of this page link submissions here"), (made, None)):
        with opened(browser, written(tmp_path, "".join(html.write(comparison_made)))) as shown:
            page = ready(shown.page)
            if note is None:
                expect(page.locator("#only-shown")).to_be_hidden()
            else:
                expect(page.locator("#only-shown")).to_contain_text(note)
                expect(page.locator("#only-shown")).to_be_visible()


def test_dismissed_pairs_link_no_cluster(browser: Browser, made: Comparison, file: Path, tmp_path: Path) -> None:
    linking = [pair for pair in made.pairs if pair.similarity >= made.parameters.cluster_similarity]
    all_dismissed = reviewed(made, {pair.id: Review(ReviewState.DISMISSED) for pair in linking})
    with opened(browser, file) as shown:
        assert ready(shown.page).locator("#cluster-table tbody tr").count() > 0
    with opened(browser, written(tmp_path, "".join(html.write(all_dismissed)))) as shown:
        expect(ready(shown.page).locator("#cluster-table tbody tr")).to_have_count(0)


def test_the_highest_match_of_a_submission_is_not_a_dismissed_one(
    browser: Browser, made: Comparison, file: Path
) -> None:
    strongest = max(made.pairs, key=lambda pair: pair.similarity)
    name = made.submissions[strongest.left].name
    others = [pair for pair in made.pairs if pair is not strongest and strongest.left in {pair.left, pair.right}]
    second = max(others, key=lambda pair: pair.similarity)
    assert second.similarity < strongest.similarity
    with opened(browser, file, place=f"#pair={strongest.id}") as shown:
        page = ready(shown.page)
        row = page.locator("#submission-list .list-rows .list-row").filter(
            has=page.locator(f".name:first-child span[title='{name}']")
        )
        for state, pair in (("dismissed", second), ("relevant", strongest)):
            page.get_by_role("radio", name=state).check()
            page.keyboard.press("Escape")
            expect(row.locator("a")).to_have_attribute("href", f"#pair={pair.id}")
            expect(row.locator(".wide-count")).to_contain_text(f"{pair.similarity:.0%}")
            page.goto(f"{file.as_uri()}#pair={strongest.id}")


def test_both_sides_of_a_pair_face_each_other_and_its_matches_are_walked(
    browser: Browser, made: Comparison, file: Path
) -> None:
    number = next(at for at, pair in enumerate(made.pairs) if any(one.is_moved for one in pair.files[0].regions))
    regions = made.pairs[number].files[0].regions
    with opened(browser, file) as shown:
        page = ready(shown.page)
        page.goto(f"{file.as_uri()}#pair={made.pairs[number].id}")
        expect(page.locator("#pair pre")).to_have_count(2)
        left, right = page.locator("#pair pre").all()
        assert left.locator(":scope > span").count() == right.locator(":scope > span").count()
        status = page.locator("#match-status")
        for at, region in enumerate(regions, 1):
            if at > 1:  # a pair opens at its first match
                page.keyboard.press("n")
            expect(status).to_contain_text(f"Match {at} of {len(regions)}")
            expect(status).to_contain_text(f"{region.tokens} tokens match")
            assert ("moved" in status.inner_text()) == region.is_moved
            # The current match faces its other side, even if the match was moved.
            tops = [pane.locator(f".current .match-number:text-is('{at}')").bounding_box() for pane in (left, right)]
            assert tops[0] is not None
            assert tops[1] is not None
            assert tops[0]["y"] == tops[1]["y"]
            assert at == 1 or page.evaluate("location.hash").endswith(f"&match={at}")
        page.keyboard.press("p")
        expect(status).to_contain_text(f"Match {len(regions) - 1} of {len(regions)}")
        address = page.url
        page.keyboard.press("Escape")
        expect(page.locator("#overview")).to_be_visible()
        expect(page.locator("#pair")).to_be_hidden()
    with opened(browser, file, place=address.removeprefix(file.as_uri())) as shown:
        expect(shown.page.locator("#match-status")).to_contain_text(f"Match {len(regions) - 1} of {len(regions)}")


def test_the_matched_code_is_marked(browser: Browser, made: Comparison, file: Path) -> None:
    pair = made.pairs[0]
    content = made.content(pair.files[0].left)
    assert content is not None
    with opened(browser, file, place=f"#pair={pair.id}") as shown:
        page = ready(shown.page)
        pane = page.locator("#pair pre").first
        for region in pair.files[0].regions:
            lines = content[region.left.start_byte : region.left.end_byte].decode().split("\n")
            for number, line in enumerate(lines, region.left.start_line):
                row = pane.locator("> span", has=page.locator(f"i.number:text-matches('^{number} [=≈ ]$')"))
                marked = "".join(row.locator("mark").all_text_contents())
                assert marked == ("" if line.lstrip().startswith("#") else line.strip())
        kinds = {region.representation.value for region in pair.files[0].regions}
        assert (pane.locator("mark.renamed").count() > 0) == bool(kinds & {"renamed", "p_match"})
        expect(pane.locator(".boilerplate").first).to_contain_text("An exercise of the course")


@pytest.mark.nightly
def test_reviews_are_kept_exported_and_read_back(
    browser: Browser, made: Comparison, file: Path, tmp_path: Path
) -> None:
    context = browser.new_context(offline=True, accept_downloads=True)
    first, second = made.pairs[0].id, made.pairs[1].id
    with opened(browser, file, place=f"#pair={first}", context=context) as shown:
        page = ready(shown.page)
        page.get_by_role("radio", name="relevant").check()
        page.get_by_label("Note").fill("ask </script> both")
        page.goto(f"{file.as_uri()}#pair={second}")
        expect(page.locator("#pair h2")).to_contain_text("2. ")
        page.get_by_role("radio", name="dismissed").check()
    with opened(browser, file, context=context) as shown:
        page = ready(shown.page)
        expect(page.locator("#pair-list .list-rows .state").first).to_have_text("relevant")
        page.get_by_role("combobox", name="Review").select_option("dismissed")
        assert listed(page) == ["2"]
        with page.expect_download() as download:
            page.get_by_role("button", name="Export 2 reviews").click()
        download.value.save_as(tmp_path / "reviews.json")
    context.close()
    reviews = read_reviews(tmp_path / "reviews.json")
    note = Review(ReviewState.RELEVANT, "ask </script> both")
    assert reviews == {first: note, second: Review(ReviewState.DISMISSED)}
    again = written(tmp_path, "".join(html.write(reviewed(made, reviews))))
    with opened(browser, again, place=f"#pair={first}") as shown:
        expect(ready(shown.page).get_by_role("radio", name="relevant")).to_be_checked()
        expect(shown.page.get_by_label("Note")).to_have_value("ask </script> both")


def test_a_page_works_in_a_browser_without_storage(browser: Browser, made: Comparison, file: Path) -> None:
    context = browser.new_context(offline=True)
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})")
    with opened(browser, file, place=f"#pair={made.pairs[0].id}", context=context) as shown:
        page = ready(shown.page)
        page.get_by_role("radio", name="relevant").check()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Export 1 review")).to_be_visible()
        expect(page.locator("#not-kept")).to_be_visible()
    context.close()


def test_hostile_names_and_contents_are_visible_and_do_nothing(browser: Browser, tmp_path: Path) -> None:
    hostile = comparison(
        4,
        shared=1.0,
        pool=10,
        names={0: HOSTILE},
        replaced={0: HOSTILE.encode() + b"\n", 1: b"\xff\xfe\x1b[2J\n"},
    )
    number = next(at for at, pair in enumerate(hostile.pairs) if {pair.left, pair.right} == {0, 1})
    with opened(browser, written(tmp_path, "".join(html.write(hostile)))) as shown:
        page = ready(shown.page)
        page.goto(f"{page.url}#pair={hostile.pairs[number].id}")
        seen = HOSTILE.replace("\u2028", "<U+2028>").replace("\u202e", "<U+202E>")
        expect(page.locator("#pair h2")).to_contain_text(seen)
        open_all(page)
        expect(page.locator("#pair pre").first).to_contain_text(seen)
        expect(page.locator("#pair pre").last).to_contain_text("�␛[2J")
        assert page.locator("img").count() == 0
        assert not {"\u2028", "\u202e", "\x1b"} & set(page.content())


def test_without_scripts_the_first_pairs_are_present(browser: Browser, made: Comparison, file: Path) -> None:
    with opened(browser, file, scripts=False) as shown:
        page = shown.page
        expect(page.locator("#plain tbody tr")).to_have_count(min(len(made.pairs), html.PLAIN_PAIRS))
        expect(page.locator("#pair-list")).to_be_hidden()
        expect(page.locator("#filter")).to_be_hidden()
        page.locator("#plain summary").first.click()
        expect(page.locator("#plain pre").first).to_contain_text("def compute_")


def test_print_shows_the_first_pairs_and_no_controls(browser: Browser, file: Path) -> None:
    with opened(browser, file) as shown:
        page = ready(shown.page)
        expect(page.locator("#plain")).to_be_hidden()
        page.emulate_media(media="print")
        expect(page.locator("#plain tbody tr").first).to_be_visible()
        expect(page.locator("#plain pre").first).to_be_visible()
        expect(page.locator("#filter")).to_be_hidden()
        expect(page.locator("#pair-list")).to_be_hidden()


def test_an_anonymous_page_shows_pseudonyms(browser: Browser, tmp_path: Path) -> None:
    names = {0: "zuzana_novak/exercise.py"}
    named = comparison(4, shared=1.0, pool=10, names=names, replaced={0: b"# by Zuzana Novak <zuzana@example.org>\n"})
    pseudonyms = with_key(named, tmp_path / "key.json")
    number = next(at for at, pair in enumerate(named.pairs) if pair.left == 0)
    with opened(browser, written(tmp_path, "".join(html.write(named, pseudonyms)))) as shown:
        page = ready(shown.page)
        page.locator("#pair-list .list-rows .list-row").nth(number).get_by_role("link").click()
        open_all(page)
        expect(page.locator("#pair h2")).to_contain_text(pseudonyms.submission(0))
        expect(page.locator("#pair pre").first).to_contain_text(f"# by {pseudonyms.submission(0)}")
        assert "novak" not in page.locator("body").inner_text().casefold()


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 390])
def test_axe_finds_no_problem(
    browser: Browser, made: Comparison, file: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    with opened(browser, file, scheme=scheme, width=width) as shown:
        page = ready(shown.page)
        assert shown.violations() == []
        page.goto(f"{file.as_uri()}#pair={made.pairs[0].id}&file=1&match=1")
        expect(page.locator("#match-status")).to_contain_text("Match 1 of")
        assert shown.violations() == []


def test_a_pair_whose_source_is_gone_is_listed(browser: Browser, made: Comparison, tmp_path: Path) -> None:
    gone = replace(made, texts=type(made.texts)(None, lambda _: None))
    with opened(browser, written(tmp_path, "".join(html.write(gone))), place=f"#pair={made.pairs[0].id}") as shown:
        expect(ready(shown.page).locator("#pair")).to_contain_text("was not at hand")
        expect(shown.page.locator("#pair table")).to_be_visible()
