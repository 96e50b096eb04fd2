"""A search near words of a text finds the same as a search of the whole text."""

from __future__ import annotations

import re
import string
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.references import extract
from wherefrom.analyzers.references.licenses import ODD, lines, lowered, places

PIECES = (
    *(
        "http",
        "https://a.example/b(c)",
        "see (http://a.example).",
        "www.github.com/a/b",
        "'https://a.example'",
        "HTTP://",
    ),
    *("SPDX-License-Identifier: MIT", "spdx-license-identifier", "SPDX-SnippetBegin", "SPDX-SnippetEnd", "Copyright"),
    *(
        "(c) 2020 A",
        "© B",
        "&copy; 2021 C",
        "copyright 1999",
        "by",
        "@author D",
        "\\author{E}",
        ":author: F",
        "Author : G",
    ),
    *(" ", "  ", "\n", "\r\n", "\t", "\0", "\u2028", ":", "-", "*/", "e", "ſ", "İ", "K", "ı", "é", "漢"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_a_line_gives_what_the_text_gives(text: str) -> None:
    low = lowered(text)
    if low is None:
        return
    for finder in extract._FINDERS:
        if finder.is_in_lines:
            found = [
                (begin + at, value) for begin, part in lines(text, low, finder.words) for at, value in finder.find(part)
            ]
            assert found == list(finder.find(text))


@pytest.mark.slow
def test_only_odd_characters_are_letters_of_ascii_in_another_case() -> None:
    for point in range(0x80, sys.maxunicode + 1):
        character = chr(point)
        if character not in ODD:
            assert len(character.lower()) == 1
            assert not character.lower().isascii()
    ignoring = re.compile(f"[{string.ascii_lowercase}]", re.IGNORECASE)
    beyond = "".join(map(chr, range(0x80, sys.maxunicode + 1)))
    assert "".join(ignoring.findall(beyond)) == ODD


@pytest.mark.parametrize("odd", ODD)
def test_odd_characters_are_told(odd: str) -> None:
    assert lowered(f"a{odd}") is None
    assert lowered("AÉ") == "aé"


def test_places_and_lines() -> None:
    text = "one two\ntwo\n\none one"
    assert places(text, ("two", "one")) == [0, 4, 8, 13, 17]
    assert list(lines(text, text, ("one",))) == [(0, "one two"), (13, "one one")]
    assert list(lines(text, text, ("three",))) == []
