"""Blocks: the token stream, references and source of one content, or of several small ones together, as one row.

Small values compress badly by themselves, so those of several contents are compressed together, as long as reading one
of them stays cheap. Blocks are written in an order in which they fill the pages of SQLite.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np

from wherefrom.mappings.embedded import PAGE_SIZE
from wherefrom.support.streams import Joined, join

SMALL = 6_144
"""Bytes of a token stream up to which its content shares a block."""

SHARED = 16_384
"""Bytes of token streams in a block that several contents share: what is decompressed to read one of them."""

TINY = 1_024
"""Bytes of a token stream up to which it is joined with others like it (`streams`): functions in files of their own."""

TINY_SHARED = 36_864
"""`SHARED`, of tiny token streams."""

ROOM = 1 << 23
"""Bytes of all values in a block that several contents share."""

LARGEST = 1 << 28
"""Bytes of a value of one content, and of a listing: more than a content of 50 MB or all paths of a repository have."""

ROW = 32
"""Bytes of a row beside its values, about."""

_PAGE_ROOM = PAGE_SIZE - 8
_MOST_LOCAL = PAGE_SIZE - 35
_LEAST_LOCAL = (PAGE_SIZE - 12) * 32 // 255 - 23

_PLAIN, _COMPRESSED, _JOINED = b"\0", b"\1", b"\2"

_T = TypeVar("_T")


def grouped(items: Iterable[tuple[_T, int, int]]) -> Iterator[list[_T]]:
    """The contents of each block, of (content, bytes of its token stream, bytes of all of its values); tiny ones are
    among themselves.
    """
    blocks: dict[int, list[_T]] = {SHARED: [], TINY_SHARED: []}
    sizes, wholes = dict.fromkeys(blocks, 0), dict.fromkeys(blocks, 0)
    for item, length, whole in items:
        if length > SMALL or whole + ROW > ROOM:
            yield [item]
            continue
        most = TINY_SHARED if length <= TINY else SHARED
        if blocks[most] and (sizes[most] + length > most or wholes[most] + whole + ROW > ROOM):
            yield blocks[most]
            blocks[most], sizes[most], wholes[most] = [], 0, 0
        blocks[most].append(item)
        sizes[most] += length
        wholes[most] += whole + ROW
    yield from filter(None, blocks.values())


def join_tiny(streams: Sequence[bytes], compress: Callable[[bytes], bytes]) -> bytes | None:
    """What `load` gives back, of several tiny token streams; None of others."""
    if len(streams) == 1 or max(map(len, streams)) > TINY:
        return None
    joined = join(streams, compress)
    return None if joined is None else _JOINED + joined


def dump(values: Sequence[bytes], compress: Callable[[bytes], bytes] | None) -> bytes:
    """What `load` gives back: a byte that says whether the rest is compressed; the lengths, 4 bytes each; the values.
    With `compress` they are compressed if that makes them shorter.
    """
    return _shorter(np.array([len(value) for value in values], "<u4").tobytes() + b"".join(values), compress)


def _shorter(plain: bytes, compress: Callable[[bytes], bytes] | None) -> bytes:
    """A byte that says whether the rest is compressed, and the rest."""
    compressed = plain if compress is None else compress(plain)
    return _COMPRESSED + compressed if len(compressed) < len(plain) else _PLAIN + plain


def _plain(data: bytes, decompress: Callable[[bytes], bytes]) -> bytes:
    """What `_shorter` was given."""
    return decompress(data[1:]) if data[:1] == _COMPRESSED else data[1:]


def dump_numbers(numbers: Sequence[int], compress: Callable[[bytes], bytes]) -> bytes:
    """The numbers of the contents of a block, as `load_numbers` gives them back: differences, 4 bytes each."""
    return _shorter(np.diff(np.array(numbers, "<u4"), prepend=np.uint32(0)).astype("<u4").tobytes(), compress)


def load_numbers(data: bytes, decompress: Callable[[bytes], bytes]) -> list[int]:
    """The numbers that `dump_numbers` was given, or a ValueError."""
    differences: list[int] = np.frombuffer(_plain(data, decompress), "<u4").tolist()
    return [number % (1 << 32) for number in accumulate(differences)]


def load(data: bytes, count: int, decompress: Callable[[bytes], bytes]) -> Sequence[bytes]:
    """The values of `count` contents that `dump` or `join_tiny` was given, or a ValueError."""
    if data[:1] == _JOINED:
        return Joined(data[1:], count, decompress)
    plain = _plain(data, decompress)
    lengths: list[int] = np.frombuffer(plain, "<u4", count).tolist()
    bounds = list(accumulate(lengths, initial=4 * count))
    if bounds[-1] != len(plain):
        raise ValueError("a block has another length")
    return [plain[begin:end] for begin, end in pairwise(bounds)]


def in_full_pages(sizes: Sequence[int]) -> list[int]:
    """In which order rows with so many bytes of values are to be written, so that little of each page stays empty: the
    largest one that is left, then the largest that fits beside it.
    """
    left = sorted((_local_bytes(size + ROW), row) for row, size in enumerate(sizes))
    order = []
    while left:
        room = _PAGE_ROOM
        place = len(left) - 1
        while place >= 0:
            size, row = left.pop(place)
            order.append(row)
            room -= size
            place = bisect_right(left, (room, len(sizes))) - 1
    return order


def _local_bytes(size: int) -> int:
    """What SQLite keeps of a row of so many bytes in its page; the rest fills pages of its own."""
    if size <= _MOST_LOCAL:
        return size
    local = _LEAST_LOCAL + (size - _LEAST_LOCAL) % (PAGE_SIZE - 4)
    return local if local <= _MOST_LOCAL else _LEAST_LOCAL
