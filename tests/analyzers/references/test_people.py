"""Copyright lines and author tags are found; prose that looks like them is not."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.references.extract import authors, copyrights


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("/* Copyright (c) 2010-2012, Jane Doe. All rights reserved. */", "2010-2012, Jane Doe"),
        ("# (C) Copyright 2010 Jane Doe <jane@example.org>", "2010 Jane Doe <jane@example.org>"),
        ("// Copyright 2010 The Go Authors", "2010 The Go Authors"),
        ("# Copyright © Jane Doe", "Jane Doe"),
        ("# © 2010 Jane Doe", "2010 Jane Doe"),
        ("# (c) 2010 Jane Doe", "2010 Jane Doe"),
        ("# copyright by Jane Doe -->", "Jane Doe"),
        ("# Copyright (c) Jane Doe #", "Jane Doe"),
        (":copyright: (c) 2010 by Jane Doe.", "2010 by Jane Doe."),
        ("# SPDX-FileCopyrightText: 2010 Jane Doe", "2010 Jane Doe"),
        ("# SPDX-FileCopyrightText: © Jane Doe", "Jane Doe"),
        ("Copyright &copy; 1999 <a href='x'>Jane Doe</a>", "1999 Jane Doe"),
        ("Copyright (c) 2010 J\x1b[31m", "2010 J\x1b[31m"),
    ],
)
def test_copyright_lines(text: str, value: str) -> None:
    assert [found for _, found in copyrights(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "The above copyright notice and this permission notice shall be included",
        "the copyright holders",
        "copyrighted 2010",
        "options: (a) one (b) two (c) three",
        "Copyright (c) <year> <copyright holders>",
        "Copyright [yyyy] [name of copyright owner]",
        "Copyright (c)",
        "f(c) + 1",
    ],
)
def test_prose_about_copyright_is_no_copyright_line(text: str) -> None:
    assert list(copyrights(text)) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" * @author Jane Doe", "Jane Doe"),
        (' * @author <a href="mailto:jane@example.org">Jane Doe</a>', "Jane Doe"),
        (" * @author Jane Doe <jane@example.org> */", "Jane Doe <jane@example.org>"),
        ("@authors: Jane, Joe", "Jane, Joe"),
        ("# Author: Jane Doe", "Jane Doe"),
        ("Authors : Jane Doe", "Jane Doe"),
        (":Author: Jane Doe", "Jane Doe"),
        (":author: Jane Doe", "Jane Doe"),
        ("\\author{Jane Doe}", "Jane Doe"),
        ("/// \\author Jane Doe", "Jane Doe"),
        ("<!-- author: Jane Doe -->", "Jane Doe"),
    ],
)
def test_author_tags(text: str, value: str) -> None:
    assert [found for _, found in authors(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "the author: someone else",
        "mail jane@author.org",
        "@authorize the user",
        "Author::name is a field",
        "author:",
        "@author",
        "author://x",
        "co-author: Jane",
    ],
)
def test_prose_about_authors_is_no_tag(text: str) -> None:
    assert list(authors(text)) == []


def test_values_are_cut() -> None:
    [(_, value)] = authors("@author " + "x" * 5000)
    assert len(value) == 200


def test_each_line_has_its_own() -> None:
    text = "@author A\n@author B\nCopyright 2001 C\nCopyright 2002 D\n"
    assert list(authors(text)) == [(0, "A"), (10, "B")]
    assert list(copyrights(text)) == [(20, "2001 C"), (37, "2002 D")]
