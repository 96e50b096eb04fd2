"""Blocks that were moved: stretches of the query that a chain leaves out, for they are elsewhere in the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import SLACK
from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import Document, align, reach
from wherefrom.queries.alignment.chains import Grams
from wherefrom.queries.alignment.runs import Run, Sides, nearest_runs, ordered_runs
from wherefrom.queries.grouping.all_windows import AllWindows
from wherefrom.queries.preparation.query import Query, QueryWindow
from wherefrom.queries.spans import number_inside, stretches

_LEAST = SCHEMES[Representation.EXACT].k
"""Tokens of the query in one stretch that nothing matches yet, from which on it is looked for."""


def all_runs(query: Query, sides: Sides, beside: AllWindows) -> list[Run]:
    """What matches of a document: the runs of the chains, and the blocks that were moved; none overlaps another on
    either side, ascending on the query's side.

    Functions beside the one that was copied often have some of its blocks too. So a stretch of the document that is
    hardly longer than the query counts where it has as much of it.
    """
    best = beside.best
    runs = _with_moved_blocks(query, sides, best.document, beside.runs, beside.parts)
    tokens = best.part.end - best.part.begin
    width = tokens + tokens // SLACK
    if len(query.parts) > 1 or _extent(runs) <= width:
        return runs
    close = align(best.part, best.document, query.masked, width=width)
    closer = _with_moved_blocks(query, sides, best.document, close.runs(best.part.distances), beside.parts)
    return closer if _tokens(closer) >= _tokens(runs) else runs


def _extent(runs: Sequence[Run]) -> int:
    """The tokens of the document from the first that matches to the last."""
    return max((run.end + run.shift for run in runs), default=0) - min(
        (run.begin + run.shift for run in runs), default=0
    )


def _tokens(runs: Iterable[Run]) -> int:
    return sum(run.end - run.begin for run in runs)


def _with_moved_blocks(
    query: Query, sides: Sides, document: Document, aligned: Sequence[Run], parts: Sequence[QueryWindow]
) -> list[Run]:
    """The runs of chains, and those of the blocks of the query that were moved: they are near these runs, but not
    in the order of the query. Of equal stretches of the document the nearest one counts.
    """
    runs = ordered_runs(sides, aligned, query.masked)
    if not runs:
        return []
    taken, document_taken = query.masked.copy(), np.zeros(len(sides.document), np.bool_)
    for run in runs:
        taken[run.begin : run.end] = document_taken[run.begin + run.shift : run.end + run.shift] = True
    found = []
    for part in parts:
        width = reach(part)
        low = max(min(run.begin + run.shift for run in runs) - width, 0)
        high = max(run.end + run.shift for run in runs) + width
        for distance in part.distances:
            span = slice(part.begin + distance, part.end + distance)
            if np.diff(stretches(~taken[span])).max(initial=0) >= _LEAST:
                found += [
                    Run(run.shift - distance, run.begin + distance, run.end + distance, run.representation)
                    for run in _candidates(part.without(taken[span]), document, document_taken, (low, high))
                ]
    return nearest_runs(sides, runs, found, taken, document_taken) if found else runs


def _candidates(
    part: QueryWindow, document: Document, document_taken: NDArray[np.bool_], window: tuple[int, int]
) -> Iterator[Run]:
    """The runs of k-grams on one diagonal that a window of the query shares with free tokens of the document."""
    lookup = part.lookup()
    for representation, (positions, numbers) in document.shared(lookup).items():
        grams: Grams = lookup.grams[representation]
        low, high = np.searchsorted(positions, window)
        inside = slice(int(low), int(high))
        is_free = number_inside(document_taken, positions[inside], grams.k) == 0
        pairs = grams.pairs(numbers[inside][is_free], positions[inside][is_free])
        if not len(pairs):
            continue
        shifts = pairs.document - pairs.query
        order = np.lexsort((pairs.query, shifts))
        shifts, begins = shifts[order], pairs.query[order]
        breaks = np.flatnonzero((np.diff(shifts) != 0) | (np.diff(begins) > grams.k)) + 1
        for first, last in zip([0, *breaks.tolist()], [*(breaks - 1).tolist(), len(begins) - 1], strict=True):
            yield Run(int(shifts[first]), int(begins[first]), int(begins[last]) + grams.k, representation)
