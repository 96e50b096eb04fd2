"""The report in the page that compares in a browser: the data of the command's report, shown, and saved as one file."""

from __future__ import annotations

import json
import random
import shutil
import unicodedata
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from turbohtml import parse

import wherefrom
from tests.browsing import Opened, opened
from tests.reports.compare.made import comparison
from tests.reports.compare.unpacked import unpacked
from wherefrom.model import SkipReason
from wherefrom.reports.compare import html
from wherefrom.reports.compare import html as parts
from wherefrom.reports.pages.shown_text import ShownText
from wherefrom.results import Comparison, SkippedFile
from wherefrom.support.printable import visible

OWN = Path(__file__).resolve().parents[3] / "page"

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\u2028\u202e\x1b.py"

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"

READ = """const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const texts = (blocks) => blocks.map((block) => btoa(String.fromCharCode(...block)));
const { contents, ...given } = asked;
const module = await import("/report.js");
const content = (file) => (contents[file] === null ? null : bytes(contents[file]));
const data = await module.reportData({ ...given, content });"""

MAKE = f"async (asked) => {{ {READ} return {{ ...data, pairs: texts(data.pairs), sources: texts(data.sources) }}; }}"

SHOW = f"""async (asked) => {{
  {READ}
  window.data = data;
  await module.showReport(document.getElementById("report"), data);
}}"""

SAVE = """async () => {
  const skeleton = await (await fetch("/skeleton.html")).text();
  return (await (await import("/report.js")).savedFile(window.data, skeleton)).text();
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that has the report, as the page has it."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("report.js", "report-data.js", "shown-text.js"):
        shutil.copy(OWN / name, folder)
    (folder / "drawing.js").write_text(parts.drawing())
    (folder / "skeleton.html").write_text(parts.skeleton())
    (folder / "style.css").write_text(parts.style())
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>Page</title>'
    links = '<link rel="icon" href="data:,"><link rel="stylesheet" href="style.css">'
    main = f'<main><h1>Page</h1><div id="report">{parts.report_markup()}</div></main>'
    markup = f'<!DOCTYPE html><html lang="en"><head>{head}{links}</head><body>{main}</body></html>'
    (folder / "index.html").write_text(markup)
    return folder


@pytest.fixture
def shown(browser: Browser, site: Path) -> Iterator[Opened]:
    with opened(browser, site / "index.html", site=site) as page:
        yield page


@pytest.fixture
def page(shown: Opened) -> Page:
    return shown.page


@pytest.fixture(scope="module")
def made() -> Comparison:
    """Some dozens of pairs with hostile names and contents, one of them in UTF-16, and with skipped files."""
    replaced = {0: HOSTILE.encode() + b"\n", 1: b"\xff\xfe\x1b[2J\r\n\xf0\x9f\x98\x80\n" + b"a" * 50_000}
    value = comparison(16, shared=0.7, pool=12, seed=3, names={0: HOSTILE}, replaced=replaced)
    read = value.texts.at
    texts = type(value.texts)(None, lambda at: _in_utf16(at.path, read(at)))
    skipped = (SkippedFile("/course", HOSTILE, SkipReason.BINARY), SkippedFile("/course", "b", SkipReason.BINARY))
    files = tuple(replace(file, statements=()) for file in value.files)
    return replace(value, texts=texts, skipped_files=skipped, files=files, warnings=(HOSTILE,))


def _in_utf16(path: str, content: bytes | None) -> bytes | None:
    if content is not None and path.startswith("student0002"):
        return ("\U0001f600 \u202e" + content.decode()).encode("utf-16")
    return content


def asked(made: Comparison, **options: Any) -> dict[str, Any]:
    """The arguments of `reportData` for a comparison, with the contents in base 64."""
    result = made.to_dict()
    for pair, values in zip(made.pairs, result["pairs"], strict=True):
        for files, values_of_files in zip(pair.files, values["files"], strict=True):
            for region, value in zip(files.regions, values_of_files["regions"], strict=True):
                value["facing"] = region.facing
                value["left"]["gaps"], value["right"]["gaps"] = region.left.gaps, region.right.gaps
    contents = [made.content(number) for number in range(len(made.files))]
    encoded = [None if content is None else b64encode(content).decode() for content in contents]
    skipped = [{"path": file.path, "reason": file.reason} for file in made.skipped_files]
    return {"result": result, "contents": encoded, "title": "course", "skipped": skipped, **options}


def data_of(page: Page, value: dict[str, Any]) -> dict[str, Any]:
    """The data that the page makes, in the form of `unpacked`, without what depends on the time and the place."""
    data = page.evaluate(MAKE, value)
    blocks = {f"{kind}-{at}": block for kind in ("pairs", "sources") for at, block in enumerate(data[kind])}
    read = {name: json.loads(zlib.decompress(b64decode(block))) for name, block in blocks.items()}
    return _comparable({"overview": data["overview"], **read})


def _comparable(data: dict[str, Any]) -> dict[str, Any]:
    overview = {name: value for name, value in data["overview"].items() if name not in {"key", "made"}}
    return {**data, "overview": overview}


def written(made: Comparison) -> str:
    return "".join(html.write(made))


def test_the_page_has_the_data_of_the_commands_report(page: Page, made: Comparison) -> None:
    expected, got = _comparable(unpacked(written(made))), data_of(page, asked(made))
    assert got.keys() == expected.keys()
    for name, value in expected["overview"].items():
        assert got["overview"][name] == value, name
    assert got == expected


def test_a_real_comparison_has_the_same_data(page: Page, tmp_path: Path) -> None:
    code = (OWN / "shown-text.js").read_text()
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    (folder / "ann.js").write_text(code)
    (folder / "b\x1b\u202e<b>.js").write_text(code.replace("edits", "changes").replace("\n", "\r\n"))
    (folder / "cleo.js").write_bytes(code.replace("first", "begin").encode("utf-16"))
    (folder / "dan.js").write_text(code.replace("spans", "places") + f"const long = '{'é' * 1200}';\n")
    (folder / "eve.js").write_bytes(code.encode() + b"// \xff\xfe\n")
    real = wherefrom.compare_sources([folder])
    assert len(real.pairs) == 10
    real = replace(real, files=tuple(replace(file, statements=()) for file in real.files))
    assert data_of(page, asked(real)) == _comparable(unpacked(written(real)))


def test_all_characters_are_as_visible_as_in_python(page: Page) -> None:
    text = "".join(filter(lambda one: unicodedata.category(one) not in {"Cn", "Cs"}, map(chr, range(0x20000))))
    call = "async (text) => (await import('/shown-text.js')).visible(text)"
    assert page.evaluate(call, text) == visible(text)


def test_texts_are_cut_and_placed_as_in_python(page: Page) -> None:
    chance = random.Random(7)
    words = [
        b"a",
        b"\n",
        b"\r\n",
        b"\t\x00",
        "é€😀".encode(),
        "\u202e\ufeff".encode(),
        b"\xff\xe2\x82",
        b"\xed\xa0\x80",
        b"\xf4\x90",
    ]
    sources = [b"", b"\xef\xbb\xbfa", b"\xff\xfe", b"\xfe\xff\xd8\x00\x00a", b"\xff\xfea", b"\xff\xfe\x00\xdca\x00b"]
    for size in (0, 1, 30, 300, 3000):
        sources += (b"".join(chance.choices(words, k=size)) for _ in range(8))
        sources += ("".join(chance.choices("a\n\r😀é\u2028", k=size)).encode("utf-16") for _ in range(4))
    sources += (b"line of a file\n" * 9000, b"x" * 120_000, "😀".encode() * 3000 + b"\n" + b"ab " * 9000)
    asked = []
    for source in sources:
        ends = [sorted(chance.choices(range(len(source) + 1), k=2)) for _ in range(chance.randrange(4))]
        asked.append({"source": b64encode(source).decode(), "matches": ends, "places": [*range(0, len(source) + 5, 7)]})
    call = """async (asked) => {
      const { ShownText } = await import("/shown-text.js");
      return asked.map(({ source, matches, places }) => {
        const shown = new ShownText(Uint8Array.from(atob(source), (one) => one.charCodeAt(0)), matches);
        return [shown.text, shown.segments, shown.lines, shown.offsets(places)];
      });
    }"""
    for source, value, got in zip(sources, asked, page.evaluate(call, asked), strict=True):
        shown = ShownText(source, [(first, last) for first, last in value["matches"]])
        segments = [list(segment) for segment in shown.segments]
        assert got == [shown.text, segments, shown.lines, shown.offsets(value["places"])], source[:100]


def test_the_pairs_of_one_submission_come_first(page: Page, made: Comparison) -> None:
    data = data_of(page, asked(made, first=5))["overview"]
    usual = data_of(page, asked(made))["overview"]
    own = [at for at, ends in enumerate(zip(usual["pairs"]["left"], usual["pairs"]["right"], strict=True)) if 5 in ends]
    others = [at for at in range(len(made.pairs)) if at not in own]
    assert data["pairs"]["id"] == [usual["pairs"]["id"][at] for at in [*own, *others]]
    best = [one.best_pair for one in made.submissions]
    assert [None if at is None else data["pairs"]["id"][at] for at in data["submissions"]["best"]] == [
        None if at is None else made.pairs[at].id for at in best
    ]


def test_the_weakest_pairs_are_left_out_if_there_is_no_room(page: Page) -> None:
    made = comparison(30, shared=0.7, pool=14)
    most = 25_000
    data = page.evaluate(MAKE, asked(made, most=most))
    shown = data["overview"]["pairs"]["id"]
    assert 0 < len(shown) < len(made.pairs)
    assert shown == [pair.id for pair in made.pairs[: len(shown)]]
    packed = sum(len(block) for kind in ("pairs", "sources") for block in data[kind])
    packed += len(zlib.compress(json.dumps(data["overview"]).encode())) * 4 // 3
    assert most / 2 < packed < most * 1.05


def test_a_report_is_shown_and_replaced(shown: Opened, made: Comparison) -> None:
    page = shown.page
    page.evaluate(SHOW, asked(comparison(6, shared=1.0, pool=10)))
    expect(page.locator("#summary")).to_contain_text("among 6 submissions")
    page.evaluate(SHOW, asked(made))
    expect(page.locator("#summary")).to_contain_text("among 16 submissions")
    expect(page.locator("#shown")).to_have_text(f"{len(made.pairs)} pairs of {len(made.pairs)}")
    seen = HOSTILE.replace("\u2028", "<U+2028>").replace("\u202e", "<U+202E>").replace("\x1b", "␛")
    expect(page.locator("#warnings")).to_contain_text(seen)
    page.locator("#parameters ~ details summary").click()
    expect(page.locator("#parameters ~ details")).to_contain_text(f"{seen}: binary")
    assert shown.violations() == []
    page.locator("#pair-list .list-rows a").first.click()
    expect(page.locator("#pair pre mark").first).to_be_visible()
    assert shown.violations() == []
    page.keyboard.press("Escape")
    expect(page.locator("#overview")).to_be_visible()


def test_a_saved_report_is_the_file_of_the_command(
    browser: Browser, page: Page, made: Comparison, tmp_path: Path
) -> None:
    page.evaluate(SHOW, asked(made, title="</title>&amp;"))
    page.locator("#pair-list .list-rows a").first.click()
    page.get_by_role("radio", name="relevant").check()
    page.get_by_label("Note").fill("ask both")
    text = page.evaluate(SAVE)
    command = written(made)
    assert _comparable(unpacked(text))["overview"]["reviews"] == {
        made.pairs[0].id: {"state": "relevant", "note": "ask both"}
    }
    policies = [str(parse(one).select("meta[http-equiv]")[0].attrs["content"]) for one in (text, command)]
    assert policies[0] == policies[1]
    assert "%" not in parse(text).select("title")[0].text
    lists = []
    for name, content in (("saved", text), ("command", command)):
        (tmp_path / f"{name}.html").write_text(content, encoding="utf-8")
        with opened(browser, tmp_path / f"{name}.html") as shown:
            shown.page.wait_for_selector("html[data-ready]")
            rows = shown.page.locator("#pair-list .list-rows .list-row").all_inner_texts()
            lists.append([row.replace("relevant", "").rstrip() for row in rows])
            shown.page.locator("#pair-list .list-rows a").first.click()
            expect(shown.page.locator("#pair pre mark").first).to_be_visible()
            lists.append(shown.page.locator("#pair pre").all_inner_texts())
    assert lists[:2] == lists[2:]
    with opened(browser, tmp_path / "saved.html") as shown:
        expect(shown.page.locator("h1")).to_have_text("</title>&amp;")
    with opened(browser, tmp_path / "saved.html", scripts=False) as shown:
        expect(shown.page.locator("main")).to_contain_text("This page draws everything by its script.")
