"""The tokens of the `text` representation: each letter or digit of a text, in lower case."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.positions import code_points
from wherefrom.analyzers.tokens import TokenClass

_NONE = np.uint64(2**64 - 1)
"""The code of characters that are not tokens; token codes have fewer than 64 bits."""


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


PAGE = 256
"""The codes of characters are computed in pages of this many characters."""


@cache
def page(number: int) -> NDArray[np.uint64]:
    """The codes of the `PAGE` characters from `number * PAGE` on; 2^64 - 1 for those that are not tokens."""
    return np.array([_code(point) for point in range(number * PAGE, (number + 1) * PAGE)], np.uint64)


@cache
def _code(point: int) -> int:
    character = chr(point)
    return token_code(character.lower().encode()) if character.isalnum() else int(_NONE)
