"""What of a query says something: its patterns and its names and literals, and how many of them a document shares.

A pattern is a k-gram in which all names are alike and all literals are; each counts once, however often it occurs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.representations import kgrams, skeletons
from wherefrom.analyzers.tokens import NumberedSymbols, TokenClass, is_literal
from wherefrom.model import Representation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.model import Hashes
    from wherefrom.queries.regions import Run

K = 4
"""Tokens of a pattern of code."""

PROSE_K = 16
"""Letters of a pattern of prose."""


class Patterns:
    """The patterns of a query.

    Args:
        stream: the query's tokens.
        quiet: which of them say nothing: boilerplate, alphabets and counts.
        declared: which of them declare imports or a package. Every program that uses an import names it alike, so these
            names do not count elsewhere either.
    """

    def __init__(self, stream: TokenStream, quiet: NDArray[np.bool_], declared: NDArray[np.bool_]) -> None:
        is_prose = bool(len(stream)) and bool(np.all(stream.classes == TokenClass.CHARACTER))
        self._k = PROSE_K if is_prose else K
        if is_prose:
            grams = kgrams(stream, Representation.TEXT, self._k)
        else:
            numbers = np.arange(len(stream), dtype=np.uint32)
            grams = skeletons(NumberedSymbols(stream.codes, stream.classes, numbers, stream.segments), self._k)
        is_quiet = quiet | declared
        before = np.concatenate(([0], np.cumsum(is_quiet)))
        loud = before[grams.positions + self._k] == before[grams.positions]
        is_name = stream.classes == TokenClass.NAME
        imported = np.unique(stream.codes[declared & is_name])
        is_long = stream.ends - stream.starts > 1
        is_telling = is_name & is_long & ~np.isin(stream.codes, imported) & ~is_quiet
        self._codes = stream.codes
        self._patterns = _numbered(grams.hashes[loud], grams.positions[loud], len(stream))
        self._names = _numbered_where(stream.codes, is_telling)
        self._literals = _numbered_where(stream.codes, is_literal(stream.classes) & ~is_quiet)

    def among(self, begin: int, which: NDArray[np.bool_]) -> tuple[int, int, int]:
        """How many different patterns some tokens have, how many different names of more than one letter, and how many
        different literals.

        Args:
            begin: the first token of a window.
            which: for each token of the window whether it is one of them.
        """
        span = slice(begin, begin + len(which))
        # A pattern is one of the tokens if all of it is.
        missing = np.concatenate(([0], np.cumsum(~which)))
        whole = missing[self._k :] == missing[: -self._k]
        patterns = _different(self._patterns[begin : begin + len(whole)][whole])
        return patterns, _different(self._names[span][which]), _different(self._literals[span][which])

    def shared(self, runs: Iterable[Run]) -> int:
        """How many different patterns are in some runs."""
        found = [self._patterns[run.begin : max(run.begin, run.end - self._k + 1)] for run in runs]
        return _different(np.concatenate(found)) if found else 0

    def in_place(self, document: TokenStream, runs: Sequence[Run]) -> tuple[int, int]:
        """How many different names of more than one letter, and how many different literals, are the same in the same
        place of some runs.
        """
        is_same = np.zeros(len(self._codes), np.bool_)
        for run in runs:
            theirs = document.codes[run.begin + run.shift : run.end + run.shift]
            is_same[run.begin : run.end] |= self._codes[run.begin : run.end] == theirs
        return _different(self._names[is_same]), _different(self._literals[is_same])


def _numbered_where(codes: Hashes, which: NDArray[np.bool_]) -> NDArray[np.int64]:
    places = np.flatnonzero(which)
    return _numbered(codes[places], places, len(codes))


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
