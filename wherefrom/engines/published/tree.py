"""Trees: sorted leaves with an index above them that is small enough to be read in one or two rounds.

A leaf is any bytes, found by its first key. Nodes list the first keys and the lengths of their children, which follow
each other in the file. The nodes of the highest level that needs at most `MOST_IN_ROOT` bytes are in the root.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

import numpy as np

from wherefrom.engines.published.pages import Pages, PageWriter, Span

NODE = 1000  # a node ends as soon as it has this many bytes: it then fills a page
MOST_IN_ROOT = 1 << 17  # the highest number of bytes of a tree in the root

_HEADER = struct.Struct("<HQQ")
"""The number of children, the number of the first child among all of its level, and the offset of the first child."""

_CHILD = 6  # bytes of a child without its key: the lengths of the key (2) and of the child (4)
KEY = 500  # longer keys are cut to this many bytes, so several leaves may begin with equal keys
_LAST = b"\xff" * 65  # a key behind all keys
MOST_LEAVES = 1 << 21  # a call finds at most this many leaves. More are damage: nodes may refer to each other
TOGETHER = 64  # the number of leaves that `Tree.leaves` reads in one round


class Leaf(NamedTuple):
    """Where a leaf is: its number among all leaves, and its half-open span in the file."""

    number: int
    begin: int
    end: int


class _Level:
    """The nodes of a level of a tree that is written."""

    def __init__(self) -> None:
        self.nodes: list[tuple[bytes, bytes]] = []  # the first key and the bytes of each node
        self._keys: list[bytes] = []
        self._lengths: list[int] = []
        self._number = self._offset = self._size = 0

    def add(self, key: bytes, offset: int, length: int) -> None:
        key = key[:KEY]
        if not self._keys:
            self._offset = offset
        self._keys.append(key)
        self._lengths.append(length)
        self._size += len(key) + _CHILD
        if self._size >= NODE:
            self.end_node()

    def end_node(self) -> None:
        if not self._keys:
            return
        lengths = np.array([len(key) for key in self._keys], "<u2").tobytes() + np.array(self._lengths, "<u4").tobytes()
        header = _HEADER.pack(len(self._keys), self._number, self._offset)
        self.nodes.append((self._keys[0], header + lengths + b"".join(self._keys)))
        self._number += len(self._keys)
        self._keys, self._lengths, self._size = [], [], 0


class TreeWriter:
    """Writes a tree into a file. Leaves must be added in the order of their keys."""

    def __init__(self, file: PageWriter) -> None:
        self._file = file
        self._leaves = _Level()

    def add(self, key: bytes, leaf: bytes) -> int:
        """Adds a leaf, found by its first key; returns its offset."""
        offset = self._file.append(leaf)
        self._leaves.add(key, offset, len(leaf))
        return offset

    def note(self, key: bytes, offset: int, length: int) -> None:
        """Adds a leaf that another tree of the same file has, at this offset."""
        self._leaves.add(key, offset, length)

    def finish(self) -> bytes:
        """Writes the nodes; returns the part of the tree that is in the root: its levels, and its highest nodes."""
        levels, level = 1, self._leaves
        level.end_node()
        while sum(len(node) for _, node in level.nodes) > MOST_IN_ROOT:
            above = _Level()
            for key, node in level.nodes:
                above.add(key, self._file.append(node), len(node))
            above.end_node()
            levels, level = levels + 1, above
        return bytes([levels]) + b"".join(node for _, node in level.nodes)


class _Node(NamedTuple):
    keys: list[bytes]
    offsets: list[int]
    first: int

    def children(self, low: bytes, high: bytes) -> Iterator[Leaf]:
        """The children that may have keys from `low` to `high` (inclusive)."""
        for at in range(max(bisect_left(self.keys, low) - 1, 0), bisect_right(self.keys, high)):
            yield Leaf(self.first + at, self.offsets[at], self.offsets[at + 1])


def _node(data: bytes, at: int = 0) -> tuple[_Node, int]:
    """The node that begins at a place in some bytes, and its end. Raises ValueError or struct.error for other bytes."""
    count, first, offset = _HEADER.unpack_from(data, at)
    if count > NODE:
        raise ValueError("a node of a tree has more children than any")
    at += _HEADER.size
    key_lengths = np.frombuffer(data, "<u2", count, at).tolist()
    lengths = np.frombuffer(data, "<u4", count, at + 2 * count).tolist()
    at += _CHILD * count
    ends = list(accumulate(key_lengths, initial=at))
    if ends[-1] > len(data):
        raise ValueError("a node of a tree has too few bytes")
    keys = [data[begin:end] for begin, end in pairwise(ends)]
    return _Node(keys, list(accumulate(lengths, initial=offset)), first), ends[-1]


_read_node = lru_cache(1024)(lambda data: _node(data)[0])


class Tree:
    """A tree in a file, open for reading. `root` is the part of it that is in the root."""

    def __init__(self, root: bytes, file: str, pages: Pages) -> None:
        if len(root) > 1 + MOST_IN_ROOT:
            raise ValueError(f"the root has too much of {file}")
        self.file = file
        self._pages = pages
        self._levels = root[0]
        self._top: list[_Node] = []
        at = 1
        while at < len(root):
            node, at = _node(root, at)
            self._top.append(node)
        self._first_keys = [node.keys[0] for node in self._top]

    def between(self, ranges: Sequence[tuple[bytes, bytes]]) -> list[list[Leaf]]:
        """For each range of keys (inclusive), the leaves that may have them: the first one begins before the range, or
        at it. Reads one round of pages a level. Raises ValueError if there are more than `MOST_LEAVES`.
        """
        ranges = [(low[:KEY], high[:KEY]) for low, high in ranges]
        found = self._children((self._top_between(low, high), low, high) for low, high in ranges)
        for _ in range(self._levels - 1):
            places = list(dict.fromkeys(child for children in found for child in children))
            nodes_of = dict(zip(places, map(_read_node, self.read(places)), strict=True))
            found = self._children(
                ([nodes_of[child] for child in children], low, high)
                for children, (low, high) in zip(found, ranges, strict=True)
            )
        return found

    def _top_between(self, low: bytes, high: bytes) -> list[_Node]:
        return self._top[max(bisect_left(self._first_keys, low) - 1, 0) : bisect_right(self._first_keys, high)]

    def _children(self, nodes: Iterable[tuple[Sequence[_Node], bytes, bytes]]) -> list[list[Leaf]]:
        """For each range of keys, the children that may have them of some nodes."""
        room = MOST_LEAVES
        found = []
        for those, low, high in nodes:
            leaves = list(islice((leaf for node in those for leaf in node.children(low, high)), room + 1))
            room -= len(leaves)
            if room < 0:
                raise ValueError(f"{self.file} has too many leaves")
            found.append(leaves)
        return found

    def read(self, leaves: Sequence[Leaf]) -> list[bytes]:
        """The bytes of some leaves, in one round. Raises ValueError if they overlap, which could fill the memory."""
        if sum(leaf.end - leaf.begin for leaf in {*leaves}) > self._pages.size(self.file):
            raise ValueError(f"{self.file} has parts that overlap")
        return self._pages.read([Span(self.file, leaf.begin, leaf.end) for leaf in leaves])

    def find(self, keys: Sequence[bytes]) -> list[Leaf | None]:
        """For each key (of at most `KEY` bytes), the last leaf that begins at it or before; None if there is none."""
        return [leaves[-1] if leaves else None for leaves in self.between([(key, key) for key in keys])]

    def leaves(self, low: bytes = b"", high: bytes | None = None) -> Iterator[bytes]:
        """The bytes of all leaves that may have keys from `low` to `high` (inclusive; None: to the end), in order."""
        last = _LAST if high is None else high
        (places,) = self.between([(low, last)])
        for begin in range(0, len(places), TOGETHER):
            yield from self.read(places[begin : begin + TOGETHER])
