"""The kernel gives the same as the implementation in Python, which defines it: every field, byte for byte."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import itertools
import re
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, stream, words
from wherefrom.analyzers import fingerprints, insides, kernel, parsing, tokens
from wherefrom.analyzers.documents import AnalyzedContent, document
from wherefrom.analyzers.mending import merged
from wherefrom.analyzers.nodes import broken_spans
from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import Symbols, decode, without_insides
from wherefrom.analyzers.words import word_terms
from wherefrom.errors import KernelError, ParseTimeout
from wherefrom.languages import LANGUAGES
from wherefrom.model import OF_TOKENS, Representation, SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.support import extension

pytestmark = pytest.mark.usefixtures("with_kernel")

SAMPLES = Path(__file__).parent / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.sample"))
PARSED = [name for name in NAMES if LANGUAGES[name].grammar]
ENDINGS = {name: (LANGUAGES[name].extensions or LANGUAGES[name].filenames)[0] for name in NAMES}
SECONDS = 60.0
LIMITS = Limits(include_generated=True, include_data=True, parse_seconds=SECONDS)

LONG = b" ".join(b"word%d" % number for number in range(16))
"""Enough words to be read inside of a literal or comment."""

PIECES = (
    *(b"\\\n", b"\r\n", b"\xff", "é".encode(), b'"', b"'", b"/*", b"*/", b'#define X(a) a+"b\\\n', b"\t", b"{", b"}"),
    *(b"(", b")", b"0x1e+5.", b'"""', b"\n\n", b"\x0b", b"@", b"\xe2\x82", "😀".encode(), b"<script>", b"```python\n"),
    *(b"```php\n", b"```php\n/* */ echo $a;\n```\n"),
    *(b"\0", b"// Copyright (c) 2020 Somebody\n", b"https://stackoverflow.com/a/12345 ", b"# (C) 1999 by me\n"),
    *(
        "stac\u212aoverflow.com/a/1 ".encode(),
        "\u0130".encode(),
        b"\xa9 2020 Somebody\n",
        b"SPDX-License-Identifier: MIT",
    ),
    *(mark % LONG for mark in (b"/* %b */", b"// %b\n", b"# %b\n", b'"%b" + ', b"`%b ${", b"'''%b")),
)
"""Marks that open and do not close, bytes that are not UTF-8, and beginnings of references."""


def sample(name: str) -> bytes:
    return (SAMPLES / f"{name}.sample").read_bytes()


def native() -> kernel.Kernel:
    found = kernel.active()
    assert found is not None
    return found


def assert_same(one: Parsed, other: Parsed) -> None:
    for field in dataclasses.fields(Parsed):
        first, second = getattr(one, field.name), getattr(other, field.name)
        if isinstance(first, np.ndarray):
            assert first.dtype == second.dtype, field.name
            first, second = first.tolist(), second.tolist()
        assert first == second, field.name


def assert_same_parse(name: str, source: bytes) -> None:
    """Compares both ways over the tree, and the merged tokens, with the implementation in Python."""
    language = LANGUAGES[name]
    expected, broken = parsing.parse(language, source, SECONDS), broken_spans(language, source, SECONDS)
    for by_cursor in (False, True):
        found, not_parsed = native().parse(language, source, SECONDS, by_cursor=by_cursor)
        assert_same(expected, found)
        assert not_parsed == broken
    if language.lexical:
        given = language, source, expected, broken, SECONDS
        assert_same(merged(*given), native().merged(*given))


def assert_same_document(path: str, content: bytes) -> AnalyzedContent | SkipReason:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(extension.VARIABLE, "0")
        expected, compared = document(path, content, LIMITS), document(path, content, LIMITS, is_kept=False)
    found = document(path, content, LIMITS)
    if isinstance(expected, SkipReason) or isinstance(found, SkipReason):
        assert expected == found
        return found
    for field in dataclasses.fields(AnalyzedContent):
        first, second = getattr(expected, field.name), getattr(found, field.name)
        if field.name == "terms":
            assert {terms.dtype for terms in second.values()} <= {np.dtype(np.uint64)}
            first, second = ({key: terms.tolist() for key, terms in found.items()} for found in (first, second))
            assert list(first) == list(second)
        assert first == second, field.name
    outside = tokens.plain(without_insides(StoredBlob("", "", 0, 0, found.tokens)).tokens)
    for unkept in (compared, document(path, content, LIMITS, is_kept=False)):
        assert isinstance(unkept, AnalyzedContent)
        assert unkept.tokens == outside
    own = kernel.stored_words(found.tokens)
    assert kernel.word_terms(own).tolist() == list(found.terms.get(Representation.WORDS, ()))
    assert kernel.word_terms(own, is_query=True).tolist() == word_terms(own, is_query=True).tolist()
    again = kernel.stored_terms(found.tokens)
    assert {key: terms.tolist() for key, terms in again.items()} == {
        key: terms.tolist() for key, terms in found.terms.items()
    }
    return found


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """A piece of a sample in some language, edited at random."""
    name = draw(st.sampled_from(NAMES))
    source = sample(name)
    begin = draw(st.integers(0, len(source)))
    text = bytearray(source[begin : begin + draw(st.integers(1, 2000))])
    for _ in range(draw(st.integers(0, 8))):
        at, size = draw(st.integers(0, len(text))), draw(st.integers(0, 20))
        text[at : at + size] = draw(
            st.one_of(st.sampled_from(PIECES), st.binary(max_size=4), st.just(bytes(text[:30])))
        )
    return name, bytes(text)


def test_it_needs_no_newer_compiler_than_it_names() -> None:
    """Chains of `let` need Rust 1.88, and no lint of a newer compiler reports them."""
    sources = Path(__file__).parents[2] / "kernel"
    named = tomllib.loads((sources / "Cargo.toml").read_text())["package"]["rust-version"]
    chained = {path.name: re.findall(r"&&\s*let\b.*", path.read_text()) for path in sources.glob("src/*.rs")}
    assert chained
    assert tuple(map(int, named.split("."))) >= (1, 88) or not any(chained.values()), chained


@pytest.mark.parametrize("name", PARSED)
def test_tokens_of_samples(name: str) -> None:
    assert_same_parse(name, sample(name))


@pytest.mark.matrix("name")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text + b"\xe9 \xa9 2020 Somebody",
        lambda text: text.decode().encode("utf-16"),
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(b" ", b"\n", 40),
    ],
    ids=["whole", "crlf", "bom", "latin-1", "utf-16", "half", "lines"],
)
def test_documents_of_samples(name: str, changed: Callable[[bytes], bytes]) -> None:
    found = assert_same_document("a" + ENDINGS[name], changed(sample(name)))
    assert isinstance(found, AnalyzedContent)
    assert found.token_count > 0


@given(damaged())
def test_tokens_of_damaged_sources(case: tuple[str, bytes]) -> None:
    name, source = case
    if name in PARSED:
        assert_same_parse(name, source)
    assert_same(insides.characters(source), native().characters(source))


def test_tokens_behind_a_line_that_goes_on_inside_a_string() -> None:
    assert_same_parse("bash", b'echo "a\n \\\n${A}"\n')


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("representation", "k"), [*itertools.product(OF_TOKENS, (1, 2, 9, 64))])
def test_kgrams_of_samples(name: str, representation: Representation, k: int) -> None:
    made = document(name, sample(name), Limits())
    assert not isinstance(made, SkipReason)
    found = native().kgrams(native().text(made.tokens), representation, k)
    expected = kgrams(decode(made.tokens), representation, k)
    assert (found.k, found.bounds) == (expected.k, expected.bounds)
    assert np.array_equal(found.hashes, expected.hashes)
    assert np.array_equal(found.positions, expected.positions)
    wanted = np.append(np.unique(expected.hashes)[::2], np.uint64(2**64 - 1))
    [shared] = native().shared(native().text(made.tokens), [(representation, k, wanted)])
    assert shared.tolist() == [*[True] * (len(wanted) - 1), False]


def assert_same_query(stream: Symbols, window: int) -> None:
    found, expected = native().query_kgrams(stream, window), fingerprints.query_kgrams(stream, window)
    assert [*found] == [*expected]
    both = native().document_terms(stream), fingerprints.document_terms(stream)
    terms, plain_terms = ({key: own.tolist() for key, own in each.items()} for each in both)
    assert terms == plain_terms
    for own, plain in zip(found.values(), expected.values(), strict=True):
        assert (own.grams.k, own.grams.bounds) == (plain.grams.k, plain.grams.bounds)
        columns = [(own.grams.hashes, plain.grams.hashes), (own.grams.positions, plain.grams.positions)]
        for one, other in [*columns, *zip(own[1:], plain[1:], strict=True)]:
            assert (one.dtype, one.tolist()) == (other.dtype, other.tolist())


@pytest.mark.parametrize("window", [8, 16, 48])
@pytest.mark.parametrize("name", NAMES)
def test_queries_of_samples(name: str, window: int) -> None:
    made = document(name, sample(name), Limits())
    assert not isinstance(made, SkipReason)
    whole = decode(made.tokens)
    assert_same_query(whole, window)
    assert_same_query(tokens.part(whole, len(whole) // 3, len(whole) // 2 + 1), window)


@given(
    st.lists(st.sampled_from(words('a b c = ; ( . 1 "s"') + letters("ab")), max_size=80),
    st.lists(st.integers(0, 80), max_size=4),
    st.integers(1, 60),
)
def test_queries_of_any_tokens(code: list[Token], begins: list[int], window: int) -> None:
    made = stream(code)
    segments = np.array(sorted({0, *(begin for begin in begins if begin < len(code))}), np.int64)
    assert_same_query(tokens.Symbols(made.codes, made.classes, segments[: len(code)]), window)


def test_the_kernel_refuses_what_is_no_query() -> None:
    codes, classes, begin = np.zeros(9, np.uint64), np.zeros(9, np.uint8), np.zeros(1, np.int64)
    windows = [(8, 8, 8)] * len(SCHEMES)
    extension_kernel = native()._native
    extension_kernel.query_kgrams(codes, classes, begin, windows)
    for wrong in (
        (codes, classes[1:], begin, windows),
        (codes, classes, begin + 10, windows),
        (codes, classes, begin, windows[1:]),
        (codes, classes, begin, [(0, 8, 8), *windows[1:]]),
    ):
        with pytest.raises(ValueError, match="a token has a class"):
            extension_kernel.query_kgrams(*wrong)


@pytest.mark.parametrize("k", [0, 65])
def test_a_k_out_of_range_is_refused(k: int) -> None:
    made = document("a.py", b"a = 1\n" * 9, Limits())
    assert not isinstance(made, SkipReason)
    with pytest.raises(ValueError, match="1 to 64"):
        native().kgrams(native().text(made.tokens), Representation.EXACT, k)


@given(damaged())
def test_documents_of_damaged_sources(case: tuple[str, bytes]) -> None:
    name, source = case
    assert_same_document("a" + ENDINGS[name], source)


LETTERS = st.text(st.characters(codec="utf-8", categories=["L", "N"]))


@given(st.one_of(st.binary(), st.text().map(str.encode), LETTERS.map(str.encode)))
def test_characters_of_any_text(text: bytes) -> None:
    assert_same(insides.characters(text), native().characters(text))


@pytest.mark.slow
def test_characters_of_all_scripts() -> None:
    """The tables of Python decide which characters are letters, and their lower case."""
    points = (point for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    text = "".join(map(chr, points)).encode()
    assert_same(insides.characters(text), native().characters(text))


def test_characters_that_stand_for_ascii_in_lower_case() -> None:
    characters = map(chr, range(128, 0x110000))
    assert tuple(character for character in characters if character.lower()[0].isascii()) == kernel.FOLDED


CONTAINERS = {
    "a.md": (
        b"Text (c) 2020 me\n```python\ndef f():\n  'doc'\n```\nhttps://example.org/x\n"
        b"```c\nint a; /* from https://a.b/c */\n```\n"
    ),
    "a.html": (
        b"<p>words</p><script>var a = f(1); // Copyright 2020 Me\n</script><p>more</p>"
        b"<style>a { b: c }</style><!-- by https://example.org/y -->"
    ),
    "a.ipynb": (
        b'{"cells": [{"cell_type": "markdown", "source": ["# T\\u00e9xt\\n", "see https://example.org/x"]},'
        b' {"cell_type": "code", "source": "%%bash\\nls\\n"},'
        b' {"cell_type": "code", "source": ["x = 1\\n", "\\"doc\\""]}],'
        b' "metadata": {"kernelspec": {"language": "python"}}}'
    ),
    "a.erb": b"<% a.each do |b| %><p id=<%= b %>><script>f(<%= b %>);</script></p>\n<%# c %><% end -%>\n",
    "a.jsp": b"<%@ page %><%! int a(int b) {\n  return b; // https://a.b/c\n} %><%-- c --%><p><%= a(1) %></p><% d(",
    "a.cshtml": b"@{\n  var a = 1;\n}\n<p>@a</p>\n@functions\n{\n  int b;\n}\n",
    "a.astro": b"---\nimport a from 'b';\nconst c = a(1);\n---\n<p>{c}</p>\n",
    "a.ejs": b"<% for (const a of b) { -%><li><%= a.c %></li><%_ } _%>",
    "a.txt": "Größe Straße ǅ İstanbul — 数字 ١٢٣ © 2020 Somebody\n".encode(),
    "empty.md": b"```python\n```\n",
    "fragments.md": (
        b"Text\n```php\n/* https://a.b/c */ $a = f($b); // twice\n```\n```php\n<?php g($b); ?>\n```\n"
        b"```php\n```\n> ```php\n> # (c) 2020 Me\n> h();\n"
    ),
}


@pytest.mark.parametrize("path", CONTAINERS)
def test_documents_of_containers(path: str) -> None:
    content = CONTAINERS[path]
    for changed in (
        content,
        content * 50,
        content.replace(b"\n", b"\r\n"),
        content + b"\xff",
        content.replace(b" ", b""),
    ):
        assert_same_document(path, changed)


@pytest.mark.parametrize(
    "comment",
    [
        "from https://stackoverflow.com/a/12345",
        "see STACKOVERFLOW.com/a/12345",
        "see stac\u212aoverflow.com/a/12345",
        "© 2020 Somebody",
        "(C) 2020 Somebody",
        "@Author somebody",
        "SPDX-License-Identifier: MIT",
        "nothing",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_references_are_found_where_their_words_are(comment: str, encoding: str) -> None:
    text = f"# {comment}\n\nx = 1  # plain\n\n\ndef f():\n    '''{comment}'''\n    return 'https://no.where'\n"
    found = assert_same_document("a.py", text.encode(encoding, errors="replace"))
    assert isinstance(found, AnalyzedContent)
    if encoding == "utf-8":
        assert (found.references == b"") is (comment == "nothing" or "\u212a" in comment)


def test_long_streams() -> None:
    """More than 2^16 symbols and gaps, which are stored in three planes each."""
    assert_same_document("a.txt", b"x " * 100_000)
    assert_same_document("a.py", b"".join(b"v%d = %d\n" % (number, number) for number in range(70_000)))
    gaps = b"".join(b"a" + b" " * number + b"\n" for number in range(300))
    assert_same_document("a.c", gaps + gaps)


@pytest.mark.thorough
def test_a_name_repeated_at_every_distance() -> None:
    for distance in (*range(1, 20), 63, 64, 65, 254, 255, 256, 257):
        others = b" ".join(b"n%d" % number for number in range(distance - 1))
        assert_same_document("a.c", b"a " + others + b" a " + others + b" a . a ( a -> a ;\n")


def test_the_time_limit_holds_in_a_document() -> None:
    source = b"int f(int a) { return a + 1; }\n" * 20_000
    assert document("a.c", source, Limits(parse_seconds=1e-9)) is SkipReason.PARSE_TIMEOUT
    with pytest.raises(ParseTimeout):
        native().parse(LANGUAGES["c"], source, 0.0)
    assert_same_document("a.c", source[:3000])


@pytest.mark.slow
def test_other_threads_run_while_it_works() -> None:
    begun, done = threading.Event(), threading.Event()
    source = b"def f(a):\n    return a + 1\n" * 60_000

    def work() -> None:
        begun.set()
        native().parse(LANGUAGES["python"], source, SECONDS)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 3


def test_many_threads_at_once() -> None:
    names = ["python", "c", "java", "go"] * 4
    found: list[Parsed | None] = [None] * len(names)

    def work(at: int) -> None:
        found[at] = native().parse(LANGUAGES[names[at]], sample(names[at]), SECONDS)[0]

    threads = [threading.Thread(target=work, args=(at,)) for at in range(len(names))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, parsed in zip(names, found, strict=True):
        assert parsed is not None
        assert_same(parsing.parse(LANGUAGES[name], sample(name), SECONDS), parsed)


def test_threads_that_change_between_all_grammars() -> None:
    """A parser caches the parse table of its last grammar. Each thread parses in another order."""
    alone = {name: native().parse(LANGUAGES[name], sample(name), SECONDS)[0] for name in PARSED}
    found: list[tuple[str, Parsed]] = []

    def work(first: int) -> None:
        order = PARSED[first:] + PARSED[:first]
        found.extend((name, native().parse(LANGUAGES[name], sample(name), SECONDS)[0]) for name in order)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(0, len(PARSED), 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(threads) * len(PARSED)
    for name, parsed in found:
        assert_same(alone[name], parsed)
    for name in PARSED:
        assert_same(parsing.parse(LANGUAGES[name], sample(name), SECONDS), alone[name])


@pytest.mark.parametrize(("wish", "is_used"), [("0", False), ("1", True), ("require", True), (None, True)])
def test_the_variable_chooses(monkeypatch: pytest.MonkeyPatch, wish: str | None, is_used: bool) -> None:
    if wish is None:
        monkeypatch.delenv(extension.VARIABLE)
    else:
        monkeypatch.setenv(extension.VARIABLE, wish)
    assert (kernel.active() is not None) is is_used
    assert extension.description().startswith("native kernel, tree-sitter 0." if is_used else "Python, tree-sitter 0.")
    assert not extension.problem()


def test_another_value_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(extension.VARIABLE, "yes")
    with pytest.raises(KernelError, match=r"^WHEREFROM_KERNEL is 0, 1 or require, not 'yes'; set it to one of these"):
        extension.wanted()


@pytest.mark.parametrize("state", ["0", None])
def test_an_extension_of_another_state_is_not_used(monkeypatch: pytest.MonkeyPatch, state: str | None) -> None:
    """An old extension in a clone was built for another interface, or before the interface had a checksum."""
    core = importlib.metadata.version("tree-sitter")
    stale = SimpleNamespace(CORE_VERSION=core, **({} if state is None else {"INTERFACE": state}))
    monkeypatch.setitem(sys.modules, "wherefrom._kernel", stale)
    extension._found.cache_clear()
    remedy = "in a clone of it run: python kernel/build.py wherefrom/_kernel.abi3.so"
    try:
        monkeypatch.setenv(extension.VARIABLE, "1")
        assert kernel.active() is None
        assert extension.problem() == (
            f"it was built for another state of wherefrom; install wherefrom again, or {remedy}"
        )
        monkeypatch.setenv(extension.VARIABLE, "require")
        with pytest.raises(
            KernelError, match=f"^[^\\n]*cannot be used: it was built for another state [^\\n]*{remedy}$"
        ):
            extension.wanted()
    finally:
        extension._found.cache_clear()


def test_the_core_is_that_of_the_parser_that_is_installed() -> None:
    """Patch versions may recover from an error differently, and py-tree-sitter does not tell the patch version of its
    core. So the files of both cores were compared once for the version in `BINDING`.
    """
    core = Path(__file__).parents[2] / "kernel" / "core"
    binding, version = ((core / name).read_text().strip() for name in ("BINDING", "VERSION"))
    installed = importlib.metadata.version("tree-sitter")
    assert installed == binding, f"compare the cores: python kernel/update_core.py {version} {installed}"
    native = extension.wanted()
    assert native is None or version == native.CORE_VERSION


def test_a_core_of_another_minor_version_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    major, minor = map(int, importlib.metadata.version("tree-sitter").split(".")[:2])
    monkeypatch.setattr("wherefrom.support.version.installed", lambda _: f"{major}.{minor + 1}.0")
    extension._found.cache_clear()
    try:
        monkeypatch.setenv(extension.VARIABLE, "1")
        assert extension.wanted() is None
        assert extension.problem().endswith(f"installed; pip install 'tree-sitter=={major}.{minor}.*'")
        monkeypatch.setenv(extension.VARIABLE, "require")
        with pytest.raises(KernelError, match=r"=require, but the native kernel cannot be used: its parser core is"):
            extension.wanted()
    finally:
        extension._found.cache_clear()
