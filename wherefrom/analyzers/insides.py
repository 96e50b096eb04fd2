"""Reads what stands inside of long literals and comments: docstrings, heredocs, queries, shaders, word lists, notes.

A literal is one token and a comment none, so that code is found whatever its literals and comments are. What is inside
is read as prose, letter by letter. It is kept behind all tokens of the file, so that it is not between any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.textual import characters
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.fitted import MANY

LETTERS = 16
"""A text has at most this many letters for each word. Words of prose and code have 4 to 6, rows of hexadecimal digits
and of base64 more than 20, texts without blanks between words (Chinese) about 10."""

HEAD, NOTICES = 100, (b"license", b"licence", b"copyright")
"""A comment that begins in the first `HEAD` bytes and has one of these words is a notice, which many files have."""

_LAST_BLANK = 0x20
_BLANKS = bytes(range(_LAST_BLANK + 1))


def insides(text: bytes, parsed: Parsed) -> Iterator[Parsed]:
    """The letters and digits inside of each literal and comment that has `MANY` words. Comments on neighboring lines
    are one text, and so are the pieces of a string with code between them.
    """
    reached = 0
    for start, end in sorted([*_comments(text, parsed.comments), *_strings(text, parsed)]):
        if start >= reached and end - start >= 2 * MANY:
            reached = end
            found = characters(text[start:end])
            words = min(len(found.starts), 1) + int(np.count_nonzero(found.starts[1:] != found.ends[:-1]))
            if words >= MANY and len(found.starts) <= LETTERS * words:
                yield replace(found, starts=found.starts + start, ends=found.ends + start)


def _comments(text: bytes, comments: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(comments):
        before = joined[-1][1] if joined else -1
        between = text[before:start]
        if before >= 0 and (start <= before or (not between.strip(_BLANKS) and between.count(b"\n") <= 1)):
            joined[-1] = (joined[-1][0], max(before, end))
        else:
            joined.append((start, end))
    for start, end in joined:
        low = text[start:end].lower() if start < HEAD else b""
        if not any(word in low for word in NOTICES):
            yield start, end


def _strings(text: bytes, parsed: Parsed) -> list[tuple[int, int]]:
    """The strings. Two on one line are pieces of one text if at least one of them has several lines."""
    joined: list[tuple[int, int]] = []
    is_long = False
    which = parsed.classes == TokenClass.STRING
    for start, end in zip(parsed.starts[which].tolist(), parsed.ends[which].tolist(), strict=True):
        was_long, is_long = is_long, b"\n" in text[start:end]
        if (was_long or is_long) and joined and b"\n" not in text[joined[-1][1] : start]:
            joined[-1], is_long = (joined[-1][0], end), True
        else:
            joined.append((start, end))
    return joined
