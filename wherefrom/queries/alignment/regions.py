"""Runs as regions of both texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.model import Representation
from wherefrom.queries.alignment.runs import Run, Sides, ordered_runs
from wherefrom.results import Region, RegionPair

_SHORTEST_COMMENT = 2
"""Bytes that a comment between two tokens takes, with the line break that ends it."""


def match_regions(sides: Sides, aligned: Iterable[Run], masked: NDArray[np.bool_]) -> tuple[RegionPair, ...]:
    """The regions of `ordered_runs`."""
    return region_pairs(sides, ordered_runs(sides, aligned, masked))


def region_pairs(sides: Sides, runs: Iterable[Run]) -> tuple[RegionPair, ...]:
    """Runs as regions, in the same order. A region's representation is the strictest one that holds all along it."""
    return tuple(_pairs(sides, list(runs)))


def explained_tokens(query: TokenStream, regions: Iterable[RegionPair]) -> NDArray[np.bool_]:
    """Which tokens of the query are in at least one of some regions, of any documents."""
    is_explained = np.zeros(len(query), np.bool_)
    for pair in regions:
        begin = int(query.starts.searchsorted(pair.query.start_byte))
        is_explained[begin : begin + pair.tokens] = True
    return is_explained


def _pairs(sides: Sides, runs: Sequence[Run]) -> Iterator[RegionPair]:
    """All runs at once: there may be many short ones."""
    if not runs:
        return
    begins, ends, shifts = (
        np.array(column, np.int64) for column in zip(*((run.begin, run.end, run.shift) for run in runs), strict=True)
    )
    lengths = ends - begins
    firsts = np.cumsum(lengths) - lengths
    here = np.arange(int(lengths.sum())) + np.repeat(begins - firsts, lengths)
    there = here + np.repeat(shifts, lengths)
    for run, query, document, representation, facing in zip(
        runs,
        all_regions(sides.query, begins, ends),
        all_regions(sides.document, begins + shifts, ends + shifts),
        _strictest(sides, here, there, firsts.tolist()),
        _facing(sides, here, there, firsts),
        strict=True,
    ):
        yield RegionPair(query, document, run.end - run.begin, representation, facing)


def _strictest(
    sides: Sides, here: NDArray[np.int64], there: NDArray[np.int64], firsts: Sequence[int]
) -> list[Representation]:
    """The strictest representation that holds all along each of some runs: `here` has the tokens of all in turn,
    `there` those of the document that they match, and `firsts` where in `here` each run begins.
    """
    differ = sides.query.codes[here] != sides.document.codes[there]
    names = sides.query.classes[here] == TokenClass.NAME
    other_names = differ & names & (sides.kept[here] | sides.document_kept[there])
    is_prose = sides.query.classes[here[firsts]] == TokenClass.CHARACTER
    return [
        Representation.P_MATCH
        if has_other_names
        else Representation.RENAMED
        if differs
        else Representation.TEXT
        if prose
        else Representation.EXACT
        for has_other_names, differs, prose in zip(
            np.logical_or.reduceat(other_names, firsts).tolist(),
            np.logical_or.reduceat(differ, firsts).tolist(),
            is_prose.tolist(),
            strict=True,
        )
    ]


def _facing(
    sides: Sides, here: NDArray[np.int64], there: NDArray[np.int64], firsts: NDArray[np.int64]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """For each run the lines of both texts at each of its tokens with which a line begins on either side; see
    `_strictest`.
    """
    left, right = sides.query.start_lines[here], sides.document.start_lines[there]
    is_first = np.ones(len(here), np.bool_)
    is_first[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    is_first[firsts] = True
    places = np.flatnonzero(is_first)
    lines = list(zip(left[places].tolist(), right[places].tolist(), strict=True))
    for first, last in pairwise([*np.searchsorted(places, firsts).tolist(), len(places)]):
        yield tuple(lines[first:last])


def region(stream: TokenStream, begin: int, end: int) -> Region:
    """The tokens `begin` to `end` (half-open, at least one) as a region of the text."""
    return next(all_regions(stream, np.array([begin]), np.array([end])))


def all_regions(stream: TokenStream, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> Iterator[Region]:
    """Some spans of tokens, each from `begins` to before `ends` (int64, none empty), as regions of the text."""
    if not len(begins):
        return
    first, last = int(begins.min()), int(ends.max())
    gap_starts, gap_ends = stream.ends[first : last - 1], stream.starts[first + 1 : last]
    is_prose = stream.classes[first:last] == TokenClass.CHARACTER
    wide = np.flatnonzero((gap_ends - gap_starts >= _SHORTEST_COMMENT) & ~(is_prose[:-1] & is_prose[1:]))
    gaps = list(zip(gap_starts[wide].tolist(), gap_ends[wide].tolist(), strict=True))
    columns = (
        stream.starts[begins],
        stream.ends[ends - 1],
        stream.start_lines[begins],
        stream.end_lines[ends - 1],
        np.searchsorted(wide, begins - first),
        np.searchsorted(wide, ends - 1 - first),
    )
    for start, end, start_line, end_line, gap, gap_end in zip(*(column.tolist() for column in columns), strict=True):
        yield Region(
            start_byte=start,
            end_byte=end,
            start_line=start_line,
            end_line=end_line,
            gaps=tuple(gaps[gap:gap_end]),
        )
