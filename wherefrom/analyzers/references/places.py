"""Finds the places of words in a text, so that slow patterns need to search only there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

ODD = "\u0130\u0131\u017f\u212a"
"""Characters beyond ASCII that match an ASCII letter in a pattern that ignores case. `str.lower` does not change two of
them and turns one into two characters. So a text with any of them is not searched in lower case.
"""


def lowered(text: str) -> str | None:
    """A text in lower case with the same positions, or None if it has a character of `ODD`."""
    is_odd = not text.isascii() and any(odd in text for odd in ODD)
    return None if is_odd else text.lower()


def places(low: str, words: Sequence[str]) -> list[int]:
    """The positions, ascending, of lower-case ASCII words in a text in lower case."""
    found = []
    for word in words:
        at = low.find(word)
        while at >= 0:
            found.append(at)
            at = low.find(word, at + len(word))
    return sorted(found)


def lines(text: str, low: str, words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The position and text, without the line feed, of each line that contains one of the lower-case words.

    `low` is the text in lower case (`lowered`).
    """
    ends: dict[int, int] = {}
    for word in words:
        at = low.find(word)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            ends[text.rfind("\n", 0, at) + 1] = end
            at = low.find(word, end)
    for begin in sorted(ends):
        yield begin, text[begin : ends[begin]]
