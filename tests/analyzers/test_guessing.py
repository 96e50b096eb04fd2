"""The languages of files and snippets are guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.guessing import guess, guess_snippet, rivals
from wherefrom.languages import LANGUAGES, learned

SAMPLES = Path(__file__).parent / "samples"


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("a/b.py", "python"),
        ("A.PY", "python"),
        ("x.jsx", "javascript"),
        ("x.d.ts", "typescript"),
        ("Main.hs-boot", "haskell"),
        ("dir.py/README", "text"),
        ("Rakefile", "ruby"),
        ("ci/Vagrantfile", "ruby"),
        (".bashrc", "bash"),
        (".py", "text"),
        ("Makefile", "text"),
        ("notes.md", "markdown"),
        ("a.ipynb", "jupyter"),
        ("page.vue", "html"),
        ("a.unknown", "text"),
        ("", "text"),
    ],
)
def test_by_name(path: str, wanted: str) -> None:
    assert guess(path, b"") == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (b"#!/usr/bin/env python3", "python"),
        (b"#!/usr/bin/python2.7 -u", "python"),
        (b"#! /bin/sh", "bash"),
        (b"#!/usr/bin/env -S node --flag", "javascript"),
        (b"#!/usr/bin/env LANG=C ruby", "ruby"),
        (b"#!/usr/bin/perl", "text"),
        (b"#!", "text"),
        (b"print(1)", "text"),
    ],
)
def test_by_shebang(line: bytes, wanted: str) -> None:
    assert guess("bin/tool", line + b"\nrest\n") == wanted


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"#ifndef A_H\n#define A_H\nint f(struct s *p);\n#endif\n", "c"),
        (b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n', "c"),
        (b"#pragma once\nnamespace a {\nint f();\n}\n", "cpp"),
        (b"#include <vector>\nint f();\n", "cpp"),
        (b"template <typename T> T f(T);\n", "cpp"),
        (b"class A : public B {\n public:\n  A();\n};\n", "cpp"),
        (b"int f(std::string a);\n", "cpp"),
        (b"/* the class of a thing */\nint using_it;\n", "c"),
        (b"#import <UIKit/UIKit.h>\n@interface A : NSObject\n@end\n", "objc"),
        (b"/**\n * @interface of a thing\n * @end\n */\nint f(void);\n", "c"),
    ],
)
def test_a_header_is_c_or_another_language_by_its_content(content: bytes, wanted: str) -> None:
    assert guess("include/a.h", content) == wanted


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b'<?xml version="1.0"?>\n<!DOCTYPE TS>\n', "text"),
        (b"\n<!DOCTYPE TS>\n", "text"),
        (b'<TS version="2.1">\n', "text"),
        (b"let a = <number>1;\n", "typescript"),
        (b"<<<<<<< HEAD\nlet a = 1;\n", "typescript"),
        (b"<TStore>(a: TStore) => a;\n", "typescript"),
        (b"<any>window.a = 1;\n", "typescript"),
    ],
)
def test_qt_translations_are_no_typescript(content: bytes, wanted: str) -> None:
    assert guess("de.ts", content) == wanted


@pytest.mark.parametrize("ending", ["jsp", "cshtml", "astro", "ejs", "html.erb", "hbs", "twig", "jinja", "vue"])
def test_templates_are_read_like_html(ending: str) -> None:
    assert guess(f"view.{ending}", b"<p>{{ a }}</p>\n<script>f(1);</script>\n") == "html"


TOLD_APART, ROWS = learned.loads(learned.read())


def test_the_learned_languages_are_languages() -> None:
    assert set(TOLD_APART) <= LANGUAGES.keys()
    assert all(len(row) == len(TOLD_APART) for row in ROWS.values())
    assert max(abs(weight) for row in ROWS.values() for weight in row) <= learned.STRONGEST


def test_the_learned_marks_are_written_as_they_are_read() -> None:
    assert learned.loads(learned.dumps((TOLD_APART, ROWS), "# One.\n# Two.\n")) == (TOLD_APART, ROWS)


@pytest.mark.parametrize("name", [name for name in TOLD_APART if LANGUAGES[name].grammar])
def test_a_sample_without_its_name_is_recognised(name: str) -> None:
    source = (SAMPLES / f"{name}.sample").read_bytes()
    assert guess_snippet(source) == name


@pytest.mark.parametrize(
    ("wanted", "snippet"),
    [
        ("python", "def add(a, b):\n    return a + b\n"),
        ("python", "    for row in rows:\n        total += row.price\n    return total\n"),
        ("python", "import os\nprint(os.getcwd())\n"),
        ("java", "public static int add(int a, int b) {\n    return a + b;\n}\n"),
        ("java", "List<String> names = new ArrayList<>();\nfor (String n : names) {\n    System.out.println(n);\n}\n"),
        ("javascript", "const add = (a, b) => a + b;\nconsole.log(add(1, 2));\n"),
        ("javascript", "$('#a').on('click', function () {\n  document.title = 'x';\n});\n"),
        ("typescript", "function add(a: number, b: number): number {\n  return a + b;\n}\n"),
        ("c", 'int main(void) {\n    char *p = malloc(10);\n    printf("%s", p->name);\n    free(p);\n}\n'),
        ("cpp", "std::vector<int> v;\nfor (auto &x : v) {\n  std::cout << x << std::endl;\n}\n"),
        (
            "csharp",
            "public async Task<string> Get() {\n  var c = new Client();\n  foreach (var x in c) { }\n}\n",
        ),
        (
            "go",
            "func add(a, b int) (int, error) {\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\treturn a, nil\n}\n",
        ),
        (
            "rust",
            'fn add(a: &mut Vec<u8>) -> Option<u8> {\n    let x = a.pop()?;\n    println!("{}", x);\n    Some(x)\n}\n',
        ),
        ("ruby", "def add(a, b)\n  puts a\n  [a, b].each do |x|\n    @sum += x\n  end\nend\n"),
        ("php", "<?php\nfunction add($a, $b) {\n    return $a->value + $b;\n}\n"),
        ("kotlin", "fun add(a: Int, b: Int): Int {\n    val c = a + b\n    println(c)\n    return c\n}\n"),
        (
            "swift",
            "func add(_ a: Int, b: Int) -> Int {\n    guard let c = cache[a] else { return 0 }\n    return c + b\n}\n",
        ),
        ("bash", 'for f in *.txt; do\n  echo "$f"\n  cp "$f" /tmp\ndone\n'),
        ("sql", "SELECT a.id, COUNT(*) FROM a INNER JOIN b ON a.id = b.id WHERE b.x > 3 GROUP BY a.id;\n"),
        ("html", '<div class="a">\n  <p>Hello</p>\n</div>\n'),
        ("css", ".a:hover {\n  margin: 0 auto;\n  color: #fff;\n}\n"),
        ("text", "This is a sentence about nothing in particular. It goes on, and on, for a while.\n"),
        ("text", "The quick brown fox jumps over the lazy dog, as it does in every second example text.\n"),
    ],
)
def test_fragments(wanted: str, snippet: str) -> None:
    assert guess_snippet(snippet.encode()) == wanted


def test_a_name_or_a_shebang_decides() -> None:
    assert guess_snippet(b"x", "a.rb") == "ruby"
    assert guess_snippet(b"def f(a):\n    return a\n", "notes.rst") == "text"
    assert guess_snippet(b"#!/bin/sh\nx = 1\n") == "bash"


def test_code_pasted_into_a_text_file_is_code() -> None:
    assert guess_snippet(b"def f(a):\n    return a\n", "notes.txt") == "python"


def test_a_license_is_prose_whatever_its_words() -> None:
    license = (
        b"Permission is hereby granted, free of charge, to any person obtaining a copy of this software, to deal in it "
        b"without restriction, including the rights to use, copy, modify, merge, publish and let others do so, for all "
        b"types where the struct of the match is pub, subject to the following conditions:\n"
    )
    assert guess_snippet(license) == guess_snippet(license, "x.txt") == "text"


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe\x00", b"(", b"\x00" * 100])
def test_anything_gets_an_answer(content: bytes) -> None:
    assert guess_snippet(content) in LANGUAGES


UNSURE = b"""\
  if (fobano >= 0 && (size_t)fobano < dibace)
    cebara[fobano] = '\\0';
  else if (dibace > 0)
    cebara[dibace - 1] = '\\0';
  return fobano;
}
"""
"""The end of a function of C. Its names tell nothing, and its marks are also those of JavaScript."""


def test_of_an_unsure_piece_of_code_the_next_languages_are_its_rivals() -> None:
    likeliest = guess_snippet(UNSURE)
    others, unlikely = rivals(UNSURE, likeliest)
    assert "c" in (likeliest, *others)
    assert 1 <= len(others) <= 2
    assert not {likeliest, "text"} & {*others, *unlikely}
    assert not set(others) & set(unlikely)
    analysis = analyze_snippet(UNSURE)
    assert (analysis.rivals, analysis.unlikely) == (others, unlikely)


@pytest.mark.parametrize(
    "code",
    [
        b"def area(self, points):\n    total = 0\n    for x, y in points:\n        total += x * y\n    return total\n",
        b"package main\n\nfunc area(points []Point) (int, error) {\n\ttotal := 0\n\treturn total, nil\n}\n",
        b"public final class Area {\n    private final List<String> names = new ArrayList<>();\n}\n",
    ],
)
def test_code_whose_language_is_sure_has_no_rivals(code: bytes) -> None:
    assert analyze_snippet(code).rivals == ()


def test_what_has_a_language_by_its_name_or_is_prose_has_no_rivals() -> None:
    assert analyze_snippet(UNSURE, name="a.js").rivals == ()
    assert analyze_snippet(UNSURE, language="c").rivals == ()
    assert analyze_snippet(b"```c\n" + UNSURE + b"```\n").rivals == ()
    assert (
        analyze_snippet(b"Some words about nothing, and then a few more of them, until the line ends.\n").rivals == ()
    )
