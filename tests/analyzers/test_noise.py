"""Files have the same terms before and after formatting."""

from __future__ import annotations

import numpy as np
import pytest

from tests.analyzers.streams import code_of
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.documents import AnalyzedContent, document
from wherefrom.analyzers.noise import LIGHT, is_noise, weights
from wherefrom.analyzers.tokens import TokenClass, decode
from wherefrom.languages import LANGUAGES
from wherefrom.options import Limits

pytestmark = pytest.mark.usefixtures("both_ways")

SAME = {
    "c": [(b"int a[] = {1, 2,};\n", b"int a[] = {1, 2};\n")],
    "css": [(b"a { color: red }\n", b"a { color: red; }\n")],
    "go": [(b"package a\nvar x = f(\n1,\n2,\n)\n", b"package a\nvar x = f(1, 2)\n")],
    "javascript": [
        (b"a(b, c);\nlet d = x => x;", b"a(b, c,);\nlet d = (x) => x;\n"),
        (b"return (\n a && b\n);", b"return a && b;"),
        (b"x = (a && b) || c;", b"x = a && b || c;"),
        (b"y = async x => z", b"y = async (x) => z"),
    ],
    "python": [
        (b"if (a and b):\n    return (x)\n", b"if a and b:\n    return x\n"),
        (b"from a import (\n    b,\n    c,\n)\nd = (b +\n     c)\n", b"from a import (b, c)\nd = b + c\n"),
        (b"a = [1, 2,]; f(a,)\n", b"a = [1, 2]\nf(a)\n"),
    ],
    "kotlin": [(b"val a = 1;\nval b = 2;\n", b"val a = 1\nval b = 2\n")],
    "rust": [(b"fn f() { g(a, b,); }\n", b"fn f() { g(a, b); }\n")],
    "typescript": [(b"f<A, B,>(x);", b"f<A, B>(x);")],
}

DIFFERENT = {
    "javascript": [(b"f()", b"f"), (b"x = () => 1", b"x = _ => 1"), (b"if (a) b", b"if a b"), (b"f(a)(b)", b"f(a) b")],
    "python": [(b"f(a)\n", b"f a\n"), (b"a[0](b)\n", b"a[0] b\n"), (b"x = ()\n", b"x =\n")],
    "c": [(b"a = (b);", b"a = b;"), (b"a;", b"a")],
}


def codes(name: str, source: bytes) -> list[int]:
    return [int(code) for code in analyze_snippet(source, language=name).tokens.codes]


@pytest.mark.parametrize("name", SAME)
def test_what_a_formatter_changes_does_not_count(name: str) -> None:
    for one, other in SAME[name]:
        assert codes(name, one) == codes(name, other), (one, other)


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_calls_or_ends_a_statement_counts(name: str) -> None:
    for one, other in DIFFERENT[name]:
        assert codes(name, one) != codes(name, other), (one, other)


def test_a_parenthesis_whose_other_one_is_missing_counts() -> None:
    texts = b"a ) + ( b ( c ) ( d"
    symbols = texts.split()
    classes = [TokenClass.NAME if text.isalpha() else TokenClass.SYMBOL for text in symbols]
    found = np.array([code_of(*token, "python") for token in zip(symbols, classes, strict=True)], np.uint64)
    noise = is_noise(found, np.array(classes, np.uint8), LANGUAGES["python"])
    assert not noise.any()


LIGHT_TOKENS = {
    "bash": (b"if a; then b; fi", "; ;"),
    "c": (b'static int f(void) { return g("a" "b"); }', 'static { "b" }'),
    "csharp": (b"class A { public static readonly int x = 1; }", "{ public static readonly }"),
    "elixir": (b"f(a, [b])", "( )"),
    "go": (b"package a\nfunc f() { a(); b() }", ";"),
    "java": (b'class A { final int x = "a" + "b" + c + 1 + 2; }', '{ final + "b" }'),
    "javascript": (b"if (a) { b(); }", "{ ; }"),
    "kotlin": (b"private fun f() { b() }", "private { }"),
    "lua": (b'f("a")', "( )"),
    "ocaml": (b"let f x = begin g (x) end;;", "begin ( ) end ;;"),
    "php": (b"<?php class A { public static $x; }", "{ public static }"),
    "python": (b'class A():\n    def f():\n        return g("a" "b", "c")()\n', '( ) "b"'),
    "rust": (b"fn f() { match a { B => { c() }, D => d(e, g) } }", "{ { { } , , } }"),
    "scala": (b"private def f(a: Int) = { a }", "private { }"),
    "swift": (b"private final func f() { b() }", "private final"),
    "typescript": (b"class A { private x = 1; }", "{ ; }"),
    "zig": (b"pub fn f() void { a(); }", ""),
}
"""Code and its light tokens."""


@pytest.mark.parametrize("name", LIGHT_TOKENS)
def test_what_counts_next_to_nothing(name: str) -> None:
    source, light = LIGHT_TOKENS[name]
    tokens = analyze_snippet(source, language=name).tokens
    found = [source[tokens.starts[at] : tokens.ends[at]].decode() for at in np.flatnonzero(weights(tokens) == LIGHT)]
    assert " ".join(found) == light


def test_each_part_of_a_page_has_the_rules_of_its_language() -> None:
    page = b"<p>a;</p><script>f();</script><style>a { color: red }</style>"
    tokens = analyze_snippet(page, language="html").tokens
    light = np.flatnonzero(weights(tokens) == LIGHT)
    assert tokens.starts[light].tolist() == [page.index(b";</script>")]


def test_what_is_indexed_has_no_noise_either() -> None:
    source = b"let a = (b, c) => [(b), c,];\n" * 20
    found = document("a.js", source, Limits())
    assert isinstance(found, AnalyzedContent)
    assert decode(found.tokens).codes.tolist() == codes("javascript", b"let a = b, c => [b, c];\n" * 20)
