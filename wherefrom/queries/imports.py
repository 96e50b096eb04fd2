"""Which tokens of a text declare imports: lists of them look alike wherever names do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.tokens import TokenClass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wherefrom.analyzers.tokens import TokenStream


def _codes(*words: bytes) -> NDArray[np.uint64]:
    return np.array([token_code(word) for word in words], np.uint64)


_OPENINGS = _codes(b"import", b"from", b"using", b"use", b"include", b"export", b"pub")
"""Keywords with which a line begins that imports something."""

_PACKAGE = _codes(b"package")
"""The keyword with which a line begins that says what a file belongs to."""

_INSIDE = frozenset(
    _codes(
        *(b"import", b"from", b"package", b"using", b"use", b"include", b"export", b"pub", b"static", b"namespace"),
        *(b"as", b"type", b".", b",", b"*", b"::", b"\\", b"#", b"_", b"=>"),
    ).tolist()
)
_OPENING_BRACKETS, _CLOSING_BRACKETS = (frozenset(_codes(*marks).tolist()) for marks in ((b"(", b"{"), (b")", b"}")))
_CONTINUED = frozenset(_codes(b",", b".", b"::", b"\\", b"import", b"from").tolist())
_END = token_code(b";")
_ASSIGNED = frozenset(_codes(b"const", b"let", b"var", b"=", b"{", b"}", b",", b":").tolist())
_DECLARING = frozenset(_codes(b"const", b"let", b"var").tolist())
_ENDS = frozenset(_codes(b")", b";").tolist())
_REQUIRES = _codes(b"require", b"require_relative", b"require_once", b"include_once", b"source")


def import_declarations(stream: TokenStream, *, packages: bool = True) -> NDArray[np.bool_]:
    """Which tokens belong to a declaration of imports, or, with `packages`, of a package.

    The rule is lexical, so that it holds in code that does not parse: a line that begins with such a keyword, as far as
    nothing is in it but names, strings and what joins them; and a line with nothing but `require` of a string.
    """
    declared = np.zeros(len(stream), np.bool_)
    begins_line = np.ones(len(stream), np.bool_)
    begins_line[1:] = stream.start_lines[1:] != stream.end_lines[:-1]
    is_symbol = stream.classes == TokenClass.SYMBOL
    openings = np.concatenate((_OPENINGS, _PACKAGE)) if packages else _OPENINGS
    for begin in np.flatnonzero(begins_line & is_symbol & np.isin(stream.codes, openings)).tolist():
        if not declared[begin]:
            declared[begin : _end(stream, begins_line, begin)] = True
    for at in np.flatnonzero(np.isin(stream.codes, _REQUIRES)).tolist():
        declared[_required(stream, at)] = True
    return declared


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
