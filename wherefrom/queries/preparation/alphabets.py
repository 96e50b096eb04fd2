"""Alphabets and counts: lists of literals of which each is the one after the last, which are alike everywhere."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.fitted import PATTERN
from wherefrom.model import Hashes
from wherefrom.queries.spans import stretches

_MOST = 1 << 10
"""Numbers of which the next one is known."""


def sequences(stream: TokenStream) -> NDArray[np.bool_]:
    """Which tokens belong to a sequence of literals, with what is between them: `'a', 'b', 'c', 'd'`, `0, 1, 2, 3`.

    A table of other numbers is not one: it says much, however short they are.
    """
    ordered = np.zeros(len(stream), np.bool_)
    places = np.flatnonzero((stream.classes == TokenClass.STRING) | (stream.classes == TokenClass.NUMBER))
    if len(places) < PATTERN:
        return ordered
    codes, following = _following()
    known = np.minimum(np.searchsorted(codes, stream.codes[places]), len(codes) - 1)
    is_known = codes[known] == stream.codes[places]
    # At most one token is between two neighbors: a comma.
    steps = is_known[:-1] & (following[known[:-1]] == stream.codes[places[1:]]) & (np.diff(places) <= 2)
    for first, last in stretches(steps).tolist():
        if last - first + 1 >= PATTERN:
            ordered[places[first] : places[last] + 1] = True
    return ordered


@cache
def _following() -> tuple[Hashes, Hashes]:
    """The codes of literals, ascending, and of the literal after each."""
    # Whatever quotation marks a language has, the value of a letter is stored in one of these two.
    pairs = [(f"{mark}{one}{mark}", f"{mark}{two}{mark}") for mark in "'\"" for one, two in _letters()]
    pairs += [(str(number), str(number + 1)) for number in range(_MOST)]
    codes = np.array([[token_code(one.encode()), token_code(two.encode())] for one, two in pairs], np.uint64)
    codes = codes[np.argsort(codes[:, 0])]
    return codes[:, 0].copy(), codes[:, 1].copy()


def _letters() -> list[tuple[str, str]]:
    """A letter or digit and the one after it."""
    return [pair for row in (ascii_lowercase, ascii_uppercase, digits) for pair in pairwise(row)]
