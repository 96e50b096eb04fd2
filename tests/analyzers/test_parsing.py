"""Tests that every language passes, and tests of special cases.

`WHEREFROM_WRITE_SNAPSHOTS=1 pytest tests/analyzers/test_parsing.py -k snapshot` writes the snapshots; read their diff
before a commit. Snapshots are made with the newest supported version of a grammar, and only compared with the tokens
of that version. All other tests pass with every supported version.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tree_sitter

from tests.analyzers.streams import CLASS_NAMES, code_of
from wherefrom.analyzers import kernel
from wherefrom.analyzers.grammars import CHUNK, load, tree_of
from wherefrom.analyzers.parsing import Parsed
from wherefrom.errors import GrammarError, ParseTimeout
from wherefrom.languages import LANGUAGES, Grammar, Language
from wherefrom.languages.language import minor_version

HASKELL_BLANKS = b"  \n\n"
"""The grammar of Haskell fails on a tab at the end of a line, but not on blanks and empty lines."""

WITHOUT_NODE = {"julia": (b";",)}
"""Symbols without a node in the grammar: in Julia a semicolon between two statements."""

HERE = Path(__file__).parent
PARSED = [name for name, language in LANGUAGES.items() if language.grammar]
SECONDS = 20.0

MARK = re.compile(rb"[fs$]?(?:[\"'`]|\"\"\")")


def every_language(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test to run once for each language in every draw."""
    marked: Callable[..., None] = pytest.mark.matrix("name")(pytest.mark.parametrize("name", PARSED)(test))
    return marked


pytestmark = pytest.mark.usefixtures("both_ways")


def sample(name: str) -> bytes:
    return (HERE / "samples" / f"{name}.sample").read_bytes()


def parse(language: Language, source: bytes, seconds: float) -> Parsed:
    return kernel.parse(language, source, seconds)[0]


def tokens(name: str, source: bytes) -> list[tuple[str, bytes]]:
    """The class and the bytes of each token."""
    parsed = parse(LANGUAGES[name], source, SECONDS)
    spans = zip(parsed.starts.tolist(), parsed.ends.tolist(), parsed.classes.tolist(), strict=True)
    return [(CLASS_NAMES[kind].upper(), source[start:end]) for start, end, kind in spans]


def texts(name: str, source: bytes) -> list[bytes]:
    return [text for _, text in tokens(name, source)]


def check(name: str, parsed: Parsed, source: bytes) -> None:
    assert parsed.starts.dtype == parsed.ends.dtype == np.int64
    assert parsed.classes.dtype == np.uint8
    assert parsed.codes.dtype == np.uint64
    assert (parsed.starts < parsed.ends).all()
    assert (parsed.ends[:-1] <= parsed.starts[1:]).all()
    assert not len(parsed.ends) or parsed.ends[-1] <= len(source)
    assert set(parsed.classes.tolist()) <= {0, 1, 2, 3}
    spans = zip(parsed.starts.tolist(), parsed.ends.tolist(), parsed.classes.tolist(), strict=True)
    assert [code_of(source[start:end], kind, name) for start, end, kind in spans] == parsed.codes.tolist()
    for start, end in parsed.comments:
        assert source[start:end].strip() == source[start:end] != b""


def without_comments(parsed: Parsed, source: bytes) -> bytes:
    """The source with blanks in place of the comments (line feeds stay)."""
    changed = bytearray(source)
    for start, end in parsed.comments:
        changed[start:end] = re.sub(rb"[^\n]", b" ", source[start:end])
    return bytes(changed)


@every_language
def test_tokens_are_in_order_and_coded_by_their_bytes(name: str) -> None:
    source = sample(name)
    parsed = parse(LANGUAGES[name], source, SECONDS)
    check(name, parsed, source)
    assert parsed.errors == 0, "the sample itself is sound"
    assert len(parsed.starts) > 200


@every_language
def test_every_line_of_the_sample_yields_a_token(name: str) -> None:
    source = sample(name)
    parsed = parse(LANGUAGES[name], source, SECONDS)
    start = 0
    for line in without_comments(parsed, source).splitlines(keepends=True):
        end = start + len(line)
        if line.strip(b" \t\r\n\\{}*/"):
            assert ((parsed.starts < end) & (parsed.ends > start)).any(), line
        start = end


@every_language
def test_every_byte_of_the_sample_is_in_a_token(name: str) -> None:
    """All text is in tokens, except white space, comments, marks of strings with code, and parts without a node."""
    source = sample(name)
    parsed = parse(LANGUAGES[name], source, SECONDS)
    rest = bytearray(source)
    for start, end in [*zip(parsed.starts.tolist(), parsed.ends.tolist(), strict=True), *parsed.comments]:
        rest[start:end] = b" " * (end - start)
    left = {word for word in bytes(rest).split() if not MARK.fullmatch(word)}
    assert left <= {b"\\", *WITHOUT_NODE.get(name, ())}


@every_language
def test_snapshot(name: str) -> None:
    grammar = LANGUAGES[name].grammar
    assert grammar
    assert grammar.version
    if minor_version(grammar.version) != minor_version(grammar.newest):
        pytest.skip(f"the snapshot is that of {grammar.distribution} {grammar.newest}, not of {grammar.version}")
    source = sample(name)
    lines = []
    for kind, text in tokens(name, source):
        lines.append(f"{kind} {text.decode()!r}\n")
    found = "".join(lines)
    path = HERE / "snapshots" / f"{name}.txt"
    if os.environ.get("WHEREFROM_WRITE_SNAPSHOTS"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


@every_language
def test_comments_are_found_and_never_matter(name: str) -> None:
    source = sample(name)
    parsed = parse(LANGUAGES[name], source, SECONDS)
    assert parsed.comments
    assert texts(name, source) == texts(name, without_comments(parsed, source))


@every_language
def test_white_space_never_matters(name: str) -> None:
    """Adds blanks at the ends of lines and empty lines after them, except inside tokens."""
    source = sample(name)
    parsed = parse(LANGUAGES[name], source, SECONDS)
    inside = [*zip(parsed.starts.tolist(), parsed.ends.tolist(), strict=True), *parsed.comments]
    changed = bytearray()
    for position, code in enumerate(source):
        if code == ord("\n") and source[position - 1] != ord("\\") and not any(a < position < b for a, b in inside):
            changed += HASKELL_BLANKS if name == "haskell" else b"  \t\n\n"
        else:
            changed.append(code)
    before, after = tokens(name, source), tokens(name, bytes(changed))
    assert [text for kind, text in before if kind != "STRING"] == [text for kind, text in after if kind != "STRING"]
    assert [re.sub(rb"\s+", b"", text) for _, text in before] == [re.sub(rb"\s+", b"", text) for _, text in after]


@every_language
@pytest.mark.parametrize("part", ["first", "second"])
def test_half_a_file_yields_tokens(name: str, part: str) -> None:
    source = sample(name)
    middle = source.index(b"\n", len(source) // 2) + 1
    half = source[:middle] if part == "first" else source[middle:]
    parsed = parse(LANGUAGES[name], half, SECONDS)
    check(name, parsed, half)
    assert len(parsed.starts) > 50


@pytest.mark.thorough
@every_language
@pytest.mark.parametrize("closed", [False, True])
def test_deep_nesting_is_no_danger(name: str, closed: bool) -> None:
    opening, closing = (b"<div>", b"</div>") if name == "html" else (b"(", b")")
    source = opening * 100_000 + b"x" + closing * (100_000 if closed else 0)
    with contextlib.suppress(ParseTimeout):  # the time limit is one way to get out of it
        check(name, parse(LANGUAGES[name], source, 0.1), source)


@every_language
def test_names_strings_and_numbers_have_their_classes(name: str) -> None:
    language = LANGUAGES[name]
    classes = {kind for kind, _ in tokens(name, sample(name))}
    expected = {"SYMBOL"}
    expected |= {"NAME"} if language.names else set()
    expected |= {"STRING"} if language.strings or language.literals else set()
    expected |= {"NUMBER"} if language.numbers or language.literals else set()
    assert classes == expected


@every_language
@pytest.mark.parametrize("source", [b"", b"\n", b" \t\r\n", b"\x00", b"\xff\xfe(\n", b"\\\n", "é “x” \u2028".encode()])
def test_odd_sources(name: str, source: bytes) -> None:
    check(name, parse(LANGUAGES[name], source, SECONDS), source)


def test_python_strings_are_one_token_each() -> None:
    source = b"def f():\n    '''Doc\n    string.'''\n    return 'x' rb'y' f'z'\n"
    strings = [text for kind, text in tokens("python", source) if kind == "STRING"]
    assert strings == [b"'''Doc\n    string.'''", b"'x'", b"rb'y'", b"f'z'"]


CODE_IN_STRINGS = {
    "bash": (b'cd "$(dirname "$0")/x" && pwd\n', b'cd $( dirname $ 0 ) /x" && pwd'),
    "csharp": (b'var s = $"a {b + 1} c";\n', b'var s = $"a { b + 1 } c" ;'),
    "elixir": (b's = "a #{b + 1} c"\n', b's = "a #{ b + 1 } c"'),
    "javascript": (b"s = `a ${f(`${b}`)} c`;\n", b"s = `a ${ f ( ${ b } ) } c` ;"),
    "julia": (b's = "a $(b + 1) c"\n', b's = "a $ ( b + 1 ) c"'),
    "kotlin": (b'val s = "a ${b + 1} c"\n', b'val s = "a ${ b + 1 } c"'),
    "php": (b'<?php $s = "a {$b->c} d";\n', b'<?php $s = "a { $b -> c } d" ;'),
    "python": (b"s = f'a {b + 1:>{w}} c'\n", b"s = f'a { b + 1 :> { w } } c'"),
    "ruby": (b's = "a #{b + 1} c"\n', b's = "a #{ b + 1 } c"'),
    "scala": (b'val s = s"a ${b + 1} c"\n', b'val s = s "a $ { b + 1 } c"'),
    "swift": (b'let s = "a \\(b + 1) c"\n', b'let s = "a \\( b + 1 ) c"'),
    "typescript": (b"s = `a ${b + 1} c`;\n", b"s = `a ${ b + 1 } c` ;"),
    "tsx": (b"s = `a ${b + 1} c`;\n", b"s = `a ${ b + 1 } c` ;"),
    "java": (b'class A { String s = STR."a \\{b + 1} c"; }\n', b'class A { String s = STR . "a \\{ b + 1 } c" ; }'),
}


@every_language
def test_code_in_a_string_is_tokens(name: str) -> None:
    assert bool(LANGUAGES[name].code_in_strings) == (name in CODE_IN_STRINGS)
    if name in CODE_IN_STRINGS:
        source, wanted = CODE_IN_STRINGS[name]
        assert b" ".join(texts(name, source)) == wanted


def test_code_nested_deep_in_strings_is_tokens() -> None:
    depth = 3_000
    source = b"`${" * depth + b"x" + b"}`" * depth
    assert len(texts("javascript", source)) == 2 * depth + 1


def test_two_words_are_two_tokens_however_far_apart() -> None:
    assert texts("python", b"a not  in b\n") == texts("python", b"a not in b\n") == [b"a", b"not", b"in", b"b"]


def test_a_continued_line_is_white_space() -> None:
    assert texts("python", b"a = 1 + \\\n    2\n") == texts("python", b"a = 1 + 2\n")
    assert texts("c", b"int a = \\\n 1;\n") == texts("c", b"int a = 1;\n")


def test_macros_are_split_like_code() -> None:
    macro = tokens("c", b"#define SWAP(a, b) do { int c = a; /* keep */ \\\n  a = b->x; b = 'c'; } while (0x1F)\n")
    code = tokens("c", b"void f() { do { int c = a; a = b->x; b = 'c'; } while (0x1F); }\n")
    assert macro[macro.index(("SYMBOL", b"do")) :] == code[code.index(("SYMBOL", b"do")) : -2]


def test_a_comment_without_a_blank_is_one_too() -> None:
    source = b"a = 1  #x\n#y\nb = 2\n"
    parsed = parse(LANGUAGES["python"], source, SECONDS)
    assert [source[start:end] for start, end in parsed.comments] == [b"#x", b"#y"]
    assert [text for _, text in tokens("python", source)] == [text for _, text in tokens("python", b"a = 1\nb = 2\n")]


def test_a_macro_gives_its_comments() -> None:
    source = b"#define A 1 /* one */ + 2 // two\n#define B \\\n  a /* x */ b\n"
    comments = [source[start:end] for start, end in parse(LANGUAGES["c"], source, SECONDS).comments]
    assert comments == [b"/* one */", b"// two", b"/* x */"]


@pytest.mark.parametrize("name", ["c", "cpp", "csharp"])
def test_blanks_in_a_directive_never_matter(name: str) -> None:
    assert texts(name, b"#if A\n#endif\n") == texts(name, b"#  if A\n#\tendif\n")


def test_words_of_markup_are_tokens_of_their_own() -> None:
    assert texts("html", b"<p>Two\n   words</p>") == texts("html", b"<p>Two words</p>")
    assert b"words" in texts("html", b"<p>Two words</p>")
    assert texts("javascript", b"x = <p>Two\n  words</p>;") == texts("javascript", b"x = <p>Two words</p>;")
    assert texts("php", b"<b>Two\n words <?php f(); ?>\n") == texts("php", b"<b>Two words <?php f(); ?>")


def test_keywords_in_any_case_keep_their_bytes() -> None:
    assert texts("php", b"<?php IF ($a) { ECHO 1; }") == [
        b"<?php",
        b"IF",
        b"(",
        b"$a",
        b")",
        b"{",
        b"ECHO",
        b"1",
        b";",
        b"}",
    ]


def test_literals_are_told_apart_by_their_first_byte() -> None:
    found = tokens("sql", b"SELECT 1, -2.5, 'x', NULL FROM t;")
    assert ("NUMBER", b"1") in found
    assert ("STRING", b"'x'") in found
    assert ("NUMBER", b"NULL") not in found


def test_tokens_under_errors_are_kept() -> None:
    source = b"def f(:\n    return wanted(1))) + other\n"
    parsed = parse(LANGUAGES["python"], source, SECONDS)
    assert parsed.errors > 0
    assert {b"wanted", b"other", b"1"} <= set(texts("python", source))


def test_a_made_up_token_is_no_token_but_an_error() -> None:
    source = b"int f(void) { return 1 }\n"
    parsed = parse(LANGUAGES["c"], source, SECONDS)
    assert parsed.errors > 0
    assert b";" not in texts("c", source)


def test_sound_and_broken_sources_give_the_same_tokens() -> None:
    """The fast walk over a tree without errors finds the same as the careful walk."""
    for name in ("python", "java", "javascript", "c", "go"):
        source = sample(name)
        broken = source + b"\n)\n"
        assert parse(LANGUAGES[name], broken, SECONDS).errors > 0
        assert texts(name, broken)[:150] == texts(name, source)[:150]


@pytest.mark.thorough
@pytest.mark.matrix("end")
@pytest.mark.parametrize("end", [b"@Test", b"@", b"@Test()", b"@Test(", b"@Test\0"])
def test_the_end_of_a_kotlin_fragment_is_found(end: bytes) -> None:
    """The scanner once never returned here, whatever the time limit, so a separate process parses."""
    code = (
        "import sys;"
        "from wherefrom.languages import LANGUAGES; from wherefrom.analyzers.kernel import parse;"
        "print(len(parse(LANGUAGES['kotlin'], sys.stdin.buffer.read(), 1.0)[0].starts))"
    )
    source = b"class A {\n val a = b()\n " + end
    ran = subprocess.run([sys.executable, "-c", code], input=source, capture_output=True, check=True, timeout=60)
    assert int(ran.stdout) >= 10


@every_language
def test_a_line_feed_at_the_end_never_matters(name: str) -> None:
    source = sample(name).rstrip()
    assert tokens(name, source) == tokens(name, source + b"\n")


def test_the_time_limit_holds() -> None:
    source = b"int f(int a) { return a + 1; }\n" * 20_000
    with pytest.raises(ParseTimeout, match=r"^parsing as c took longer than 0 s; raise the time limit$"):
        parse(LANGUAGES["c"], source, 0.0)
    check("c", parse(LANGUAGES["c"], b"int a;", SECONDS), b"int a;")


STOPPED = """
import os, signal
from wherefrom.analyzers.parsing import parse
from wherefrom.languages import LANGUAGES

stops = []

def stop(*_):
    signal.setitimer(signal.ITIMER_PROF, 0)
    stops.append(signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)

parse(LANGUAGES["python"], b"x = 1\\n", 1.0)
signal.signal(signal.SIGPROF, stop)
signal.setitimer(signal.ITIMER_PROF, 0.02)
parsed = parse(LANGUAGES["python"], b"def f(a):\\n    return a + 1\\n\\n" * 20_000, 2.5)
print(len(parsed.starts), len(stops))
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_the_time_limit_stands_still_while_the_process_is_stopped() -> None:
    with subprocess.Popen([sys.executable, "-c", STOPPED], stdout=subprocess.PIPE, text=True) as running:
        _, status = os.waitpid(running.pid, os.WUNTRACED)  # it stops itself in the middle of the parse
        assert os.WIFSTOPPED(status)
        time.sleep(3.0)
        os.kill(running.pid, signal.SIGCONT)
        output, _ = running.communicate()
    assert output == "200000 1\n"


def with_grammar(grammar: Grammar) -> Language:
    return replace(LANGUAGES["python"], grammar=grammar)


def test_a_missing_grammar_names_the_remedy() -> None:
    absent = with_grammar(Grammar("tree-sitter-absent", oldest="1.0", newest="1.1"))
    with pytest.raises(GrammarError, match=r"absent is not installed; .* pip install 'tree-sitter-absent>=1\.0,<1\.2'"):
        parse(absent, b"", SECONDS)


def test_a_version_that_is_not_supported_is_refused() -> None:
    older = with_grammar(Grammar("tree-sitter-python", oldest="0.1", newest="0.2"))
    with pytest.raises(GrammarError, match=r"^tree-sitter-python 0\.[\d.]+ is not supported; install .*>=0\.1,<0\.3"):
        parse(older, b"", SECONDS)


def test_a_grammar_without_its_function_is_refused() -> None:
    newest = LANGUAGES["python"].grammar
    assert newest
    with pytest.raises(GrammarError, match=r"cannot be loaded \(AttributeError\); install it with"):
        parse(with_grammar(replace(newest, function="absent")), b"", SECONDS)


def test_a_language_without_a_grammar_is_refused() -> None:
    with pytest.raises(GrammarError, match="text has no grammar"):
        parse(LANGUAGES["text"], b"", SECONDS)


@pytest.mark.thorough
@pytest.mark.parametrize("shift", range(4))
def test_a_long_source_is_read_in_parts_and_freed(shift: int) -> None:
    source = b"#" * shift + "\nvalue = 'é😀ü'\n".encode() * (CHUNK // 8)
    before = sys.getrefcount(source)
    in_parts = str(tree_of(LANGUAGES["python"], source, SECONDS).root_node)
    assert in_parts == str(tree_sitter.Parser(load(LANGUAGES["python"]).language).parse(source).root_node)
    assert "ERROR" not in in_parts
    assert sys.getrefcount(source) == before
