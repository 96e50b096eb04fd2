"""Code is colored by its tokens, and comments are found between them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.colors import colors
from wherefrom.languages import LANGUAGES

SAMPLES = {path.stem: path for path in sorted(Path(__file__).with_name("samples").iterdir()) if path.stem in LANGUAGES}

CODE = b"""\
# Of a polygon.
def area(points):  # the area
    \"\"\"Of a "polygon".\"\"\"
    if points is not None:
        # as text
        return 12 + f"{points:>10}"  # "quoted"
    # the end
"""

PROSE = b'Many words and a few "quotes", but not one line of code.\n'


def colored(name: str, content: bytes, within: tuple[int, int] | None = None) -> list[tuple[bytes, str]]:
    tokens = analyze_snippet(content, name=name).tokens
    return [(content[start:end], color) for start, end, color in colors(content, tokens, within)]


def test_tokens_and_comments_have_their_colors() -> None:
    found = colored("a.py", CODE)
    assert [text for text, color in found if color == "comment"] == [
        b"# Of a polygon.",
        b"# the area",
        b"# as text",
        b'# "quoted"',
        b"# the end",
    ]
    assert [text for text, color in found if color == "keyword"] == [b"def", b"if", b"is", b"not", b"return"]
    assert [text for text, color in found if color == "string"] == [
        b'"""Of a "polygon"."""',
        b'f"',
        b":>10",
        b'"',
    ]
    assert [text for text, color in found if color == "number"] == [b"None", b"12"]


def test_words_of_a_text_between_code_are_keywords_only_if_the_language_has_them() -> None:
    found = colored("a.jsx", b"const shown = <p>Nothing here, sorry</p>;\n// next\nreturn this.all(shown);\n")
    assert found == [(b"const", "keyword"), (b"// next", "comment"), (b"return", "keyword"), (b"this", "keyword")]


def test_a_range_has_the_colors_that_all_of_the_text_has_there() -> None:
    every = colored("a.py", CODE)
    begin, end = CODE.index(b"the area"), CODE.index(b"text")
    within = colored("a.py", CODE, (begin, end))
    assert within == every[every.index((b"# the area", "comment")) : every.index((b"# as text", "comment")) + 2]
    assert colored("a.py", CODE, (len(CODE) - 4, len(CODE)))[-1:] == every[-1:]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_language_is_colored(name: str) -> None:
    content = SAMPLES[name].read_bytes()
    found = colors(content, analyze_snippet(content, language=name).tokens)
    is_colored = LANGUAGES[name].grammar and name != "html"  # the sample has scripts and styles
    assert {color for _, _, color in found} >= ({"comment", "string"} if is_colored else set())
    assert all(0 <= start < end <= len(content) for start, end, _ in found)
    assert all(end <= start for (_, end, _), (start, _, _) in pairwise(found))


def test_a_comment_that_does_not_end_ends_the_colors_of_its_gap() -> None:
    found = colored("a.rs", b"fn main() {} // first\n" + 100_000 * b"/* ")
    assert [text for text, color in found if color == "comment"] == [b"// first"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", PROSE),
        ("a.html", b"<p title=\"one\">\n<script>\n// of a script\nlet one = 'two';\n</script>\n"),
        ("a.py", b"\xff\xfe" + CODE),
        ("a.py", b""),
    ],
)
def test_what_is_not_code_has_no_color(name: str, content: bytes) -> None:
    assert colored(name, content) == []
