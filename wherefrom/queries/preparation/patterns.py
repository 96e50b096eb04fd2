"""The patterns and literals by which a query differs from other code, and how many of them a document shares.

A pattern is a k-gram after its names and literals are replaced by their class. Each pattern counts once, however often
it occurs. Code that everyone writes has no patterns (`queries.preparation.common_code`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from wherefrom.analyzers.representations import kgrams, skeletons
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import NumberedSymbols, TokenClass, TokenStream, is_literal
from wherefrom.fitted import CHARACTERS, PATTERN, SHORT_RUN
from wherefrom.model import Hashes, Representation
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.preparation.common_code import common_tokens
from wherefrom.queries.spans import Flags, Numbers, number_inside

LITERAL = SHORT_RUN * CHARACTERS
"""This many letters of prose count as one literal."""


def is_prose(stream: TokenStream) -> bool:
    """Whether a stream has tokens, and all of them are letters or digits of prose."""
    return bool(len(stream)) and bool(np.all(stream.classes == TokenClass.CHARACTER))


def numbered(stream: TokenStream) -> NumberedSymbols:
    """The symbols of a stream. Each token has a number of its own, so equal symbols are not joined."""
    numbers = np.arange(len(stream), dtype=np.uint32)
    return NumberedSymbols(stream.codes, stream.classes, numbers, stream.segments)


class Patterns:
    """The patterns and literals of a query. `quiet` tokens have none: boilerplate, imports, alphabets and counts.

    Attributes:
        unit: this many tokens, or patterns, count as one: 8 letters of prose, or 1 token of code.
    """

    def __init__(self, stream: TokenStream, quiet: Flags) -> None:
        self._is_prose = is_prose(stream)
        self.unit = CHARACTERS if self._is_prose else 1
        if self._is_prose:
            grams = kgrams(stream, Representation.TEXT, SCHEMES[Representation.TEXT].k)
        else:
            grams = skeletons(numbered(stream), PATTERN)
        self._k = grams.k
        # Patterns of common tokens, which everyone writes, count only if the query has no others. Literals of common
        # code always count.
        loud = number_inside(quiet | common_tokens(stream), grams.positions, grams.k) == 0
        if not loud.any():
            loud = number_inside(quiet, grams.positions, grams.k) == 0
        self._codes = stream.codes
        self._patterns = _numbers_of(grams.hashes[loud], grams.positions[loud], len(stream))
        # Literals of one character do not count, since every program has a 0 and a 1.
        literals = np.flatnonzero(is_literal(stream.classes) & (stream.ends - stream.starts > 1) & ~quiet)
        self._literals = _numbers_of(stream.codes[literals], literals, len(stream))

    def among(self, begin: int, which: Flags) -> tuple[int, int]:
        """How many different patterns, and different literals of more than one character, the chosen tokens (`which`)
        of a window have. The window begins at the token `begin`. A pattern counts if all of its tokens are chosen.
        """
        whole = number_inside(~which, np.arange(len(which) - self._k + 1), self._k) == 0
        patterns = _different(self._patterns[begin : begin + len(whole)][whole])
        if self._is_prose:
            return patterns // self.unit, int(np.count_nonzero(which)) // LITERAL
        return patterns // self.unit, _different(self._literals[begin : begin + len(which)][which])

    def literal_codes(self, begin: int, end: int) -> Hashes:
        """The codes of the different literals of more than one character among the tokens `begin` to `end`."""
        return np.unique(self._codes[begin:end][self._literals[begin:end] > 0])

    def shared(self, runs: Iterable[MatchedRun]) -> int:
        """How many different patterns are in some runs."""
        found = [self._patterns[run.begin : max(run.begin, run.end - self._k + 1)] for run in runs]
        return _different(np.concatenate(found)) // self.unit if found else 0

    def in_place(self, document: TokenStream, runs: Iterable[MatchedRun]) -> int:
        """How many different literals of more than one character are the same on both sides of some runs."""
        if self._is_prose:
            return sum(run.tokens for run in runs) // LITERAL
        is_same = np.zeros(len(self._codes), np.bool_)
        for run in runs:
            is_same[run.here] |= self._codes[run.here] == document.codes[run.there]
        return _different(self._literals[is_same])


def _numbers_of(hashes: Hashes, places: Numbers, tokens: int) -> Numbers:
    """For each token the number of the hash there, from 1; 0 if there is none. Equal hashes have the same number."""
    numbers = np.zeros(tokens, np.int64)
    numbers[places] = np.unique(hashes, return_inverse=True)[1] + 1
    return numbers


def _different(numbers: Numbers) -> int:
    """How many different numbers these are, without 0."""
    return int(np.count_nonzero(np.bincount(numbers)[1:]))
