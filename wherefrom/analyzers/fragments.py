"""What a parser gets wrong where a fragment begins or ends amid a statement.

At that place its grammar has no use for a reserved word, an operator or a string, so it takes the word for a name and
the others apart. What is indexed are whole files, in which they are right, so a fragment would not be found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.parsing import Parsed, lexed
from wherefrom.analyzers.representations import MEMBER_MARKS
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.languages import LANGUAGES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_C = """
auto bool break case char const continue default do double else enum extern float for goto if inline int long register
return short signed size_t sizeof static struct switch typedef uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t
int64_t union unsigned void volatile while
"""
_CPP = f"{_C} catch class constexpr delete explicit friend mutable namespace new operator private protected \
public template this throw try typename using virtual"
_JAVA = """
abstract assert boolean break byte case catch char class const continue default do double else enum extends
final finally float for goto if implements import instanceof int interface long native new package private
protected public return short static strictfp super switch synchronized this throw throws transient try void
volatile while
"""
_JAVASCRIPT = """
break case catch class const continue debugger default delete do else export extends finally for function if import in
instanceof new return super switch this throw try typeof var void while with
"""
_PYTHON = """
and as assert async await break class continue def del elif else except finally for from global if import in is lambda
nonlocal not or pass raise return try while with yield
"""

_RESERVED = {
    language: np.sort(np.array([token_code(word.encode()) for word in words.split()], np.uint64))
    for language, words in {
        "c": _C,
        "cpp": _CPP,
        "java": _JAVA,
        "javascript": _JAVASCRIPT,
        "typescript": _JAVASCRIPT,
        "tsx": _JAVASCRIPT,
        "python": _PYTHON,
    }.items()
}
"""Token codes of the words that are never names, ascending."""

_ASSIGNMENTS = "+=", "-=", "*=", "<=", ">="
_OPERATORS = (*_ASSIGNMENTS, "&&", "||", "++", "--")
_TYPED = tuple(operator for operator in _OPERATORS if operator != ">=")  # `let all:Array<A>=[]`
_JOINED = {
    "c": ("->", "==", "!=", *_OPERATORS),
    "cpp": ("->", "::", "==", "!=", *_OPERATORS),
    "python": ("->", "**", "==", "!=", *_ASSIGNMENTS),
    "java": ("->", "==", "!=", *_OPERATORS),
    "javascript": ("=>", *_OPERATORS),
    "typescript": ("=>", *_TYPED),
    "tsx": ("=>", *_TYPED),
}
"""Operators of two characters that are nothing else where the two are beside each other."""

_LEXED = ("c", "cpp", "java")
"""Languages in which a quote is never a token, so that one tells that strings were taken apart."""
_QUOTE = np.uint64(token_code(b'"'))

MOST_BYTES = 4_000
"""A longer text is left as it is: what does not parse in it is likelier to be as it is in an indexed file."""


def repaired(language: str, text: bytes, parsed: Parsed) -> Parsed:
    """The tokens of a fragment with its reserved words and operators as they are in a file that parses.

    Args:
        language: of the fragment.
        text: the fragment.
        parsed: its tokens, some of which may be under ERROR nodes.
    """
    reserved = _RESERVED.get(language)
    if reserved is None or not len(parsed.codes) or len(text) > MOST_BYTES:
        return parsed
    if not parsed.errors:
        # It may end with a reserved word that the grammar takes for a name without an error, such as `await`.
        return _with_reserved(parsed, reserved, len(parsed.codes) - 1)
    if language in _LEXED and np.any(parsed.codes == _QUOTE):
        begin, end = int(parsed.starts[0]), int(parsed.ends[-1])
        found = lexed(LANGUAGES[language], text[begin:end])
        parsed = replace(found, starts=found.starts + begin, ends=found.ends + begin, errors=parsed.errors)
    parsed = _with_reserved(parsed, reserved, 0)
    for operator in _JOINED.get(language, ()):
        parsed = _joined(operator.encode(), text, parsed)
    return parsed


def _with_reserved(parsed: Parsed, reserved: NDArray[np.uint64], begin: int) -> Parsed:
    """The tokens, of which the reserved words from the token `begin` on are symbols and not names."""
    is_word = (parsed.classes == TokenClass.NAME) & np.isin(parsed.codes, reserved)
    # `promise.catch` is a name.
    is_word[1:] &= ~np.isin(parsed.codes[:-1], np.array(MEMBER_MARKS, np.uint64))
    is_word[:begin] = False
    return replace(parsed, classes=np.where(is_word, np.uint8(TokenClass.SYMBOL), parsed.classes))


def _joined(operator: bytes, text: bytes, parsed: Parsed) -> Parsed:
    """The tokens with every pair that is together this operator as one."""
    if operator not in text:
        return parsed
    first, second = (np.uint64(token_code(operator[at : at + 1])) for at in range(2))
    pairs: NDArray[np.bool_] = (parsed.codes[:-1] == first) & (parsed.codes[1:] == second)
    pairs &= parsed.ends[:-1] == parsed.starts[1:]
    begins = np.flatnonzero(pairs)
    # Of three in a row the first two are one.
    begins = begins[np.diff(begins, prepend=-2) > 1]
    if not len(begins):
        return parsed
    ends, codes = parsed.ends.copy(), parsed.codes.copy()
    ends[begins], codes[begins] = parsed.ends[begins + 1], token_code(operator)
    kept = np.ones(len(codes), np.bool_)
    kept[begins + 1] = False
    return replace(parsed, starts=parsed.starts[kept], ends=ends[kept], classes=parsed.classes[kept], codes=codes[kept])
