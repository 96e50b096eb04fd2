"""What of a query says something: its patterns and its literals, and how many of them a document shares.

A pattern is a k-gram in which all names are alike and all literals are; each counts once, however often it occurs. What
everyone writes has none (`queries.preparation.common_code`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.representations import kgrams, skeletons
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import NumberedSymbols, TokenClass, TokenStream, is_literal
from wherefrom.fitted import CHARACTERS, PATTERN, SHORT_RUN
from wherefrom.model import Hashes, Representation
from wherefrom.queries.alignment.runs import Run
from wherefrom.queries.preparation.common_code import common_tokens
from wherefrom.queries.spans import number_inside

LITERAL = SHORT_RUN * CHARACTERS
"""Letters of prose that count as a literal."""


class Patterns:
    """The patterns and literals of a query, of which the `quiet` tokens say nothing: boilerplate, imports, alphabets
    and counts.

    Attributes:
        unit: tokens that count as one, and so do their patterns: 8 letters of prose.
    """

    def __init__(self, stream: TokenStream, quiet: NDArray[np.bool_]) -> None:
        is_prose = bool(len(stream)) and bool(np.all(stream.classes == TokenClass.CHARACTER))
        if is_prose:
            grams = kgrams(stream, Representation.TEXT, SCHEMES[Representation.TEXT].k)
        else:
            numbers = np.arange(len(stream), dtype=np.uint32)
            grams = skeletons(NumberedSymbols(stream.codes, stream.classes, numbers, stream.segments), PATTERN)
        self._k = grams.k
        self.unit = CHARACTERS if is_prose else 1
        self._is_prose = is_prose
        # Nobody's patterns are those that everyone writes, but where nothing else is said they are what is looked up. A
        # literal among them may be somebody's.
        loud = number_inside(quiet | common_tokens(stream), grams.positions, grams.k) == 0
        if not loud.any():
            loud = number_inside(quiet, grams.positions, grams.k) == 0
        self._codes = stream.codes
        self._patterns = _numbered(grams.hashes[loud], grams.positions[loud], len(stream))
        # Every program has a 0 and a 1.
        literals = np.flatnonzero(is_literal(stream.classes) & (stream.ends - stream.starts > 1) & ~quiet)
        self._literals = _numbered(stream.codes[literals], literals, len(stream))

    def among(self, begin: int, which: NDArray[np.bool_]) -> tuple[int, int]:
        """How many different patterns, and literals of more than one character, have the tokens `which` of a window
        from `begin` on.
        """
        span = slice(begin, begin + len(which))
        # A pattern is one of the tokens if all of it is.
        whole = number_inside(~which, np.arange(len(which) - self._k + 1), self._k) == 0
        patterns = _different(self._patterns[begin : begin + len(whole)][whole])
        if self._is_prose:
            return patterns // self.unit, int(np.count_nonzero(which)) // LITERAL
        return patterns // self.unit, _different(self._literals[span][which])

    def shared(self, runs: Iterable[Run]) -> int:
        """How many different patterns are in some runs."""
        found = [self._patterns[run.begin : max(run.begin, run.end - self._k + 1)] for run in runs]
        return _different(np.concatenate(found)) // self.unit if found else 0

    def in_place(self, document: TokenStream, runs: Iterable[Run]) -> int:
        """How many different literals of more than one character are the same in the same place of some runs."""
        if self._is_prose:
            return sum(run.end - run.begin for run in runs) // LITERAL
        is_same = np.zeros(len(self._codes), np.bool_)
        for run in runs:
            theirs = document.codes[run.begin + run.shift : run.end + run.shift]
            is_same[run.begin : run.end] |= self._codes[run.begin : run.end] == theirs
        return _different(self._literals[is_same])


def _numbered(hashes: Hashes, places: NDArray[np.int64], tokens: int) -> NDArray[np.int64]:
    """For each token the number of the hash at it, equal ones having the same; 0 where there is none."""
    numbers = np.zeros(tokens, np.int64)
    numbers[places] = np.unique(hashes, return_inverse=True)[1] + 1
    return numbers


def _different(numbers: NDArray[np.int64]) -> int:
    """How many different numbers these are, 0 left out."""
    if not len(numbers):
        return 0
    return int(np.count_nonzero(np.bincount(numbers)[1:]))
