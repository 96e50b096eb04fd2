"""The marks of matched code: tokens and the blanks between them, but not comments between them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.repositories import Repository

SNIPPET = b"""\
def water_levels(heights, rainfall, rounds):
    # what I thought of first
    levels = [0.0] * len(heights)  # in millimetres

    for number in range(rounds):
        for at, height in enumerate(heights):
            levels[at] += rainfall * (1.0 if at % 2 else 0.5)
            overflow = levels[at] + height
    return [round(level, 6) for level in levels]
"""

INDEXED = b"""\
import math

def water_levels(heights, rainfall, rounds):
    levels = [0.0] * len(heights)
    # Another comment,
    # of two lines.
    for number in range(rounds):
        for at, height in enumerate(heights):
            levels[at] += rainfall * (1.0 if at % 2 else 0.5)
            overflow = levels[at] + height  # too much
    return [round(level, 6) for level in levels]
"""

COMMENTS = ["# what I thought of first", "# in millimetres"], ["# Another comment,", "# of two lines.", "# too much"]


class Marked(HTMLParser):
    """The texts of the `mark` elements, and of all others."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.marked, self.plain = "", ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "mark" in self.open:
            self.marked += data
        else:
            self.plain += data


@pytest.fixture(scope="module")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    folder = tmp_path_factory.mktemp("marks")
    Repository.make(folder / "clones/rivers", {"levels.py": INDEXED})
    made = Wherefrom(folder)
    made.indexes("clones")
    return made


def test_a_terminal_marks_no_line_that_is_a_comment(rivers: Wherefrom) -> None:
    _, output, _ = rivers.run("search", "-", stdin=SNIPPET)
    lines = [match.groups() for match in re.finditer(r"^ +(\d+) ([>~ ]) (.*)$", output, re.MULTILINE)]
    texts = [(mark, text.strip()) for _, mark, text in lines]
    assert (" ", "# what I thought of first") in texts
    assert (" ", "# Another comment,") in texts
    assert (" ", "# of two lines.") in texts
    assert (">", "levels = [0.0] * len(heights)") in texts
    assert (">", "for number in range(rounds):") in texts


def test_pages_mark_code_and_no_comment(rivers: Wherefrom) -> None:
    project = Repository.make(rivers.folder / "project", {"mine.py": SNIPPET})
    with rivers.open() as index:
        notebook = index.search(SNIPPET)._repr_html_()
    _, report, _ = rivers.run("check", project.folder, "--format", "html")
    assert notebook is not None
    for page in (Marked(notebook), Marked(report)):
        assert "levels = [0.0] * len(heights)" in page.marked
        for comment in (text for side in COMMENTS for text in side):
            assert comment in page.plain
            assert comment.split()[-1] not in page.marked


def test_regions_say_where_comments_may_stand(rivers: Wherefrom) -> None:
    with rivers.open() as index:
        [hit] = index.search(SNIPPET).hits
    [pair] = hit.regions
    for text, region, comments in zip((SNIPPET, INDEXED), (pair.query, pair.document), COMMENTS, strict=True):
        gaps = [text[begin:end].decode() for begin, end in region.gaps]
        assert all(region.start_byte < begin < end < region.end_byte for begin, end in region.gaps)
        # Parentheses that only group are not tokens either.
        contained = [line.strip() for gap in gaps for line in gap.splitlines() if line.strip("() ")]
        assert contained == comments
