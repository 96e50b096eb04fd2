"""What marks (see `analyzers.language_marks`) say for and against each language: learned, and kept in `data/marks.txt`.

`python -m benchmarks.guessing FOLDER --learn` writes that file: multinomial logistic regression on the square roots of
the counts, over fragments of 6 to 40 lines and pieces of 1 to 5 lines of public clones.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import TypeAlias

MOST = 9
"""Times that a mark counts at most."""

SCALE, STRONGEST = 8, 12
"""A weight of 1 is 1 / SCALE of a logarithm of odds, and the strongest is STRONGEST, for or against."""

_ZERO = ord("m")
"""A weight is a letter: `m` says nothing, `n` to `y` speak for the language, `l` to `a` against it."""


Table: TypeAlias = tuple[tuple[str, ...], Mapping[str, tuple[int, ...]]]
"""The languages, and for each mark a weight for each of them."""


def read() -> str:
    """The text of the file."""
    return files("wherefrom.languages").joinpath("data", "marks.txt").read_text(encoding="ascii")


def loads(text: str) -> Table:
    """Reads what `dumps` wrote."""
    languages, *lines = (line for line in text.splitlines() if not line.startswith("# "))
    rows = (line.split(" ", 1) for line in lines)
    return tuple(languages.split()), {mark: tuple(ord(letter) - _ZERO for letter in letters) for letters, mark in rows}


def dumps(table: Table, comment: str) -> str:
    """The weights as the text of the file: the lines of the comment, the languages, then a line for each mark.

    Args:
        table: what to write.
        comment: lines that begin with `# `, with their line feeds.
    """
    languages, rows = table
    lines = (f"{''.join(chr(_ZERO + weight) for weight in row)} {mark}\n" for mark, row in rows.items())
    return f"{comment}{' '.join(languages)}\n{''.join(lines)}"
