"""Which tokens of a text declare imports: lists of them look alike wherever names do not count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.languages import LANGUAGES


def _codes(*words: str) -> frozenset[int]:
    return frozenset(token_code(word.encode()) for word in words)


def _of_all(field: str) -> frozenset[int]:
    """The codes of the words that all languages have in a field of `Imports`: which one a snippet is in is a guess."""
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


def declarations(stream: TokenStream) -> NDArray[np.bool_]:
    """Which tokens declare imports, or what the file belongs to.

    The rule is lexical, so that it holds in code that does not parse: a line that begins with such a keyword, as far as
    nothing is in it but names, strings and what joins them; and a line with nothing but `require` of a string.
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
    """The tokens with one of these codes."""
    found: list[int] = np.flatnonzero(np.isin(stream.codes, np.array([*codes], np.uint64))).tolist()
    return found


def _end(stream: TokenStream, begins_line: NDArray[np.bool_], begin: int) -> int:
    """Behind the last token of the declaration that begins at this one."""
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
    """The statement of a `require` of a string, as `const fs = require('fs');`; empty where it requires none."""
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
