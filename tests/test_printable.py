"""Hostile text cannot control a terminal or break a line."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wherefrom.support.printable import LONGEST_QUOTE, one_line, quoted, visible

HOSTILE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text())
@example("\x1b]0;title\x07\x9b31m\u202e\u2066\udcff\ud800\u2028\ufeff\x7f")
def test_visible_text_does_not_control_a_terminal(value: str) -> None:
    shown = visible(value)
    assert not {unicodedata.category(character) for character in shown} & HOSTILE
    assert len(shown) >= len(value)
    shown.encode()


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31m", "␛[31m"),
        ("a\tb\r\n", "a␉b␍␊"),
        ("\x7f\x9b", "␡<U+009B>"),
        ("ab\u202ecd", "ab<U+202E>cd"),
        ("\udcff", "\N{REPLACEMENT CHARACTER}"),
        ("\u00a0é漢", "\u00a0é漢"),
    ],
)
def test_replacements(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_only_characters_of_a_path_that_do_not_print_are_replaced() -> None:
    assert visible(Path("a  b/c\nd")) == "a  b/c␊d"


def test_prose_is_one_line() -> None:
    assert one_line(" two\n\twords\x1b ") == "two words␛"


@given(st.text())
def test_a_quote_is_one_short_line(value: str) -> None:
    shown = quoted(value + "x" * LONGEST_QUOTE)
    assert shown == visible(shown)
    assert len(shown) <= LONGEST_QUOTE


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("blocked by: [FORBIDDEN/8/index write (api)];", "blocked by: [FORBIDDEN/8/index write (api)]"),
        ("no such file.\n", "no such file"),
        (" ... ", ""),
        ("is it?", "is it?"),
    ],
)
def test_a_quote_does_not_end_with_punctuation(text: str, shown: str) -> None:
    assert quoted(text) == shown
