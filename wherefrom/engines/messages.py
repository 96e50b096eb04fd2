"""What a library or server says, made fit for one line of ours."""

from __future__ import annotations

LONGEST = 300
"""Characters that are quoted at most."""


def one_line(text: str) -> str:
    """The text without control characters and line ends, cut short."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:LONGEST]
