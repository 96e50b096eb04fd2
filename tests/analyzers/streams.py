"""Token streams made by hand, for tests that need only tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.parsing import literal_code
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.languages import LANGUAGES
from wherefrom.queries.preparation.background import Ways

Token: TypeAlias = tuple[bytes, int]

CLASS_NAMES = ("symbol", "name", "string", "number", "character")

MEMBER_MARKS = frozenset((b".", b"->", b"::", b"?.", b"?->", b"&.", b"!!."))
KEYWORDS = frozenset(["def", "for", "if", "in", "return", "while"])


def code_of(text: bytes, kind: int, language: str) -> int | None:
    """The code of the token that these bytes are, or None if they are not a token."""
    if kind == TokenClass.CHARACTER:
        return token_code(text.lower())
    if kind in (TokenClass.STRING, TokenClass.NUMBER):
        return literal_code(text, None if kind == TokenClass.NUMBER else LANGUAGES[language].spelling)
    return token_code(text)


def words(text: str) -> list[Token]:
    """Tokens written with blanks between them: names, "strings", numbers, keywords and marks."""
    return [(word.encode(), _class(word)) for word in text.split()]


def _class(word: str) -> int:
    if word[0] == '"':
        return TokenClass.STRING
    if word[0].isdigit():
        return TokenClass.NUMBER
    return TokenClass.NAME if word.isidentifier() and word not in KEYWORDS else TokenClass.SYMBOL


def marks(begin: int, end: int) -> list[Token]:
    """Tokens that all differ in every representation."""
    return words(" ".join(f"@{at}" for at in range(begin, end)))


def is_kept(segment: Sequence[Token], at: int) -> bool:
    """Whether `renamed` keeps a name: after a member mark or directly before an opening parenthesis."""
    after_mark = at > 0 and segment[at - 1][0] in MEMBER_MARKS
    return after_mark or (at + 1 < len(segment) and segment[at + 1][0] == b"(")


def letters(text: str) -> list[Token]:
    """The tokens of prose: its letters and digits."""
    return [(letter.encode(), TokenClass.CHARACTER) for letter in text if letter.isalnum()]


def stream(*segments: Sequence[Token]) -> TokenStream:
    """The stream of segments; each is one line, with a blank between two tokens."""
    tokens = [token for segment in segments for token in segment]
    lengths = np.array([len(symbol) for symbol, _ in tokens], np.int64)
    ends = np.cumsum(lengths + 1) - 1
    sizes = np.array([len(segment) for segment in segments], np.int64)
    lines = np.repeat(np.arange(1, len(segments) + 1), sizes)
    return TokenStream(
        codes=np.array([token_code(symbol) for symbol, _ in tokens], np.uint64),
        classes=np.array([kind for _, kind in tokens], np.uint8),
        starts=ends - lengths,
        ends=ends,
        start_lines=lines,
        end_lines=lines,
        segments=np.cumsum(sizes) - sizes,
        languages=("python",) * len(segments),
    )


def source(*segments: Sequence[Token]) -> bytes:
    """The text of the positions that `stream` makes."""
    lines = [b" ".join(symbol for symbol, _ in segment) for segment in segments if segment]
    return b"\n".join(lines)


def part_of(ways: Ways, begin: int, end: int) -> Ways:
    """Some tokens of a text, with the ranks that names have in the whole text."""
    codes, skeleton, ranked = (column[begin:end] for column in ways[:3])
    return Ways(codes, skeleton, ranked, ways.ranks[begin:end])
