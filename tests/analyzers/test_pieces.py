"""Pieces of files, cut anywhere, have the same tokens as their file, in every language."""

from __future__ import annotations

import random
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from wherefrom.analyzers.analysis import Opened, analyze, analyze_snippet
from wherefrom.analyzers.nodes import node_spans
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.languages import LANGUAGES

SAMPLES = Path(__file__).parent / "samples"

PIECES, SHORTEST, LONGEST = 30, 20, 200

every_language = pytest.mark.parametrize("language", [name for name, known in LANGUAGES.items() if known.grammar])


def rows(tokens: TokenStream) -> list[tuple[int, int]]:
    """The code and class of each token."""
    return list(zip(tokens.codes.tolist(), tokens.classes.tolist(), strict=True))


def common(expected: list[tuple[int, int]], found: list[tuple[int, int]]) -> int:
    """A lower bound of the number of tokens of the first that are in the second, in the same order."""
    blocks = SequenceMatcher(None, expected, found, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


@pytest.mark.thorough
@every_language
def test_a_piece_that_is_cut_between_two_tokens_has_those_of_its_file(language: str) -> None:
    content = (SAMPLES / f"{language}.sample").read_bytes()
    tokens = analyze(content, Opened(language, content, None), 10.0).tokens
    expected = rows(tokens)
    # A cut between the tokens of code in a string is one inside a literal.
    strings = node_spans(LANGUAGES[language], content, 10.0, frozenset(LANGUAGES[language].strings or ()), 1)
    cuts = [at for at, start in enumerate(tokens.starts.tolist()) if not any(one < start < end for one, end in strings)]
    generator = random.Random(language)
    wanted = shared = 0
    for _ in range(PIECES):
        first = generator.randrange(len(cuts) - SHORTEST)
        begin, end = cuts[first], [*cuts, len(tokens)][min(first + generator.randint(SHORTEST, LONGEST), len(cuts))]
        piece = content[tokens.starts[begin] : tokens.ends[end - 1]]
        found = rows(analyze_snippet(piece, language=language).tokens)
        wanted += end - begin
        shared += common(expected[begin:end], found)
    assert shared >= 0.95 * wanted


WORDS = b"so it is what the rest of the line says, and\nthe value of it, or nothing at all if there is none\n"
"""The text of a literal or comment."""

C_LIKE = b"""int total(int first, int last) {
  int sum = 0;
  for (int at = first; at < last; at++) {
    sum += at * 2;
  }
  return sum;
}
"""
CODE = {
    "bash": b'total() {\n  local sum=0\n  for at in "$@"; do\n    sum=$((sum + at))\n  done\n  echo "$sum"\n}\n',
    "c": C_LIKE,
    "cpp": C_LIKE,
    "objc": C_LIKE,
    "csharp": b"class A {\n" + C_LIKE + b"}\n",
    "java": b"class A {\n" + C_LIKE + b"}\n",
    "css": b".card { margin: 0 auto; }\n#main > .row { color: red; width: 10px; }\n.big { font-size: 2em; }\n",
    "elixir": b"def total(list) do\n  list\n  |> Enum.map(fn one -> one * 2 end)\n  |> Enum.sum()\nend\n",
    "go": (
        b"func total(list []int) int {\n\tsum := 0\n"
        b"\tfor _, one := range list {\n\t\tsum += one\n\t}\n\treturn sum\n}\n"
    ),
    "haskell": b"total :: [Int] -> Int\ntotal list = sum (map double list)\n  where double one = one * 2\n",
    "javascript": (
        b"function total(list) {\n  let sum = 0;\n  for (const one of list) { sum += one * 2; }\n  return sum;\n}\n"
    ),
    "julia": (
        b"function total(list)\n    sum = 0\n    for one in list\n"
        b"        sum += one * 2\n    end\n    return sum\nend\n"
    ),
    "kotlin": (
        b"fun total(list: List<Int>): Int {\n  var sum = 0\n  for (one in list) { sum += one * 2 }\n  return sum\n}\n"
    ),
    "lua": (
        b"function total(list)\n  local sum = 0\n"
        b"  for _, one in ipairs(list) do sum = sum + one end\n  return sum\nend\n"
    ),
    "ocaml": b"let rec total list =\n  match list with\n  | [] -> 0\n  | one :: rest -> (one * 2) + total rest\n",
    "php": (
        b"function total($list) {\n  $sum = 0;\n  foreach ($list as $one) { $sum += $one * 2; }\n  return $sum;\n}\n"
    ),
    "python": b"def total(list):\n    sum = 0\n    for one in list:\n        sum += one * 2\n    return sum\n",
    "ruby": b"def total(list)\n  sum = 0\n  list.each do |one|\n    sum += one * 2\n  end\n  sum\nend\n",
    "rust": (
        b"fn total(list: &[u32]) -> u32 {\n    let mut sum = 0;\n    for one in list { sum += one * 2; }\n    sum\n}\n"
    ),
    "scala": b"def total(list: List[Int]): Int = {\n  var sum = 0\n  for (one <- list) { sum += one * 2 }\n  sum\n}\n",
    "sql": b"SELECT name, count(*) FROM orders WHERE total > 10 GROUP BY name;\nDELETE FROM orders WHERE id = 3;\n",
    "swift": (
        b"func total(list: [Int]) -> Int {\n  var sum = 0\n  for one in list { sum += one * 2 }\n  return sum\n}\n"
    ),
}
CODE["typescript"] = CODE["tsx"] = CODE["javascript"]

OPEN_ENDED = {
    "bash": [(b"cat <<EOF\n", b"EOF\n")],
    "c": [(b"/* ", b"*/\n")],
    "cpp": [(b"/* ", b"*/\n"), (b'auto text = R"(', b')";\n')],
    "objc": [(b"/* ", b"*/\n")],
    "csharp": [(b"/* ", b"*/\n"), (b'var text = """\n', b'""";\n')],
    "java": [(b"/** ", b"*/\n"), (b'String text = """\n', b'""";\n')],
    "css": [(b"/* ", b"*/\n")],
    "elixir": [(b'@doc """\n', b'"""\n')],
    "go": [(b"/* ", b"*/\n"), (b"var text = `", b"`\n")],
    "haskell": [(b"{- ", b"-}\n")],
    "javascript": [(b"/* ", b"*/\n"), (b"const text = `", b"`;\n")],
    "typescript": [(b"/* ", b"*/\n"), (b"const text = `", b"`;\n")],
    "tsx": [(b"/* ", b"*/\n"), (b"const text = `", b"`;\n")],
    "julia": [(b"#= ", b"=#\n"), (b'"""\n', b'"""\n')],
    "kotlin": [(b"/** ", b"*/\n"), (b'val text = """\n', b'"""\n')],
    "lua": [(b"--[[ ", b"]]\n"), (b"local text = [[\n", b"]]\n")],
    "ocaml": [(b"(* ", b"*)\n")],
    "php": [(b"/** ", b"*/\n"), (b"$text = <<<EOT\n", b"EOT;\n")],
    "python": [(b'"""', b'"""\n'), (b"text = '''", b"'''\n")],
    "ruby": [(b"=begin\n", b"=end\n"), (b"text = <<~TEXT\n", b"TEXT\n")],
    "rust": [(b"/* ", b"*/\n"), (b'let text = "', b'";\n')],
    "scala": [(b"/** ", b"*/\n"), (b'val text = """\n', b'"""\n')],
    "sql": [(b"/* ", b"*/\n")],
    "swift": [(b"/* ", b"*/\n"), (b'let text = """\n', b'"""\n')],
}
"""The beginnings and ends of literals and comments of several lines."""

LENIENT = ("bash", "ruby")
"""In these languages words are commands or calls, so the rest of a here-document parses as code."""

cut_literals = pytest.mark.parametrize(
    ("language", "opening", "closing"), [(name, *marks) for name, pairs in OPEN_ENDED.items() for marks in pairs]
)


def code_of(language: str) -> list[tuple[int, int]]:
    return rows(analyze_snippet(CODE[language], language=language).tokens)


@cut_literals
def test_a_piece_that_begins_inside_a_literal_is_read_with_its_code(
    language: str, opening: bytes, closing: bytes
) -> None:
    expected = code_of(language)
    found = rows(analyze_snippet(WORDS + closing + CODE[language], language=language).tokens)
    assert common(expected, found) >= 0.95 * len(expected)
    assert len(found) <= len(expected) + 3 or language in LENIENT


@cut_literals
def test_a_piece_that_ends_inside_a_literal_is_read_with_its_code(
    language: str, opening: bytes, closing: bytes
) -> None:
    expected = code_of(language)
    found = rows(analyze_snippet(CODE[language] + opening + WORDS, language=language).tokens)
    assert common(expected, found) >= 0.95 * len(expected)
    assert len(found) <= len(expected) + 6


def test_every_language_with_long_literals_is_tested() -> None:
    listed = {
        name for name, known in LANGUAGES.items() if known.lexical and (known.long_comments or known.long_literals)
    }
    assert listed == set(OPEN_ENDED)


@pytest.mark.parametrize("closer", [b"}\n\n", b")\n", b").build()\n}\n\n"])
def test_kotlin_may_begin_with_what_closes_something(closer: bytes) -> None:
    expected = code_of("kotlin")
    found = rows(analyze_snippet(closer + CODE["kotlin"], name="a.kt").tokens)
    assert found[-len(expected) :] == expected


def test_what_a_grammar_stops_at_without_an_error_is_read() -> None:
    text = b" * Copyright (C) 2018 Somebody\n * and others.\n */\npackage a\n\nimport b.c\n\n" + CODE["kotlin"]
    found = rows(analyze_snippet(text, language="kotlin").tokens)
    expected = code_of("kotlin")
    assert found[-len(expected) :] == expected
