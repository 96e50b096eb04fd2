"""The blocks of a text by their indentation: what belongs together around lines that changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

LONGEST = 40
"""A block has at most this many lines, or else only the `NEAR` lines before and behind the changed ones are read."""

NEAR = 6

_ENDS = (b"}", b")", b"]", b"end", b"</", b"*/")
"""How a line begins that closes a block."""


def around(
    text: bytes, lines: Sequence[tuple[int, int]], units: Iterable[tuple[int, int]] = ()
) -> list[tuple[int, int]]:
    """The byte spans of the blocks around some lines of a text (first and last, from 1; the last one is that before
    `first` where lines were removed), ascending, apart from each other. A block that overlaps one of the `units` (spans
    of bytes) has all of it.
    """
    rows = text.splitlines(keepends=True)
    begins = [0]
    for row in rows:
        begins.append(begins[-1] + len(row))
    depths = [len(row) - len(row.lstrip()) if row.strip() else -1 for row in rows]
    blocks = (_block(rows, depths, first - 1, last) for first, last in lines)
    spans = [(begins[begin], begins[end]) for begin, end in blocks if begin < end]
    spans += [unit for unit in units if any(begin < unit[1] and unit[0] < end for begin, end in spans)]
    found: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found


def _block(rows: Sequence[bytes], depths: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """The longest block around some lines: below a line that is indented less, with what follows the same indent."""
    begin, end = max(first - NEAR, 0), min(last + NEAR, len(rows))
    inner = [depth for depth in depths[first : max(last, first + 1)] if depth >= 0]
    for head in _heads(depths, first, min(inner, default=0)):
        until = last
        while until < len(rows) and (depths[until] < 0 or depths[until] > depths[head]):
            until += 1
            if until - head > LONGEST:
                return begin, end
        if until < len(rows) and depths[until] == depths[head] and rows[until].lstrip().startswith(_ENDS):
            until += 1
        begin, end = min(begin, head), max(end, until)
        while begin and head - begin < NEAR and depths[begin - 1] >= 0:  # decorators, the rest of a signature
            begin -= 1
    return begin, end


def _heads(depths: Sequence[int], at: int, depth: int) -> Iterator[int]:
    """The lines before `at` with a smaller indent than all lines between, the nearest first, at most `LONGEST` away."""
    for number in range(at - 1, max(at - LONGEST, 0) - 1, -1):
        if 0 <= depths[number] < depth:
            depth = depths[number]
            yield number
