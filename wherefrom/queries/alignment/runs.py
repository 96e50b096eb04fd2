"""Runs: stretches of the query that match stretches of a document, token by token."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.queries.spans import Flags, Numbers, stretches
from wherefrom.support.values import dataclass


class MatchedRun(NamedTuple):
    """The query's tokens `begin` to `end` (half-open) match the document's tokens that are `shift` further on."""

    shift: int
    begin: int
    end: int

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

    def moved(self, distance: int) -> MatchedRun:
        """The run between the same tokens of the document and the query's tokens `distance` further on."""
        return MatchedRun(self.shift - distance, self.begin + distance, self.end + distance)


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


def matched_weight(runs: Iterable[MatchedRun], weights: Numbers) -> int:
    """The sum of the `weights` (one for each token of the query) over the tokens of runs that do not overlap."""
    return sum(int(weights[run.here].sum()) for run in runs)


def unmasked(runs: Iterable[MatchedRun], masked: Flags) -> Iterator[MatchedRun]:
    """The parts of runs without the `masked` tokens of the query."""
    for run in runs:
        if masked[run.here].any():
            for begin, end in (stretches(~masked[run.here]) + run.begin).tolist():
                yield MatchedRun(run.shift, begin, end)
        else:
            yield run


def inside(runs: Iterable[MatchedRun], begin: int, end: int) -> Iterator[MatchedRun]:
    """The parts of runs in the tokens `begin` to `end` (half-open) of the query."""
    for run in runs:
        first, last = max(run.begin, begin), min(run.end, end)
        if first < last:
            yield MatchedRun(run.shift, first, last)


def without_overlaps(runs: Iterable[MatchedRun], *, is_once: bool = True) -> list[MatchedRun]:
    """Chooses runs of one document and shortens them, so that they do not overlap in the query and, with `is_once`, in
    the document: the longest first. Runs of one diagonal that overlap are joined before. The result ascends in the
    query.
    """
    chosen: list[MatchedRun] = []
    # The spans of the chosen runs in both texts, ascending, each with the number of its run.
    here: list[tuple[int, int, int]] = []
    there: list[tuple[int, int, int]] = []
    for run in sorted(_joined(runs), key=lambda run: (-run.tokens, run.begin, run.shift)):
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
        if begin < end:
            insort(here, (begin, end, len(chosen)))
            insort(there, (begin + run.shift, end + run.shift, len(chosen)))
            chosen.append(MatchedRun(run.shift, begin, end))
    return sorted(chosen, key=lambda run: (run.begin, run.shift))


def _joined(runs: Iterable[MatchedRun]) -> list[MatchedRun]:
    joined: list[MatchedRun] = []
    for run in sorted(runs):
        last = joined[-1] if joined else None
        if last is None or run.shift != last.shift or run.begin >= last.end:
            joined.append(run)
        else:
            joined[-1] = MatchedRun(run.shift, last.begin, max(last.end, run.end))
    return joined


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
