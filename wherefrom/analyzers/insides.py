"""Reads the text inside long literals and comments: docstrings, heredocs, queries, shaders, word lists, notes.

A literal is one token and a comment none, so that code is found whatever its literals and comments are. What is inside
is read as prose, letter by letter. It is kept behind all tokens of the file, so that it is not between any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.textual import characters
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.fitted import MANY

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
    """The letters and digits inside of each literal and comment that has `MANY` words. Comments on neighboring lines
    are one text, and so are strings that are joined, and the pieces of a string with code between them.
    """
    which = parsed.classes == TokenClass.STRING
    strings = zip(parsed.starts[which].tolist(), parsed.ends[which].tolist(), strict=True)
    comments = _joined(text, sorted(parsed.comments), _are_neighbors)
    spans = [*(span for span in comments if not _is_notice(text, *span)), *_joined(text, strings, _are_one)]
    reached = 0
    for start, end in sorted(spans):
        if start >= reached and end - start >= 2 * MANY:
            reached = end
            letters = characters(text[start:end])
            begins = np.flatnonzero(np.append(-1, letters.ends[:-1]) != letters.starts)
            lengths = np.diff(begins, append=len(letters.starts))
            found = letters.only(np.repeat(lengths <= LONGEST, lengths))
            if (words := np.count_nonzero(lengths <= LONGEST)) >= MANY and len(found.starts) <= AVERAGE * words:
                yield replace(found, starts=found.starts + start, ends=found.ends + start)


def _joined(text: bytes, spans: Iterable[tuple[int, int]], is_one: Callable[[bytes], bool]) -> list[tuple[int, int]]:
    """Joins ascending spans that overlap, or are one text, as the bytes between them tell."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and (start <= found[-1][1] or is_one(text[found[-1][1] : start])):
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _are_neighbors(between: bytes) -> bool:
    return not between.strip(_BLANKS) and between.count(b"\n") <= 1


def _are_one(between: bytes) -> bool:
    code = between.strip(_BLANKS)
    return (code in JOINING and between.count(b"\n") <= 1) or (code.startswith(OPENING) and b"\n" not in code)


def _is_notice(text: bytes, start: int, end: int) -> bool:
    return start < HEAD and any(word in text[start:end].lower() for word in NOTICES)
