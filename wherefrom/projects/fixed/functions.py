"""What a change did, function by function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.units import LONGEST
from wherefrom.fitted import PART, SHORT_RUN
from wherefrom.model import Hashes
from wherefrom.projects.fixed.differences import Difference, Tokens, differences, hashes
from wherefrom.projects.fixed.sides import Side, Span
from wherefrom.projects.fixed.sites import around, grouped


@dataclass(frozen=True, slots=True)
class ChangedFunction:
    """A function, or code outside of functions, that was changed.

    Attributes:
        is_function: whether it is one.
        old, new: where it is before and after the change; one of them may be None.
        differences: what differs, in its order; in the positions of both files.
    """

    is_function: bool
    old: Span | None
    new: Span | None
    differences: tuple[Difference, ...]

    @property
    def span(self) -> Span:
        """Where it is after the change; before it where it is gone."""
        span = self.new or self.old
        assert span is not None, "a changed function is on one side at least"
        return span

    @property
    def name(self) -> str:
        """The line that names it; empty where none does."""
        span = self.span
        if self.is_function:
            return span.side.name_of_function(span.begin, span.end)
        first = self.differences[0]
        return span.side.heading_of(first.old[0] if self.new is None else first.new[0])


def changed_functions(pairs: Iterable[tuple[Side | None, Side | None]]) -> list[ChangedFunction]:
    """What a change did, in the order of the files. A function that only moved is left out, and so are imports."""
    return _without_moved([function for old, new in pairs for function in _of_file(old, new)])


def _of_file(old: Side | None, new: Side | None) -> Iterator[ChangedFunction]:
    if old is not None and new is not None:
        yield from _of_changed_file(old, new)
    elif old is not None:
        for span in _outermost(old.functions):
            yield ChangedFunction(True, Span(old, *span), None, (Difference(span, (0, 0)),))
    elif new is not None:
        for span in _outermost(new.functions):
            yield ChangedFunction(True, None, Span(new, *span), (Difference((0, 0), span),))


def _of_changed_file(old: Side, new: Side) -> Iterator[ChangedFunction]:
    found = _settled(differences(old.stream.codes, new.stream.codes), old, new)
    # Dictionaries, as sets that keep their order.
    olds: dict[Tokens, None] = {}
    news: dict[Tokens, None] = {}
    outside: list[Difference] = []
    for difference in found:
        ours, theirs = _touched(old.functions, difference.old), _touched(new.functions, difference.new)
        olds |= dict.fromkeys(ours)
        news |= dict.fromkeys(theirs)
        if not ours and not theirs:
            outside.append(difference)
    yield from _paired(old, new, (list(olds), list(news)), found)
    for group in grouped(outside):
        if not all(old.is_import(*difference.old) and new.is_import(*difference.new) for difference in group):
            whole = group[0].joined(group[-1])
            before = Span(old, *around(*whole.old, 0, len(old.stream)))
            after = Span(new, *around(*whole.new, 0, len(new.stream)))
            yield ChangedFunction(False, before, after, tuple(group))


def _settled(found: Sequence[Difference], old: Side, new: Side) -> list[Difference]:
    """The same differences; each that only adds or only removes is moved, over tokens that equal its own, to where it
    begins between functions, or else begins a line.
    """
    settled: list[Difference] = []
    for number, difference in enumerate(found):
        back = difference.old[0] - (settled[-1].old[1] if settled else 0)
        forth = (found[number + 1].old[0] if number + 1 < len(found) else len(old.stream)) - difference.old[1]
        move = 0
        if difference.old[0] == difference.old[1]:
            move = _best_move(new, difference.new, back, forth)
        elif difference.new[0] == difference.new[1]:
            move = _best_move(old, difference.old, back, forth)
        settled.append(difference.moved(move, move))
    return settled


def _best_move(side: Side, span: Tokens, back: int, forth: int) -> int:
    """By how many tokens a difference is moved.

    Args:
        side: the file that has tokens of the difference.
        span: these; the other file has none.
        back: equal tokens before them, as far as the difference before.
        forth: equal tokens after them, as far as the next difference.
    """
    (begin, end), codes = span, side.stream.codes
    first = last = 0
    while -first < back and codes[begin + first - 1] == codes[end + first - 1]:
        first -= 1
    while last < forth and codes[begin + last] == codes[end + last]:
        last += 1
    return max(range(first, last + 1), key=lambda move: (*_rank(side, begin + move), -abs(move), move))


def _rank(side: Side, at: int) -> tuple[bool, bool]:
    """Whether a token begins outside of all functions, and whether it begins a line."""
    begins_line = at == 0 or bool(side.stream.start_lines[at] > side.stream.end_lines[at - 1])
    return not any(first < at < last for first, last in side.functions), begins_line


def _touched(functions: Sequence[Tokens], span: Tokens) -> list[Tokens]:
    """The function that a difference is in: the outermost one that is not too long, else the innermost. If it is in
    none, the functions that it goes across.
    """
    across = [each for each in functions if _overlap(span, each)]
    outer = [each for each in across if each[0] <= span[0] and span[1] <= each[1]]
    if outer:
        return [next((each for each in outer if each[1] - each[0] <= LONGEST), outer[-1])]
    return _outermost(across)


def _overlap(span: Tokens, function: Tokens | None) -> bool:
    """Whether a span has tokens of a function; an empty one is in it if it is between two of its tokens."""
    return function is not None and span[0] < function[1] and function[0] < span[1]


def _outermost(functions: Sequence[Tokens]) -> list[Tokens]:
    """Those that are in no other one."""
    found: list[Tokens] = []
    for begin, end in functions:
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
    return found


def _paired(
    old: Side, new: Side, touched: tuple[list[Tokens], list[Tokens]], found: Sequence[Difference]
) -> Iterator[ChangedFunction]:
    """The functions that were touched on either side, each with what it became, without those that only changed places:
    what is like them in part would be taken for them.
    """
    equal = _Equal.of(found, len(old.stream), len(new.stream))
    same_olds, same_news = _identical(old, new, touched)
    olds, news = (
        [span for span in side if span not in same] for side, same in zip(touched, (same_olds, same_news), strict=True)
    )
    partners: dict[Tokens, Tokens] = {}
    for ours in olds:
        partner = _partner(ours, [span for span in new.functions if span not in same_news], equal.in_new)
        if partner is not None:
            partners[ours] = partner
    for theirs in news:
        if theirs not in partners.values():
            partner = _partner(theirs, [span for span in old.functions if span not in same_olds], equal.in_old)
            if partner is not None:
                partners.setdefault(partner, theirs)
    pairs: list[tuple[Tokens | None, Tokens | None]] = [*partners.items()]
    pairs += [(ours, None) for ours in olds if ours not in partners]
    pairs += [(None, theirs) for theirs in news if theirs not in partners.values()]
    for one, other in sorted(pairs, key=lambda pair: equal.place(*pair)):
        yield ChangedFunction(
            True,
            None if one is None else Span(old, *one),
            None if other is None else Span(new, *other),
            tuple(
                Difference(_clipped(difference.old, one), _clipped(difference.new, other))
                for difference in found
                if _overlap(difference.old, one) or _overlap(difference.new, other)
            ),
        )


def _clipped(span: Tokens, function: Tokens | None) -> Tokens:
    """The part of a span that is in a function."""
    first, last = function or (span[0], span[0])
    return min(max(span[0], first), last), min(max(span[1], first), last)


def _identical(
    old: Side, new: Side, touched: tuple[Sequence[Tokens], Sequence[Tokens]]
) -> tuple[set[Tokens], set[Tokens]]:
    """The touched functions that are on both sides as they are, one for one."""
    waiting: defaultdict[bytes, list[Tokens]] = defaultdict(list)
    for span in touched[0]:
        waiting[old.stream.codes[slice(*span)].tobytes()].append(span)
    olds, news = set(), set()
    for span in touched[1]:
        if same := waiting[new.stream.codes[slice(*span)].tobytes()]:
            olds.add(same.pop(0))
            news.add(span)
    return olds, news


@dataclass(frozen=True, slots=True)
class _Equal:
    """For each token of the old file the one of the new file that it became, and the other way round; -1 for none."""

    in_new: NDArray[np.int64]
    in_old: NDArray[np.int64]

    @staticmethod
    def of(found: Sequence[Difference], old: int, new: int) -> _Equal:
        """From the differences of files of so many tokens."""
        equal = _Equal(np.full(old, -1), np.full(new, -1))
        ours = theirs = 0
        for difference in (*found, Difference((old, old), (new, new))):
            equal.in_new[ours : difference.old[0]] = np.arange(theirs, difference.new[0])
            equal.in_old[theirs : difference.new[0]] = np.arange(ours, difference.old[0])
            ours, theirs = difference.old[1], difference.new[1]
        return equal

    def place(self, ours: Tokens | None, theirs: Tokens | None) -> tuple[Tokens, Tokens]:
        """By what functions are ordered: where one is in the new file; where one that is gone would be, and was."""
        if theirs is None and ours is not None:
            at = int(self.in_new[: ours[0]].max(initial=-1)) + 1
            theirs = at, at
        return theirs or (0, 0), ours or (-1, -1)


def _partner(function: Tokens, others: Sequence[Tokens], became: NDArray[np.int64]) -> Tokens | None:
    """The function of the other file that has most of this one's tokens."""
    places = became[slice(*function)]

    def shared(other: Tokens) -> int:
        return int(np.count_nonzero((places >= other[0]) & (places < other[1])))

    # Of two that have all of it, the inner one is meant.
    best = max(others, key=lambda other: (shared(other), other[0] - other[1]), default=None)
    if best is None or shared(best) < max(1, PART * min(function[1] - function[0], best[1] - best[0])):
        return None
    return best


def _without_moved(found: Sequence[ChangedFunction]) -> list[ChangedFunction]:
    """The same with each removed function put to the added one that it became; what only moved is left out."""
    candidates = _Candidates([each.new for each in found if each.old is None and each.new is not None])
    became: dict[int, Span] = {}
    for number, function in enumerate(found):
        if function.new is None and function.old is not None:
            moved = candidates.take(_distinct(function.old))
            if moved is not None:
                became[number] = moved
    taken = set(map(id, became.values()))
    kept: list[ChangedFunction] = []
    for number, function in enumerate(found):
        if number in became and function.old is not None:
            kept += _moved(function.old, became[number])
        elif id(function.new) not in taken:
            kept.append(function)
    return kept


class _Candidates:
    """Finds the function that has most of another one's k-grams."""

    def __init__(self, functions: Sequence[Span]) -> None:
        self._functions = functions
        found = [_distinct(function) for function in functions]
        sizes = [len(of_function) for of_function in found]
        owners = np.repeat(np.arange(len(found)), sizes)
        together = np.concatenate([np.empty(0, np.uint64), *found])
        order = np.argsort(together, kind="stable")
        self._hashes, self._owners = together[order], owners[order]
        self._sizes = np.array(sizes, np.int64)
        self._is_taken = np.zeros(len(found), np.bool_)

    def take(self, wanted: Hashes) -> Span | None:
        """The function, not taken yet, that is most like one with these k-grams; None if none has half of the k-grams
        of both.
        """
        if not len(self._sizes) or not len(wanted):
            return None
        begins = self._hashes.searchsorted(wanted)
        ends = self._hashes.searchsorted(wanted, side="right")
        owners = np.concatenate([self._owners[begin:end] for begin, end in zip(begins, ends, strict=True)])
        shared = np.bincount(owners, minlength=len(self._sizes))
        shares = shared / (self._sizes + len(wanted) - shared)
        shares[self._is_taken] = 0
        best = int(shares.argmax())
        if 2 * shares[best] < 1:
            return None
        self._is_taken[best] = True
        return self._functions[best]


def _distinct(function: Span) -> Hashes:
    return np.unique(hashes(function.codes, SHORT_RUN))


def _moved(old: Span, new: Span) -> list[ChangedFunction]:
    """A function that was moved, with what was changed in it; none where nothing was."""
    found = [difference.moved(old.begin, new.begin) for difference in differences(old.codes, new.codes)]
    return [ChangedFunction(True, old, new, tuple(found))] if found else []
