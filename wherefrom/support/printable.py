"""Text that nobody vouches for, made fit for a message, a table or a terminal."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_QUOTE = 300


@lru_cache(maxsize=4096)
def _visible(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xDC80 <= code <= 0xDCFF:
        return "\N{REPLACEMENT CHARACTER}"
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return f"<U+{code:04X}>"


def visible(text: str | Path) -> str:
    """The text with every character that a terminal would act on, or not show, replaced by one that is seen.

    Control characters become their pictures (newline and tab too), bytes that were no UTF-8 the replacement character,
    every other invisible or direction-changing character its code point in angle brackets. So it is one line, too.
    """
    text = str(text)
    return text if text.isprintable() else "".join(map(_visible, text))


def one_line(text: str) -> str:
    """Prose on one line: visible characters only, runs of white space as one space."""
    return visible(" ".join(text.split()))


def quoted(text: str) -> str:
    """What a library or a server says, for a message of ours that goes on behind it: one line of at most
    `LONGEST_QUOTE` characters that does not end with punctuation.
    """
    return one_line(text)[:LONGEST_QUOTE].rstrip(" .,:;")
