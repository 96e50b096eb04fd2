"""Patterns that every supported Python reads in the same way."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.support.pattern import atomic


@pytest.mark.parametrize(
    ("pattern", "same"),
    [
        (rb'"(?:[^"\\]|\\.)*+"', rb'"(?>(?:[^"\\]|\\.)*)"'),
        (rb"(?P<a>x|(?:y|z)?+)++", rb"(?>(?P<a>x|(?>(?:y|z)?))+)"),
        (rb"[()*+]*+\)*+(?:a){2,3}+", rb"[()*+]*+\)*+(?>(?:a){2,3})"),
        (rb"[]()*+]([^]()*+])(?:b)*(c)+", rb"[]()*+]([^]()*+])(?:b)*(c)+"),
    ],
)
def test_a_possessive_repeat_of_a_group_becomes_an_atomic_group(pattern: bytes, same: bytes) -> None:
    assert atomic(pattern) == same


@given(st.text(alphabet="ab\\\"/*'\n", max_size=40))
def test_the_atomic_group_matches_the_same(text: str) -> None:
    for pattern in (r'"(?:[^"\\\n]|\\.)*+"', r"/\*(?:[^*]|\*(?!/))*+\*/", r"(?:a|ab|(?:b|ba){1,2}+)++b"):
        # Before 3.11.5, Python misreads the first of the two.
        with_possessive, with_atomic = re.compile(pattern, re.DOTALL), re.compile(atomic(pattern), re.DOTALL)
        if sys.version_info >= (3, 11, 5):
            assert [it.span() for it in with_possessive.finditer(text)] == [
                it.span() for it in with_atomic.finditer(text)
            ]
