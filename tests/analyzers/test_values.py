"""Literals of the same value have the same code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers import parsing
from wherefrom.analyzers.kernel import parse
from wherefrom.analyzers.parsing import number_value, string_value
from wherefrom.analyzers.tokens import is_literal
from wherefrom.languages import LANGUAGES

pytestmark = pytest.mark.usefixtures("both_ways")

AROUND = {
    "bash": b"x=%s\n",
    "c": b"f(%s);\n",
    "cpp": b"int x = %s;\n",
    "csharp": b"f(%s);\n",
    "css": b"a { content: %s }\n",
    "go": b"package a\nvar x = %s\n",
    "haskell": b"x = %s\n",
    "html": b"<a b=%s></a>\n",
    "java": b"class A { Object x = %s; }\n",
    "kotlin": b"val x = %s\n",
    "lua": b"x = %s\n",
    "objc": b"id x = %s;\n",
    "ocaml": b"let x = %s\n",
    "php": b"<?php $x = %s;\n",
    "python": b"x = %s\n",
    "ruby": b"x = %s\n",
    "rust": b"const X: T = %s;\n",
    "scala": b"val x = %s\n",
    "sql": b"SELECT %s;\n",
    "swift": b"let x = %s\n",
    "zig": b"const x = %s;\n",
}
"""Programs with a literal; `x = %s` for other languages."""

SAME = {
    "bash": [(b"'a b'", b'"a b"'), (b"'%s\\n'", b'"%s\\n"'), (b"'a\"$b'", b'"a\\"\\$b"')],
    "c": [(b'"\\x41\\n"', b'"A\\012"'), (b"0XFFul", b"0xFFUL"), (b"'\\x41'", b"'A'"), (b"1.50e+5", b"1.5E5")],
    "cpp": [(b"1'000'000", b"1000000"), (b"0XfF", b"0xFF")],
    "csharp": [(b'@"a\\b"', b'"a\\\\b"'), (b"1_000L", b"1000l"), (b'"""ab"""', b'"ab"')],
    "css": [(b"'a'", b'"a"'), (b"#FFF", b"#fff"), (b".50em", b"0.5EM")],
    "elixir": [(b'"\\u0041"', b'"A"'), (b"1_000", b"1000")],
    "go": [(b"`a\\b`", b'"a\\\\b"'), (b"0X1F", b"0x1f"), (b"1_000", b"1000")],
    "haskell": [(b'"\\"\\t"', b'"\\"\\x09"'), (b"0XfF", b"0xFF")],
    "html": [(b"'a'", b'"a"')],
    "java": [(b'"\\u0041"', b'"A"'), (b"0XFFL", b"0xFFl"), (b"1_000", b"1000")],
    "javascript": [(b"'a\"'", b'"a\\""'), (b"`a`", b"'a'"), (b"0XFF", b"0xff"), (b"1_000", b"1000"), (b".50", b"0.5")],
    "julia": [(b'"""ab"""', b'"ab"'), (b"1_000", b"1000")],
    "kotlin": [(b'"""a\\b"""', b'"a\\\\b"'), (b"0XFF", b"0xff"), (b"1_000", b"1000")],
    "lua": [(b"'a'", b'"a"'), (b"0XFF", b"0xff")],
    "objc": [(b'@"\\x41"', b'@"A"'), (b"0xfF", b"0xFF")],
    "ocaml": [(b'"\\x41"', b'"A"'), (b"1_000", b"1000")],
    "php": [(b"'a\\b'", b'"a\\\\b"'), (b"'it\\'s'", b'"it\'s"'), (b"0XFF", b"0xff")],
    "python": [
        *((b"'a'", other) for other in (b'"a"', b"'''a'''", b'"""a"""', b"u'a'", b"r'a'", b"f'a'", b'"\\x61"')),
        (b"'it\\'s'", b'"it\'s"'),
        (b"'\\d'", b"r'\\d'"),
        (b"rb'a'", b'b"a"'),
        (b"'''a\n    b'''", b'"""\n  a\n  b\n"""'),
        (b"0XFF", b"0xff"),
        (b"1_000", b"1000"),
        (b"1.50E+5", b"1.5e5"),
    ],
    "ruby": [(b"'a'", b'"a"'), (b"'a\\b'", b'"a\\\\b"'), (b"1_000", b"1000")],
    "rust": [(b'r#"a\\b"#', b'"a\\\\b"'), (b"0xFF", b"0xff"), (b"1_000u32", b"1000u32")],
    "scala": [(b'"""a\\b"""', b'"a\\\\b"'), (b"0XFF", b"0xff")],
    "sql": [(b".5", b"0.50")],
    "swift": [(b'#"a\\b"#', b'"a\\\\b"'), (b"1_000", b"1000")],
    "tsx": [(b"'a'", b"`a`"), (b"0XFF", b"0xff")],
    "typescript": [(b"'a'", b"`a`"), (b"0XFF", b"0xff")],
    "zig": [(b'"\\x41"', b'"A"'), (b"0xFF", b"0xff"), (b"1_000", b"1000")],
}

DIFFERENT = {
    "bash": [(b"'\\n'", b"$'\\n'")],
    "c": [(b"'a'", b'"a"'), (b'L"a"', b'"a"'), (b"10", b"0x10"), (b"1", b"1u")],
    "elixir": [(b"'a'", b'"a"')],
    "go": [(b"`\\n`", b'"\\n"')],
    "java": [(b"'a'", b'"a"')],
    "php": [(b"'\\n'", b'"\\n"')],
    "python": [(b"b'a'", b"'a'"), (b"r'\\n'", b"'\\n'"), (b"''", b"' '"), (b"10", b"1.0")],
    "ruby": [(b"'\\n'", b'"\\n"'), (b"'a'", b":a")],
    "javascript": [(b"/a/", b"'a'"), (b"1n", b"1")],
}


def codes(name: str, literal: bytes) -> list[int]:
    """The codes of the literals in a program with this one."""
    source = AROUND.get(name, b"x = %s\n") % literal
    found, _ = parse(LANGUAGES[name], source, 10)
    assert not found.errors, source
    return [int(code) for code in found.codes[is_literal(found.classes)]]


@pytest.mark.parametrize("name", [name for name, language in LANGUAGES.items() if language.grammar])
def test_the_value_of_a_literal_counts_and_not_its_spelling(name: str) -> None:
    for one, other in SAME[name]:
        assert len(codes(name, one)) == 1, one
        assert codes(name, one) == codes(name, other), (one, other)


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_means_something_else_stays_different(name: str) -> None:
    for one, other in DIFFERENT[name]:
        assert codes(name, one) != codes(name, other), (one, other)


PIECES = st.sampled_from(
    [b"'", b'"', b"`", b"\\", b"n", b"x4", b"u{1f600}", b"\\u00e9", b"7", b"\n  ", b"a", b"#", b"r"]
)


@given(st.lists(PIECES, max_size=12).map(b"".join))
def test_any_text_has_a_value(text: bytes) -> None:
    for language in LANGUAGES.values():
        string_value(text, language.spelling)
    number_value(text)
    for name in ("python", "javascript", "rust"):
        source = b"x = " + text + b"\n"
        found, _ = parse(LANGUAGES[name], source, 10)
        assert found.codes.tolist() == parsing.parse(LANGUAGES[name], source, 10).codes.tolist()
