"""Runs of tokens as regions of both texts: bytes and lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.model import Representation
from wherefrom.queries.alignment.runs import MatchedRun, Sides
from wherefrom.queries.spans import Flags, Numbers
from wherefrom.results import Region, RegionPair

SHORTEST_COMMENT = 2
"""A gap between two tokens needs at least this many bytes to have a comment: a one-byte mark and a line break."""


def explained_tokens(query: TokenStream, regions: Iterable[RegionPair]) -> Flags:
    """Which tokens of the query are in at least one of the regions. The regions may match different documents."""
    is_explained = np.zeros(len(query), np.bool_)
    for pair in regions:
        begin = int(query.starts.searchsorted(pair.query.start_byte))
        is_explained[begin : begin + pair.tokens] = True
    return is_explained


def region_pairs(sides: Sides, runs: Sequence[MatchedRun]) -> tuple[RegionPair, ...]:
    """Runs as regions, in the same order, each with the strictest representation that matches all of its tokens."""
    if not runs:
        return ()
    # NumPy handles all runs at once, since there may be many short ones.
    begins, ends, shifts = (
        np.array(column) for column in zip(*((run.begin, run.end, run.shift) for run in runs), strict=True)
    )
    lengths = ends - begins
    firsts = np.cumsum(lengths) - lengths
    here = np.arange(int(lengths.sum())) + np.repeat(begins - firsts, lengths)
    there = here + np.repeat(shifts, lengths)
    return tuple(
        map(
            RegionPair,
            all_regions(sides.query, begins, ends),
            all_regions(sides.document, begins + shifts, ends + shifts),
            lengths.tolist(),
            _strictest(sides, here, there, firsts),
            _facing(sides, here, there, firsts),
            np.add.reduceat(sides.query.codes[here] != sides.document.codes[there], firsts, dtype=np.int64).tolist(),
        )
    )


def _strictest(sides: Sides, here: Numbers, there: Numbers, firsts: Numbers) -> Iterator[Representation]:
    """The strictest representation that matches all tokens of each run. `here` has the tokens of all runs in turn,
    `there` the document's tokens that they match, and `firsts` the index in `here` at which each run begins.
    """
    differ = sides.query.codes[here] != sides.document.codes[there]
    names = sides.query.classes[here] == TokenClass.NAME
    other_names = differ & names & (sides.kept[here] | sides.document_kept[there])
    is_prose = sides.query.classes[here[firsts]] == TokenClass.CHARACTER
    for has_other_names, differs, prose in zip(
        np.logical_or.reduceat(other_names, firsts), np.logical_or.reduceat(differ, firsts), is_prose, strict=True
    ):
        if differs:
            yield Representation.P_MATCH if has_other_names else Representation.RENAMED
        else:
            yield Representation.TEXT if prose else Representation.EXACT


def _facing(sides: Sides, here: Numbers, there: Numbers, firsts: Numbers) -> Iterator[tuple[tuple[int, int], ...]]:
    """For each run, its pairs of facing lines: a pair for each token that begins a line in either text."""
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


def all_regions(stream: TokenStream, begins: Numbers, ends: Numbers) -> Iterator[Region]:
    """Spans of tokens, half-open from `begins` to `ends` (int64, none empty), as regions of the text."""
    if not len(begins):
        return
    first, last = int(begins.min()), int(ends.max())
    gap_starts, gap_ends = stream.ends[first : last - 1], stream.starts[first + 1 : last]
    is_prose = stream.classes[first:last] == TokenClass.CHARACTER
    wide = np.flatnonzero((gap_ends - gap_starts >= SHORTEST_COMMENT) & ~(is_prose[:-1] & is_prose[1:]))
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
        yield Region(start, end, start_line, end_line, tuple(gaps[gap:gap_end]))
