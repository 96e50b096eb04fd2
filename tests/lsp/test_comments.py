"""Comments in a text: in its own style, and only where they change nothing else."""

from __future__ import annotations

import pytest

from tests.lsp.editors import edited
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.commenting import CommentWriter
from wherefrom.errors import UsageError
from wherefrom.options import Limits
from wherefrom.serve.lsp.answers import EditorPlace, accepting, crediting
from wherefrom.serve.lsp.server import edit_of
from wherefrom.serve.lsp.session import EditorText

CREDIT = crediting(EditorPlace("github.com/a/b", "c", "0" * 40, "https://github.com/a/b#L1", 1, 2, "MIT OR Apache-2.0"))


def commented(name: str, text: str, first: int, last: int) -> list[str]:
    """The lines of a text with comments that credit some lines, 0-based and inclusive."""
    shown = EditorText(text)
    with Analyzer() as analyzer:
        made = CommentWriter(analyzer, name, shown.lines, Limits()).around(first, last, CREDIT)
    return edited(text, [edit_of(lines, shown) for lines in made]).splitlines()


@pytest.mark.parametrize(
    ("name", "opening", "closing", "text"),
    [
        ("a.py", "#", "", "def a(b):\n    return b + 1\n"),
        ("a.c", "//", "", "int a(int b) {\n  return b + 1;\n}"),
        ("a.css", "/*", " */", "a {\n  color: red;\n}\n"),
        ("a.html", "<!--", " -->", "<p>one\n<b>two</b>\n"),
        ("a.sql", "--", "", "select a\nfrom b;\n"),
        ("a.rb", "#", "", "def a(b)\n  b + 1\nend\n"),
        ("a.php", "//", "", "<?php\nfunction a($b) {\n  return $b;\n}\n"),
    ],
)
def test_a_comment_has_the_style_of_the_language(name: str, opening: str, closing: str, text: str) -> None:
    first = int(text.startswith("<?php"))
    lines = text.splitlines()
    assert commented(name, text, first, len(lines) - 1) == [
        *lines[:first],
        f"{opening} From https://github.com/a/b#L1{closing}",
        f"{opening} SPDX-SnippetBegin{closing}",
        f"{opening} SPDX-License-Identifier: MIT OR Apache-2.0{closing}",
        *lines[first:],
        f"{opening} SPDX-SnippetEnd{closing}",
    ]


def test_a_comment_goes_where_it_changes_nothing() -> None:
    macro = "int x;\n#define A(b) \\\n  do { b; } while (0); \\\n  b\nint y;\n"
    assert commented("a.c", macro, 2, 2)[1].strip().startswith("// From")
    assert commented("a.c", macro, 2, 2)[-2].strip() == "// SPDX-SnippetEnd"
    text = '#!/usr/bin/python3\nA = """one\ntwo\nthree\n"""\n'
    assert commented("a.py", text, 2, 2)[:2] == ["#!/usr/bin/python3", "# From https://github.com/a/b#L1"]
    script = "<script>\nlet a = 1;\n</script>\n"
    assert commented("a.html", script, 1, 1)[1] == "// From https://github.com/a/b#L1"


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", '{"a":\n1}\n'), ("a.txt", "some\nwords\n"), ("a.py", "a\0\0\0\0b\n")]
)
def test_a_text_that_has_no_comments_stays_as_it_is(name: str, text: str) -> None:
    with pytest.raises(UsageError, match="write it yourself"):
        commented(name, text, 0, 0)


@pytest.mark.parametrize(
    "ending", ["*/ x", "--> x", "?> x", "\n x", "\u2028 x", "\\", "\\u000a x", "*) x", "-} x", "]] x"]
)
def test_no_name_gets_out_of_a_comment(ending: str) -> None:
    place = EditorPlace(f"a{ending}", f"b{ending}", "", f"https://c/{ending}", 1, 1, f"MIT{ending}")
    nameless = EditorPlace(f"a{ending}", f"b{ending}", "", "", 1, 1, "")
    for words in (crediting(place), crediting(nameless), accepting(f"mine{ending}")):
        for line in (*words.above, *words.below):
            assert line.isascii()
            assert line.isprintable()
            assert not set(line) & set("\\<>*{}[]()|")
    assert not any("MIT" in line for line in crediting(place).above)
