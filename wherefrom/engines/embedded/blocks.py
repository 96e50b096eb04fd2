"""Blocks: the token streams, references and sources of one content, or of several small contents, in one row.

Small values compress badly by themselves. So the values of several contents are compressed together, up to a size at
which reading one of them is still cheap. Blocks are written in an order that fills the pages of SQLite.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np

from wherefrom.mappings.embedded import PAGE_SIZE
from wherefrom.support.streams import Joined, join

SMALL = 6_144  # a content with a token stream of at most this many bytes shares a block with others

SHARED = 16_384
"""The highest number of bytes of token streams in a shared block, since reading one stream decompresses all of them."""

TINY = 1_024
"""A token stream of at most this many bytes (for example, of a file with one function) is tiny. Before compression,
`support.streams` joins the tiny streams of a block.
"""

TINY_SHARED = 36_864  # the same as `SHARED`, for tiny token streams
ROOM = 1 << 23  # the highest number of bytes of all values in a shared block

LARGEST = 1 << 28
"""The highest number of bytes of a single content's value, or of a listing. A content of 50 MB needs less."""

ROW = 32  # the approximate size of a row without its values, in bytes

_PAGE_ROOM = PAGE_SIZE - 8
_MOST_LOCAL = PAGE_SIZE - 35
_LEAST_LOCAL = (PAGE_SIZE - 12) * 32 // 255 - 23

_PLAIN, _COMPRESSED, _JOINED = b"\0", b"\1", b"\2"

_T = TypeVar("_T")


def grouped(items: Iterable[tuple[_T, int, int]]) -> Iterator[list[_T]]:
    """Groups contents, given as (content, bytes of its token stream, bytes of all its values), into blocks. Tiny
    contents share blocks only with tiny contents.
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
    """Joins several tiny token streams into bytes for `load`. Returns None if `streams` are not several tiny ones."""
    joined = join(streams, compress) if len(streams) > 1 and max(map(len, streams)) <= TINY else None
    return None if joined is None else _JOINED + joined


def dump(values: Sequence[bytes], compress: Callable[[bytes], bytes] | None) -> bytes:
    """Values as bytes for `load`: a byte that says whether the rest is compressed, then the lengths (4 bytes each) and
    the values. With `compress`, everything after the first byte is compressed if that makes it shorter.
    """
    return _shorter(np.array([len(value) for value in values], "<u4").tobytes() + b"".join(values), compress)


def _shorter(plain: bytes, compress: Callable[[bytes], bytes] | None) -> bytes:
    """A byte that says whether the value is compressed, then the value, compressed if that makes it shorter."""
    compressed = plain if compress is None else compress(plain)
    return _COMPRESSED + compressed if len(compressed) < len(plain) else _PLAIN + plain


def _plain(data: bytes, decompress: Callable[[bytes], bytes]) -> bytes:
    return decompress(data[1:]) if data[:1] == _COMPRESSED else data[1:]


def dump_numbers(numbers: Sequence[int], compress: Callable[[bytes], bytes]) -> bytes:
    """The numbers of a block's contents as bytes: differences of 4 bytes each, compressed if that is shorter."""
    return _shorter(np.diff(np.array(numbers, "<u4"), prepend=np.uint32(0)).astype("<u4").tobytes(), compress)


def load_numbers(data: bytes, decompress: Callable[[bytes], bytes]) -> list[int]:
    """The reverse of `dump_numbers`. Raises ValueError if the numbers are damaged."""
    differences: list[int] = np.frombuffer(_plain(data, decompress), "<u4").tolist()
    return [number % (1 << 32) for number in accumulate(differences)]


def load(data: bytes, count: int, decompress: Callable[[bytes], bytes]) -> list[bytes] | Joined:
    """The reverse of `dump` and `join_tiny`: the values of `count` contents. Raises ValueError if they are damaged."""
    if data[:1] == _JOINED:
        return Joined(data[1:], count, decompress)
    plain = _plain(data, decompress)
    lengths: list[int] = np.frombuffer(plain, "<u4", count).tolist()
    bounds = list(accumulate(lengths, initial=4 * count))
    if bounds[-1] != len(plain):
        raise ValueError("a block has another length")
    return [plain[begin:end] for begin, end in pairwise(bounds)]


def in_full_pages(sizes: Sequence[int]) -> list[int]:
    """Orders rows with values of these sizes (in bytes) so that writing them leaves pages nearly full: first the
    largest row, then the largest that fits into the rest of its page, and so on. Returns positions in `sizes`.
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
    """How many bytes of a row of `size` bytes SQLite stores in the row's page; the others go to overflow pages."""
    if size <= _MOST_LOCAL:
        return size
    local = _LEAST_LOCAL + (size - _LEAST_LOCAL) % (PAGE_SIZE - 4)
    return local if local <= _MOST_LOCAL else _LEAST_LOCAL
