"""Text to tokens by the lexical forms of its language alone, for what its grammar cannot parse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from wherefrom.analyzers.parsing import Parsed, coded, load
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.languages import Language

_COMMENT = -1
_CLASSES = {
    "comment": _COMMENT,
    "string": int(TokenClass.STRING),
    "number": int(TokenClass.NUMBER),
    "name": int(TokenClass.NAME),
    "symbol": int(TokenClass.SYMBOL),
    "rest": int(TokenClass.SYMBOL),
}

_WORD = re.compile(rb"\w+")
_NO_OPERATOR = re.compile(rb"""^["'`]|["'`]$|[(\[{].*[)\]}]""")
"""What a quote begins is a part of a string, and two brackets (`operator()`) are two tokens nearly everywhere."""

_MEMBER = (b".", b"?.", b"->")


@dataclass(frozen=True, slots=True)
class Lexer:
    """What splits text in one language.

    Attributes:
        pattern: matches white space with the token or comment that follows it, which is in the group of its kind.
        keywords: the words that are never names, but after the mark of a member.
    """

    pattern: re.Pattern[bytes]
    keywords: frozenset[bytes]

    def split(self, text: bytes) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
        """The tokens of a text (start, end, `TokenClass`) and its comments (start, end), in order."""
        tokens, comments = [], []
        before = b""
        for match in self.pattern.finditer(text):
            kind = match.lastgroup
            if kind is None:  # only white space was left
                continue
            start, end = match.span(kind)
            if kind == "comment":
                comments.append((start, end))
                continue
            word = text[start:end]
            if kind == "name" and word in self.keywords and before not in _MEMBER:
                kind = "symbol"
            tokens.append((start, end, _CLASSES[kind]))
            before = word
        return tokens, comments


@cache
def lexer(language: Language) -> Lexer:
    """What splits text in a language with a grammar.

    Raises:
        GrammarError: as `parsing.parse`.
    """
    forms = language.lexical
    assert forms, "only a language with a grammar is split"
    symbols = load(language).symbols
    words = frozenset(symbol for symbol in symbols if _WORD.fullmatch(symbol))
    operators = [symbol for symbol in symbols - words if not _NO_OPERATOR.search(symbol)]
    operators.sort(key=lambda symbol: (-len(symbol), symbol))
    exact = [(rb"(?<!\w)" if _WORD.match(symbol) else b"") + re.escape(symbol) for symbol in operators]
    kinds = {
        "comment": forms.comments,
        "string": forms.strings,
        "number": forms.numbers,
        "name": forms.names,
        "symbol": (*forms.operators, *exact),
        "rest": (rb"[\w\x80-\xff]++", rb"."),
    }
    groups = [b"(?P<%s>%s)" % (kind.encode(), b"|".join(each)) for kind, each in kinds.items() if each]
    pattern = rb"[\x00-\x20\\]*+(?:" + b"|".join(groups) + rb"|\Z)"
    reserved = words - {word.encode() for word in forms.unreserved} | {word.encode() for word in forms.reserved}
    return Lexer(re.compile(pattern, re.VERBOSE | re.DOTALL | re.MULTILINE), reserved)


def lexed(language: Language, text: bytes) -> Parsed:
    """The tokens of a text by the lexical forms of its language, whatever its grammar makes of it.

    Args:
        language: with a grammar.
        text: UTF-8.

    Raises:
        GrammarError: as `parsing.parse`.
    """
    return coded(text, *lexer(language).split(text))
