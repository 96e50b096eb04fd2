"""Files and snippets are analyzed from bytes to token streams."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import code_of
from tests.languages.bare import NO_HASKELL, run_bare
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.kernel import characters
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.errors import LanguageError
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason
from wherefrom.options import Limits

pytestmark = pytest.mark.usefixtures("both_ways")

SAMPLES = Path(__file__).parent / "samples"
CODE = "def größe(a):\n    '''Wie groß.'''\n    return a + 1  # mehr\n"
ENCODED = {
    "utf-8": CODE.encode(),
    "bom": CODE.encode("utf-8-sig"),
    "utf-16": CODE.encode("utf-16"),
    "utf-16 big": b"\xfe\xff" + CODE.encode("utf-16-be"),
    "utf-16 without mark": CODE.encode("utf-16-le"),
    "utf-16 big without mark": CODE.encode("utf-16-be"),
    "utf-32": CODE.encode("utf-32"),
    "utf-32 big": b"\0\0\xfe\xff" + CODE.encode("utf-32-be"),
    "utf-32 without mark": CODE.encode("utf-32-le"),
    "utf-32 big without mark": CODE.encode("utf-32-be"),
    "latin-1": CODE.encode("latin-1"),
    "returns": CODE.replace("\n", "\r").encode(),
    "zero": CODE.encode() + b"\0",
    "crlf": CODE.replace("\n", "\r\n").encode(),
}
NAMES = [f"a{language.extensions[0]}" for language in LANGUAGES.values() if language.extensions]


def analyzed(path: str, content: bytes) -> Analysis:
    analysis = analyze_file(path, content)
    assert isinstance(analysis, Analysis)
    return analysis


def check(tokens: TokenStream, content: bytes) -> None:
    count = len(tokens)
    for values, dtype in (
        *((tokens.codes, np.uint64), (tokens.classes, np.uint8), (tokens.starts, np.int64), (tokens.ends, np.int64)),
        *((tokens.start_lines, np.int64), (tokens.end_lines, np.int64)),
    ):
        assert values.dtype == dtype
        assert values.shape == (count,)
    assert (tokens.starts < tokens.ends).all()
    assert (np.diff(tokens.starts) >= 0).all()
    assert not count or tokens.ends.max() <= len(content)
    assert (tokens.start_lines >= 1).all()
    assert (tokens.start_lines <= tokens.end_lines).all()
    assert len(tokens.segments) == len(tokens.languages)
    assert tokens.segments.tolist() == sorted(set(tokens.segments.tolist()))
    assert tokens.segments.tolist()[:1] == ([0] if count else [])
    assert not count or tokens.segments[-1] < count


def texts(tokens: TokenStream, content: bytes) -> list[bytes]:
    return [content[start:end] for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)]


def lines_of(content: bytes, positions: list[int]) -> list[int]:
    return [content[:position].count(b"\n") + 1 for position in positions]


@pytest.mark.parametrize("name", [name for name, language in LANGUAGES.items() if language.grammar])
def test_bytes_and_lines_of_a_sample(name: str) -> None:
    content = (SAMPLES / f"{name}.sample").read_bytes()
    analysis = analyzed(f"src/a{LANGUAGES[name].extensions[0]}", content)
    tokens = analysis.tokens
    assert analysis.language == name
    check(tokens, content)
    counts = np.diff(tokens.segments, append=len(tokens))
    languages = [language for language, count in zip(tokens.languages, counts, strict=True) for _ in range(count)]
    kinds = zip(texts(tokens, content), tokens.classes.tolist(), languages, strict=True)
    assert [code_of(*kind) for kind in kinds] == tokens.codes.tolist()
    assert tokens.start_lines.tolist() == lines_of(content, tokens.starts.tolist())
    assert tokens.end_lines.tolist() == lines_of(content, (tokens.ends - 1).tolist())
    assert analysis.comments


@pytest.mark.parametrize("encoding", ENCODED)
def test_every_encoding_gives_the_same_tokens(encoding: str) -> None:
    content = ENCODED[encoding]
    plain, analysis = analyzed("a.py", CODE.encode()), analyzed("a.py", content)
    assert analysis.language == "python"
    check(analysis.tokens, content)
    assert analysis.tokens.codes.tolist() == plain.tokens.codes.tolist()
    assert analysis.tokens.start_lines.tolist() == plain.tokens.start_lines.tolist()
    family, *more = encoding.split()
    codec = f"{family}-{'be' if 'big' in more else 'le'}" if family in {"utf-16", "utf-32"} else "utf-8"
    codec = "latin-1" if encoding == "latin-1" else codec
    found = [text.decode(codec) for text in texts(analysis.tokens, content)]
    assert found == [text.decode() for text in texts(plain.tokens, CODE.encode())]
    assert [content[start:end].decode(codec) for start, end in analysis.comments] == ["# mehr"]


@pytest.mark.parametrize("encoding", ENCODED)
def test_snippets_in_every_encoding(encoding: str) -> None:
    content = ENCODED[encoding]
    analysis = analyze_snippet(content)
    assert analysis.language == "python"
    assert analysis.tokens.codes.tolist() == analyzed("a.py", CODE.encode()).tokens.codes.tolist()
    assert analysis.tokens.end_lines.tolist()[-1] == 3


def test_a_string_over_several_lines_is_the_same_with_crlf() -> None:
    source = b"a = '''x\ny'''\n"
    one, other = analyzed("a.py", source), analyzed("a.py", source.replace(b"\n", b"\r\n"))
    assert one.tokens.codes.tolist() == other.tokens.codes.tolist()
    assert texts(other.tokens, source.replace(b"\n", b"\r\n"))[-1] == b"'''x\r\ny'''"


def test_segments_of_a_notebook() -> None:
    cells = [{"cell_type": "code", "source": ["a = '\u00e9'\n", "b()"]}, {"cell_type": "code", "source": []}]
    cells += [{"cell_type": "markdown", "source": ["Two words"]}, {"cell_type": "code", "source": ["c"]}]
    content = json.dumps({"cells": cells, "metadata": {}}, indent=1).encode()
    analysis = analyzed("a.ipynb", content)
    tokens = analysis.tokens
    check(tokens, content)
    assert analysis.language == "jupyter"
    assert tokens.languages == ("python", "text", "python")
    assert tokens.segments.tolist() == [0, 6, 14]
    assert texts(tokens, content) == [
        b"a",
        b"=",
        b"'\\u00e9'",
        b"b",
        b"(",
        b")",
        *(b"%c" % c for c in b"Twowords"),
        b"c",
    ]
    assert tokens.codes[2] == token_code('"é"'.encode())
    assert tokens.start_lines.tolist() == lines_of(content, tokens.starts.tolist())


def test_segments_of_markdown() -> None:
    content = b"Words\n\n```python\nx = 1  # one\n```\n\n```c\n```\n"
    analysis = analyzed("README.md", content)
    assert analysis.language == "markdown"
    assert analysis.tokens.languages == ("text", "python")
    assert analysis.tokens.segments.tolist() == [0, 5]
    assert texts(analysis.tokens, content)[5:] == [b"x", b"=", b"1"]
    assert [content[start:end] for start, end in analysis.comments] == [b"# one"]
    assert analysis.tokens.start_lines.tolist()[-1] == 4


def test_segments_of_html_stand_in_the_order_of_the_file() -> None:
    content = (SAMPLES / "html.sample").read_bytes()
    tokens = analyzed("a.html", content).tokens
    check(tokens, content)
    assert tokens.languages == ("html", "css", "html", "javascript", "html", "typescript", "html")
    first = [texts(tokens, content)[index] for index in tokens.segments.tolist()]
    assert first == [b"<", b"body", b"</", b"const", b"</", b"let", b"</"]


def test_text_is_letters_and_digits_in_lower_case() -> None:
    content = "Straße 7: ÄPFEL\n日本\n".encode()
    tokens = analyzed("a.txt", content).tokens
    assert b"".join(texts(tokens, content)).decode() == "Straße7ÄPFEL日本"
    assert set(tokens.classes.tolist()) == {TokenClass.CHARACTER}
    assert tokens.codes.tolist() == [token_code(letter.lower().encode()) for letter in "straße7äpfel日本"]
    assert tokens.start_lines.tolist()[-2:] == [2, 2]


@given(st.text(max_size=60))
def test_characters_agree_with_a_slow_definition(text: str) -> None:
    content = text.encode(errors="replace")
    text = content.decode()
    found = characters(content)
    wanted = [letter for letter in text if letter.isalnum()]
    assert [content[start:end].decode() for start, end in zip(found.starts, found.ends, strict=True)] == wanted
    assert found.codes.tolist() == [token_code(letter.lower().encode()) for letter in wanted]


def test_characters_leave_out_what_is_not_utf8() -> None:
    content = b"a\xffb\xc3\xa9\xc3"
    found = characters(content)
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == [(0, 1), (2, 3), (3, 5)]


def test_unknown_files_are_text_and_skips_are_told() -> None:
    assert analyzed("LICENSE", b"Permission is granted\n").language == "text"
    assert analyze_file("a.json", b"{}") is SkipReason.DATA_FILE
    assert analyze_file("a.json", b'{"a": 1}', Limits(include_data=True)) != SkipReason.DATA_FILE
    assert analyze_file("a.py", b"") is SkipReason.EMPTY


def test_a_slow_file_is_skipped() -> None:
    content = b"int f(int a) { return a + 1; }\n" * 10_000
    assert analyze_file("a.c", content, Limits(parse_seconds=1e-9)) is SkipReason.PARSE_TIMEOUT


def test_a_file_of_white_space_and_comments_has_no_tokens() -> None:
    analysis = analyzed("a.py", b"# nothing\n")
    assert (len(analysis.tokens), analysis.tokens.languages, analysis.comments) == (0, (), ((0, 9),))
    check(analysis.tokens, b"# nothing\n")


def test_a_snippet_in_a_fence_keeps_its_positions() -> None:
    content = "\n```js\r\nvar a\u00a0= “x”;\r\n```\r\n".encode()
    analysis = analyze_snippet(content)
    assert analysis.language == "javascript"
    assert texts(analysis.tokens, content) == [b"var", b"a", b"=", "“x”".encode(), b";"]
    assert analysis.tokens.codes.tolist()[3] == token_code(b'"x"')
    assert set(analysis.tokens.start_lines.tolist()) == {3}


def test_prompts_and_output_are_no_tokens() -> None:
    content = b">>> for x in y:\n...     f(x)\n1\n2\n"
    analysis = analyze_snippet(content)
    assert analysis.language == "python"
    assert b" ".join(texts(analysis.tokens, content)) == b"for x in y : f ( x )"
    assert analysis.tokens.end_lines.tolist()[-1] == 2


def test_the_language_that_was_given_counts() -> None:
    assert analyze_snippet(b"a = 1\n", language="RB").language == "ruby"
    assert analyze_snippet(b"a = 1\n", language="text").tokens.classes.tolist() == [TokenClass.CHARACTER] * 2
    assert analyze_snippet(b"a = 1\n", name="x.lua").language == "lua"
    with pytest.raises(LanguageError):
        analyze_snippet(b"a", language="klingon")


def test_containers_are_snippets_too() -> None:
    content = b"```python\na = 1\n```\n\nWords\n\n```c\nint b;\n```\n"
    analysis = analyze_snippet(content, name="post.md")
    assert analysis.tokens.languages == ("python", "text", "c")
    assert analyze_snippet(content).tokens.languages == ("python", "c")


def test_prose_is_text() -> None:
    assert analyze_snippet(b"This is a sentence of several words, and nothing else at all.\n").language == "text"


@pytest.mark.parametrize("content", [b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"```", b"@@ -1 +1 @@", b">>> "])
def test_almost_nothing_is_a_snippet(content: bytes) -> None:
    check(analyze_snippet(content).tokens, content)


PIECES = st.sampled_from(
    (
        *(
            b"(",
            b")",
            b"{",
            b"}",
            b'"',
            b"'",
            b"`",
            b"/*",
            b"*/",
            b"//",
            b"#",
            b"<",
            b">",
            b"\n",
            b" ",
            b"a",
            b"1",
            b"\\",
        ),
        *(b"$", b"\xff", b"\x00", b"\r\n", b"\xc3\xa9", b"<script>", b"```\n", b"def ", b"EOF", b"<<EOF\n", b"<?php "),
        *(
            b"=begin",
            b"\xef\xbb\xbf",
            b"\x0b",
            b"\\\n",
            b"&lt;",
            b">>> ",
            b"@@ -1 +1 @@\n",
            b"%w[",
            b"#define ",
            b"\xe2\x80\x9c",
        ),
    )
)


@given(st.sampled_from([*NAMES, "a", "a.h"]), st.binary(max_size=80) | st.lists(PIECES, max_size=40).map(b"".join))
def test_no_file_makes_it_raise(name: str, content: bytes) -> None:
    analysis = analyze_file(name, content, Limits(include_data=True, include_generated=True))
    if isinstance(analysis, Analysis):
        check(analysis.tokens, content)
        check_symbols(analysis.tokens, content)


def check_symbols(tokens: TokenStream, content: bytes) -> None:
    """In plain UTF-8 the bytes of a token are its symbol."""
    if content.isascii() and b"\r" not in content and tokens.languages and set(tokens.languages) != {"text"}:
        for text, code, kind in zip(
            texts(tokens, content), tokens.codes.tolist(), tokens.classes.tolist(), strict=True
        ):
            assert kind in (TokenClass.STRING, TokenClass.NUMBER) or code_of(text, kind, "text") == code


@given(st.binary(max_size=80) | st.lists(PIECES, max_size=40).map(b"".join), st.sampled_from([None, *LANGUAGES]))
def test_no_snippet_makes_it_raise(content: bytes, language: str | None) -> None:
    check(analyze_snippet(content, language=language).tokens, content)


DOCSTRING_TAIL = b'the value of the\n    thing, if there is any.\n    """\n'
BODY = b"    value = self.get(name)\n    if value:\n        return value + 1\n    return None\n"
NEXT = b"\n\ndef other(name):\n"


@pytest.mark.parametrize(
    ("language", "before", "code", "after"),
    [
        ("python", DOCSTRING_TAIL, BODY, b""),
        ("python", DOCSTRING_TAIL.replace(b'"""', b"'''"), BODY, b""),
        ("python", b'    >>> f(1)\n    2\n\n    """\n', BODY, b""),
        ("python", b"", b"def f(name):\n" + BODY + NEXT, b'    """Looks it up, and then\n    some more'),
        ("python", DOCSTRING_TAIL, BODY + NEXT, b'    """Looks it up, and then\n    some more'),
        ("java", b" * of the thing.\n * @return it, or 0\n */\n", b"public int f() {\n  return a + 1;\n}\n", b""),
        ("c", b"", b"int f(int a)\n{\n  return a + 1;\n}\n", b"/* Adds what is\n * left of it"),
        ("c", b" * of it all.\n */\n", b"int f(int a)\n{\n  return a + 1;\n}\n", b"/* Adds what is\n * left of it"),
        ("ocaml", b"of the list. *)\n", b"let rec f a = match a with [] -> 0 | _ :: b -> 1 + f b\n", b""),
    ],
)
def test_a_literal_or_comment_that_was_cut_swallows_no_code(
    language: str, before: bytes, code: bytes, after: bytes
) -> None:
    content = before + code + after
    analysis = analyze_snippet(content, language=language)
    check(analysis.tokens, content)
    found = texts(analysis.tokens, content)
    expected = texts(analyze_snippet(code, language=language).tokens, code)
    assert found == expected
    assert analysis.tokens.start_lines.tolist() == lines_of(content, analysis.tokens.starts.tolist())


def test_a_docstring_is_not_code_where_the_code_around_it_is_cut() -> None:
    code = b'''def f(names):
    """
    Each name may come once or twice in the files, see
    https://example.com/questions/1838699/how-can-i-name-a-file-that-is-not-there#answer-223
    """
    first = b"one two three"
    names = join(first, names)
    return open(names, mode='''
    analysis = analyze_snippet(code, language="python")
    found = texts(analysis.tokens, code)
    assert found[:5] == [b"def", b"f", b"(", b"names", b")"]
    assert found[-2:] == [b"mode", b"="]


@pytest.mark.parametrize(
    ("before", "after"),
    [("so it is like this", "hope it helps!"), ("Try this:", "why"), ("Here is my code, it fails:", "thanks")],
)
def test_code_between_quotes_is_code_where_a_line_of_prose_is_around_it(before: str, after: str) -> None:
    code = "def f(a):\n    for b in a:\n        if b > 3:\n            return b + 1\n    return None\n"
    content = f"{before}\n'''\n{code}'''\n{after}\n".encode()
    found = texts(analyze_snippet(content, language="python").tokens, content)
    assert found[:3] == [b"def", b"f", b"("]
    assert found[-2:] == [b"return", b"None"]


def test_fences_and_cells_are_fragments() -> None:
    """PHP in Markdown usually has no opening tag. Without the tag, the grammar reads everything as text."""
    fence = analyze_file("a.md", b"```php\n$a = merge($b, 1);\n```\n")
    bare = analyze_snippet(b"$a = merge($b, 1);\n", language="php")
    assert isinstance(fence, Analysis)
    assert fence.tokens.codes.tolist() == bare.tokens.codes.tolist()
    assert (fence.tokens.starts - 7).tolist() == bare.tokens.starts.tolist()


def test_a_text_is_read_as_what_is_asked_for() -> None:
    session = b">>> total(3)\n6\n>>> total(4)\n10\n"
    likely, prose = analyze_snippet(session), analyze_snippet(session, reading="prose")
    assert (likely.language, prose.language) == ("python", "text")
    assert prose.tokens.codes.tolist() == analyze_snippet(session, language="text").tokens.codes.tolist()
    assert len(prose.tokens) == len("total36total410")
    fenced = b"Words before it.\n```c\nint a = merge(b);\n```\n"
    assert analyze_snippet(fenced, reading="prose").tokens.languages == ("text", "c")
    comment = b"# It adds the numbers up to the first that is too large, and tells how many there were.\nx = 1\n"
    assert analyze_snippet(comment, name="a.rst").language == "text"
    assert LANGUAGES[analyze_snippet(comment, name="a.rst", reading="code").language].grammar
    assert analyze_snippet(comment, language="ruby", reading="code").language == "ruby"


@pytest.mark.parametrize(
    "snippet",
    [
        b'def f(a):\n    """Name"""\n    return ) a b ((\n',
        b'x = """a""" ? 1\n',
        b'char *a = "*/"; int f( { return 1; }\n',
        b"return a */ b;\n",
    ],
)
def test_what_was_not_cut_stays_whole(snippet: bytes) -> None:
    language = "c" if b";" in snippet else "python"
    found = texts(analyze_snippet(snippet, language=language).tokens, snippet)
    assert b"".join(found) == b"".join(snippet.split())


def test_php_without_its_opening_tag_is_code() -> None:
    snippet = b'public function f($a) {\n    return $this->x->get($a, "k z"); // why\n}\n'
    analysis = analyze_snippet(snippet, language="php")
    check(analysis.tokens, snippet)
    whole = b"<?php class A {\n" + snippet + b"}\n"
    inside = analyzed("a.php", whole).tokens
    assert texts(analysis.tokens, snippet) == texts(inside, whole)[4:-1]
    assert analysis.tokens.codes.tolist() == inside.codes[4:-1].tolist()
    assert [snippet[start:end] for start, end in analysis.comments] == [b"// why"]


@given(st.binary(max_size=60), st.sampled_from(["python", "java", "c", "php", "ocaml", "html", "text"]))
def test_any_snippet_in_any_language_is_analysed(content: bytes, language: str) -> None:
    check(analyze_snippet(content, language=language).tokens, content)


LEFT_OUT = """
import sys
from pathlib import Path
from tests.languages.bare import run_bare
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.units import units

samples = Path(sys.argv[1])
haskell, python = ((samples / f"{name}.sample").read_bytes() for name in ("haskell", "python"))
fenced = b"# A\\n```haskell\\n" + haskell + b"```\\n```python\\n" + python + b"```\\n"
for path, content in (("a.hs", haskell), ("a.md", fenced), ("a.py", python)):
    found = analyze_file(path, content)
    kinds = sorted({unit.is_text for unit in units(path, content, found)})
    print(path, found.language, *sorted(set(found.tokens.languages)), *found.left_out, *kinds)
print(analyze_snippet(haskell).language, *analyze_snippet(haskell).left_out)
print(analyze_snippet(haskell, name="a.hs").language, analyze_snippet(fenced[4:]).language)
try:
    analyze_snippet(haskell, language="haskell")
except Exception as error:
    print(f"{type(error).__name__}: {error}")
"""


@pytest.mark.thorough
def test_a_language_whose_grammar_is_not_installed_is_read_as_text_and_told(tmp_path: Path) -> None:
    assert run_bare(tmp_path, LEFT_OUT, str(SAMPLES)).splitlines() == [
        "a.hs text text haskell True",
        "a.md markdown python text haskell False",
        "a.py python python False",
        "text haskell",
        "text text",
        f"GrammarError: {NO_HASKELL}",
    ]
