"""What of a query says something: its patterns and its names and literals, and how many of them a document shares.

A pattern is a k-gram in which all names are alike and all literals are; each counts once, however often it occurs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from wherefrom.analyzers.representations import skeletons
from wherefrom.analyzers.tokens import NumberedSymbols, TokenClass, is_literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.queries.prepare import Part
    from wherefrom.queries.regions import Run

K = 4
"""Tokens of a pattern of code."""

PROSE_K = 16
"""Letters of a pattern of prose."""

_NONE = -1


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
        numbers = np.arange(len(stream), dtype=np.uint32)
        grams = skeletons(NumberedSymbols(stream.codes, stream.classes, numbers, stream.segments), self._k)
        is_quiet = quiet | declared
        before = np.concatenate(([0], np.cumsum(is_quiet)))
        loud = before[grams.positions + self._k] == before[grams.positions]
        is_name = stream.classes == TokenClass.NAME
        imported = np.unique(stream.codes[declared & is_name])
        self._codes = stream.codes
        self._number_at = np.full(len(stream), _NONE)
        self._number_at[grams.positions[loud]] = np.unique(grams.hashes[loud], return_inverse=True)[1]
        is_long = stream.ends - stream.starts > 1
        self._is_name = is_name & is_long & ~np.isin(stream.codes, imported) & ~is_quiet
        self._is_literal = is_literal(stream.classes) & ~is_quiet

    def number(self, part: Part) -> int:
        """How many different patterns a window has."""
        numbers = self._number_at[part.begin : max(part.begin, part.end - self._k + 1)]
        if part.left is not None and len(numbers):
            numbers = numbers[sliding_window_view(part.left, self._k).all(axis=1)]
        return _different(numbers)

    def shared(self, runs: Iterable[Run]) -> int:
        """How many different patterns are in some runs."""
        found = [self._number_at[run.begin : max(run.begin, run.end - self._k + 1)] for run in runs]
        return _different(np.concatenate(found)) if found else 0

    def in_place(self, document: TokenStream, runs: Iterable[Run]) -> tuple[int, int]:
        """How many different names of more than one letter, and how many different literals, are the same in the same
        place of some runs.
        """
        names, literals = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
        for run in runs:
            codes = self._codes[run.begin : run.end]
            is_same = codes == document.codes[run.begin + run.shift : run.end + run.shift]
            names.append(codes[is_same & self._is_name[run.begin : run.end]])
            literals.append(codes[is_same & self._is_literal[run.begin : run.end]])
        return len(np.unique(np.concatenate(names))), len(np.unique(np.concatenate(literals)))


def _different(numbers: NDArray[np.int64]) -> int:
    return len(np.unique(numbers[numbers != _NONE]))
