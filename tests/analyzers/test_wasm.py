"""The kernel as WebAssembly makes the same documents as the native kernel."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from release import wasm
from release.lock import LOCKS, pins
from release.rules import pattern
from tests.analyzers.test_kernel import CONTAINERS, ENDINGS, LIMITS, NAMES, damaged, sample
from tests.node import WEB, Node, built
from wherefrom.analyzers.documents import AnalyzedContent, document
from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.token_words import NO_WORDS
from wherefrom.analyzers.tokens import decode, encode, without_insides
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason, StoredBlob
from wherefrom.options import Limits

pytestmark = [pytest.mark.usefixtures("with_kernel"), pytest.mark.slow]

CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "whole": lambda text: text,
    "returns and line feeds": lambda text: text.replace(b"\n", b"\r\n"),
    "returns": lambda text: text.replace(b"\n", b"\r"),
    "some returns": lambda text: text.replace(b"\n", b"\r", 5).replace(b"\n", b"\r\n", 9),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "latin-1": lambda text: b"\xe9\n" + text + b"\xe9 \xa9 2020 Somebody \xe2\x82",
    "utf-16": lambda text: text.decode().encode("utf-16"),
    "utf-16, big first": lambda text: b"\xfe\xff" + text.decode().encode("utf-16-be"),
    "utf-16, damaged": lambda text: b"\xff\xfe" + "a\n😀\r\n".encode("utf-16-le") + b"\x00\xd8\n\0" + text + b"\n",
    "half": lambda text: text[: len(text) // 2],
    "short lines": lambda text: text.replace(b" ", b"\n", 40),
}
"""The encodings and line ends that the analyzers read, and incomplete texts."""

READING = Path(__file__).with_name("reading.mjs")


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node(READING, WEB, built()) as process:
        yield process


def read(node: Node, path: str, content: bytes, limits: Limits = LIMITS, **options: str) -> Any:
    """What `Kernel.read` gives."""
    given = {
        "maxFileSize": limits.max_file_size,
        "parseSeconds": limits.parse_seconds,
        "includeGenerated": limits.include_generated,
        "includeData": limits.include_data,
    }
    return node.ask({"path": path, "bytes": base64.b64encode(content).decode(), "limits": given, **options})


def assert_same(node: Node, path: str, content: bytes, limits: Limits = LIMITS) -> AnalyzedContent | SkipReason:
    expected = document(path, content, limits, is_kept=False)
    found = read(node, path, content, limits)
    if isinstance(expected, SkipReason):
        assert found == {"skipped": expected}
        return expected
    assert "skipped" not in found, found
    assert (found["language"], found["languages"]) == (expected.language, sorted(expected.languages))
    assert found["tokens"] == expected.token_count
    whole = StoredBlob("", expected.language, 0, expected.token_count, expected.tokens)
    # A page compares, so it leaves out what is inside of literals and comments, and words.
    outside = without_insides(whole)
    tokens = replace(decode(outside.tokens), words=NO_WORDS)
    assert base64.b64decode(found["stream"]) == encode(tokens, is_compressed=False)
    made = expected.terms if outside is whole else stored_terms(outside.tokens)
    terms = [made.get(representation) for representation in SCHEMES]
    assert [
        None if each is None else np.frombuffer(base64.b64decode(each), "<u8").tolist() for each in found["terms"]
    ] == [None if each is None else each.tolist() for each in terms]
    return expected


@pytest.mark.parametrize("name", NAMES)
def test_documents_of_samples(node: Node, name: str) -> None:
    for change in CHANGES.values():
        found = assert_same(node, "a" + ENDINGS[name], change(sample(name)))
        assert isinstance(found, AnalyzedContent)
        assert found.token_count > 0


@given(damaged())
def test_documents_of_damaged_sources(node: Node, case: tuple[str, bytes]) -> None:
    name, source = case
    assert_same(node, "a" + ENDINGS[name], source)


@pytest.mark.parametrize("path", CONTAINERS)
def test_documents_of_containers(node: Node, path: str) -> None:
    content = CONTAINERS[path]
    for changed in (
        content,
        content * 50,
        content.replace(b"\n", b"\r\n"),
        content + b"\xff",
        content.replace(b" ", b""),
        content.decode().encode("utf-16"),
    ):
        assert_same(node, path, changed)


@given(
    st.sampled_from(["a.md", "a.html", "a.ipynb"]),
    st.lists(
        st.sampled_from(
            [
                *(
                    "```",
                    "~~~~",
                    "````",
                    "python",
                    "{.rb}",
                    " c ",
                    "\n",
                    "\r",
                    "x = 1",
                    "é",
                    "<?php echo 1 ?>",
                    "$a;",
                    "'",
                ),
                *(
                    "<script>",
                    "</script>",
                    "<style>",
                    "</STYLE",
                    "<!--",
                    "-->",
                    "<script type='text/typescript'>",
                    "<%= ",
                    " %>",
                    "-%>",
                    "<%@",
                    " end",
                    "\n@{\n",
                    "\n}",
                    "---\nimport a\n",
                    "var a=1",
                ),
                *(
                    '{"cells": [',
                    '{"cell_type": "code"',
                    ', "source": ["',
                    "%%bash\\n",
                    "\\ud83d\\ude00",
                    "\\ud800",
                    '"]}',
                    "]}",
                ),
                *(
                    '"metadata": {"kernelspec": {"language": "julia"}}',
                    "NaN",
                    ",",
                    ": ",
                    '"',
                    "{",
                    "}",
                    "[",
                    "]",
                    "!ls\\n",
                ),
            ]
        ),
        max_size=30,
    ).map("".join),
)
def test_documents_of_damaged_containers(node: Node, path: str, text: str) -> None:
    assert_same(node, path, text.encode())


def test_cells_of_notebooks(node: Node) -> None:
    cells: list[object] = [
        {
            "cell_type": "code",
            "source": ["%matplotlib inline\n", "x = 'é\\ud83d\\ude00'\n"],
            "outputs": [{"data": "y"}],
        },
        {"cell_type": "code", "input": "%%javascript\nvar a = 1;\r\n  !ls"},
        {"cell_type": "markdown", "source": "# Title 😀"},
        {"cell_type": "raw", "source": []},
    ]
    for metadata in ({}, {"kernelspec": {"language": "R"}}, {"language_info": {"name": "Julia"}}):
        for notebook in (
            {"cells": cells, "metadata": metadata},
            {"metadata": metadata, "worksheets": [{"cells": cells}]},
            {"cells": cells, "metadata": metadata, "score": float("nan")},
            {"sheets": cells},
        ):
            assert_same(node, "a.ipynb", json.dumps(notebook).encode())
            assert_same(node, "a.ipynb", json.dumps(notebook, ensure_ascii=False, indent=1).encode())


GENERATED = b"// Code generated by protoc-gen-go. DO NOT EDIT.\nint a = 1;\n"

FILES = {
    "a.c": (
        b"",
        b" \n\t\r\x0b\x0c",
        b"\0",
        b"int a;\x01" * 40,
        b"%PDF-1.4\n",
        b"int a;\n",
        GENERATED,
        b"/* @generated by me */ int a;",
    ),
    "a.js": (b"var a=1;" * 100, b"var a=1;\n" * 100, b"a;" * 200, b"version https://git-lfs.github.com/spec/v1\n"),
    "a.min.js": (b"var a = 1;\n",),
    "a.JSON": (b'{"a": 1}',),
    "yarn.lock": (b"a\n",),
    "x_pb2.py": (b"a = 1\n",),
    "x/A.Generated.cs": (b"class A {}\n",),
    "a.h": (b"int a;\n", b"std::string a;\n", b"int nullptr_t;\n", b"@interface A\n@end\n", b"template <class T>\n"),
    "a.ts": (b"\n <TS version='2.0'>words</TS>\n", b"let a: number = 1;\n"),
    "Makefile": (b"all:\n\techo\n",),
    ".bashrc": (b"echo a\n",),
    "tool": (
        b"#!/usr/bin/env -S A=1 python3.11\nx = 1\n",
        b"#! /bin/bash -e\necho a\n",
        b"#!perl\n1;\n",
        b"#!\nwords\n",
    ),
    "constructor.toString": (b"words\n",),
    "unknown.\u0130\u00c9": ("Größe Straße ǅ İstanbul ΑΣ — 数字 ١٢٣\n".encode(),),
}
"""Files that are skipped or not by their names or contents, or whose languages these tell."""


@pytest.mark.parametrize("path", FILES)
def test_files_are_skipped_and_their_languages_guessed(node: Node, path: str) -> None:
    for content in FILES[path]:
        assert_same(node, path, content, Limits())
        assert_same(node, path, content, replace(LIMITS, max_file_size=300))


@pytest.mark.parametrize("name", ["bash", "css", "html", "javascript", "ruby", "swift"])
def test_scanners_know_the_same_kinds_of_characters(node: Node, name: str) -> None:
    """These scanners ask the C library for kinds of characters."""
    text = sample(name).decode()[:1500]
    for character in "\x85\xa0\u2028\u3000\ufeffÉé²½\u0660\u2160ǅ\U00010400":
        pieces = [text[at : at + 40] for at in range(0, len(text), 40)]
        assert_same(node, "a" + ENDINGS[name], character.join(pieces).encode())


def test_the_kernel_has_all_functions_that_grammars_call(node: Node) -> None:
    listing = "for (const path of process.argv.slice(1)) { const module = new WebAssembly.Module("
    listing += "require('fs').readFileSync(path)); console.log(JSON.stringify([WebAssembly.Module.imports(module)"
    listing += ".filter(({kind}) => kind === 'function'), WebAssembly.Module.exports(module)].map("
    listing += "(all) => all.map(({name}) => name)))) }"
    paths = [wasm.OUTPUT / "kernel.wasm", *(wasm.OUTPUT / "grammars").iterdir()]
    printed = subprocess.run(["node", "-e", listing, *map(str, paths)], capture_output=True, check=True).stdout
    (_, kernel), *grammars = map(json.loads, printed.splitlines())
    called = {name for imports, _ in grammars for name in imports}
    # Swift's scanner ends the process with these if there is no memory. In a page, that ends the kernel.
    assert called - {name.removeprefix("kernel_") for name in kernel} == {"exit", "fwrite"}
    assert {f"kernel_{name}" for name in called if re.match("isw|tow", name)} <= {*kernel}


def test_a_language_can_be_given(node: Node) -> None:
    assert read(node, "a.txt", b"int a;\n", language="c")["language"] == "c"


def test_all_letters_of_all_scripts(node: Node) -> None:
    points = (point for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    text = "".join(map(chr, points)).encode().replace(b"\0", b"")
    assert_same(node, "a.txt", text, replace(LIMITS, max_file_size=len(text)))


def test_the_time_limit_holds(node: Node) -> None:
    source = b"int f(int a) { return a + 1; }\n" * 20_000
    assert read(node, "a.c", source, Limits(parse_seconds=1e-9)) == {"skipped": "parse_timeout"}
    assert_same(node, "a.c", source)


def test_each_language_has_a_grammar_of_its_locked_version() -> None:
    crates = tomllib.loads((wasm.SOURCES / "Cargo.toml").read_text())["dependencies"]
    locked = {pin.name: pin.version for pin in pins((LOCKS / "dev.txt").read_text())}
    distributions = {language.grammar.distribution for language in LANGUAGES.values() if language.grammar}
    named = {wasm.OTHER_NAMES.get(name, name): f"={locked[name]}" for name in distributions}
    assert crates.keys() == named.keys()
    # The crate of SQL is older. Only the scanner is taken from it, because the source distribution has none.
    assert {name for name in crates if crates[name] != named[name]} == {"tree-sitter-sequel"}


@pytest.mark.parametrize(
    ("found", "source", "flags"),
    [
        (re.compile(rb"a\s+[^\s/]\S"), r"a[\t-\r ]+[^\t-\r /][^\t-\r ]", ""),
        (re.compile(rb"^a.$", re.MULTILINE), r"(?<![^\n])a[^\n](?=\n|$)", ""),
        (re.compile(rb"\Aa.\Z", re.DOTALL), "^a[^]$", ""),
        (re.compile(rb"(?P<one> a++ ) [ ] \# # b", re.VERBOSE | re.IGNORECASE), "(?<one>a+)[ ]#", "i"),
        (re.compile(r"\d\""), r'[\p{Nd}]"', "u"),
    ],
)
def test_patterns_for_javascript(found: re.Pattern[Any], source: str, flags: str) -> None:
    assert pattern(found) == [source, flags]


def test_the_modules_are_small(node: Node) -> None:
    """The page loads the kernel with the model of code, which takes most of it, and one grammar for each language.
    Servers compress them better, by a tenth, in seven times the time.
    """
    compress = "const {readFileSync} = require('fs'); const zlib = require('zlib'); process.stdout.write(String("
    compress += "zlib.brotliCompressSync(readFileSync(process.argv[1]), "
    compress += "{params: {[zlib.constants.BROTLI_PARAM_QUALITY]: 9}}).length))"
    sizes = {
        path.stem: int(subprocess.run(["node", "-e", compress, str(path)], capture_output=True, check=True).stdout)
        for name in ("kernel", "grammars/python", "grammars/c", "grammars/java")
        for path in [wasm.OUTPUT / f"{name}.wasm"]
    }
    assert sum(sizes.values()) < 2_000_000, sizes
