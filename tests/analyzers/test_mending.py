"""A file that its grammar does not read keeps the tokens of everything but the line that is broken."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from wherefrom.analyzers import kernel, marks, mending
from wherefrom.analyzers.analysis import Opened, analyze, analyze_snippet
from wherefrom.analyzers.documents import AnalyzedContent, document
from wherefrom.analyzers.lexing import MOST_DOUBTED, Lexer, lexer
from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.stamps import is_older, is_unparsed
from wherefrom.languages import LANGUAGES, Language
from wherefrom.options import Limits
from wherefrom.results.indexing import unparsed_warning

SAMPLES = Path(__file__).with_name("samples")
SECONDS = 10.0
LEAST = 0.9

BROKEN = {
    "conflict": b"<<<<<<< HEAD\n",
    "whole conflict": b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> topic/a'b\n",
    "fence": b"```\n",
    "label": b"Name: A. Student\n",
    "dots": b"...\n",
    "jinja": b"{% if it %}\n",
    "erb": b"<%= render x %>\n",
    "mustache": b"{{ cookie.name }}\n",
    "open brackets": b"x = f(1, (2, [3\n",
    "open double quote": b'x = "it is\n',
    "open single quote": b"x = 'it is\n",
    "open backtick": b"x = `ls\n",
    "open triple quote": b'x = """abc\n',
    "apostrophe": b"it's a file\n",
    "sentence": b"This is my homework, please don't copy.\n",
    "closing brace": b"}\n",
    "closing brackets": b")]\n",
    "opening brace": b"{\n",
    "signs": b"@@@ $$$ ### ???\n",
    "xml": b'<?xml version="1.0"?>\n',
    "half an assignment": b"x = \n",
    "half a definition": b"def f(\n",
    "half a condition": b"if (a {\n",
    "diff": b"@@ -1,3 +1,4 @@\n",
    "tex": b"\\documentclass{article}\n",
    "guard": b"case A if q > 3 -> 1\n",
    "control": b"a \x01 b\n",
    "latin-1": b"caf\xe9 \xff\n",
    "operators": b"a |> b <=> c ::: d\n",
    "open call": b'print("hello\n',
    "escaped quote": b'x = "a\\"\n',
    "two quotes and an open one": b'x = """"\n',
    "end of a comment": b"*/\n",
    "comment of another language": b"-- don't\n",
    "prompt": b">>> f(1)\n",
    "preprocessor": b"#if FOO\n",
    "open array": b"a = [1,\n",
    "end": b"end\n",
    "open code in a string": b'x = "$(a\n',
    "open name in a string": b'x = "${a\n',
    "open literal with a prefix": b'foo(a, b");\n',
    "open interpolated literal": b'x = $"""abc\n',
    "here-document": b"cat << 'EOT'\n",
    "open code in a long string": b'x = f"""a {b\n',
    "mark behind a word": b'hello"\n',
    "emoji": "x = \U0001f600 \u201cit\u2019s\u201d\n".encode(),
}
"""Lines that a grammar does not know, or that are broken."""

ENDS_BY_RULE = {
    ("php", "xml"),  # `?>` ends the code, and the file has a page at its end
    # the grammar takes what follows for the format of a value
    *(("python", f"open {kind}") for kind in ("name in a string", "code in a long string")),
}
"""Lines after which the lexical rules of the language make something else of the rest."""


def sample(language: Language) -> bytes:
    return (SAMPLES / f"{language.name}.sample").read_bytes()


def places(text: bytes, parsed: Parsed) -> list[int]:
    """The first line and the middle line that are not inside a token or a comment."""
    spans = [*zip(parsed.starts.tolist(), parsed.ends.tolist(), strict=True), *parsed.comments]
    begins = [0, *(at + 1 for at, byte in enumerate(text) if byte == 0x0A)]
    free = [at for at in begins if not any(start < at < end for start, end in spans)]
    first = free[text.startswith(b"<?php")]
    return [first, min(free, key=lambda at: abs(at - len(text) // 2))]


def share(wanted: list[tuple[int, int]], found: list[tuple[int, int]]) -> float:
    """The share of the wanted tokens that were found in the same order: the longest common subsequence, by bits."""
    at: defaultdict[tuple[int, int], int] = defaultdict(int)
    for place, token in enumerate(wanted):
        at[token] |= 1 << place
    row = whole = (1 << len(wanted)) - 1
    for token in found:
        hits = row & at[token]
        row = ((row + hits) | (row - hits)) & whole
    return 1 - row.bit_count() / len(wanted)


def tokens(parsed: Parsed) -> list[tuple[int, int]]:
    return list(zip(parsed.codes.tolist(), parsed.classes.tolist(), strict=True))


GRAMMARS = [pytest.param(language, id=language.name) for language in LANGUAGES.values() if language.grammar]


@pytest.mark.thorough
@pytest.mark.parametrize("language", GRAMMARS)
def test_a_broken_line_costs_little_of_the_rest(language: Language) -> None:
    text = sample(language)
    whole = kernel.read(language, text, SECONDS)
    worst = {}
    for (name, line), place in product(BROKEN.items(), places(text, whole)):
        broken = text[:place] + line + text[place:]
        found = share(tokens(whole), tokens(kernel.read(language, broken, SECONDS)))
        if found < LEAST and (language.name, name) not in ENDS_BY_RULE:
            worst[name, place] = found
    assert not worst


@pytest.mark.parametrize("language", GRAMMARS)
def test_a_broken_line_costs_little_of_a_snippet(language: Language) -> None:
    text = sample(language)
    file = analyze(text, Opened(language.name, text, None), SECONDS).tokens
    wanted = list(zip(file.codes.tolist(), file.classes.tolist(), strict=True))
    place = places(text, kernel.read(language, text, SECONDS))[0]
    for name in ("label", "open double quote", "apostrophe", "fence", "jinja"):
        broken = text[:place] + BROKEN[name] + text[place:]
        snippet = analyze_snippet(broken, language=language.name).tokens
        assert share(wanted, list(zip(snippet.codes.tolist(), snippet.classes.tolist(), strict=True))) >= LEAST, name


@pytest.mark.thorough
@pytest.mark.usefixtures("with_kernel")
@pytest.mark.matrix("language")
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("language", GRAMMARS)
def test_the_kernel_reads_a_broken_file_as_python_does(language: Language, part: int) -> None:
    text, lines = sample(language), [*BROKEN.items()][part::8]
    for (name, line), place in product(lines, places(text, kernel.read(language, text, SECONDS))):
        broken = text[:place] + line + text[place:]
        expected, found = mending.read(language, broken, SECONDS), kernel.read(language, broken, SECONDS)
        for field in ("starts", "ends", "classes", "codes"):
            assert getattr(expected, field).tolist() == getattr(found, field).tolist(), name
        assert (expected.comments, expected.errors, expected.unparsed) == (
            found.comments,
            found.errors,
            found.unparsed,
        ), name


@pytest.mark.thorough
@pytest.mark.usefixtures("with_kernel")
def test_only_some_of_the_strings_of_a_hostile_file_are_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs much more than it has bytes."""
    bash, text = LANGUAGES["bash"], b"'a\n" * (4 * MOST_DOUBTED)
    doubted: list[tuple[Any, ...]] = []
    cost = Lexer._cost

    def counted(*given: Any) -> int:
        doubted.append(given)
        return cost(*given)

    monkeypatch.setattr(Lexer, "_cost", counted)
    lexer(bash).split(text, SECONDS)
    assert len(doubted) == 2 * MOST_DOUBTED
    assert mending.read(bash, text, SECONDS).starts.tolist() == kernel.read(bash, text, SECONDS).starts.tolist()


def test_the_line_that_did_not_parse_is_not_laid_on_a_string_before_it() -> None:
    """Without the first mark, the text of the string parses, too."""
    begin = b'defmodule Odd do\n  @doc """\n  take a list and return the list with only odd numbers\n  """\n'
    end = b"  def odd(list) do\n    list |> Enum.filter(&Integer.is_odd/1) |> Enum.sort()\n  end\n\n"
    end += b'  @doc """\n  merge a list with another one\n  """\n  def merge(one, other), do: one ++ other\nend\n'
    wanted, found = (
        tokens(kernel.read(LANGUAGES["elixir"], begin + line + end, SECONDS)) for line in (b"", b"@@ -1,3 +1,4 @@\n")
    )
    assert share(wanted, found) == 1


DOCUMENTED = {
    "python": b'def add(first, second):\n    """\n    Give the sum of both values, and nothing else.\n    """\n',
    "elixir": b'  @doc """\n  Gives the sum of both values, and nothing else.\n  """\n  def add(first, second) do\n',
    "julia": b'"""\nGive the sum of both values, and nothing else.\n"""\nfunction add(first, second)\n',
    "ruby": b"# Gives the sum of both values.\ndef add(first, second)\n",
    "haskell": b"-- | Gives the sum of both values.\nadd :: Int -> Int -> Int\n",
    "php": b"/** Gives the sum of both values. */\nfunction add($first, $second) {\n",
    "bash": b"# Gives the sum of both values.\nadd() {\n    local first=$1 second=$2\n",
    "typescript": b"/** Gives the sum of both values. */\nfunction add(first: number, second: number) {\n",
}
BODIES = {
    "ruby": b"  total = first + second\n  log(total, 'of', [first])\n  total * first\nend\n\n",
    "haskell": b"add first second = total * first\n  where total = first + second\n\n",
    "python": b"    total = first + second\n    log(total, 'of', first)\n    return total * first\n\n\n",
    "elixir": b"    total = first + second\n    log(total, first)\n    total * first\n  end\n\n",
    "julia": b"    total = first + second\n    log(total, first)\n    return total * first\nend\n\n",
    "php": b"    $total = $first + $second;\n    log($total, 'of', $first);\n    return $total * $first;\n}\n\n",
    "bash": b'    total=$((first + second))\n    echo "$total of $first"\n    return "$total"\n}\n\n',
    "typescript": b"    const total = first + second;\n    log(total, 'of', first);\n    return total * first;\n}\n\n",
}
TOO_MANY = [
    *product(("python", "elixir", "julia"), (b'"""\n', b'x = """\n', b'x = "it is\n')),
    ("python", b"'''\n"),
    *product(("php",), (b"?>\n", b"<?= $x ?>\n", b"$x = <<<'EOT'\n", b"$x = <<<EOT\n", b"/* see below\n")),
    *product(("bash",), (b"cat <<EOF\n", b"cat << 'EOT'\n", b'x = "${a\n')),
    ("typescript", b"/* see below\n"),
    *product(("ruby",), (b"x = %w[a b\n", b"x = %i{a b\n")),
    ("haskell", b"{- see below\n"),
    ("typescript", b"x = `a ${b\n"),
]


@pytest.mark.parametrize(("language", "line"), TOO_MANY)
@pytest.mark.parametrize("before", [0, 3])
def test_code_and_strings_do_not_change_places_behind_a_mark_too_many(language: str, line: bytes, before: int) -> None:
    """Nothing ends the mark, or that of another string does."""
    whole = [(DOCUMENTED[language] + BODIES[language]).replace(b"add", b"add_%d" % number) for number in range(6)]
    begin = b"<?php\n" if language == "php" else b""
    wanted, found = (
        tokens(kernel.read(LANGUAGES[language], begin + b"".join((*whole[:before], more, *whole[before:])), SECONDS))
        for more in (b"", line)
    )
    assert share(wanted, found) >= LEAST


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("php", b"<?php\n$x = 1;\n?>\n<p>\n  One, two;\n</p>\n"),
        ("ruby", b'# cat <<~EOS\nnames << NODE\nx = "a\nb"\n'),
        ("c", b"/* all of src/*.c\n   and of lib/*.c */\nint x;\n"),
        ("python", b"def f():\n    \"\"\"Say '''x'''.\n    \"\"\"\n    return 1\n"),
    ],
)
def test_a_sound_file_is_read_as_its_grammar_reads_it(language: str, source: bytes) -> None:
    expected = marks.parse(LANGUAGES[language], source, SECONDS).parsed
    found = kernel.read(LANGUAGES[language], source, SECONDS)
    assert (tokens(found), found.starts.tolist()) == (tokens(expected), expected.starts.tolist())


def test_a_long_file_after_a_here_document_that_nothing_ends_is_read() -> None:
    php = LANGUAGES["php"]
    text = b"$y = 1;\n" * 4000
    wanted, found = (tokens(kernel.read(php, b"<?php\n" + line + text, SECONDS)) for line in (b"", b"$x = <<<'EOT'\n"))
    assert share(wanted, found) >= 0.5  # the grammar takes the here-document for operators; it once ended the process


def test_sql_that_does_not_parse_has_all_keywords() -> None:
    keywords = lexer(LANGUAGES["sql"]).keywords
    assert {b"CROSS", b"cross", b"DATE", b"date"} <= keywords


@pytest.mark.parametrize(
    ("source", "least", "most"),
    [
        (b"fun f(x: Int): Int {\n    return x + 1\n}\n" * 4, 0, 0),
        (b"is Int if q > 3 -> 1\n" + b"fun f(x: Int): Int {\n    return x + 1\n}\n" * 4, 20, 200),
    ],
)
def test_what_the_grammar_did_not_parse_is_counted(source: bytes, least: int, most: int) -> None:
    assert least <= kernel.read(LANGUAGES["kotlin"], source, SECONDS).unparsed <= most


def test_a_file_of_which_more_than_a_tenth_was_not_parsed_is_marked() -> None:
    good = b"fun f(x: Int): Int {\n    return x + 1\n}\n" * 4
    for content, expected in ((good, False), (b"is Int if q > 3 -> 1\n" + good, True)):
        made = document("a.kt", content, Limits())
        assert isinstance(made, AnalyzedContent)
        assert is_unparsed(made.stamp) is expected
        assert not is_older(made.stamp)


def test_an_answer_names_the_files_that_were_not_parsed() -> None:
    assert unparsed_warning([]) == ()
    assert unparsed_warning([("one", "a.kt")])[0].startswith("1 file did not parse in full, and more than a tenth was")
    [warning] = unparsed_warning([("two" * (number == 9), f"{number}.kt") for number in range(12)])
    assert warning.startswith("12 files did not parse in full, and more than a tenth of each was")
    assert warning.endswith("8.kt, two/9.kt and 2 more")
