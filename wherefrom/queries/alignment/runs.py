"""Runs: the stretches of two texts that match, exact on both sides, grown from k-grams."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.noise import weights
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenClass, TokenStream, only, part
from wherefrom.fitted import PATTERN, WEIGHT
from wherefrom.model import Representation
from wherefrom.queries.spans import stretches

if TYPE_CHECKING:
    from wherefrom import _kernel

_STRICTNESS = (Representation.EXACT, Representation.TEXT, Representation.RENAMED, Representation.P_MATCH)

_REACH = 2
"""Times the length of the query, the tokens of a document before and behind its runs in which these go on."""


@dataclass(frozen=True, slots=True)
class Run:
    """The query's tokens `begin` to `end` (half-open) match the document's that many tokens further on (`shift`)."""

    shift: int
    begin: int
    end: int
    representation: Representation


@dataclass(frozen=True, slots=True)
class Sides:
    """The two texts; `kept` and `document_kept` say which of their tokens `renamed` keeps where they are names."""

    query: TokenStream
    document: TokenStream
    kept: NDArray[np.bool_]
    document_kept: NDArray[np.bool_]

    @staticmethod
    def of(query: TokenStream, document: TokenStream, kept: NDArray[np.bool_] | None = None) -> Sides:
        """Both texts; `kept` is what `kept_names` gives for the query, where one query meets many documents."""
        return Sides(query, document, kept_names(query) if kept is None else kept, kept_names(document))


def grown_runs(sides: Sides, aligned: Iterable[Run], masked: NDArray[np.bool_]) -> list[Run]:
    """The aligned runs of one document as far as the texts agree; they may overlap.

    Stretches on one diagonal are joined, parted at masked tokens, and grown token by token.
    """
    parts = [each for run in _join(aligned) for each in _parts(run, masked[run.begin : run.end])]
    # No stretch grows into another: where a token could belong to either, the one whose chain holds it has it.
    taken, document_taken = masked.copy(), np.zeros(len(sides.document), np.bool_)
    for run in parts:
        taken[run.begin : run.end] = document_taken[run.begin + run.shift : run.end + run.shift] = True
    return _join(_all_grown(sides, parts, taken, document_taken))


def _all_that_match(sides: Sides, aligned: Iterable[Run], masked: NDArray[np.bool_]) -> list[Run]:
    """The `grown_runs`, and those that they are without what a formatter may have added or moved, for they go on behind
    it.
    """
    grown = grown_runs(sides, aligned, masked)
    if not grown:
        return []
    reach = _REACH * len(sides.query)
    first = max(min(run.begin + run.shift for run in grown) - reach, 0)
    last = min(max(run.end + run.shift for run in grown) + reach, len(sides.document))
    near = Sides(sides.query, part(sides.document, first, last), sides.kept, sides.document_kept[first:last])
    further = _beyond_light(near, list(_shifted(grown, -first)), masked)
    return grown if further is None else _join(_shifted(further, first))


def _shifted(runs: Iterable[Run], by: int) -> Iterator[Run]:
    return (Run(run.shift + by, run.begin, run.end, run.representation) for run in runs)


def _beyond_light(sides: Sides, grown: Sequence[Run], masked: NDArray[np.bool_]) -> list[Run] | None:
    """The runs, and what else matches where light tokens (`analyzers.noise.weights`) are left out on both sides; None
    if nothing does.
    """
    here, there = weights(sides.query) == WEIGHT, weights(sides.document) == WEIGHT
    if here.all() and there.all():
        return None
    # A string that is a part of one does not face the whole.
    apart = [each for run in grown for each in _parts(run, _is_other(sides, run, here, there))]
    quiet = Sides(only(sides.query, here), only(sides.document, there), sides.kept[here], sides.document_kept[there])
    known = set(_without_light(apart, here, there))
    found = [run for run in grown_runs(quiet, known, masked[here]) if run not in known]
    if not found and len(apart) == len(grown):
        return None
    return [*apart, *(each for run in found for each in _with_light(sides, run, here, there, masked))]


def longest_runs(grown: Iterable[Run], sides: Sides | None = None) -> list[Run]:
    """Runs in the order of the query, none overlapping another on either side: the longest are chosen first, of equally
    long ones the one with most tokens the same where the texts are given.
    """
    return _without_overlaps(grown) if sides is None else _without_overlaps(grown, distance=partial(_differing, sides))


def plain_runs(sides: Sides, aligned: Iterable[Run], masked: NDArray[np.bool_]) -> list[Run]:
    """What matches of the aligned runs of one document up to what a formatter may have added or moved."""
    return longest_runs(grown_runs(sides, aligned, masked), sides)


def ordered_runs(sides: Sides, aligned: Iterable[Run], masked: NDArray[np.bool_]) -> list[Run]:
    """What matches of the aligned runs of one document: its `longest_runs`, of equal ones the most alike."""
    return longest_runs(_all_that_match(sides, aligned, masked), sides)


def nearest_runs(
    sides: Sides,
    runs: Sequence[Run],
    others: Iterable[Run],
    taken: NDArray[np.bool_],
    document_taken: NDArray[np.bool_],
) -> list[Run]:
    """Runs, and others beside them as `ordered_runs` gives them: the longest first, of equal ones the nearest. The
    others are k-grams on one diagonal, which may overlap each other and the runs; `taken` and `document_taken` are
    masked or in the runs.
    """
    begin = min(run.begin + run.shift for run in runs)
    end = max(run.end + run.shift for run in runs)
    main = max(runs, key=lambda run: run.end - run.begin).shift

    def distance(run: Run) -> int:
        outside = max(begin - run.begin - run.shift, run.end + run.shift - end, 0)
        return outside * len(sides.document) + abs(run.shift - main)

    grown = _join(_all_grown(sides, _join(others), taken, document_taken))
    return _without_overlaps(grown, before=runs, distance=distance)


def match_runs(sides: Sides, aligned: Iterable[Run], masked: NDArray[np.bool_]) -> list[Run]:
    """As `ordered_runs`, but a stretch of the document may match several of the query."""
    runs = _all_that_match(sides, aligned, masked)
    return _without_overlaps(runs, is_once=False, distance=partial(_differing, sides))


def matched_weight(runs: Iterable[Run], weights: NDArray[np.int64]) -> int:
    """What the tokens of a query weigh that some runs match, none overlapping another; `weights` is for each token."""
    return sum(int(weights[run.begin : run.end].sum()) for run in runs)


def _differing(sides: Sides, run: Run) -> int:
    """How many of the tokens of a run are not the same on both sides."""
    theirs = sides.document.codes[run.begin + run.shift : run.end + run.shift]
    return int(np.count_nonzero(sides.query.codes[run.begin : run.end] != theirs))


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


def _parts(run: Run, left_out: NDArray[np.bool_]) -> Iterator[Run]:
    """The parts of a run between some of its tokens that are left out."""
    if not left_out.any():
        yield run
        return
    for begin, end in (stretches(~left_out) + run.begin).tolist():
        yield Run(run.shift, begin, end, run.representation)


class _Names:
    """The renaming that a run implies: a name of the query becomes one name of the document, and the other way
    round. Where a run holds two (k-grams agree one by one), the one nearest to the end that grows counts.
    """

    def __init__(self, sides: Sides, run: Run, nearest: slice) -> None:
        self.sides, self.shift = sides, run.shift
        self.keeps = run.representation is not Representation.P_MATCH
        ours = sides.query.codes[run.begin : run.end]
        theirs = sides.document.codes[run.begin + run.shift : run.end + run.shift]
        renamed = sides.query.classes[run.begin : run.end] == TokenClass.NAME
        if self.keeps:
            renamed &= ~sides.kept[run.begin : run.end]
        pairs = list(zip(ours[renamed].tolist(), theirs[renamed].tolist(), strict=True))[nearest]
        self.forth = dict(pairs)
        self.back = {theirs: ours for ours, theirs in pairs}

    def agree(self, position: int) -> bool | None:
        """Whether the query's token there matches the document's: None if not, True if it is the same token or a name
        whose renaming is known, False if it only may be one (another literal, a new name, which is remembered).
        """
        other = position + self.shift
        kind = int(self.sides.query.classes[position])
        ours, theirs = int(self.sides.query.codes[position]), int(self.sides.document.codes[other])
        if kind != int(self.sides.document.classes[other]) or kind in (TokenClass.SYMBOL, TokenClass.CHARACTER):
            return ours == theirs or None
        if kind != TokenClass.NAME:
            return ours == theirs
        if self.keeps and (self.sides.kept[position] or self.sides.document_kept[other]):
            return ours == theirs or None
        if self.forth.get(ours, theirs) != theirs or self.back.get(theirs, ours) != ours:
            return None
        is_known = ours == theirs or ours in self.forth
        self.forth[ours], self.back[theirs] = theirs, ours
        return is_known


def _is_other(sides: Sides, run: Run, here: NDArray[np.bool_], there: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which tokens of a run are light on one side alone, and other ones; see `_without_light`."""
    ours, theirs = slice(run.begin, run.end), slice(run.begin + run.shift, run.end + run.shift)
    is_other: NDArray[np.bool_] = sides.query.codes[ours] != sides.document.codes[theirs]
    is_other &= here[ours] != there[theirs]
    return is_other


def _without_light(runs: Iterable[Run], here: NDArray[np.bool_], there: NDArray[np.bool_]) -> Iterator[Run]:
    """Runs by the numbers of those tokens that are not light, `here` in the query and `there` in the document, as far
    as the same ones are on both sides.
    """
    counts, document_counts = (np.concatenate(([0], np.cumsum(which))) for which in (here, there))
    for run in runs:
        differs = here[run.begin : run.end] != there[run.begin + run.shift : run.end + run.shift]
        for each in _parts(run, differs):
            begin, end = int(counts[each.begin]), int(counts[each.end])
            if begin < end:
                yield Run(int(document_counts[each.begin + each.shift]) - begin, begin, end, each.representation)


def _with_light(
    sides: Sides, run: Run, here: NDArray[np.bool_], there: NDArray[np.bool_], masked: NDArray[np.bool_]
) -> Iterator[Run]:
    """The runs of two texts that one of `_without_light` is, with the light tokens inside it that are the same."""
    ours = np.flatnonzero(here)[run.begin : run.end]
    theirs = np.flatnonzero(there)[run.begin + run.shift : run.end + run.shift]
    places = np.arange(ours[0], ours[-1] + 1)
    before = ours.searchsorted(places, side="right") - 1
    others = theirs[before] + places - ours[before]
    is_same = others < np.append(theirs, len(there))[before + 1]
    others = np.where(is_same, others, 0)
    is_same &= here[places] | ((sides.query.codes[places] == sides.document.codes[others]) & ~masked[places])
    places, others = places[is_same], others[is_same]
    breaks = np.flatnonzero((np.diff(places) != 1) | (np.diff(others) != 1)) + 1
    for first, last in pairwise([0, *breaks.tolist(), len(places)]):
        begin = int(places[first])
        yield Run(int(others[first]) - begin, begin, int(places[last - 1]) + 1, run.representation)


def _all_grown(
    sides: Sides, runs: Sequence[Run], taken: NDArray[np.bool_], document_taken: NDArray[np.bool_]
) -> list[Run]:
    """The runs, each grown by itself."""
    native = kernel.active()
    if native is None or not runs:
        return [_grow(sides, run, taken, document_taken) for run in runs]
    spans = native.grown(
        _side(sides.query, sides.kept, taken),
        _side(sides.document, sides.document_kept, document_taken),
        [(run.shift, run.begin, run.end, run.representation is not Representation.P_MATCH) for run in runs],
    )
    return [Run(run.shift, begin, end, run.representation) for run, (begin, end) in zip(runs, spans, strict=True)]


def _side(text: TokenStream, kept: NDArray[np.bool_], taken: NDArray[np.bool_]) -> _kernel.Side:
    return text.codes, text.classes, kept.view(np.uint8), taken.view(np.uint8)


def _grow(sides: Sides, run: Run, taken: NDArray[np.bool_], document_taken: NDArray[np.bool_]) -> Run:
    """Grows a run at both ends as far as the texts agree, up to the last token that agrees for certain: beyond it, any
    name could replace any other.
    """
    last = min(len(taken), len(document_taken) - run.shift)
    forward, backward = range(run.end, last), range(run.begin - 1, max(-1, -run.shift - 1), -1)
    begin = _reach(_Names(sides, run, slice(None, None, -1)), backward, taken, document_taken)
    end = _reach(_Names(sides, run, slice(None)), forward, taken, document_taken)
    return Run(
        run.shift, run.begin if begin is None else begin, run.end if end is None else end + 1, run.representation
    )


def _reach(names: _Names, positions: range, taken: NDArray[np.bool_], document_taken: NDArray[np.bool_]) -> int | None:
    """The last of the positions that a run grows to, None if it stays."""
    reached = None
    for position in positions:
        is_taken = taken[position] or document_taken[position + names.shift]
        agrees = None if is_taken else names.agree(position)
        if agrees is None:
            break
        if agrees:
            reached = position
    return reached


def _without_overlaps(
    runs: Iterable[Run],
    *,
    is_once: bool = True,
    before: Sequence[Run] = (),
    distance: Callable[[Run], int] = lambda _: 0,
) -> list[Run]:
    """Runs that do not overlap on the query's side, nor on the document's where a stretch of it may match only once.

    The longest is chosen first, of equally long ones the nearest; those `before` come before all others.
    """
    chosen: list[Run] = []
    here, there = _Spans(), _Spans()
    in_turn = sorted(runs, key=lambda run: (run.begin - run.end, distance(run), run.begin, run.shift))
    for run in (*before, *in_turn):
        begin, end = run.begin, run.end
        # Of the runs that were chosen only those that overlap this one matter: those few, in the order of the choice.
        numbers = here.overlapping(begin, end)
        if is_once:
            numbers = {*numbers, *there.overlapping(begin + run.shift, end + run.shift)}
        for other in (chosen[number] for number in sorted(numbers)):
            begin, end = _beside(begin, end, other.begin, other.end)
            if is_once:
                moved = other.shift - run.shift
                begin, end = _beside(begin, end, other.begin + moved, other.end + moved)
        if end - begin == run.end - run.begin or end - begin >= PATTERN:
            here.add(begin, end, len(chosen))
            if is_once:
                there.add(begin + run.shift, end + run.shift, len(chosen))
            chosen.append(Run(run.shift, begin, end, run.representation))
    return sorted(chosen, key=lambda run: (run.begin, run.shift))


class _Spans:
    """Numbered half-open spans of a text, none empty and none overlapping another, in the order of the text."""

    def __init__(self) -> None:
        self._ordered: list[tuple[int, int, int]] = []

    def add(self, begin: int, end: int, number: int) -> None:
        insort(self._ordered, (begin, end, number))

    def overlapping(self, begin: int, end: int) -> set[int]:
        """The numbers of those that share a position with this span."""
        first, last = bisect_left(self._ordered, (begin,)), bisect_left(self._ordered, (end,))
        if first and self._ordered[first - 1][1] > begin:
            first -= 1
        return {number for _, _, number in self._ordered[first:last]}


def _beside(begin: int, end: int, taken_begin: int, taken_end: int) -> tuple[int, int]:
    """What is left of a span beside another: the longer of the two ends."""
    if taken_end <= begin or end <= taken_begin:
        return begin, end
    before, after = (begin, taken_begin), (taken_end, end)
    left = max(before, after, key=lambda span: span[1] - span[0])
    return left if left[1] > left[0] else (begin, begin)
