"""What a change did, function by function."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wherefrom.analyzers.units import LONGEST
from wherefrom.fitted import PART, SHORT_RUN
from wherefrom.projects.fixed.differences import Difference, differences
from wherefrom.projects.fixed.sides import Span, hashes
from wherefrom.projects.fixed.sites import around, grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from wherefrom.model import Hashes
    from wherefrom.projects.fixed.sides import Side

_Tokens: TypeAlias = tuple[int, int]
"""A half-open token span of one file."""


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
        return span.side.heading_of(first.old_begin if self.new is None else first.new_begin)


def changed_functions(pairs: Iterable[tuple[Side | None, Side | None]]) -> list[ChangedFunction]:
    """What a change did, in the order of the files. A function that only moved is left out, and so are imports.

    Args:
        pairs: each file before and after; None where it is not there.
    """
    return _without_moved([function for old, new in pairs for function in _of_file(old, new)])


def _of_file(old: Side | None, new: Side | None) -> Iterator[ChangedFunction]:
    if old is not None and new is not None:
        yield from _of_changed_file(old, new)
    elif old is not None:
        for begin, end in _outermost(old.functions):
            yield ChangedFunction(True, Span(old, begin, end), None, (Difference(begin, end, 0, 0),))
    elif new is not None:
        for begin, end in _outermost(new.functions):
            yield ChangedFunction(True, None, Span(new, begin, end), (Difference(0, 0, begin, end),))


def _of_changed_file(old: Side, new: Side) -> Iterator[ChangedFunction]:
    found = _settled(differences(old.stream.codes, new.stream.codes), old, new)
    # Dictionaries, as sets that keep their order.
    olds: dict[_Tokens, None] = {}
    news: dict[_Tokens, None] = {}
    outside: list[Difference] = []
    for difference in found:
        ours = _touched(old.functions, difference.old_begin, difference.old_end)
        theirs = _touched(new.functions, difference.new_begin, difference.new_end)
        olds.update(dict.fromkeys(ours))
        news.update(dict.fromkeys(theirs))
        if not ours and not theirs:
            outside.append(difference)
    yield from _paired(old, new, (list(olds), list(news)), found)
    for group in grouped(outside):
        if not all(
            old.is_import(difference.old_begin, difference.old_end)
            and new.is_import(difference.new_begin, difference.new_end)
            for difference in group
        ):
            yield ChangedFunction(
                False,
                Span(old, *around(group[0].old_begin, group[-1].old_end, 0, len(old.stream))),
                Span(new, *around(group[0].new_begin, group[-1].new_end, 0, len(new.stream))),
                tuple(group),
            )


def _settled(found: Sequence[Difference], old: Side, new: Side) -> list[Difference]:
    """The same differences, each that only adds or only removes moved to where it begins between functions, or else to
    where it begins a line, as far as the tokens around it are the same as its own.
    """
    settled: list[Difference] = []
    for number, difference in enumerate(found):
        back = difference.old_begin - (settled[-1].old_end if settled else 0)
        after = found[number + 1].old_begin if number + 1 < len(found) else len(old.stream)
        forth = after - difference.old_end
        move = 0
        if difference.old_begin == difference.old_end:
            move = _best_move(new, difference.new_begin, difference.new_end, back, forth)
        elif difference.new_begin == difference.new_end:
            move = _best_move(old, difference.old_begin, difference.old_end, back, forth)
        settled.append(difference.moved(move, move))
    return settled


def _best_move(side: Side, begin: int, end: int, back: int, forth: int) -> int:
    """By how many tokens a difference is moved.

    Args:
        side: the file that has the tokens `begin` to `end` of the difference; the other one has none.
        begin: the first of these tokens.
        end: after the last of them.
        back: equal tokens before them, as far as the difference before.
        forth: equal tokens after them, as far as the next difference.
    """
    codes = side.stream.codes
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


def _touched(functions: Sequence[_Tokens], begin: int, end: int) -> list[_Tokens]:
    """The function that a difference is in: the outermost one that is not too long, else the innermost. Where it is in
    none, the functions that it goes across.
    """
    if begin == end:
        outer = [span for span in functions if span[0] < begin < span[1]]
    else:
        outer = [span for span in functions if span[0] <= begin and end <= span[1]]
    if outer:
        return [next((span for span in outer if span[1] - span[0] <= LONGEST), outer[-1])]
    return _outermost([span for span in functions if begin < span[1] and span[0] < end]) if begin < end else []


def _outermost(functions: Sequence[_Tokens]) -> list[_Tokens]:
    """Those that are in no other one."""
    found: list[_Tokens] = []
    for begin, end in functions:
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
    return found


def _paired(
    old: Side, new: Side, touched: tuple[list[_Tokens], list[_Tokens]], found: Sequence[Difference]
) -> Iterator[ChangedFunction]:
    """The functions that were touched on either side, each with what it became. Those that only changed places are left
    out: what is like them in part would be taken for them.
    """
    equal = _Equal.of(found, len(old.stream), len(new.stream))
    same_olds, same_news = _identical(old, new, touched)
    olds, news = (
        [span for span in side if span not in same] for side, same in zip(touched, (same_olds, same_news), strict=True)
    )
    partners: dict[_Tokens, _Tokens] = {}
    for ours in olds:
        partner = _partner(ours, [span for span in new.functions if span not in same_news], equal.in_new)
        if partner is not None:
            partners[ours] = partner
    for theirs in news:
        if theirs not in partners.values():
            partner = _partner(theirs, [span for span in old.functions if span not in same_olds], equal.in_old)
            if partner is not None and partner not in partners:
                partners[partner] = theirs
    pairs: list[tuple[_Tokens | None, _Tokens | None]] = [*partners.items()]
    pairs += [(ours, None) for ours in olds if ours not in partners]
    pairs += [(None, theirs) for theirs in news if theirs not in partners.values()]
    for one, other in sorted(pairs, key=lambda pair: equal.place(*pair)):
        yield ChangedFunction(
            True,
            None if one is None else Span(old, *one),
            None if other is None else Span(new, *other),
            tuple(_clipped(difference, one, other) for difference in found if _touches(difference, one, other)),
        )


def _identical(
    old: Side, new: Side, touched: tuple[Sequence[_Tokens], Sequence[_Tokens]]
) -> tuple[set[_Tokens], set[_Tokens]]:
    """The touched functions that are on both sides as they are, one for one."""
    waiting: defaultdict[bytes, list[_Tokens]] = defaultdict(list)
    for begin, end in touched[0]:
        waiting[old.stream.codes[begin:end].tobytes()].append((begin, end))
    olds, news = set(), set()
    for begin, end in touched[1]:
        if same := waiting[new.stream.codes[begin:end].tobytes()]:
            olds.add(same.pop(0))
            news.add((begin, end))
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
        for difference in (*found, Difference(old, old, new, new)):
            equal.in_new[ours : difference.old_begin] = np.arange(theirs, difference.new_begin)
            equal.in_old[theirs : difference.new_begin] = np.arange(ours, difference.old_begin)
            ours, theirs = difference.old_end, difference.new_end
        return equal

    def place(self, ours: _Tokens | None, theirs: _Tokens | None) -> tuple[_Tokens, _Tokens]:
        """By what functions are ordered: where one is in the new file; where one that is gone would be, and was."""
        if theirs is None and ours is not None:
            at = int(self.in_new[: ours[0]].max(initial=-1)) + 1
            theirs = at, at
        return theirs or (0, 0), ours or (-1, -1)


def _partner(function: _Tokens, others: Sequence[_Tokens], became: NDArray[np.int64]) -> _Tokens | None:
    """The function of the other file that has most of this one's tokens."""
    places = became[function[0] : function[1]]
    places = places[places >= 0]
    best, most = None, 0
    for other in others:
        shared = int(np.count_nonzero((places >= other[0]) & (places < other[1])))
        # Of two that have all of it, the one around the other is not meant.
        if shared > most or (shared == most and best is not None and other[1] - other[0] < best[1] - best[0]):
            best, most = other, shared
    if best is None or most < PART * min(function[1] - function[0], best[1] - best[0]):
        return None
    return best


def _touches(difference: Difference, old: _Tokens | None, new: _Tokens | None) -> bool:
    return _overlaps(difference.old_begin, difference.old_end, old) or _overlaps(
        difference.new_begin, difference.new_end, new
    )


def _overlaps(begin: int, end: int, span: _Tokens | None) -> bool:
    if span is None:
        return False
    return span[0] < begin < span[1] if begin == end else begin < span[1] and span[0] < end


def _clipped(difference: Difference, old: _Tokens | None, new: _Tokens | None) -> Difference:
    """What of a difference is in two functions."""
    old_begin, old_end = old or (difference.old_begin, difference.old_begin)
    new_begin, new_end = new or (difference.new_begin, difference.new_begin)
    return Difference(
        *np.clip((difference.old_begin, difference.old_end), old_begin, old_end).tolist(),
        *np.clip((difference.new_begin, difference.new_end), new_begin, new_end).tolist(),
    )


def _without_moved(found: Sequence[ChangedFunction]) -> list[ChangedFunction]:
    """The same with each removed function put to the added one that it became; what only moved is left out."""
    added = [function.new for function in found if function.old is None and function.new is not None]
    candidates = _Candidates(added)
    became = {
        number: moved
        for number, function in enumerate(found)
        if function.new is None
        and function.old is not None
        and (moved := candidates.take(_distinct(function.old))) is not None
    }
    taken = {id(added[at]) for at in became.values()}
    kept: list[ChangedFunction] = []
    for number, function in enumerate(found):
        if number in became and function.old is not None:
            kept += _moved(function.old, added[became[number]])
        elif id(function.new) not in taken:
            kept.append(function)
    return kept


class _Candidates:
    """Finds the function that has most of another one's k-grams.

    Args:
        functions: those among which it is.
    """

    def __init__(self, functions: Sequence[Span]) -> None:
        found = [_distinct(function) for function in functions]
        sizes = [len(of_function) for of_function in found]
        owners = np.repeat(np.arange(len(found)), sizes)
        together = np.concatenate([np.empty(0, np.uint64), *found])
        order = np.argsort(together, kind="stable")
        self._hashes, self._owners = together[order], owners[order]
        self._sizes = np.array(sizes, np.int64)
        self._is_taken = np.zeros(len(found), np.bool_)

    def take(self, wanted: Hashes) -> int | None:
        """The number of the function that is most like one with these k-grams, and is not taken yet; None if there is
        none with half of the k-grams of both.
        """
        if not len(self._sizes) or not len(wanted):
            return None
        begins = self._hashes.searchsorted(wanted)
        ends = self._hashes.searchsorted(wanted, side="right")
        held = np.concatenate([self._owners[begin:end] for begin, end in zip(begins, ends, strict=True)])
        shared = np.bincount(held, minlength=len(self._sizes))
        shares = shared / (self._sizes + len(wanted) - shared)
        shares[self._is_taken] = 0
        best = int(shares.argmax())
        if 2 * shares[best] < 1:
            return None
        self._is_taken[best] = True
        return best


def _distinct(function: Span) -> Hashes:
    return np.unique(hashes(function.codes, SHORT_RUN))


def _moved(old: Span, new: Span) -> list[ChangedFunction]:
    """A function that was moved, with what was changed in it; none where nothing was."""
    found = [difference.moved(old.begin, new.begin) for difference in differences(old.codes, new.codes)]
    return [ChangedFunction(True, old, new, tuple(found))] if found else []
