"""Compares a document with the whole query: with every window of a long query, and with blocks that were moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import SLACK
from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import Alignment, DocumentTokens, align, covered_tokens, reach
from wherefrom.queries.alignment.runs import MatchedRun, Sides, diagonal_runs, matched_runs, nearest_runs
from wherefrom.queries.judging.judging import Judged
from wherefrom.queries.preparation.query import ALIGNED, Query, QueryWindow
from wherefrom.queries.spans import number_inside, stretches
from wherefrom.results import ChainExplanation

_LEAST = SCHEMES[Representation.EXACT].k
"""Stretches of the query without a match are looked for elsewhere in the document if they have this many tokens."""


class AllWindows:
    """A document, aligned with all windows of the query that find it. Since windows overlap, a k-gram that is in
    several chains counts once.

    Attributes:
        best: the result for the window where the document is most probable.
        runs: the runs of all chains.
        parts: the windows.
        chains: what each representation adds to the score; empty before `finish`.
    """

    def __init__(self, query: Query, best: Judged) -> None:
        self.best = best
        self.runs: list[MatchedRun] = []
        self.parts: list[QueryWindow] = []
        self.chains: tuple[ChainExplanation, ...] = ()
        self._longest_run: dict[Representation, int] = {}
        self._query = query
        self._scores: dict[Representation, float] = {}
        self._chained: dict[Representation, NDArray[np.bool_]] = {}
        self.add(best.part, best.alignment)

    def add(self, part: QueryWindow, alignment: Alignment) -> None:
        """Adds a window that finds the document."""
        self.parts.append(part)
        self.runs += alignment.runs(part.distances)
        grams = part.lookup().grams
        for representation, chain in alignment.chains.items():
            if representation not in self._chained:
                self._chained[representation] = np.zeros(len(self._query.stream), np.bool_)
            chained = self._chained[representation]
            weights = grams[representation].weights(chain.query)
            for distance in part.distances:
                places = chain.query + distance
                fresh = float(weights[~chained[places]].sum()) / chain.k
                self._scores[representation] = self._scores.get(representation, 0.0) + fresh
                chained[places] = True
            self._longest_run[representation] = max(self._longest_run.get(representation, 0), chain.longest_run)

    def finish(self) -> None:
        """Explains the chains. Frees memory that is not needed once all windows are added."""
        remaining = self._query.remaining_tokens
        explained = []
        for representation, score in self._scores.items():
            places = np.flatnonzero(self._chained[representation])
            covered = covered_tokens(places, ALIGNED[representation], self._query.masked)
            explained.append(
                ChainExplanation(
                    representation=representation,
                    score=round(score, 6),
                    kgrams=len(places),
                    coverage=round(covered / remaining, 6) if remaining else 0.0,
                    longest_run=self._longest_run[representation],
                )
            )
        self.chains = tuple(explained)
        self._chained.clear()

    @property
    def score(self) -> float:
        """The rank score of all chains."""
        return self.best.ranked(sum(self._scores.values()))


def all_runs(query: Query, sides: Sides, beside: AllWindows) -> list[MatchedRun]:
    """All matching runs of a document: those of the chains, and blocks that were moved, which a chain leaves out. The
    runs ascend in the query, without overlaps on either side.

    A function near the copied one often has some of its blocks too. So the match inside a stretch of the document that
    is hardly longer than the query is preferred if it has as many tokens.
    """
    best = beside.best
    runs = _with_moved_blocks(query, sides, best.document, beside.runs, beside.parts)
    tokens = best.part.end - best.part.begin
    width = tokens + tokens // SLACK
    if len(query.parts) > 1 or not runs:
        return runs
    if max(run.end + run.shift for run in runs) - min(run.begin + run.shift for run in runs) <= width:
        return runs
    close = align(best.part, best.document, query.masked, width=width)
    closer = _with_moved_blocks(query, sides, best.document, close.runs(best.part.distances), beside.parts)
    return closer if sum(run.tokens for run in closer) >= sum(run.tokens for run in runs) else runs


def _with_moved_blocks(
    query: Query, sides: Sides, document: DocumentTokens, aligned: Sequence[MatchedRun], parts: Sequence[QueryWindow]
) -> list[MatchedRun]:
    """The runs of chains and of moved blocks. Moved blocks are near the chains, but in another order than in the query.
    If stretches of the document are equal, the nearest one counts.
    """
    runs = matched_runs(sides, aligned, query.masked)
    if not runs:
        return []
    taken, document_taken = sides.with_taken(runs, query.masked)
    found = []
    for part in parts:
        width = reach(part)
        low = max(min(run.begin + run.shift for run in runs) - width, 0)
        high = max(run.end + run.shift for run in runs) + width
        for distance in part.distances:
            span = slice(part.begin + distance, part.end + distance)
            if np.diff(stretches(~taken[span])).max(initial=0) >= _LEAST:
                candidates = _candidates(part.without(taken[span]), document, document_taken, (low, high))
                found += [run.repeated(distance) for run in candidates]
    return nearest_runs(sides, runs, found, taken, document_taken) if found else runs


def _candidates(
    part: QueryWindow, document: DocumentTokens, document_taken: NDArray[np.bool_], window: tuple[int, int]
) -> Iterator[MatchedRun]:
    """The runs of k-grams that a window of the query shares with tokens of the document that no run matches yet."""
    lookup = part.lookup()
    for representation, (positions, numbers) in document.shared(lookup).items():
        grams = lookup.grams[representation]
        low, high = np.searchsorted(positions, window)
        inside = slice(int(low), int(high))
        is_free = number_inside(document_taken, positions[inside], grams.k) == 0
        query, beside = grams.pairs(numbers[inside][is_free], positions[inside][is_free])
        if len(query):
            shifts = beside - query
            order = np.lexsort((query, shifts))
            yield from diagonal_runs(query[order], shifts[order], grams.k, representation)
