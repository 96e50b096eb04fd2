"""Every file is split into functions and the code between them, whatever its content."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.tokens import part
from wherefrom.analyzers.units import LONGEST, STRETCH, Unit, units
from wherefrom.fitted import CHARACTERS
from wherefrom.languages import LANGUAGES
from wherefrom.options.asking import SHORTEST_PIECE

pytestmark = pytest.mark.usefixtures("both_ways")

SAMPLES = Path(__file__).with_name("samples")

WITH_FUNCTIONS = sorted({path.stem for path in SAMPLES.glob("*.sample")} - {"html", "sql"})

BODY = "".join(f"    total += weigh_{line}(items[{line}], {line})\n" for line in range(5))


def cut(path: str, content: bytes) -> tuple[Analysis, list[Unit]]:
    analysis = analyze_file(path, content)
    assert isinstance(analysis, Analysis)
    return analysis, units(path, content, analysis)


def text_of(content: bytes, analysis: Analysis, unit: Unit) -> bytes:
    return content[analysis.tokens.starts[unit.begin] : analysis.tokens.ends[unit.end - 1]]


@pytest.mark.parametrize("language", sorted(path.stem for path in SAMPLES.glob("*.sample")))
def test_units_of_a_file_in_any_language_cover_nearly_all_of_it(language: str) -> None:
    content = (SAMPLES / f"{language}.sample").read_bytes()
    analysis, found = cut(f"x{LANGUAGES[language].extensions[0]}", content)
    assert all(one.end <= other.begin for one, other in pairwise(found))
    assert all(unit.end - unit.begin >= SHORTEST_PIECE for unit in found)
    assert sum(unit.end - unit.begin for unit in found) >= 0.85 * len(analysis.tokens)
    assert any(unit.is_function for unit in found) == (language in WITH_FUNCTIONS)


def test_a_function_is_a_unit_and_what_is_between_too() -> None:
    content = (
        f"import os\n\nnames = [os.sep, os.curdir, os.pardir, os.linesep]\n\n\ndef one(items):\n{BODY}\n\n".encode()
    )
    content += f"class Two:\n    kind = 3\n\n    def three(self, items):\n{BODY.replace('    ', '        ')}".encode()
    analysis, found = cut("a.py", content)
    texts = [text_of(content, analysis, unit) for unit in found]
    assert [text.split(b"\n")[0] for text in texts] == [b"import os", b"def one(items):", b"def three(self, items):"]
    assert [unit.is_function for unit in found] == [False, True, True]


def test_the_wrapper_of_a_module_is_no_unit_but_what_is_in_it() -> None:
    inner = "".join(f"function f{n}(items) {{ let total = {n}; {BODY} return total; }}\n" for n in range(20))
    content = f"(function () {{\n{inner}}})();\n".encode()
    analysis, found = cut("a.js", content)
    assert len(analysis.tokens) > LONGEST
    assert [text_of(content, analysis, unit).split(b"(")[0] for unit in found] == [
        b"function f%d" % n for n in range(20)
    ]


def test_functions_keep_their_places_in_any_encoding_and_container() -> None:
    function = f"def größe(items):\n{BODY}    return total\n"
    for content, path in (
        (f"# é\r\n{function}".replace("\n", "\r\n").encode("utf-16"), "a.py"),
        (f"é\n\n```python\n{function}```\n\nwords\n".encode(), "a.md"),
        (json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": [f"{function}"]}]}).encode(), "a.ipynb"),
    ):  # fmt: skip
        analysis, found = cut(path, content)
        [unit] = [unit for unit in found if unit.is_function]
        codes = cut("b.py", function.encode())[0].tokens.codes
        assert np.array_equal(analysis.tokens.codes[unit.begin : unit.end], codes)


def test_prose_is_in_no_unit_and_an_unknown_language_is() -> None:
    words = b"These are words of no language at all. " * 400
    assert cut("a.txt", words)[1] == []
    assert cut("a.md", words)[1] == []
    assert cut("INFO", words)[1] == []
    assert cut("a.py", b"# nothing but a comment\n")[1] == []
    analysis, found = cut("a.unknown", words)
    assert {unit.is_text for unit in found} == {True}
    assert (found[0].begin, found[-1].end) == (0, len(analysis.tokens))
    assert max(unit.end - unit.begin for unit in found) <= STRETCH * CHARACTERS


@given(
    st.lists(st.sampled_from(["function f(a) {", "}", "x = g(1, 2);", "(", ")", "=>", "a", "`", "class A {", "m() {"]))
)
def test_whatever_a_file_holds_its_units_follow_one_another(words: list[str]) -> None:
    content = "\n".join(words).encode()
    analysis = analyze_file("a.js", content)
    if isinstance(analysis, Analysis):
        spans = [(unit.begin, unit.end) for unit in units("a.js", content, analysis)]
        assert all(end - begin >= SHORTEST_PIECE for begin, end in spans)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
        assert all(end <= len(analysis.tokens) for _, end in spans)


def test_deeply_nested_functions_are_no_trouble() -> None:
    depth = 3000
    _, found = cut("a.js", b"function f(){\n" * depth + b"}\n" * depth)
    assert sum(unit.end - unit.begin for unit in found) > 0.9 * 6 * depth


@given(st.data())
def test_a_part_of_a_stream_is_that_of_the_file(data: st.DataObject) -> None:
    content = (SAMPLES / "html.sample").read_bytes()
    stream = cut("a.html", content)[0].tokens
    begin = data.draw(st.integers(0, len(stream) - 1))
    end = data.draw(st.integers(begin + 1, len(stream)))
    cut_out = part(stream, begin, end)
    assert cut_out.starts.tolist() == stream.starts[begin:end].tolist()
    assert len(cut_out.segments) == len(cut_out.languages)
    languages = [stream.languages[int(stream.segments.searchsorted(at, side="right")) - 1] for at in range(begin, end)]
    shown = [cut_out.languages[int(cut_out.segments.searchsorted(at, side="right")) - 1] for at in range(end - begin)]
    assert shown == languages


@pytest.mark.parametrize(
    "name",
    ["server.conf", "tox.ini", "app.properties", "ci.yml", "Cargo.toml", "x.cfg.in", ".env", "tool.1", "notes.txt"],
)
def test_configuration_and_prose_are_in_no_unit(name: str) -> None:
    content = b"".join(b"setting_%d = the value of number %d\n" % (number, number) for number in range(60))
    analysis = analyze_file(f"folder/{name}", content)
    assert isinstance(analysis, Analysis)
    assert units(f"folder/{name}", content, analysis) == []
    assert units("folder/code.tcl", content, analysis)
