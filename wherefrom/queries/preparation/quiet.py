"""Finds the quiet tokens of a text: imports, alphabets and counts. They are alike everywhere, so they tell nothing."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np

from wherefrom.analyzers.hashing import are_among, token_code
from wherefrom.analyzers.tokens import TokenClass, TokenStream, is_literal
from wherefrom.fitted import PATTERN
from wherefrom.languages import LANGUAGES
from wherefrom.model import Hashes
from wherefrom.queries.spans import Flags, stretches

_MOST = 1 << 10
"""A count, such as `0, 1, 2, 3`, is recognized if its numbers are below this."""


def sequences(stream: TokenStream) -> Flags:
    """Which tokens belong to a sequence of literals, such as `'a', 'b', 'c', 'd'` or `0, 1, 2, 3`, commas included, or
    to an alphabet in prose.

    A table of other numbers is not a sequence. It tells much about the origin of the code.
    """
    ordered = np.zeros(len(stream), np.bool_)
    places = np.flatnonzero(is_literal(stream.classes) | (stream.classes == TokenClass.CHARACTER))
    if len(places) < PATTERN:
        return ordered
    codes, following = _following()
    known = np.minimum(np.searchsorted(codes, stream.codes[places]), len(codes) - 1)
    is_known = codes[known] == stream.codes[places]
    # Between neighbors in a table there is at most one token, a comma.
    steps = is_known[:-1] & (following[known[:-1]] == stream.codes[places[1:]]) & (np.diff(places) <= 2)
    for first, last in stretches(steps).tolist():
        if last - first + 1 >= PATTERN:
            ordered[places[first] : places[last] + 1] = True
    return ordered


@cache
def _following() -> tuple[Hashes, Hashes]:
    """The codes of all literals and letters that a sequence may have, ascending, and the code of what follows each."""
    letters = [pair for row in (ascii_lowercase, ascii_uppercase, digits) for pair in pairwise(row)]
    # The value of a letter is stored in one of these two quotation marks, whichever marks the language has.
    pairs = [(f"{mark}{one}{mark}", f"{mark}{two}{mark}") for mark in "'\"" for one, two in letters]
    pairs += [*pairwise(ascii_lowercase), *((str(number), str(number + 1)) for number in range(_MOST))]
    codes = np.array([[token_code(one.encode()), token_code(two.encode())] for one, two in pairs], np.uint64)
    codes = codes[np.argsort(codes[:, 0])]
    return codes[:, 0].copy(), codes[:, 1].copy()


def _codes(*words: str) -> frozenset[int]:
    return frozenset(token_code(word.encode()) for word in words)


def _of_all(field: str) -> frozenset[int]:
    """The codes of the words in a field of `Imports`, of all languages: the language of a snippet is only a guess."""
    known = (language.imports for language in LANGUAGES.values() if language.imports)
    return _codes(*(word for imports in known for word in getattr(imports, field)))


_OPENINGS, _PACKAGES = _of_all("openings"), _of_all("packages")
_INSIDE = _OPENINGS | _PACKAGES | _of_all("inside") | _codes(".", ",", "*", "::", "\\", "#", "_", "=>")
_CONTINUED = _of_all("continued") | _codes(",", ".", "::", "\\")
_FUNCTIONS, _DECLARING = _of_all("functions"), _of_all("declaring")
_ASSIGNED = _DECLARING | _codes("=", "{", "}", ",", ":")
_OPENING_BRACKETS, _CLOSING_BRACKETS = _codes("(", "{"), _codes(")", "}")
_END = token_code(b";")
_ENDS = _codes(")", ";")


def declarations(stream: TokenStream) -> Flags:
    """Which tokens declare imports, or the package that the file belongs to.

    The rule is lexical, so it works in code that does not parse. A declaration begins a line with a keyword. It ends at
    a token that is not a name, a string or a mark that joins them. `require('fs')` is a declaration, too.
    """
    declared = np.zeros(len(stream), np.bool_)
    begins_line = np.ones(len(stream), np.bool_)
    begins_line[1:] = stream.start_lines[1:] != stream.end_lines[:-1]
    for begin in _places(stream, _OPENINGS | _PACKAGES):
        if begins_line[begin] and stream.classes[begin] == TokenClass.SYMBOL and not declared[begin]:
            declared[begin : _end(stream, begins_line, begin)] = True
    for at in _places(stream, _FUNCTIONS):
        declared[_required(stream, at)] = True
    return declared


def _places(stream: TokenStream, codes: frozenset[int]) -> list[int]:
    """The places of the tokens with one of these codes."""
    return np.flatnonzero(are_among(stream.codes, np.array(sorted(codes), np.uint64))).tolist()


def _end(stream: TokenStream, begins_line: Flags, begin: int) -> int:
    """The place behind the declaration that begins at a token."""
    depth = 0
    for at in range(begin, len(stream)):
        code, kind = int(stream.codes[at]), int(stream.classes[at])
        is_next_line = at > begin and begins_line[at] and not depth and int(stream.codes[at - 1]) not in _CONTINUED
        if is_next_line or kind == TokenClass.CHARACTER:
            return at
        if code in _OPENING_BRACKETS:
            depth += 1
        elif code in _CLOSING_BRACKETS:
            depth -= 1
        elif kind == TokenClass.SYMBOL and code not in _INSIDE:
            return at + (code == _END)
    return len(stream)


def _required(stream: TokenStream, at: int) -> slice:
    """The statement around a `require` of a string, such as `const fs = require('fs');`; empty if no string follows."""
    string = at + 1 + (at + 1 < len(stream) and int(stream.codes[at + 1]) in _OPENING_BRACKETS)
    if string >= len(stream) or stream.classes[string] != TokenClass.STRING:
        return slice(at, at)
    begin, end = at, string + 1
    while begin and (int(stream.codes[begin - 1]) in _ASSIGNED or stream.classes[begin - 1] == TokenClass.NAME):
        begin -= 1
        if int(stream.codes[begin]) in _DECLARING:
            break
    while end < len(stream) and int(stream.codes[end]) in _ENDS:
        end += 1
    return slice(begin, end)
