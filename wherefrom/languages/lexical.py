"""The lexical forms of a language: what a comment, a string, a number and a name look like, and the forms many share.

They are for text that the grammar cannot parse (`analyzers.lexing`). Keywords and operators come from the grammar.

All forms are regular expressions over bytes, in the syntax of `re.VERBOSE`, with `.` for every byte and `^` at each
line. Each takes time that grows no faster than the text that it is matched against.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wherefrom.languages.nothing import Nothing, none

NUMBER = rb"""0[xX][0-9A-Fa-f_.]*+(?:[pP][+-]?[0-9]++)?[uUlLnN]*+
    | (?:(?<![\w)\]])\.)?[0-9][0-9_]*+(?:\.[0-9][0-9_]*+)?(?:[eE][+-]?[0-9]++)?[A-Za-z0-9_]*+"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexical:
    """What tokens look like where the grammar does not say.

    They are tried in the order of the fields, then the operators of the grammar, the longest first, then a word or a
    single character that is none of these.

    Attributes:
        comments: forms of comments.
        strings: forms of literals that are one token.
        numbers: forms of numbers.
        names: forms of names, keywords among them.
        reserved: words that are never names although the grammar has no fixed text for them (`u8`, `this`).
        unreserved: words of the grammar that are more often names than keywords (`type`, `data`).
        operators: forms of operators that the grammar does not list, because a program may define its own.
        code_in_strings: for each quotation mark what begins code in its strings. The code ends with the bracket that
            closes the last one of the beginning, or, without one, with the word behind it.
        members: marks before the name of a member. They count in all languages (`analyzers.representations`), so one
            that no other language has changes the terms of all, and needs a new `NORMALISER_VERSION`.
        reserved_in_fragments: as `reserved`, for `Language.fragments`.
    """

    comments: tuple[bytes, ...]
    strings: tuple[bytes, ...] | Nothing
    numbers: tuple[bytes, ...] | Nothing = (NUMBER,)
    names: tuple[bytes, ...] | Nothing
    reserved: tuple[str, ...] | Nothing = none("the grammar has a fixed text for each")
    unreserved: tuple[str, ...] | Nothing = none("no word of the grammar is a common name")
    operators: tuple[bytes, ...] | Nothing = none("the grammar lists all operators")
    code_in_strings: Mapping[bytes, tuple[bytes, ...]] = field(default_factory=dict)
    members: tuple[str, ...] | Nothing = (".",)
    reserved_in_fragments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Imports:
    """The words of declarations of imports, also in code that does not parse (`queries.preparation.imports`).

    The language of a snippet is often a guess, so a word counts in all languages whose grammars have it as a keyword.

    Attributes:
        openings: keywords with which a line begins that imports or exports something.
        packages: keywords with which a line begins that says what a file belongs to.
        inside: other keywords in such lines.
        continued: keywords whose line goes on with the next one.
        functions: words that import what the string behind them names.
        declaring: keywords before the name that takes what such a function gives.
    """

    openings: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    continued: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    declaring: tuple[str, ...] = ()


def nested(opening: bytes, closing: bytes) -> tuple[bytes, bytes]:
    """The forms of a comment between two marks that may hold another one, but not one in that; and of one whose end
    the text does not have.
    """
    inner = rb"%b(?:(?!%b).)*+%b" % (opening, closing, closing)
    return (
        rb"%b(?:(?!%b|%b).|%b)*+%b" % (opening, closing, opening, inner, closing),
        rb"%b.*?(?:%b|\Z)" % (opening, closing),
    )


C_COMMENTS = (rb"//[^\n]*+", rb"/\*.*?(?:\*/|\Z)")
NESTED_C_COMMENTS = (rb"//[^\n]*+", *nested(rb"/\*", rb"\*/"))
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

REGULAR_EXPRESSION = rb"""(?:(?<=[(,=:\[!&|?{};\n])|(?<=[(,=:\[!&|?{};]\ )|(?<=return\ ))
    /(?![/*\ ])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/[a-z]*+"""
"""One between slashes, where a division cannot be."""
