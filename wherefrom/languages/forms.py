"""The lexical forms of a language, for text that its grammar cannot parse (`analyzers.lexing`), and forms that many
languages share. Also the empty value, with its reason, of a field that does not apply.

A form says what a comment, a string, a number or a name looks like. Keywords and operators come from the grammar.
All forms are regular expressions over bytes, in the syntax of `re.VERBOSE`, with `.` for every byte and `^` at each
line. Matching one takes at most linear time.
"""

from __future__ import annotations

from typing import Literal, Never

ESCAPES = b"abefnrtvxuU01234567\\'\"\n"  # these bytes have another meaning after a backslash, as in C

NUMBER = rb"""0[xX][0-9A-Fa-f_.]*+(?:[pP][+-]?[0-9]++)?[uUlLnN]*+
    | (?:(?<![\w)\]])\.)?[0-9][0-9_]*+(?:\.[0-9][0-9_]*+)?(?:[eE][+-]?[0-9]++)?[A-Za-z0-9_]*+"""


def nested(opening: bytes, closing: bytes) -> bytes:
    """The form of a comment between two marks, which may contain another comment, nested once."""
    inner = rb"%b(?:(?!%b).)*+%b" % (opening, closing, closing)
    return rb"%b(?:(?!%b|%b).|%b)*+%b" % (opening, closing, opening, inner, closing)


C_COMMENTS = (rb"//[^\n]*+", rb"/\*.*?\*/")
NESTED_C_COMMENTS = (rb"//[^\n]*+", nested(rb"/\*", rb"\*/"))
HASH_COMMENTS = (rb"\#[^\n]*+",)

DOUBLE_QUOTED = rb'"(?:[^"\\\n]|\\.)*+"'
SINGLE_QUOTED = rb"'(?:[^'\\\n]|\\.)*+'"
LONG_DOUBLE_QUOTED = rb'"(?:[^"\\]|\\.)*+"'
LONG_SINGLE_QUOTED = rb"'(?:[^'\\]|\\.)*+'"
TRIPLE_QUOTED = rb'"""(?:[^"\\]|\\.|"(?!""))*+"""'
TRIPLE_RAW = rb'"""(?:[^"]|"(?!""))*+"""+'
CHARACTER = rb"'(?:[^'\\\n\x80-\xff]|[\x80-\xff]{1,4}|\\[^\n][^'\n]*+)'"

WORD = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
DOLLAR_WORD = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+"

_DOUBLE_QUOTE, _SINGLE_QUOTE = rb'(?<![\\"])"(?!")', rb"(?<![\\'])'(?!')"
LONG_DOUBLE = (_DOUBLE_QUOTE, _DOUBLE_QUOTE)
LONG_SINGLE = (_SINGLE_QUOTE, _SINGLE_QUOTE)
LONG_TRIPLE = (rb'"""', rb'"""')
HERE_DOCUMENT = (rb"<<[-~<]?\s?[\"']?[A-Z_][A-Z0-9_]*+[\"']?", rb"^[ \t]*+[A-Z_][A-Z0-9_]++;?[ \t]*+$")
"""These four are (opening, closing) pairs for `Language.long_literals`."""

REGULAR_EXPRESSION = rb"""(?:(?<=[(,=:\[!&|?{};\n])|(?<=[(,=:\[!&|?{};]\ )|(?<=return\ ))
    /(?![/*\ ])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/[a-z]*+"""
"""A regular expression between slashes, in a place where a slash cannot mean division."""


class Nothing(tuple[Never, ...]):
    """The value of a field that does not apply to a language: an empty tuple with the reason.

    Attributes:
        reason: why the field does not apply.
    """

    reason: str

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"none({self.reason!r})"


def none(reason: str) -> Nothing:
    """An empty value with the reason, so that a forgotten field differs from one that does not apply."""
    value = Nothing()
    value.reason = reason
    return value


def words(text: str) -> tuple[str, ...]:
    """Splits a text at white space; for fields that list many short words."""
    return tuple(text.split())
