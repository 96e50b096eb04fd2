"""From chains to regions: the stretches of both texts that match, exact on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from whence.analyzers.tokens import TokenClass
from whence.model import Region, RegionPair, Representation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from whence.analyzers.tokens import TokenStream
    from whence.queries.alignment import Alignment, Chain

_STRICTNESS = (Representation.EXACT, Representation.TEXT, Representation.RENAMED, Representation.P_MATCH)
_SHORTEST = 4
"""Tokens below which what is left of a stretch, after a longer one has taken its part, is no region of its own."""


@dataclass(frozen=True, slots=True)
class Run:
    """The query's tokens `begin` to `end` (half-open) match the document's that many tokens further on (`shift`)."""

    shift: int
    begin: int
    end: int
    representation: Representation


def match_regions(
    query: TokenStream, document: TokenStream, alignments: Iterable[Alignment], masked: NDArray[np.bool_]
) -> tuple[RegionPair, ...]:
    """The regions of some alignments of one document, in the order of the query, none overlapping another on either
    side.

    Stretches on one diagonal are joined, grown token by token as far as the texts agree (never into masked tokens), and
    given to the longest first. A region's representation is the strictest one that holds all along it.
    """
    runs = [
        run
        for alignment in alignments
        for representation, chain in alignment.chains.items()
        for run in _runs(representation, chain)
    ]
    grown = [_grow(query, document, run, masked) for run in _join(runs)]
    chosen = _without_overlaps(_join([run for run in grown if run.end > run.begin]))
    return tuple(_pair(query, document, run) for run in chosen)


def _runs(representation: Representation, chain: Chain) -> list[Run]:
    shifts = chain.document - chain.query
    breaks = (np.diff(shifts) != 0) | (np.diff(chain.query) > chain.k)
    firsts = np.concatenate(([0], np.flatnonzero(breaks) + 1)).tolist()
    lasts = [*(first - 1 for first in firsts[1:]), len(shifts) - 1]
    return [
        Run(int(shifts[first]), int(chain.query[first]), int(chain.query[last]) + chain.k, representation)
        for first, last in zip(firsts, lasts, strict=True)
    ]


def _join(runs: Iterable[Run]) -> list[Run]:
    """Joins the runs of one diagonal that overlap or touch."""
    joined: list[Run] = []
    for _, diagonal in groupby(
        sorted(runs, key=lambda run: (run.shift, run.begin, run.end)), key=lambda run: run.shift
    ):
        current: Run | None = None
        for run in diagonal:
            if current is not None and run.begin <= current.end:
                loosest = max(current.representation, run.representation, key=_STRICTNESS.index)
                current = Run(run.shift, current.begin, max(current.end, run.end), loosest)
            else:
                if current is not None:
                    joined.append(current)
                current = run
        if current is not None:
            joined.append(current)
    return joined


class _Names:
    """The renaming that a run implies: a name of the query stands for one name of the document, and the other way
    round.
    """

    def __init__(self, query: TokenStream, document: TokenStream, run: Run) -> None:
        self.query, self.document, self.shift = query, document, run.shift
        ours = query.codes[run.begin : run.end]
        theirs = document.codes[run.begin + run.shift : run.end + run.shift]
        names = query.classes[run.begin : run.end] == TokenClass.NAME
        self.forth = dict(zip(ours[names].tolist(), theirs[names].tolist(), strict=True))
        self.back = {theirs: ours for ours, theirs in self.forth.items()}

    def agree(self, position: int) -> bool:
        """Whether the query's token there matches the document's; remembers a new name."""
        other = position + self.shift
        kind = int(self.query.classes[position])
        ours, theirs = int(self.query.codes[position]), int(self.document.codes[other])
        if ours == theirs:
            return True
        if kind != int(self.document.classes[other]) or kind in (TokenClass.SYMBOL, TokenClass.CHARACTER):
            return False
        if kind != TokenClass.NAME:
            return True
        return bool(self.forth.setdefault(ours, theirs) == theirs and self.back.setdefault(theirs, ours) == ours)


def _grow(query: TokenStream, document: TokenStream, run: Run, masked: NDArray[np.bool_]) -> Run:
    begin, end = run.begin, run.end
    while begin < end and masked[begin]:
        begin += 1
    while begin < end and masked[end - 1]:
        end -= 1
    if begin == end:
        return Run(run.shift, begin, end, run.representation)
    names = _Names(query, document, Run(run.shift, begin, end, run.representation))
    while begin > 0 and begin + run.shift > 0 and not masked[begin - 1] and names.agree(begin - 1):
        begin -= 1
    while end < len(query) and end + run.shift < len(document) and not masked[end] and names.agree(end):
        end += 1
    loosest = run.representation
    if np.array_equal(query.codes[begin:end], document.codes[begin + run.shift : end + run.shift]):
        is_text = query.classes[begin] == TokenClass.CHARACTER
        loosest = Representation.TEXT if is_text else Representation.EXACT
    elif loosest is Representation.EXACT:
        loosest = Representation.RENAMED
    return Run(run.shift, begin, end, loosest)


def _without_overlaps(runs: Sequence[Run]) -> list[Run]:
    chosen: list[Run] = []
    for run in sorted(runs, key=lambda run: (run.begin - run.end, run.begin, run.shift)):
        begin, end = run.begin, run.end
        for other in chosen:
            begin, end = _beside(begin, end, other.begin, other.end)
            moved = other.shift - run.shift
            begin, end = _beside(begin, end, other.begin + moved, other.end + moved)
        if end - begin == run.end - run.begin or end - begin >= _SHORTEST:
            chosen.append(Run(run.shift, begin, end, run.representation))
    return sorted(chosen, key=lambda run: (run.begin, run.shift))


def _beside(begin: int, end: int, taken_begin: int, taken_end: int) -> tuple[int, int]:
    """What is left of a span beside another: the longer of the two ends."""
    if taken_end <= begin or end <= taken_begin:
        return begin, end
    before, after = (begin, taken_begin), (taken_end, end)
    left = max(before, after, key=lambda span: span[1] - span[0])
    return left if left[1] > left[0] else (begin, begin)


def _pair(query: TokenStream, document: TokenStream, run: Run) -> RegionPair:
    return RegionPair(
        query=_region(query, run.begin, run.end),
        document=_region(document, run.begin + run.shift, run.end + run.shift),
        tokens=run.end - run.begin,
        representation=run.representation,
    )


def _region(stream: TokenStream, begin: int, end: int) -> Region:
    return Region(
        start_byte=int(stream.starts[begin]),
        end_byte=int(stream.ends[end - 1]),
        start_line=int(stream.start_lines[begin]),
        end_line=int(stream.end_lines[end - 1]),
    )
