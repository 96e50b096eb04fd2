"""Runs: stretches of the query that match stretches of a document, token by token."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.noise import weights
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenClass, TokenStream, only, part
from wherefrom.fitted import PATTERN, WEIGHT
from wherefrom.model import Representation
from wherefrom.queries.spans import Flags, Numbers, parted, stretches

if TYPE_CHECKING:
    from wherefrom import _kernel

_STRICTNESS = (Representation.EXACT, Representation.TEXT, Representation.RENAMED, Representation.P_MATCH)

_REACH = 2
"""Matches behind a formatter's change are looked for at most this many lengths of the query away from known runs."""


@dataclass(frozen=True, slots=True)
class MatchedRun:
    """The query's tokens `begin` to `end` (half-open) match the document's tokens that are `shift` further on."""

    shift: int
    begin: int
    end: int
    representation: Representation

    @property
    def tokens(self) -> int:
        """The length of the run."""
        return self.end - self.begin

    @property
    def here(self) -> slice:
        """The tokens of the query."""
        return slice(self.begin, self.end)

    @property
    def there(self) -> slice:
        """The tokens of the document."""
        return slice(self.begin + self.shift, self.end + self.shift)

    def repeated(self, distance: int) -> MatchedRun:
        """The run between the same tokens of the document and the query's tokens `distance` further on."""
        return MatchedRun(self.shift - distance, self.begin + distance, self.end + distance, self.representation)


@dataclass(frozen=True, slots=True)
class Sides:
    """The two texts. `kept` and `document_kept` tell which names of each text `renamed` leaves as they are."""

    query: TokenStream
    document: TokenStream
    kept: Flags
    document_kept: Flags

    @staticmethod
    def of(query: TokenStream, document: TokenStream, kept: Flags | None = None) -> Sides:
        """Both texts. A caller that compares one query with many documents gives its `kept_names` as `kept`."""
        return Sides(query, document, kept_names(query) if kept is None else kept, kept_names(document))

    def with_taken(self, runs: Iterable[MatchedRun], masked: Flags) -> tuple[Flags, Flags]:
        """Which tokens of the query are masked or in one of the runs, and which tokens of the document are in a run."""
        taken, document_taken = masked.copy(), np.zeros(len(self.document), np.bool_)
        for run in runs:
            taken[run.here] = document_taken[run.there] = True
        return taken, document_taken


def diagonal_runs(query: Numbers, shifts: Numbers, k: int, representation: Representation) -> list[MatchedRun]:
    """The runs that shared k-grams form. K-grams with equal shifts make one run if they overlap or touch. They begin at
    the tokens `query` (at least one), ascending for each of the `shifts`, and equal shifts are neighbors.
    """
    spans = parted((shifts[1:] != shifts[:-1]) | (query[1:] - query[:-1] > k)).tolist()
    return [
        MatchedRun(int(shifts[first]), int(query[first]), int(query[end - 1]) + k, representation)
        for first, end in spans
    ]


def _all_that_match(sides: Sides, aligned: Iterable[MatchedRun], masked: Flags) -> list[MatchedRun]:
    """The grown runs, with their continuations behind tokens that a formatter may have added or moved."""
    grown = _grown_runs(sides, aligned, masked)
    if not grown:
        return []
    reach = _REACH * len(sides.query)
    first = max(min(run.begin + run.shift for run in grown) - reach, 0)
    last = min(max(run.end + run.shift for run in grown) + reach, len(sides.document))
    near = Sides(sides.query, part(sides.document, first, last), sides.kept, sides.document_kept[first:last])
    further = _beyond_light(near, [replace(run, shift=run.shift - first) for run in grown], masked)
    return grown if further is None else _join(replace(run, shift=run.shift + first) for run in further)


def _grown_runs(sides: Sides, aligned: Iterable[MatchedRun], masked: Flags) -> list[MatchedRun]:
    """The aligned runs of one document, grown token by token while the texts agree; they may overlap.

    Runs on one diagonal (with equal shifts) are joined first, and then split at masked tokens.
    """
    parts = [piece for run in _join(aligned) for piece in _parts(run, masked[run.here])]
    # Runs do not grow into the tokens of other aligned runs.
    return _join(_all_grown(sides, parts, *sides.with_taken(parts, masked)))


def _beyond_light(sides: Sides, grown: Sequence[MatchedRun], masked: Flags) -> list[MatchedRun] | None:
    """The runs, and further matches that appear after light tokens (`analyzers.noise.weights`) are removed from both
    texts. None if this changes no run and adds none.
    """
    here, there = weights(sides.query) == WEIGHT, weights(sides.document) == WEIGHT
    if here.all() and there.all():
        return None
    # Runs are cut where two different tokens face each other and only one is light. For example, a part of a string
    # does not match the whole string.
    apart: list[MatchedRun] = []
    for run in grown:
        differ = sides.query.codes[run.here] != sides.document.codes[run.there]
        apart += _parts(run, differ & (here[run.here] != there[run.there]))
    quiet = Sides(only(sides.query, here), only(sides.document, there), sides.kept[here], sides.document_kept[there])
    known = set(_without_light(apart, here, there))
    found = [run for run in _grown_runs(quiet, known, masked[here]) if run not in known]
    if not found and len(apart) == len(grown):
        return None
    return [*apart, *(piece for run in found for piece in _with_light(sides, run, here, there, masked))]


def matched_runs(
    sides: Sides, aligned: Iterable[MatchedRun], masked: Flags, *, past_formatting: bool = True, is_once: bool = True
) -> list[MatchedRun]:
    """The matching runs that grow from the aligned runs of one document, which may overlap; they ascend and do not. The
    longest run is chosen first, among equally long ones the one with more identical tokens. With `past_formatting`, a
    run goes on behind tokens that a formatter may have added or moved. With `is_once`, each stretch of the document
    matches only one stretch of the query.
    """

    def differing(run: MatchedRun) -> int:
        return int(np.count_nonzero(sides.query.codes[run.here] != sides.document.codes[run.there]))

    runs = (_all_that_match if past_formatting else _grown_runs)(sides, aligned, masked)
    return _without_overlaps(runs, is_once=is_once, distance=differing)


def nearest_runs(
    sides: Sides, runs: Sequence[MatchedRun], others: Iterable[MatchedRun], taken: Flags, document_taken: Flags
) -> list[MatchedRun]:
    """Adds other runs of shared k-grams to the result of `matched_runs` (at least one): the longest first; among
    equally long ones, the nearest first. `taken` and `document_taken` are those of `Sides.with_taken`.
    """
    begin = min(run.begin + run.shift for run in runs)
    end = max(run.end + run.shift for run in runs)
    main = max(runs, key=lambda run: run.tokens).shift

    def distance(run: MatchedRun) -> int:
        outside = max(begin - run.begin - run.shift, run.end + run.shift - end, 0)
        return outside * len(sides.document) + abs(run.shift - main)

    grown = _join(_all_grown(sides, _join(others), taken, document_taken))
    return _without_overlaps(grown, before=runs, distance=distance)


def matched_weight(runs: Iterable[MatchedRun], weights: Numbers) -> int:
    """The sum of the `weights` (one for each token of the query) over the tokens of runs that do not overlap."""
    return sum(int(weights[run.here].sum()) for run in runs)


def _join(runs: Iterable[MatchedRun]) -> list[MatchedRun]:
    """Joins runs of one diagonal that overlap or touch. The joined run has the loosest of their representations."""
    joined: list[MatchedRun] = []
    for run in sorted(runs, key=lambda run: (run.shift, run.begin, run.end)):
        last = joined[-1] if joined else None
        if last is None or run.shift != last.shift or run.begin > last.end:
            joined.append(run)
        else:
            loosest = max(last.representation, run.representation, key=_STRICTNESS.index)
            joined[-1] = MatchedRun(run.shift, last.begin, max(last.end, run.end), loosest)
    return joined


def _parts(run: MatchedRun, left_out: Flags) -> Iterator[MatchedRun]:
    """The parts of a run that remain when some of its tokens are left out."""
    if not left_out.any():
        yield run
        return
    for begin, end in (stretches(~left_out) + run.begin).tolist():
        yield replace(run, begin=begin, end=end)


class _Names:
    """The renaming that a run implies: one name of the query becomes one name of the document, and the other way round.

    Each k-gram of a run agrees by itself, so a run may replace one name by two different names. Then the replacement
    nearest to the growing end counts.
    """

    def __init__(self, sides: Sides, run: MatchedRun, nearest: slice) -> None:
        self.sides, self.shift = sides, run.shift
        self.keeps = run.representation is not Representation.P_MATCH
        renamed = sides.query.classes[run.here] == TokenClass.NAME
        if self.keeps:
            renamed &= ~sides.kept[run.here]
        ours, theirs = sides.query.codes[run.here][renamed], sides.document.codes[run.there][renamed]
        pairs = list(zip(ours.tolist(), theirs.tolist(), strict=True))[nearest]
        self.forth = dict(pairs)
        self.back = {there: here for here, there in pairs}

    def agree(self, position: int) -> bool | None:
        """Whether the query's token at a position matches the document's: None if it does not; True if both are the
        same, or names whose renaming is known; False for different literals and for a new renaming, which is
        remembered.
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


def _without_light(runs: Iterable[MatchedRun], here: Flags, there: Flags) -> Iterator[MatchedRun]:
    """Converts runs of the whole texts to runs of the texts without light tokens. `here` and `there` tell which tokens
    of the query and of the document are not light. A run is split at tokens that are light in one text only.
    """
    counts, document_counts = (np.concatenate(([0], np.cumsum(which))) for which in (here, there))
    for run in runs:
        for piece in _parts(run, here[run.here] != there[run.there]):
            begin, end = int(counts[piece.begin]), int(counts[piece.end])
            if begin < end:
                shift = int(document_counts[piece.begin + piece.shift]) - begin
                yield MatchedRun(shift, begin, end, piece.representation)


def _with_light(sides: Sides, run: MatchedRun, here: Flags, there: Flags, masked: Flags) -> Iterator[MatchedRun]:
    """Converts a run of the texts without light tokens to runs of the whole texts, with the light tokens that match."""
    ours, theirs = np.flatnonzero(here)[run.here], np.flatnonzero(there)[run.there]
    places = np.arange(ours[0], ours[-1] + 1)
    before = ours.searchsorted(places, side="right") - 1
    others = theirs[before] + places - ours[before]
    is_same = others < np.append(theirs, len(there))[before + 1]
    others = np.where(is_same, others, 0)
    is_same &= here[places] | ((sides.query.codes[places] == sides.document.codes[others]) & ~masked[places])
    places, others = places[is_same], others[is_same]
    for first, end in parted((np.diff(places) != 1) | (np.diff(others) != 1)).tolist():
        begin = int(places[first])
        yield MatchedRun(int(others[first]) - begin, begin, int(places[end - 1]) + 1, run.representation)


def _all_grown(sides: Sides, runs: Sequence[MatchedRun], taken: Flags, document_taken: Flags) -> list[MatchedRun]:
    """The runs, each grown by itself."""
    native = kernel.active()
    if native is None or not runs:
        return [_grow(sides, run, taken, document_taken) for run in runs]
    spans = native.grown(
        _side(sides.query, sides.kept, taken),
        _side(sides.document, sides.document_kept, document_taken),
        [(run.shift, run.begin, run.end, run.representation is not Representation.P_MATCH) for run in runs],
    )
    return [replace(run, begin=begin, end=end) for run, (begin, end) in zip(runs, spans, strict=True)]


def _side(text: TokenStream, kept: Flags, taken: Flags) -> _kernel.Side:
    return text.codes, text.classes, kept.view(np.uint8), taken.view(np.uint8)


def _grow(sides: Sides, run: MatchedRun, taken: Flags, document_taken: Flags) -> MatchedRun:
    """Grows a run at both ends while the texts agree, but only up to the last token that certainly agrees: beyond that
    token, any name could replace any other.
    """

    def reached(names: _Names, positions: range, last: int) -> int:
        """The last of the positions that the run grows to, or `last` if it does not grow."""
        for position in positions:
            is_taken = taken[position] or document_taken[position + run.shift]
            agrees = None if is_taken else names.agree(position)
            if agrees is None:
                break
            last = position if agrees else last
        return last

    end = min(len(taken), len(document_taken) - run.shift)
    backward = range(run.begin - 1, max(-1, -run.shift - 1), -1)
    return replace(
        run,
        begin=reached(_Names(sides, run, slice(None, None, -1)), backward, run.begin),
        end=reached(_Names(sides, run, slice(None)), range(run.end, end), run.end - 1) + 1,
    )


def _without_overlaps(
    runs: Iterable[MatchedRun],
    *,
    is_once: bool = True,
    before: Sequence[MatchedRun] = (),
    distance: Callable[[MatchedRun], int] = lambda _: 0,
) -> list[MatchedRun]:
    """Chooses runs and shortens them, so that they do not overlap in the query and, with `is_once`, in the document.

    The runs in `before` are chosen first, then the longest of `runs`; of equally long ones the nearest by `distance`.
    """
    chosen: list[MatchedRun] = []
    # The spans of the chosen runs in both texts, ascending, each with the number of its run.
    here: list[tuple[int, int, int]] = []
    there: list[tuple[int, int, int]] = []
    in_turn = sorted(runs, key=lambda run: (-run.tokens, distance(run), run.begin, run.shift))
    for run in (*before, *in_turn):
        begin, end = run.begin, run.end
        # Only the few chosen runs that overlap this one matter, in the order of their choice.
        numbers = _overlapping(here, begin, end)
        if is_once:
            numbers |= _overlapping(there, begin + run.shift, end + run.shift)
        for other in (chosen[number] for number in sorted(numbers)):
            begin, end = _beside(begin, end, other.begin, other.end)
            if is_once:
                moved = other.shift - run.shift
                begin, end = _beside(begin, end, other.begin + moved, other.end + moved)
        if end - begin == run.tokens or end - begin >= PATTERN:
            insort(here, (begin, end, len(chosen)))
            if is_once:
                insort(there, (begin + run.shift, end + run.shift, len(chosen)))
            chosen.append(MatchedRun(run.shift, begin, end, run.representation))
    return sorted(chosen, key=lambda run: (run.begin, run.shift))


def _overlapping(spans: Sequence[tuple[int, int, int]], begin: int, end: int) -> set[int]:
    """The numbers of the spans (begin, end, number) that overlap `begin` to `end`, half-open. The spans ascend, are
    not empty, and do not overlap each other.
    """
    first, last = bisect_left(spans, (begin,)), bisect_left(spans, (end,))
    if first and spans[first - 1][1] > begin:
        first -= 1
    return {number for _, _, number in spans[first:last]}


def _beside(begin: int, end: int, taken_begin: int, taken_end: int) -> tuple[int, int]:
    """The longer of the two parts of a span that are outside the taken span; an empty span if nothing is left."""
    if taken_end <= begin or end <= taken_begin:
        return begin, end
    before, after = (begin, taken_begin), (taken_end, end)
    left = max(before, after, key=lambda span: span[1] - span[0])
    return left if left[1] > left[0] else (begin, begin)
