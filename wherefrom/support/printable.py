"""Makes untrusted text safe for a message, a table or a terminal."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
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
    """The text on one line. Replaces each character that a terminal would obey or not show by visible characters. A
    control character (also newline and tab) becomes its picture, such as `␀`. A byte that was not UTF-8 becomes the
    replacement character. Any other invisible or direction-changing character becomes its code point in angle brackets.
    """
    text = str(text)
    return text if text.isprintable() else "".join(map(_visible, text))


def one_line(text: str) -> str:
    """Prose on one line: visible characters only, runs of white space as one space."""
    return visible(" ".join(text.split()))


def quoted(text: str) -> str:
    """A foreign text for our messages: a line of at most `LONGEST_QUOTE` characters, without punctuation at its end."""
    return one_line(text)[:LONGEST_QUOTE].rstrip(" .,:;")
