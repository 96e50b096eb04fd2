"""The faster reading of words gives `licenseclassifier` exactly what it reads itself."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from licenseclassifier._engine.scan import _load_prebuilt, builtin_scanner

from tests.analyzers.references.test_licenses import APACHE, GPL, ZLIB
from wherefrom.analyzers.references import classifier

LIBRARY: Any = _load_prebuilt()
classifier.prepare()
FAST: Any = builtin_scanner().re
MARKUP = [
    "<",
    ">",
    "</",
    "{",
    "{#",
    "}",
    "&",
    "&copy;",
    "&#x41;",
    "(",
    ")",
    "(s)",
    "(S)",
    "(c)",
    "(C)",
    "](",
    "](http://",
    "](#x)",
    "©",
    "@",
    ":/",
    "\n",
    "\r",
]
WORDS = [
    "https",
    "http",
    "these",
    "Copies",
    "copyright",
    "Copyright",
    "c",
    "C",
    "s",
    "License",
    "licenses",
    "é",
    "ſ",
    "x1",
    "2",
    "the",
]
TEXTS = st.lists(st.sampled_from([*MARKUP, *WORDS, " ", "\n", "a"]), max_size=40).map("".join)


def test_the_faster_reading_is_used() -> None:
    assert isinstance(FAST.dict, classifier.Dictionary)


@given(TEXTS)
def test_words_are_those_of_the_library(text: str) -> None:
    assert FAST.dict.split(text) == LIBRARY.dict.split(text)


def test_licenses_are_those_of_the_library() -> None:
    for text in (APACHE, GPL, ZLIB, GPL.replace("the", "teh"), APACHE.upper(), f"é{GPL}", "(c) holder(S)" + GPL):
        found = [(match.id, match.start, match.end) for match in classifier.identify(text)]
        assert found == [(match.id, match.start, match.end) for match in LIBRARY.scan(text).match]


def test_the_first_state_is_that_of_the_library() -> None:
    automaton = LIBRARY.re
    assert automaton._state_info(automaton._start_state) == FAST._info[automaton._start_state]
