"""The text inside long literals and comments is read as prose, after the tokens of the file."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers import kernel, stamps
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.documents import AnalyzedContent, document
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.tokens import INSIDE, TokenStream, count, decode, encode, outside, without_insides
from wherefrom.model import Representation, StoredBlob
from wherefrom.options import Limits

pytestmark = pytest.mark.usefixtures("both_ways")

SAMPLES = Path(__file__).parent / "samples"
LIMITS = Limits(max_file_size=20_000_000, include_generated=True, include_data=True, parse_seconds=60.0)
WORDS = "the quick brown fox jumps over the lazy dog while nobody looks at what it does all day"
COLUMNS = ("codes", "classes", "starts", "ends", "start_lines", "end_lines", "segments", "languages")


def made(path: str, content: bytes) -> AnalyzedContent:
    found = document(path, content, LIMITS)
    assert isinstance(found, AnalyzedContent)
    return found


def stored(found: AnalyzedContent) -> StoredBlob:
    return StoredBlob("", found.language, 0, found.token_count, found.tokens)


def analyzed(path: str, content: bytes) -> TokenStream:
    found = analyze_file(path, content, LIMITS)
    assert isinstance(found, Analysis)
    return found.tokens


def texts(path: str, content: bytes) -> list[str]:
    """The letters of each text inside."""
    stream = decode(made(path, content).tokens)
    begins = stream.segments.tolist()
    return [
        b"".join(
            content[at:end] for at, end in zip(stream.starts[begin:stop], stream.ends[begin:stop], strict=True)
        ).decode()
        for begin, stop, language in zip(begins, [*begins[1:], len(stream)], stream.languages, strict=False)
        if language == INSIDE
    ]


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.py", f'def f():\n    """{WORDS}."""\n    return 1\n'),
        ("a.py", f"x = 1\n# {WORDS[:40]}\n# {WORDS[40:]}\ny = 2\n"),
        ("a.py", f"f('{WORDS[:40]}'\n  '{WORDS[40:]}')\n"),
        ("A.java", f"/**\n * {WORDS[:40]}\n * {WORDS[40:]}\n */\nclass A {{}}\n"),
        ("A.java", f'class A {{ String s = "{WORDS[:40]}" +\n "{WORDS[40:]}"; }}\n'),
        ("a.sh", f"cat <<EOF\n{WORDS[:40]}\n{WORDS[40:]}\nEOF\nls\n"),
        ("a.rb", f"x = <<~EOS\n  {WORDS[:40]}\n  {WORDS[40:]}\nEOS\n"),
        ("a.rb", f"LIST = %w[{WORDS}]\n"),
        ("a.php", f"<?php\n$x = <<<'EOS'\n{WORDS}\nEOS;\n"),
        ("a.go", f"package a\n\nvar x = `{WORDS}`\n"),
        ("a.c", f"int a;\n/* {WORDS[:40]}\n   {WORDS[40:]} */\nint b;\n"),
        ("a.html", f"<p>x</p><script>/* {WORDS} */ f();</script>"),
    ],
)  # fmt: skip
def test_what_is_inside_is_read(path: str, content: str) -> None:
    [text] = texts(path, content.encode())
    assert text.replace("EOS", "") == letters(WORDS)


def test_code_in_a_string_is_read_with_it() -> None:
    half = len(WORDS) // 2
    for path, content in (
        ("a.js", f"x = `{WORDS[:half]}\n  ${{name}}\n\n {WORDS[half:]}`;"),
        ("a.py", f'x = f"{WORDS[:half]} {{name}} {WORDS[half:]}"'),
        ("a.sh", f"cat <<EOF\n{WORDS[:half]}\n$name\n\n{WORDS[half:]}\nEOF\n"),
    ):
        [text] = texts(path, content.encode())
        assert text.removeprefix("f") == letters(f"{WORDS[:half]}name{WORDS[half:]}"), path


def test_an_inside_has_its_own_lines_and_bytes() -> None:
    content = f"x = 1\n\n\n# {WORDS}\n\n\ny = 2\n".encode()
    stream = decode(made("a.py", content).tokens)
    inside = stream.classes == stream.classes[-1]
    assert set(stream.start_lines[inside].tolist()) == {4}
    assert content[stream.starts[inside][0] : stream.ends[-1]].decode() == WORDS


def test_wide_and_escaped_texts_have_places_in_the_content() -> None:
    text = f"x = 1\n# größe {WORDS}\n"
    for encoding in ("utf-16", "latin-1"):
        assert letters(f"größe {WORDS}") == "".join(
            text.encode(encoding)[start:end].decode(encoding if encoding == "latin-1" else "utf-16-le")
            for start, end in zip(*_inside(text.encode(encoding)), strict=True)
        )
    cell = {"cell_type": "code", "source": f'x = 1\n"""{WORDS}"""'}
    assert texts("a.ipynb", json.dumps({"cells": [cell], "metadata": {}}).encode()) == [letters(WORDS)]


def _inside(content: bytes) -> tuple[list[int], list[int]]:
    stream = decode(made("a.py", content).tokens)
    begin = len(outside(stream))
    return stream.starts[begin:].tolist(), stream.ends[begin:].tolist()


@pytest.mark.parametrize(
    "content",
    [
        f"x = '{WORDS[:50]}'\n",
        f"# {WORDS[:40]}\n\n# {WORDS[40:]}\n",
        f"# {WORDS[:40]}\nx = 1\n# {WORDS[40:]}\n",
        f"f('{WORDS[:40]}', '{WORDS[40:]}')\n",
        f"# Copyright 2020 somebody\n# {WORDS}\n",
        f"# Licensed under the MIT License\n#\n# {WORDS}\n",
    ],
)
def test_short_texts_and_notices_are_not_read(content: str) -> None:
    assert texts("a.py", content.encode()) == []


def test_a_notice_further_down_is_read() -> None:
    assert texts("a.py", f"{'x = 1' + chr(10)}{'y = f(2)' + chr(10)}{'# copyright ' + WORDS}".encode() * 20)


def hostile(seed: int = 1) -> dict[str, str]:
    chance = random.Random(seed)
    data = base64.b64encode(chance.randbytes(60_000)).decode()
    lines = "\n".join(data[at : at + 76] for at in range(0, len(data), 76))
    return {
        "one word": f"x = '{data}'",
        "rows of base64": f"x = '''\n{lines}\n'''",
        "URL of data": f"x = 'url(data:image/png;base64,{data})'",
        "rows of digits": "x = '''\n" + "\n".join(chance.randbytes(32).hex() for _ in range(500)) + "\n'''",
        "comment of base64": "\n".join(f"# {line}" for line in lines.split("\n")),
    }


@pytest.mark.parametrize("name", hostile())
def test_data_is_not_read(name: str) -> None:
    assert texts("a.py", hostile()[name].encode()) == []


def test_words_beside_data_are_read_without_it() -> None:
    data = base64.b64encode(random.Random(1).randbytes(300), altchars=b"xx").decode()
    [text] = texts("a.py", f"x = '''{WORDS}\n{data}\n{WORDS}'''\n".encode())
    assert text == letters(WORDS) * 2


@pytest.mark.slow
def test_a_literal_of_megabytes_costs_no_more_than_a_text_of_that_length() -> None:
    number = 900_000 if kernel.active() else 90_000  # half a megabyte for Python, which is slower
    chance = random.Random(2)
    words = " ".join("".join(chance.choices("abcdefghij", k=chance.randrange(2, 9))) for _ in range(number))
    assert len(words) > 5 * number
    literal, text = made("a.py", f"x = '''{words}'''\n".encode()), made("a.txt", words.encode())
    assert literal.token_count == 3
    assert len(literal.tokens) < 1.01 * len(text.tokens)
    assert literal.terms[Representation.TEXT].tolist() == text.terms[Representation.TEXT].tolist()
    many = f"x = f'''{'{a}b ' * number}'''\n"
    assert made("a.py", many.encode()).token_count > number


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.sample")), ids=lambda path: str(path.stem))
def test_the_tokens_around_are_as_if_nothing_was_read(path: Path) -> None:
    content, name = path.read_bytes(), f"a.{path.stem}"
    ours, theirs = decode(made(name, content).tokens), analyzed(name, content)
    for column in COLUMNS:
        assert np.array_equal(getattr(outside(ours), column), getattr(theirs, column)), column
    found = made(name, content)
    assert found.token_count == len(theirs)
    assert count(found.tokens) == len(ours)
    terms = document_terms(theirs)
    for representation in (Representation.EXACT, Representation.RENAMED, Representation.P_MATCH):
        assert found.terms.get(representation, np.zeros(0)).tolist() == terms.get(representation, np.zeros(0)).tolist()


COMMENTED = st.lists(
    st.sampled_from(
        ["x = f(y)\n", f"# {WORDS}\n", "# short\n", f"'''{WORDS}'''\n", "z = 'a' + 'b'\n", "\n", "if x:\n"]
    ),
    max_size=20,
)


@given(COMMENTED)
def test_a_stream_without_its_insides_is_that_of_the_code(lines: list[str]) -> None:
    content = "".join(["a = 1\n", *lines]).encode()
    found = made("a.py", content)
    whole, code = decode(found.tokens), analyzed("a.py", content)
    assert np.array_equal(outside(whole).codes, code.codes)
    assert np.array_equal(decode(without_insides(stored(found)).tokens).starts, code.starts)
    assert all(language == INSIDE for language in whole.languages[len(code.languages) :])
    assert sum(len(text) for text in texts("a.py", content)) == len(whole) - len(code)


@given(COMMENTED)
def test_a_rewritten_comment_changes_no_token_of_the_code(lines: list[str]) -> None:
    content = "".join(["a = 1\n", *lines])
    ours, theirs = (
        outside(decode(made("a.py", text.encode()).tokens))
        for text in (content, content.replace(f"# {WORDS}", f"# {WORDS[::-1]} and more of it"))
    )
    assert ours.codes.tolist() == theirs.codes.tolist()
    assert ours.segments.tolist() == theirs.segments.tolist()


def test_a_stored_text_without_insides_stays_as_it_is() -> None:
    for path, content in (
        ("a.py", b"x = 1\n"),
        ("a.txt", WORDS.encode()),
        ("a.md", b"inside\n```python\nx = 1\n```\n"),
    ):
        blob = stored(made(path, content))
        assert without_insides(blob) is blob
        assert outside(stream := decode(blob.tokens)) is stream
    empty = stored(made("a.py", f"# {WORDS}".encode()))
    assert empty.token_count == 0
    assert without_insides(empty).tokens == encode(analyzed("a.py", b"#"), is_compressed=False)


def test_a_content_is_in_the_language_of_its_code_only() -> None:
    found = made("a.py", f"# {WORDS}\nx = 1\n".encode())
    assert found.languages == {"python"}
    assert stamps.components(found.stamp)[stamps.INSIDES] == stamps.installed()[stamps.INSIDES]
