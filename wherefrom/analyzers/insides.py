"""Reads prose, letter by letter, and the text inside long literals and comments: docstrings, queries, notes.

A literal is one token and a comment none, so that code is found whatever its literals and comments are. What is inside
is read as prose, letter by letter. It is kept behind all tokens of the file, so that it is not between any of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.fitted import PROSE_WORDS
from wherefrom.support.positions import code_points, joined_spans

_NONE = np.uint64(2**64 - 1)  # the code of characters that are not tokens; token codes have fewer than 64 bits


def characters(text: bytes) -> Parsed:
    """Lists the letters and digits of a text, in all scripts.

    The code of a character is the token code of its lower case in UTF-8, so that case never matters. Other characters,
    and bytes that are not UTF-8, are left out.
    """
    if text.isascii():
        starts = np.arange(len(text))
        codes = page(0)[np.frombuffer(text, np.uint8)]
        widths = np.ones(len(text), np.int64)
    else:
        points, widths = code_points(text)
        starts = np.cumsum(widths) - widths
        distinct, where = np.unique(points, return_inverse=True)
        codes = np.array([_code(point) for point in distinct.tolist()], np.uint64)[where]
    kept = np.flatnonzero(codes != _NONE)
    starts = starts[kept]
    return Parsed(
        starts=starts,
        ends=starts + widths[kept],
        classes=np.full(len(kept), TokenClass.CHARACTER, np.uint8),
        comments=(),
        errors=0,
        codes=codes[kept],
    )


PAGE = 256  # the codes of characters are computed in pages of this many characters


@cache
def page(number: int) -> NDArray[np.uint64]:
    """The codes of the `PAGE` characters from `number * PAGE` on; 2^64 - 1 for those that are not tokens."""
    return np.array([_code(point) for point in range(number * PAGE, (number + 1) * PAGE)], np.uint64)


@cache
def _code(point: int) -> int:
    character = chr(point)
    return token_code(character.lower().encode()) if character.isalnum() else int(_NONE)


LONGEST, AVERAGE = 64, 16
"""A word has at most `LONGEST` letters; a longer one is data and left out. The words of a text have at most `AVERAGE`
letters on average: those of prose and code have 4 to 6, rows of base64 and of hexadecimal digits more than 20, and
texts without blanks between words (Chinese) about 10."""

JOINING, OPENING = (b"", b"+", b".", b".."), (b"$", b"{", b"#{", b"\\")
"""What is between two strings that are one text, and what code between two pieces of a string begins with."""

HEAD, NOTICES = 100, (b"license", b"licence", b"copyright")
"""A comment that begins in the first `HEAD` bytes and has one of these words is a notice, which many files have."""

_BLANKS = bytes(range(0x21))


def insides(text: bytes, parsed: Parsed) -> Iterator[Parsed]:
    """The letters and digits inside of each literal and comment of `PROSE_WORDS` words. Comments on neighboring lines
    are one text, and so are strings that are joined, and the pieces of a string with code between them.
    """
    which = parsed.classes == TokenClass.STRING
    strings = zip(parsed.starts[which].tolist(), parsed.ends[which].tolist(), strict=True)
    comments = joined_spans(text, sorted(parsed.comments), _are_neighbors)
    spans = [*(span for span in comments if not _is_notice(text, *span)), *joined_spans(text, strings, _are_one)]
    reached = 0
    for start, end in sorted(spans):
        if start >= reached and end - start >= 2 * PROSE_WORDS:
            reached = end
            letters = characters(text[start:end])
            begins = np.flatnonzero(np.append(-1, letters.ends[:-1]) != letters.starts)
            lengths = np.diff(begins, append=len(letters.starts))
            found = letters.only(np.repeat(lengths <= LONGEST, lengths))
            if (words := np.count_nonzero(lengths <= LONGEST)) >= PROSE_WORDS and len(found.starts) <= AVERAGE * words:
                yield replace(found, starts=found.starts + start, ends=found.ends + start)


def _are_neighbors(between: bytes) -> bool:
    return not between.strip(_BLANKS) and between.count(b"\n") <= 1


def _are_one(between: bytes) -> bool:
    code = between.strip(_BLANKS)
    return (code in JOINING and between.count(b"\n") <= 1) or (code.startswith(OPENING) and b"\n" not in code)


def _is_notice(text: bytes, start: int, end: int) -> bool:
    return start < HEAD and any(word in text[start:end].lower() for word in NOTICES)
