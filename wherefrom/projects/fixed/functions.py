"""The functions that a change touched, each before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.analyzers.units import LONGEST
from wherefrom.fitted import RELATED, SHORT_RUN
from wherefrom.projects.fixed.sites import Difference, FileSide, Sides, Tokens, TokenSpan, around, differences, grouped
from wherefrom.support.chunks import by_key
from wherefrom.support.values import dataclass


@dataclass(frozen=True, slots=True)
class ChangedFunction:
    """A changed function, or changed code outside of functions: its tokens before and after the change (`old` is None
    if it was added, `new` if it was removed), and the differences in order, as token positions in both files.
    """

    is_function: bool
    old: TokenSpan | None
    new: TokenSpan | None
    differences: tuple[Difference, ...]

    @property
    def span(self) -> TokenSpan:
        """Its tokens after the change; before it if it was removed."""
        span = self.new or self.old
        assert span is not None, "a changed function is on one side at least"
        return span

    @property
    def name(self) -> str:
        """The line that names it; empty if there is none."""
        span = self.span
        if self.is_function:
            return span.side.name_of_function(span.begin, span.end)
        first = self.differences[0]
        return span.side.heading_of(first.old[0] if self.new is None else first.new[0])


def changed_functions(pairs: Iterable[Sides]) -> list[ChangedFunction]:
    """The changed functions, in the order of the files. Functions that only moved and imports are left out."""
    found: list[ChangedFunction] = []
    for old, new in pairs:
        if old is not None and new is not None:
            found += _of_changed_file(old, new)
        elif old is not None:
            for span in _outermost(old.functions):
                found.append(ChangedFunction(True, TokenSpan(old, *span), None, (Difference(span, (0, 0)),)))
        elif new is not None:
            for span in _outermost(new.functions):
                found.append(ChangedFunction(True, None, TokenSpan(new, *span), (Difference((0, 0), span),)))
    return _without_moved(found)


def _of_changed_file(old: FileSide, new: FileSide) -> Iterator[ChangedFunction]:
    found = _settled(differences(old.stream.codes, new.stream.codes), old, new)
    # These dictionaries are sets that keep their order.
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
            before = TokenSpan(old, *around(*whole.old, 0, len(old.stream)))
            after = TokenSpan(new, *around(*whole.new, 0, len(new.stream)))
            yield ChangedFunction(False, before, after, tuple(group))


def _settled(found: Sequence[Difference], old: FileSide, new: FileSide) -> list[Difference]:
    """The same differences, placed where a reader expects them. A difference that only adds or only removes tokens can
    move past tokens equal to its own. It moves to a position between functions, or else to the beginning of a line.
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


def _best_move(side: FileSide, span: Tokens, back: int, forth: int) -> int:
    """How far to move a difference that only one file has: at most `back` or `forth` tokens, to those beside it."""
    (begin, end), codes = span, side.stream.codes
    first = last = 0
    while -first < back and codes[begin + first - 1] == codes[end + first - 1]:
        first -= 1
    while last < forth and codes[begin + last] == codes[end + last]:
        last += 1
    return max(range(first, last + 1), key=lambda move: (*_rank(side, begin + move), -abs(move), move))


def _rank(side: FileSide, at: int) -> tuple[bool, bool]:
    begins_line = at == 0 or bool(side.stream.start_lines[at] > side.stream.end_lines[at - 1])
    return not any(first < at < last for first, last in side.functions), begins_line


def _touched(functions: Sequence[Tokens], span: Tokens) -> list[Tokens]:
    """The function that has the whole difference: the outermost one that is not too long, else the innermost. If no
    function has the whole difference, the outermost functions that have a part of it.
    """
    across = [function for function in functions if _overlap(span, function)]
    outer = [(begin, end) for begin, end in across if begin <= span[0] and span[1] <= end]
    if outer:
        return [next(((begin, end) for begin, end in outer if end - begin <= LONGEST), outer[-1])]
    return _outermost(across)


def _overlap(span: Tokens, function: Tokens | None) -> bool:
    """Whether a span has tokens of a function. An empty span must be between two tokens of the function."""
    return function is not None and span[0] < function[1] and function[0] < span[1]


def _outermost(functions: Sequence[Tokens]) -> list[Tokens]:
    found: list[Tokens] = []
    for begin, end in functions:
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
    return found


def _paired(
    old: FileSide, new: FileSide, touched: tuple[list[Tokens], list[Tokens]], found: Sequence[Difference]
) -> Iterator[ChangedFunction]:
    """The touched functions of both sides, each with the function that it became. Functions that only changed places
    are left out first: otherwise a function that resembles them could be paired with them.
    """
    in_new, in_old = _equal_tokens(found, len(old.stream), len(new.stream))
    same_olds, same_news = _identical(old, new, touched)
    olds, news = (
        [span for span in side if span not in same] for side, same in zip(touched, (same_olds, same_news), strict=True)
    )
    earlier = [span for span in old.functions if span not in same_olds]
    later = [span for span in new.functions if span not in same_news]
    partners = {ours: partner for ours in olds if (partner := _partner(ours, later, in_new)) is not None}
    for theirs in news:
        if theirs not in partners.values() and (partner := _partner(theirs, earlier, in_old)) is not None:
            partners.setdefault(partner, theirs)
    pairs: list[tuple[Tokens | None, Tokens | None]] = [*partners.items()]
    pairs += [(ours, None) for ours in olds if ours not in partners]
    pairs += [(None, theirs) for theirs in news if theirs not in partners.values()]

    def order(pair: tuple[Tokens | None, Tokens | None]) -> tuple[Tokens, Tokens]:
        """Sorts by the place in the new file. A removed function has the place that it would have there."""
        ours, theirs = pair
        if theirs is None and ours is not None:
            at = int(in_new[: ours[0]].max(initial=-1)) + 1
            theirs = at, at
        return theirs or (0, 0), ours or (-1, -1)

    for one, other in sorted(pairs, key=order):
        yield ChangedFunction(
            True,
            None if one is None else TokenSpan(old, *one),
            None if other is None else TokenSpan(new, *other),
            tuple(
                Difference(_clipped(difference.old, one), _clipped(difference.new, other))
                for difference in found
                if _overlap(difference.old, one) or _overlap(difference.new, other)
            ),
        )


def _clipped(span: Tokens, function: Tokens | None) -> Tokens:
    first, last = function or (span[0], span[0])
    return min(max(span[0], first), last), min(max(span[1], first), last)


def _identical(
    old: FileSide, new: FileSide, touched: tuple[Sequence[Tokens], Sequence[Tokens]]
) -> tuple[set[Tokens], set[Tokens]]:
    """The touched functions, old and new, that equal a function on the other side. Each one is matched only once."""
    waiting = by_key((old.stream.codes[slice(*span)].tobytes(), span) for span in touched[0])
    olds, news = set(), set()
    for span in touched[1]:
        if same := waiting[new.stream.codes[slice(*span)].tobytes()]:
            olds.add(same.pop(0))
            news.add(span)
    return olds, news


def _equal_tokens(found: Sequence[Difference], old: int, new: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each token of the old and of the new file its position in the other one; -1 if it differs."""
    in_new, in_old = np.full(old, -1), np.full(new, -1)
    ours = theirs = 0
    for difference in (*found, Difference((old, old), (new, new))):
        in_new[ours : difference.old[0]] = np.arange(theirs, difference.new[0])
        in_old[theirs : difference.new[0]] = np.arange(ours, difference.old[0])
        ours, theirs = difference.old[1], difference.new[1]
    return in_new, in_old


def _partner(function: Tokens, others: Sequence[Tokens], became: NDArray[np.int64]) -> Tokens | None:
    places = became[slice(*function)]

    def shared(other: Tokens) -> int:
        return int(np.count_nonzero((places >= other[0]) & (places < other[1])))

    # If an inner function has as many of the tokens as the function around it, the inner one is chosen.
    best = max(others, key=lambda other: (shared(other), other[0] - other[1]), default=None)
    if best is None or shared(best) < max(1, RELATED * min(function[1] - function[0], best[1] - best[0])):
        return None
    return best


def _without_moved(found: Sequence[ChangedFunction]) -> list[ChangedFunction]:
    """Joins each removed function to the added one that it became: the one whose k-grams are most like its own, if both
    have at least half of all their distinct k-grams in common. Functions that only moved are left out.
    """
    kgrams = {number: _distinct(function.span) for number, function in enumerate(found) if function.old is None}
    having = by_key((kgram, number) for number, own in kgrams.items() for kgram in own)
    joined = dict(enumerate(found))
    for number, function in enumerate(found):
        if function.new is not None or function.old is None:
            continue
        own = _distinct(function.old)
        shared = Counter(other for kgram in own for other in having.get(kgram, ()) if other in kgrams)
        shares = {other: count / (len(kgrams[other]) + len(own) - count) for other, count in shared.items()}
        best = max(shares, key=lambda other: (shares[other], -other), default=None)
        if best is not None and 2 * shares[best] >= 1:
            old, new = function.old, found[best].span
            inside = tuple(it.moved(old.begin, new.begin) for it in differences(old.codes, new.codes))
            del joined[best], kgrams[best]
            joined[number] = ChangedFunction(True, old, new, inside)
            if not inside:
                del joined[number]
    return [*joined.values()]


def _distinct(function: TokenSpan) -> frozenset[int]:
    return frozenset(kgram_hashes(function.codes, SHORT_RUN).tolist())
