"""What a change did, function by function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.analyzers.units import LONGEST
from wherefrom.fixed.differences import Difference, differences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wherefrom.analyzers.analysis import Analysis
    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.model import Hashes

CONTEXT = 80
"""Tokens before and after a difference that are looked up with it."""

LONGEST_SITE = 560
"""Tokens that are looked up together, below `queries.prepare.LONG_QUERY`."""

NEAR = 16
"""Equal tokens between two differences up to which they are shown, and judged, as one."""

K = (5, 8, 12)
"""Tokens of the k-grams by which the two forms are told apart: the first that either form has of its own at a change,
since what is put between two statements that are much alike is told by longer ones alone."""

MOVED = 0.6
"""Share of the k-grams of a function that was removed from which on an added one is the same, moved or renamed."""

_LEAST_KEPT = 0.3
"""Share of the shorter one's tokens that two functions have in common, in order, where one became the other."""

_HEAD = re.compile(rb"[A-Za-z_$]")
"""How a line begins that git takes for the head of what is below it."""

_IMPORT = re.compile(
    rb"\s*(?:#\s*(?:include|import|pragma)\b|import\b|from\b.*\bimport\b|use\b|using\b|package\b|require\b|require_once\b"
    rb"|include\b|module\b|export\b.*\bfrom\b|(?:const|let|var)\b.*\brequire\()"
)


@dataclass(frozen=True, slots=True)
class Side:
    """A file in one of its two states."""

    path: str
    content: bytes
    stream: TokenStream
    language: str
    functions: Sequence[tuple[int, int]]

    @staticmethod
    def of(path: str, content: bytes, analyzed: tuple[Analysis, Sequence[tuple[int, int]]]) -> Side:
        """A file that was analyzed."""
        analysis, functions = analyzed
        return Side(path, content, analysis.tokens, analysis.language, functions)

    def hashes(self, k: int) -> Hashes:
        """The k-grams of its tokens."""
        return hashes(self.stream.codes, k)


@dataclass(frozen=True, slots=True)
class Part:
    """The half-open token span `begin` to `end` of a file; `differs` marks the tokens that the other form has not,
    and none where there is no other form.
    """

    side: Side
    begin: int
    end: int
    differs: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Site:
    """What is looked up together: some differences and what is around them, in both forms."""

    old: Part | None
    new: Part | None
    differences: tuple[Difference, ...]


@dataclass(slots=True)
class ChangedFunction:
    """A function, or code outside of one, that was changed; a side is None where there is none.

    Attributes:
        is_function: whether it is one.
        old, new: the token spans.
        differences: in both files, in their order.
    """

    is_function: bool
    old: tuple[Side, int, int] | None
    new: tuple[Side, int, int] | None
    differences: list[Difference] = field(default_factory=list)

    @property
    def span(self) -> tuple[Side, int, int]:
        """The file after the change, or before it where the function is gone, and the token span in it."""
        span = self.new or self.old
        assert span is not None, "a changed function is on one side at least"
        return span

    @property
    def label(self) -> str:
        """The line that names it."""
        side, begin, end = self.span
        return _label(side, begin, end) if self.is_function else _label_above(side, begin)

    def sites(self) -> list[Site]:
        """What is looked up of it."""
        return list(_sites(self))


def changed_functions(pairs: Iterable[tuple[Side | None, Side | None]]) -> list[ChangedFunction]:
    """What a change did, in the order of the files.

    A function that was moved, and otherwise is the same, is none of them; nor are imports.

    Args:
        pairs: each file before and after.
    """
    found: list[ChangedFunction] = []
    for old, new in pairs:
        found += _of_file(old, new)
    return _without_moved(found)


def _of_file(old: Side | None, new: Side | None) -> Iterator[ChangedFunction]:
    if old is None or new is None:
        side = old or new
        if side is not None:
            for begin, end in _outermost(side.functions):
                span = side, begin, end
                whole = Difference(begin, end, 0, 0) if new is None else Difference(0, 0, begin, end)
                yield ChangedFunction(True, span if new is None else None, None if new is None else span, [whole])
        return
    found = _settled(differences(old.stream.codes, new.stream.codes), old, new)
    olds: dict[tuple[int, int], None] = {}
    news: dict[tuple[int, int], None] = {}
    outside: list[Difference] = []
    for difference in found:
        ours = _touched(old.functions, difference.old_begin, difference.old_end)
        theirs = _touched(new.functions, difference.new_begin, difference.new_end)
        olds.update(dict.fromkeys(ours))
        news.update(dict.fromkeys(theirs))
        if not ours and not theirs:
            outside.append(difference)
    yield from _paired(old, new, (list(olds), list(news)), found)
    for group in _grouped(outside):
        if not all(_is_import(old, each.old_begin, each.old_end) for each in group) or not all(
            _is_import(new, each.new_begin, each.new_end) for each in group
        ):
            yield ChangedFunction(
                False,
                (old, *_around(group[0].old_begin, group[-1].old_end, 0, len(old.stream))),
                (new, *_around(group[0].new_begin, group[-1].new_end, 0, len(new.stream))),
                group,
            )


def _settled(found: Sequence[Difference], old: Side, new: Side) -> list[Difference]:
    """The same with what is only added or only removed moved, where that is all one, to begin between functions, or
    else where a line does.
    """
    settled: list[Difference] = []
    for number, each in enumerate(found):
        is_added = each.old_begin == each.old_end
        if not is_added and each.new_begin != each.new_end:
            settled.append(each)
            continue
        side = new if is_added else old
        stream = side.stream
        begin, end = (each.new_begin, each.new_end) if is_added else (each.old_begin, each.old_end)
        floor = begin - (each.old_begin - settled[-1].old_end if settled else each.old_begin)
        behind = found[number + 1].old_begin if number + 1 < len(found) else len(old.stream)
        moves = [0]
        while begin + moves[-1] > max(floor, 0) and (
            stream.codes[begin + moves[-1] - 1] == stream.codes[end + moves[-1] - 1]
        ):
            moves.append(moves[-1] - 1)
        move = 0
        while each.old_end + move < behind and stream.codes[begin + move] == stream.codes[end + move]:
            move += 1
            moves.append(move)
        best = max((*_rank(side, begin + move), -abs(move), move) for move in moves)[-1]
        settled.append(
            Difference(each.old_begin + best, each.old_end + best, each.new_begin + best, each.new_end + best)
        )
    return settled


def _rank(side: Side, at: int) -> tuple[bool, bool]:
    """Whether a token begins outside of all functions, and whether it begins a line."""
    begins = at == 0 or bool(side.stream.start_lines[at] > side.stream.end_lines[at - 1])
    return not any(first < at < last for first, last in side.functions), begins


def _touched(functions: Sequence[tuple[int, int]], begin: int, end: int) -> list[tuple[int, int]]:
    """The function that a difference is in, the outermost one that is not too long, else the innermost; the functions
    that it goes across where it is in none.
    """
    if begin == end:
        around = [span for span in functions if span[0] < begin < span[1]]
    else:
        around = [span for span in functions if span[0] <= begin and end <= span[1]]
    if around:
        return [next((span for span in around if span[1] - span[0] <= LONGEST), around[-1])]
    return _outermost([span for span in functions if begin < span[1] and span[0] < end]) if begin < end else []


def _outermost(functions: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for begin, end in functions:
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
    return found


def _paired(
    old: Side,
    new: Side,
    touched: tuple[list[tuple[int, int]], list[tuple[int, int]]],
    found: Sequence[Difference],
) -> Iterator[ChangedFunction]:
    """The functions that were touched on either side, each with what it became."""
    equal = _Equal(found, len(old.stream), len(new.stream))
    olds, news = touched
    partners: dict[tuple[int, int], tuple[int, int]] = {}
    for ours in olds:
        partner = _partner(ours, new.functions, equal.forth)
        if partner is not None:
            partners[ours] = partner
    for theirs in news:
        if theirs not in partners.values():
            partner = _partner(theirs, old.functions, equal.back)
            if partner is not None and partner not in partners:
                partners[partner] = theirs
    pairs: list[tuple[tuple[int, int] | None, tuple[int, int] | None]] = [*partners.items()]
    pairs += [(ours, None) for ours in olds if ours not in partners]
    pairs += [(None, theirs) for theirs in news if theirs not in partners.values()]
    for one, other in sorted(pairs, key=lambda pair: (pair[1] or equal.forth_span(pair[0] or (0, 0)), pair[0] or ())):
        inside = [_clipped(each, one, other) for each in found if _touches(each, one, other)]
        yield ChangedFunction(
            True, None if one is None else (old, *one), None if other is None else (new, *other), inside
        )


class _Equal:
    """Which token of one file became which of the other."""

    def __init__(self, found: Sequence[Difference], old: int, new: int) -> None:
        self.forth, self.back = np.full(old, -1), np.full(new, -1)
        ours = theirs = 0
        for each in [*found, Difference(old, old, new, new)]:
            self.forth[ours : each.old_begin] = np.arange(theirs, each.new_begin)
            self.back[theirs : each.new_begin] = np.arange(ours, each.old_begin)
            ours, theirs = each.old_end, each.new_end

    def forth_span(self, span: tuple[int, int]) -> tuple[int, int]:
        """About where a span of the old file would be in the new one."""
        before = self.forth[: span[0]]
        at = int(before.max()) + 1 if len(before) else 0
        return at, at


def _partner(
    span: tuple[int, int], others: Sequence[tuple[int, int]], became: NDArray[np.int64]
) -> tuple[int, int] | None:
    """The function of the other side that has most of this one's tokens."""
    places = became[span[0] : span[1]]
    places = places[places >= 0]
    best, most = None, 0
    for other in others:
        shared = int(np.count_nonzero((places >= other[0]) & (places < other[1])))
        # Of two that have all of it, the one around the other is not meant.
        if shared > most or (shared == most and best is not None and other[1] - other[0] < best[1] - best[0]):
            best, most = other, shared
    if best is None or most < _LEAST_KEPT * min(span[1] - span[0], best[1] - best[0]):
        return None
    return best


def _touches(each: Difference, old: tuple[int, int] | None, new: tuple[int, int] | None) -> bool:
    return _overlaps(each.old_begin, each.old_end, old) or _overlaps(each.new_begin, each.new_end, new)


def _overlaps(begin: int, end: int, span: tuple[int, int] | None) -> bool:
    if span is None:
        return False
    return span[0] < begin < span[1] if begin == end else begin < span[1] and span[0] < end


def _clipped(each: Difference, old: tuple[int, int] | None, new: tuple[int, int] | None) -> Difference:
    first, last = old or (each.old_begin, each.old_begin)
    other_first, other_last = new or (each.new_begin, each.new_begin)
    return Difference(
        *_between(each.old_begin, each.old_end, first, last),
        *_between(each.new_begin, each.new_end, other_first, other_last),
    )


def _between(begin: int, end: int, first: int, last: int) -> tuple[int, int]:
    return min(max(begin, first), last), min(max(end, first), last)


def _without_moved(found: list[ChangedFunction]) -> list[ChangedFunction]:
    """The same with each removed function put to the added one that it became; what only moved is left out."""
    removed = [each for each in found if each.new is None]
    added = [each for each in found if each.old is None]
    sets = {id(each): set(_function_hashes(each).tolist()) for each in [*removed, *added]}
    taken: set[int] = set()
    became: dict[int, ChangedFunction | None] = {}
    for gone in removed:
        mine = sets[id(gone)]
        best, most = None, MOVED
        for come in added:
            theirs = sets[id(come)]
            union = len(mine | theirs)
            share = len(mine & theirs) / union if union else 0.0
            if id(come) not in taken and share >= most:
                best, most = come, share
        if best is not None and gone.old is not None and best.new is not None:
            taken.add(id(best))
            became[id(gone)] = _moved(gone.old, best.new)
    kept: list[ChangedFunction] = []
    for each in found:
        if id(each) in became:
            moved = became[id(each)]
            kept += [moved] if moved is not None else []
        elif id(each) not in taken:
            kept.append(each)
    return kept


def _moved(old: tuple[Side, int, int], new: tuple[Side, int, int]) -> ChangedFunction | None:
    """A function that was moved, with what was changed in it; None where nothing was."""
    codes, others = old[0].stream.codes[old[1] : old[2]], new[0].stream.codes[new[1] : new[2]]
    found = [
        Difference(each.old_begin + old[1], each.old_end + old[1], each.new_begin + new[1], each.new_end + new[1])
        for each in differences(codes, others)
    ]
    return ChangedFunction(True, old, new, found) if found else None


def _function_hashes(each: ChangedFunction) -> Hashes:
    side, begin, end = each.span
    return hashes(side.stream.codes[begin:end], K[0])


def hashes(codes: Hashes, k: int) -> Hashes:
    """The k-grams of some tokens."""
    return kgram_hashes(codes, k) if len(codes) >= k else np.empty(0, np.uint64)


def _sites(changed: ChangedFunction) -> Iterator[Site]:
    for group in _grouped(changed.differences):
        is_both = changed.old is not None and changed.new is not None
        ours = [(each.old_begin, each.old_end) for each in group]
        theirs = [(each.new_begin, each.new_end) for each in group]
        yield Site(_part(changed.old, ours, is_both), _part(changed.new, theirs, is_both), tuple(group))


def _grouped(found: Sequence[Difference]) -> list[list[Difference]]:
    """Differences that are looked up together: those that are near each other."""
    groups: list[list[Difference]] = []
    for each in found:
        is_near = groups and each.old_begin - groups[-1][-1].old_end <= 2 * CONTEXT
        if is_near and _length([*groups[-1], each]) <= LONGEST_SITE - 2 * CONTEXT:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _length(group: Sequence[Difference]) -> int:
    first, last = group[0], group[-1]
    return max(last.old_end - first.old_begin, last.new_end - first.new_begin)


def _part(whole: tuple[Side, int, int] | None, changed: Sequence[tuple[int, int]], is_both: bool) -> Part | None:
    if whole is None:
        return None
    side, first, last = whole
    begin, end = _around(changed[0][0], changed[-1][1], first, last)
    differs = np.zeros(end - begin, np.bool_)
    for one, other in changed if is_both else ():
        differs[max(one - begin, 0) : max(other - begin, 0)] = True
    return Part(side, begin, end, differs)


def _around(begin: int, end: int, first: int, last: int) -> tuple[int, int]:
    """A span and what is around it, no more than is looked up together."""
    begin = max(begin - CONTEXT, first)
    return begin, min(end + CONTEXT, last, begin + LONGEST_SITE)


def _label(side: Side, begin: int, end: int) -> str:
    """The line of a function on which it is named: that of its first name before a parenthesis."""
    stream = side.stream
    named = (stream.classes[begin:end] == TokenClass.NAME) & kept_names(stream)[begin:end]
    at = begin + int(np.argmax(named)) if np.any(named) else begin
    return _line(side, int(stream.start_lines[at]))


def _label_above(side: Side, begin: int) -> str:
    """The line that names what code is in which no function was seen, as git finds it."""
    number = int(side.stream.start_lines[min(begin + CONTEXT, len(side.stream) - 1)]) if len(side.stream) else 0
    lines = side.content.split(b"\n")
    for at in range(min(number, len(lines)), 0, -1):
        if _HEAD.match(lines[at - 1]) and not lines[at - 1].rstrip().endswith(b":"):
            return lines[at - 1].decode("utf-8", "replace").strip()
    return ""


def _line(side: Side, number: int) -> str:
    lines = side.content.split(b"\n")
    return lines[number - 1].decode("utf-8", "replace").strip() if 1 <= number <= len(lines) else ""


def _is_import(side: Side, begin: int, end: int) -> bool:
    """Whether tokens stand on lines of imports alone."""
    lines = side.content.split(b"\n")
    stream = side.stream
    on = {*stream.start_lines[begin:end].tolist()}
    return all(_IMPORT.match(lines[number - 1]) for number in on if number <= len(lines))
