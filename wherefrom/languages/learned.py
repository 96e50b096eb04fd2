"""The learned weights by which the language of a text is guessed, in `data/marks.txt`: for each mark (see
`analyzers.guessing.marks`) how strongly it speaks for or against each language.

`python -m benchmarks.guessing FOLDER --learn` writes that file. It fits a multinomial logistic regression on the square
roots of the counts, over fragments of 6 to 40 lines and pieces of 1 to 5 lines of public clones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pkgutil import get_data
from typing import TypeAlias

MOST = 9  # the largest count of a mark in one text; higher counts are cut to it
SCALE, STRONGEST = 8, 12  # a weight of 1 adds 1 / SCALE to the logarithm of the odds; they are at most STRONGEST
_ZERO = ord("m")  # the letter of weight 0: `n` to `y` are weights 1 to 12, `l` to `a` are weights -1 to -12
_WEIGHTS = bytes((code - _ZERO) % 256 for code in range(256))  # for each letter its weight as a signed byte

Table: TypeAlias = tuple[tuple[str, ...], Mapping[str, Sequence[int]]]
"""The languages, and for each mark its weights in the order of the languages."""


def read() -> str:
    """The text of `data/marks.txt`."""
    return (get_data("wherefrom.languages", "data/marks.txt") or b"").decode("ascii")


def loads(text: str) -> Table:
    """Parses a text that `dumps` wrote."""
    languages, *lines = (line for line in text.splitlines() if not line.startswith("# "))
    rows = (line.split(" ", 1) for line in lines)
    table = {mark: memoryview(letters.encode().translate(_WEIGHTS)).cast("b") for letters, mark in rows}
    return tuple(languages.split()), table


def dumps(table: Table, comment: str) -> str:
    """The text of the file: the comment (lines beginning with `# `), a line of languages, then a line for each mark."""
    languages, rows = table
    lines = (f"{''.join(chr(_ZERO + weight) for weight in row)} {mark}\n" for mark, row in rows.items())
    return f"{comment}{' '.join(languages)}\n{''.join(lines)}"
