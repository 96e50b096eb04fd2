"""The references in files, with their lines."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.references.test_licenses import APACHE
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.references import MOST, Reference, ReferenceKind, References, of_file, of_text

pytestmark = pytest.mark.usefixtures("both_ways")

PYTHON = '''\
#!/usr/bin/env python
# SPDX-License-Identifier: MIT
# Copyright (c) 2010 Jane Doe
"""Does things.

From https://stackoverflow.com/a/12
"""

URL = "https://data.example.org/not-a-reference"
QUERY = (
    "https://data.example.org/neither"
)


def one() -> str:  # https://stackoverflow.com/q/11
    """See https://gist.github.com/0123456789abcdef0123.

    :author: Joe
    """
    return "https://data.example.org/nor-this"
'''

JAVASCRIPT = """\
/*
 * Taken from stackoverflow.com/questions/11/how-to#12 (see below)
 * @author Jane
 */
var a = 'https://data.example.org/no';
'use strict';
var b = 1; // https://example.org/x
// https://example.org/y
"""


def references_in(path: str, content: bytes) -> list[tuple[str, str, int]]:
    analysis = analyze_file(path, content)
    assert isinstance(analysis, Analysis)
    found = of_file(content, analysis)
    assert found.omitted == 0
    return [(str(reference.kind), reference.value, reference.line) for reference in found.found]


PYTHON_REFERENCES = [
    ("spdx", "MIT", 2),
    ("copyright", "2010 Jane Doe", 3),
    ("post", "https://stackoverflow.com/a/12", 6),
    ("post", "https://stackoverflow.com/q/11", 15),
    ("gist", "https://gist.github.com/0123456789abcdef0123", 16),
    ("author", "Joe", 18),
]


def test_comments_and_doc_strings_speak_and_other_strings_do_not() -> None:
    assert references_in("a.py", PYTHON.encode()) == PYTHON_REFERENCES
    assert references_in("a.js", JAVASCRIPT.encode()) == [
        ("post", "https://stackoverflow.com/questions/11#12", 2),
        ("author", "Jane", 3),
        ("url", "https://example.org/x", 7),
        ("url", "https://example.org/y", 8),
    ]


@pytest.mark.parametrize(
    "content",
    [
        PYTHON.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PYTHON.encode(),
        PYTHON.encode("utf-16"),
        b"\xfe\xff" + PYTHON.encode("utf-16-be"),
    ],
)
def test_lines_are_those_of_the_file_in_every_encoding(content: bytes) -> None:
    assert references_in("a.py", content) == PYTHON_REFERENCES


def test_stray_bytes_are_latin_1() -> None:
    assert references_in("a.c", b"/* Author: J\xf6rg */\nint a;\n/* Author: J\xc3\xb6rg */\n") == [
        ("author", "Jörg", 1),
        ("author", "Jörg", 3),
    ]


def test_a_notice_in_line_comments_is_whole_and_a_readme_speaks_anywhere() -> None:
    assert ("license", "Apache-2.0", 3) in references_in("a.py", b"#!/bin/sh\n\n" + APACHE.encode() + b"\nx = 1\n")
    readme = b"# Title\n\nFrom [SO](https://stackoverflow.com/a/12):\n\n```python\nx = 'https://example.org/'\n```\n"
    assert references_in("README.md", readme) == [
        ("post", "https://stackoverflow.com/a/12", 3),
        ("url", "https://example.org/", 6),
    ]
    assert references_in("NOTICE", b"parts by\nhttps://stackoverflow.com/a/12\n") == [
        ("post", "https://stackoverflow.com/a/12", 2)
    ]


def test_a_notebook_speaks_in_its_prose_and_in_comments_of_its_cells() -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["words\n", "(https://stackoverflow.com/a/12)\n"]},
        {
            "cell_type": "code",
            "metadata": {},
            "source": ["# https://stackoverflow.com/a/13\n", "x = 'https://example.org/no'\n"],
            "outputs": [{"output_type": "stream", "text": ["https://example.org/output\n"]}],
            "execution_count": 1,
        },
    ]
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    content = json.dumps(notebook, indent=1).encode()
    lines = content.split(b"\n")
    assert references_in("a.ipynb", content) == [
        ("post", f"https://stackoverflow.com/a/{number}", at)
        for number in (12, 13)
        for at, line in enumerate(lines, 1)
        if f"/a/{number}".encode() in line
    ]


def test_the_evidence_is_the_line_as_it_stands() -> None:
    [found] = of_text("one\n  see \x1b[31mhttps://stackoverflow.com/a/12 there \n", 41).found
    assert found == Reference(
        ReferenceKind.POST, "https://stackoverflow.com/a/12", 42, "see \x1b[31mhttps://stackoverflow.com/a/12 there"
    )
    [found] = of_text("x " * 500 + "https://stackoverflow.com/a/12" + " y" * 500).found
    assert "https://stackoverflow.com/a/12 y" in found.text
    assert len(found.text) <= 200


def test_one_thing_said_twice_on_a_line_is_said_once_and_on_two_lines_twice() -> None:
    url = "https://stackoverflow.com/a/12"
    assert [reference.line for reference in of_text(f"{url} {url}\n{url}\n").found] == [1, 2]


def test_what_is_too_much_is_counted() -> None:
    found = of_text("".join(f"https://example.org/{number}\n" for number in range(MOST + 7)))
    assert (len(found.found), found.omitted) == (MOST, 7)


@given(st.text("\n\x1b(c)© @:*/<>authorcopyright 2010 http://a.b SPDX-License-Identifier: MIT", max_size=300))
def test_any_text_gives_references_in_the_order_of_its_lines(text: str) -> None:
    found = of_text(text)
    lines = [reference.line for reference in found.found]
    assert lines == sorted(lines)
    for reference in found.found:
        assert reference.value
        assert text.split("\n")[reference.line - 1].strip().startswith(reference.text[:100])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece",
    [
        "http://",
        "http://a.b/(",
        "a.b-c.",
        "stackoverflow.com/",
        "copyright ",
        "copyright (c) by\n",
        "(c)© &copy;",
        "@author <a ",
        "author: ",
        "author ",
        "SPDX-License-Identifier: (",
        "SPDX-FileCopyrightText: ",
        "permission is hereby granted ",
        "license (",
        "http://web.archive.org/web/1/",
        "*/-->",
        "\n",
        " ",
        "x",
        "\x1b[31m",
    ],
)
def test_hostile_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    # A quadratic pattern takes minutes for a megabyte; this takes a third of a second, or one on a busy machine.
    text = piece * (1_000_000 // len(piece))
    of_text(piece)
    start = time.process_time()
    found = of_text(text)
    assert time.process_time() - start < 20
    assert isinstance(found, References)
