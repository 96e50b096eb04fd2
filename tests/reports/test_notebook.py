"""Results in a notebook: both sides are marked, and every text is escaped."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser
from pathlib import Path

import pytest

import wherefrom
from tests.repositories import Repository
from tests.results import answers
from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.reports import notebook
from wherefrom.results import SearchResult
from wherefrom.results.locations import Texts

HOSTILE = "</pre></style><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;\x1b\u202e"

TAGS = {
    "div",
    "style",
    "p",
    "b",
    "section",
    "h3",
    "a",
    "ul",
    "li",
    "pre",
    "span",
    "mark",
    "blockquote",
    "q",
    "i",
    "strong",
}

ATTRIBUTES = {"class", "title", "href", "rel", "tabindex", "role", "aria-label", "data-language", "data-languages"}


class Page(HTMLParser):
    """Parses a page into its elements, attributes and texts, as a browser does."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.text: dict[str, list[str]] = {}
        self.columns: list[str] = []
        self.column = self.row = 0
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links += [value or "" for name, value in attrs if name == "href"]
        names = (dict(attrs).get("class") or "").split()
        if tag == "pre":
            self.column = len(self.columns)
            self.columns += [""] * (2 if "rows" in names else 1)
        elif "row" in names:
            self.row, self.column = len(self.open), len(self.columns) - 3
        elif self.row and len(self.open) == self.row + 1:
            self.column += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if len(self.open) < self.row:
            self.row = 0

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self.open[-1] if self.open else "", []).append(data)
        if "pre" in self.open:
            self.columns[self.column] += data


def page(result: object) -> Page:
    """A result as a notebook shows it."""
    html = result._repr_html_()  # type: ignore[attr-defined]  # the name is that of IPython
    assert isinstance(html, str)
    return Page(html)


def with_texts(result: SearchResult) -> SearchResult:
    return dataclasses.replace(result, texts=Texts(answers.QUERY, lambda _: answers.DOCUMENT))


def test_both_sides_of_a_hit_are_marked() -> None:
    shown = page(with_texts(answers.search_result()))
    here, there, *_ = shown.columns
    assert len(here.splitlines()) == len(there.splitlines())
    assert any(line.split() == ["2", "=", "parts", "=", "line.split(',')"] for line in here.splitlines())
    assert any(line.split() == ["3", "=", "fields", "=", "line.split(',')"] for line in there.splitlines())
    marked = "".join(shown.text["mark"])
    assert "line.split" in marked
    assert "def main" not in marked
    assert shown.tags <= TAGS
    assert shown.attributes <= ATTRIBUTES


def test_a_hit_by_fingerprints_has_no_code() -> None:
    shown = page(with_texts(answers.by_terms(answers.search_result())))
    assert shown.columns == []
    assert any("by fingerprints alone, so less sure" in line for line in shown.text["p"])
    assert not any("not at hand" in line for line in shown.text["p"])


def test_warnings_are_shown() -> None:
    for result in (answers.search_result(), answers.sources_result()):
        shown = page(dataclasses.replace(result, warnings=(f"no path matches {HOSTILE}",)))
        assert any(line.startswith("Warning: no path matches </pre>") for line in shown.text["p"])
        assert shown.tags <= TAGS


def test_the_style_applies_only_to_its_own_part_of_the_page() -> None:
    style = "".join(page(answers.search_result()).text["style"]).strip()
    assert style.startswith(".wherefrom {")
    assert style.endswith("}")
    depth = [style[:at].count("{") - style[:at].count("}") for at in range(style.index("{") + 1, len(style))]
    assert min(depth) == 1


def test_a_place_on_the_web_is_a_link() -> None:
    result = answers.search_result()
    key = "github.com/x/y"
    record = RepositoryRecord(key, "/y", "git", "r1", "", 1, 1, {}, "", key_kind=KeyKind.REMOTE)

    def links(known: RepositoryRecord) -> list[str]:
        hits = tuple(dataclasses.replace(hit, repositories={key: known}) for hit in result.hits)
        return page(dataclasses.replace(result, hits=hits)).links

    assert page(result).links == []
    assert links(record) == [
        "https://github.com/x/y/blob/r1/src/best.py#L3-L25",
        "https://github.com/x/y/blob/r1/src/near.py#L3-L25",
    ]
    local = dataclasses.replace(record, key="javascript:alert(1)", key_kind=KeyKind.PATH)
    assert links(local) == []


def test_hostile_names_and_contents_are_text() -> None:
    result = answers.attributed(answers.search_result())
    evidence = dataclasses.replace(answers.EVIDENCE, text=HOSTILE, path=HOSTILE)
    hit = dataclasses.replace(
        result.hits[0],
        language=HOSTILE,
        occurrences=(Occurrence(HOSTILE, HOSTILE, answers.BLOB, HOSTILE),),
        attributions=(dataclasses.replace(result.hits[0].attributions[1], evidence=(evidence,), licenses=(HOSTILE,)),),
    )
    code = HOSTILE.encode() * 3
    query = dataclasses.replace(result.query, name=HOSTILE, language=HOSTILE)
    hostile = dataclasses.replace(result, hits=(hit,), query=query, texts=Texts(code, lambda _: code))
    documents = tuple(
        dataclasses.replace(document, occurrences=hit.occurrences) for document in answers.sources_result().documents
    )
    sources = dataclasses.replace(answers.sources_result(), documents=documents, query=query, texts=hostile.texts)
    checked = answers.check_report()
    place = dataclasses.replace(
        checked.findings[0].places[0], occurrence=hit.occurrences[0], evidence=(evidence,), licenses=(HOSTILE,)
    )
    finding = dataclasses.replace(checked.findings[0], path=HOSTILE, places=(place,))
    check = dataclasses.replace(
        checked, project=HOSTILE, findings=(finding,), contents={HOSTILE: code}, texts=hostile.texts
    )
    for value in (hostile, sources, check):
        shown = page(value)
        assert shown.tags <= TAGS
        assert shown.attributes <= ATTRIBUTES
        assert all(link.startswith("https://") for link in shown.links)
        text = "".join(part for parts in shown.text.values() for part in parts)
        assert "<script>alert(1)</script>" in text
        assert text.replace("\n", "").isprintable()


def test_many_hits_are_counted() -> None:
    result = answers.search_result()
    many = dataclasses.replace(result, hits=result.hits[:1] * 40, total=50)
    shown = page(many)
    assert len(shown.text["h3"]) == notebook.SHOWN
    assert f"and {50 - notebook.SHOWN} more hits" in shown.text["p"]


def test_a_query_that_was_not_looked_up_has_a_reason() -> None:
    result = answers.search_result()
    query = dataclasses.replace(result.query, needed=8, excluded_tokens=0)
    shown = page(dataclasses.replace(result, query=query, hits=(), total=0))
    assert "too short to be looked up: at least 8 tokens are needed" in "".join(shown.text["p"])
    sources = dataclasses.replace(answers.sources_result(), query=query, documents=())
    assert "too short to be looked up: at least 8 tokens are needed" in "".join(page(sources).text["p"])


def test_failing_findings_come_first() -> None:
    report = answers.check_report()
    failing, _, note = report.findings
    elsewhere = dataclasses.replace(note, region=dataclasses.replace(note.region, start_byte=0), tokens=99)
    shown = page(dataclasses.replace(report, findings=(elsewhere, failing)))
    badges = [text for text in shown.text["span"] if text.startswith("copied-")]
    assert badges == ["copied-unattributed", "copied-attributed"]


CODE = b"".join(
    b"def function_%d(first, second):\n    return first * %d + second ** 2\n\n\n" % (n, n) for n in range(9)
)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    Repository.make(tmp_path / "clone", {"math.py": CODE})
    location = tmp_path / "index.wherefrom"
    wherefrom.index_sources([tmp_path / "clone"], location, jobs=1)
    return location


@pytest.mark.slow
def test_an_answer_of_an_index_shows_both_sides_while_it_is_open(index: Path, tmp_path: Path) -> None:
    # Of a file that is a copy as a whole no sides are shown.
    own = b"".join(b"while own_%d.runs():\n    print(own_%d.next[%d:], end=own_%d)\n" % ((n,) * 4) for n in range(9))
    project = Repository.make(tmp_path / "project", {"mine.py": CODE + own, "copied.py": CODE})
    key = str(tmp_path / "clone")
    with wherefrom.open_index(index) as opened:
        results = [
            opened.search(CODE, name="mine.py"),
            opened.sources(CODE, name="mine.py"),
            opened.check([project.folder / "mine.py"]),
        ]
        [copied] = opened.check([project.folder / "copied.py"]).findings
        assert copied.copy is not None
        assert copied.copy.identical
        for result in results:
            here, there, *_ = page(result).columns
            assert "def function_0(first, second):" in here
            assert "def function_0(first, second):" in there
        similar = opened.similar(f"{key}:math.py")
        assert similar.texts.query() == CODE
    for result in results[:2]:
        closed = page(result)
        assert closed.columns == []
        assert notebook.GONE in closed.text["p"]
        assert any(item.startswith("lines 1-") for item in closed.text["li"])
    assert len(page(results[2]).columns) == 1  # the report contains the project's side, so one column remains


@pytest.mark.slow
def test_an_answer_whose_clone_is_gone_names_the_lines(index: Path, tmp_path: Path) -> None:
    (tmp_path / "clone").rename(tmp_path / "elsewhere")
    with wherefrom.open_index(index) as opened:
        shown = page(opened.search(CODE))
    assert shown.columns == []
    assert any(item.startswith("lines 1-") for item in shown.text["li"])
