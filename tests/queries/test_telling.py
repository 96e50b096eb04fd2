from __future__ import annotations

from string import ascii_lowercase

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SearchOptions
from wherefrom.queries.preparation.preparing import declarations, sequences
from wherefrom.queries.searching import search


def stream(language: str, code: str) -> TokenStream:
    return analyze_snippet(code.encode(), language=language).tokens


def rest(language: str, code: str) -> str:
    """The tokens that are not part of an import or a package declaration."""
    tokens = stream(language, code)
    declared = declarations(tokens)
    kept = zip(tokens.starts.tolist(), tokens.ends.tolist(), declared.tolist(), strict=True)
    return " ".join(code.encode()[begin:end].decode() for begin, end, declares in kept if not declares)


@pytest.mark.parametrize(
    ("language", "code", "kept"),
    [
        ("java", "package a.b;\nimport java.util.*;\nimport static a.B.c;\n\nclass A { }", "class A { }"),
        ("python", "import os, sys\nfrom a.b import (c,\n  d as e)\nx = 3\n", "x = 3"),
        ("javascript", "import {a, b} from 'b'\nexport * from 'c'\nlet x = a;", "let x = a ;"),
        ("javascript", "const fs = require('fs');\nvar {a} = require('b')\nf(1);", "f ( 1 ) ;"),
        ("javascript", "a = b\nvar c = require('b')", "a = b"),
        ("javascript", "f(g);require(g);h('a')", "f ( g ) ; require ( g ) ; h ( 'a' )"),
        ("go", 'package main\nimport (\n  "a"\n  b "c"\n)\nfunc f() {}', "func f ( ) { }"),
        ("rust", "use a::{b, c as d};\npub use x::y;\npub(crate) fn f() {}", "crate ) fn f ( ) { }"),
        ("ruby", "require 'a'\nrequire_relative 'b'\nx = 1\n", "x = 1"),
        ("bash", "source 'a'\nx=1\n", "x = 1"),
        ("csharp", "using A.B;\nusing static C.D;\nclass E { }", "class E { }"),
        ("haskell", "import A.B as C\nx = 1\n", "x = 1"),
        ("julia", "using A.B, C\nimport D as E\nx = 1\n", "x = 1"),
        ("kotlin", "package a.b\nimport c.d as e\nval x = 1\n", "val x = 1"),
        ("lua", "require('a')\nx = 1\n", "x = 1"),
        ("ocaml", "include A.B\nlet x = 1\n", "let x = 1"),
        ("php", "<?php\nuse a\\b as c;\nrequire_once 'd';\nf(1);", "<?php f ( 1 ) ;"),
        ("scala", "package a\nimport b.{c => d}\nval x = 1\n", "val x = 1"),
        ("swift", "import a\nf(1)\n", "f ( 1 )"),
        ("typescript", "import type {A} from 'b'\nf(1)\n", "f ( 1 )"),
        ("cpp", "using namespace std;\nusing a::b;\nint x;", "int x ;"),
    ],
)
def test_imports_are_told_by_their_words_in_every_language(language: str, code: str, kept: str) -> None:
    assert rest(language, code) == kept


def test_a_minified_program_on_one_line_is_no_import() -> None:
    code = "var a=require('a'),b=f(a);function g(x){return b(x)+1}"
    assert "return b ( x ) + 1" in rest("javascript", code)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = {'a', 'b', 'c', 'd'}", 7),
        ('x = {"A", "B", "C", "D", "E"}', 9),
        ("x = {0, 1, 2, 3, 4}", 9),
        ("x = {98, 99, 100, 101}", 7),
        ("x = {0, 1, 2}", 0),
        ("x = {14, 4, 13, 1, 2, 15, 11, 8}", 0),
        ("f(0); f(1); f(2); f(3);", 0),
    ],
)
def test_alphabets_and_counts_are_sequences_and_other_tables_are_not(code: str, expected: int) -> None:
    assert int(sequences(stream("java", f"class A {{ void f() {{ {code} }} }}")).sum()) == expected


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "x = ['a', \"b\", 'c', 'd']"),
        ("python", "x = [8, 9, 1_0, 11]"),
        ("javascript", "var x = ['a', \"b\", `c`, 'd']"),
        ("javascript", "var x = [0, 1, 2, 3]"),
        ("c", "char x[] = {'a', 'b', 'c', 'd'};"),
        ("c", 'char *x[] = {"0", "1", "\\x32", "3"};'),
        ("c", "int x[] = {98, 99, 100, 101};"),
        ("java", "class A { char[] x = {'a', 'b', 'c', '\\144'}; }"),
        ("java", 'class A { String[] x = {"w", "x", "y", "z"}; }'),
        ("java", "class A { int[] x = {0, 1, 2, 3}; }"),
    ],
)
def test_a_sequence_is_told_however_its_literals_are_spelled(language: str, code: str) -> None:
    assert int(sequences(stream(language, code)).sum()) == 7


@pytest.mark.parametrize(
    ("table", "is_sequence"),
    [
        ("'a', 'b', 'c'", False),
        ("'a', 'b', 'c', 'd'", True),
        ("0, 1, 2", False),
        ("0, 1, 2, 3", True),
        ("14, 4, 13, 1, 2, 15", False),
    ],
)
def test_three_letters_or_numbers_are_no_sequence_and_four_are(table: str, is_sequence: bool) -> None:
    assert sequences(stream("c", f"int made = {{ {table} }};")).any() == is_sequence


def test_an_alphabet_in_prose_is_a_sequence() -> None:
    text = "safe: ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789, and a few others"
    quiet = sequences(stream("text", text))
    assert quiet.tolist() == [letter.isupper() or letter.isdigit() for letter in text if letter.isalnum()]


WORDS, OTHER_WORDS = ("amber", "birch", "cedar", "delta", "ember"), ("frost", "grove", "haven", "inlet")
IMPORTS = "".join(f"import org.{word}.parts.{word.title()}Tool;\n" for word in WORDS)
OTHER_IMPORTS = "".join(f"import net.{word}.units.{word.title()}Kit;\n" for word in OTHER_WORDS)
BODY = "class Clock { int ticks; int next(int step) { ticks = (ticks + step) % 86400; return ticks / 3600; } }\n"
LETTERS = "class Codes { char[] all = {" + ", ".join(f"'{letter}'" for letter in ascii_lowercase) + "}; }\n"


def found(*files: str, query: str) -> list[str]:
    """The paths of the indexed files that a Java program finds."""
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [file.encode() for file in files])
    hits = search(engine, query.encode(), SearchOptions(language="java")).hits
    return [occurrence.path for hit in hits for occurrence in hit.occurrences]


def test_lists_of_imports_of_other_libraries_are_no_match() -> None:
    program = OTHER_IMPORTS + "class Door { boolean open; }\n"
    assert found(IMPORTS + BODY, query=program) == []
    assert found(IMPORTS + BODY, query=OTHER_IMPORTS + BODY) == ["0.c"]


def test_the_very_same_imports_are_found() -> None:
    assert found(IMPORTS + BODY, query=IMPORTS) == ["0.c"]


def test_an_alphabet_is_no_match_and_a_table_of_other_numbers_is() -> None:
    table = "class Table { int[] box = {14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7}; }\n"
    program = "class Other { String name; " + LETTERS.partition("{ ")[2].replace("all", "signs")
    assert found(LETTERS, query=program) == []
    assert found(table, query=table.replace("Table", "Sbox")) == ["0.c"]
