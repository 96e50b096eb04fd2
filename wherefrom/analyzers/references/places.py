"""Where words are in a text, so that slow patterns look only there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

ODD = "\u0130\u0131\u017f\u212a"
"""The characters beyond ASCII that a pattern takes for a letter of ASCII where it ignores the case. Of them `lower`
leaves two as they are, and makes two characters of one.
"""


def lowered(text: str) -> str | None:
    """A text in lower case, character by character; None where it holds one of `ODD`."""
    is_odd = not text.isascii() and any(odd in text for odd in ODD)
    return None if is_odd else text.lower()


def places(low: str, words: Sequence[str]) -> list[int]:
    """Where words of lower-case ASCII begin in a text in lower case, ascending."""
    found = []
    for word in words:
        at = low.find(word)
        while at >= 0:
            found.append(at)
            at = low.find(word, at + len(word))
    return sorted(found)


def lines(text: str, low: str, words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines with one of the words: where each begins in the text, and the line without its end.

    Args:
        text: of any length; a line ends at a line feed.
        low: the same in lower case (`lowered`).
        words: without a line feed, in lower case.
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
