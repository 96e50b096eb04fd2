"""The layout of a stored token stream, and the joining of many short streams into one value.

`analyzers.tokens.encode` describes the parts of a stream. Here they are only bytes, so that an engine can store
several streams together without knowing more.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.support import extension

HEADER = struct.Struct("<BIIIIIII")
"""The fields at the beginning of a stream: the format, then the numbers of tokens, symbols, gaps, segments, bytes of
language names, bytes of words, and bytes of the compressed part (0: the stream is plain)."""

FORMAT = 3
CODE_BYTES = 5
TABLE_BYTES = 4
_SYMBOL_BYTES = CODE_BYTES + 1 + 2 * TABLE_BYTES
_GAP_BYTES = 2 * TABLE_BYTES
_COUNTS = 6

_ENDS = struct.Struct("<IIIII")

_Bytes = NDArray[np.uint8]
_Numbers = NDArray[np.int64]


def width(count: int) -> int:
    """How many bytes (1 to 3) a number below `count` takes."""
    return 1 if count <= 1 << 8 else 2 if count <= 1 << 16 else 3


class _StreamParts(NamedTuple):
    """The parts of a plain stream."""

    # the numbers of tokens, symbols, gaps, segments, bytes of language names, and bytes of words
    counts: tuple[int, int, int, int, int, int]
    symbols: _Bytes  # a row for each symbol: code, class, length and line breaks
    gaps: _Bytes  # a row for each gap: length and line breaks
    symbol_of: bytes  # the number of the symbol of each token
    gap_of: bytes  # the number of the gap of each token
    rest: bytes  # segments, words and names of languages


def _parted(stream: bytes) -> _StreamParts | None:
    """The parts of a stream; None if it is compressed, or not a stream."""
    if len(stream) < HEADER.size:
        return None
    kind, tokens, symbols, gaps, segments, names, words, compressed = HEADER.unpack_from(stream)
    lengths = tokens * width(symbols), tokens * width(gaps), segments * TABLE_BYTES + names + words
    tables = HEADER.size + symbols * _SYMBOL_BYTES, HEADER.size + symbols * _SYMBOL_BYTES + gaps * _GAP_BYTES
    if kind != FORMAT or compressed or len(stream) != tables[1] + sum(lengths):
        return None
    data = np.frombuffer(stream, np.uint8)
    after_codes = HEADER.size + symbols * CODE_BYTES
    codes = data[HEADER.size : after_codes].reshape(symbols, CODE_BYTES)
    facts = data[after_codes : tables[0]].reshape(1 + 2 * TABLE_BYTES, symbols).T
    table = data[tables[0] : tables[1]].reshape(_GAP_BYTES, gaps).T
    ends = np.cumsum([tables[1], *lengths]).tolist()
    return _StreamParts(
        (tokens, symbols, gaps, segments, names, words),
        np.hstack([codes, facts]),
        table,
        *(stream[begin:end] for begin, end in pairwise(ends)),
    )


def _numbered(rows: _Bytes) -> tuple[_Bytes, _Bytes]:
    """The distinct rows in the order of their first appearance, and a number for each row: 0 if the row appears for the
    first time, otherwise 1 + its index among the distinct rows. The numbers are given as low bytes and high bytes.
    """
    packed = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").reshape(-1)
    _, first, row_of = np.unique(packed, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    numbers = np.where(first[row_of] == np.arange(len(rows)), 0, 1 + rank[row_of]).astype("<u2")
    return rows[np.sort(first)], numbers.view(np.uint8).reshape(-1, 2).T


def _rows_of(planes: _Bytes, part: slice, distinct: int) -> _Numbers:
    """The reverse of `_numbered` for some rows: their indices. Raises ValueError if one is not below `distinct`."""
    earlier = planes[0, : part.start] | planes[1, : part.start]
    numbers = planes[0, part] | planes[1, part].astype(np.int64) << 8
    is_first = numbers == 0
    seen = part.start - np.count_nonzero(earlier)
    rows = np.where(is_first, seen + np.cumsum(is_first), numbers) - 1
    if len(rows) and rows.max() >= distinct:
        raise ValueError("joined streams have numbers of symbols or gaps that do not exist")
    return rows


_MOST = 1 << 16  # streams are joined if they have fewer symbols, and fewer gaps, together: a number has two bytes


def join(streams: Sequence[bytes], compress: Callable[[bytes], bytes]) -> bytes | None:
    """Joins streams into one value that is much shorter: it stores their common symbols and gaps once, and similar
    parts side by side. None if a stream is compressed already or not valid, or if they have too many symbols.
    """
    native = extension.wanted()
    found = plain_columns(streams) if native is None else native.join_streams(streams)
    if found is None:
        return None
    codes, gaps, columns = found
    compressed = [compress(column) for column in columns]
    lengths = [len(codes) // CODE_BYTES, gaps, *map(len, compressed[:3])]
    return b"".join([_ENDS.pack(*lengths), codes, *compressed])


def plain_columns(streams: Sequence[bytes]) -> tuple[bytes, int, list[bytes]] | None:
    """The codes of the distinct symbols of some streams, the number of distinct gaps, and the other `_Columns`."""
    parts = [_parted(stream) for stream in streams]
    plain = [part for part in parts if part is not None]
    if len(plain) < len(parts) or any(sum(part.counts[at] for part in plain) >= _MOST for at in (1, 2)):
        return None
    symbols, symbol_numbers = _numbered(np.concatenate([part.symbols for part in plain]))
    gaps, gap_numbers = _numbered(np.concatenate([part.gaps for part in plain]))
    counts = np.array([part.counts for part in plain], "<u4").view(np.uint8).reshape(len(plain), -1).T
    tables = [counts, symbols[:, CODE_BYTES:].T, gaps.T, gap_numbers]
    columns = [
        b"".join(table.tobytes() for table in tables) + b"".join(part.rest for part in plain),
        symbol_numbers.tobytes(),
        b"".join(part.symbol_of for part in plain),
        b"".join(part.gap_of for part in plain),
    ]
    return symbols[:, :CODE_BYTES].tobytes(), len(gaps), columns


class _Columns(NamedTuple):
    """The stored parts of joined streams, decompressed."""

    codes: bytes
    tables: bytes
    symbol_numbers: bytes
    symbol_of: bytes
    gap_of: bytes


class Joined:
    """The `count` streams in a value from `join`. Each stream is unpacked when it is used. Raises ValueError, when it
    is made or when a stream is used, if the value does not contain `count` joined streams.
    """

    def __init__(self, data: bytes, count: int, decompress: Callable[[bytes], bytes]) -> None:
        if len(data) < _ENDS.size or not count:
            raise ValueError("joined streams are too short")
        symbols, self._gaps, *lengths = _ENDS.unpack_from(data)
        ends = list(accumulate(lengths, initial=_ENDS.size + symbols * CODE_BYTES))
        compressed = [data[at:end] for at, end in zip(ends, [*ends[1:], None], strict=True)]
        self._count = count
        self._columns = _Columns(data[_ENDS.size : ends[0]], *map(decompress, compressed))

    def __getitem__(self, place: int) -> bytes:
        if not 0 <= place < self._count:
            raise IndexError(f"there are {self._count} streams")
        native = extension.wanted()
        if native is None:
            return self._opened.stream(place)
        stream: bytes = native.joined_stream(*self._columns, gaps=self._gaps, place=place, count=self._count)
        return stream

    @cached_property
    def _opened(self) -> _Opened:
        return _Opened(self._columns, self._gaps, self._count)


class _Opened:
    """Joined streams as arrays. Raises ValueError if they are not `count` streams from `join`."""

    def __init__(self, columns: _Columns, gaps: int, count: int) -> None:
        symbols = len(columns.codes) // CODE_BYTES
        table = np.frombuffer(columns.tables, np.uint8)
        facts = 1 + 2 * TABLE_BYTES
        after_counts = count * _COUNTS * TABLE_BYTES
        planes = np.ascontiguousarray(table[:after_counts].reshape(_COUNTS * TABLE_BYTES, count).T)
        self._counts: _Numbers = planes.view("<u4").astype(np.int64)
        tokens, symbols_, gaps_, segments, names, words = self._counts.T
        after_symbols = after_counts + symbols * facts
        after_gaps = after_symbols + gaps * _GAP_BYTES
        after_numbers = after_gaps + 2 * int(gaps_.sum())
        self._codes = np.frombuffer(columns.codes, np.uint8).reshape(symbols, CODE_BYTES)
        self._facts = table[after_counts:after_symbols].reshape(facts, symbols)
        self._gaps = table[after_symbols:after_gaps].reshape(_GAP_BYTES, gaps)
        self._symbol_numbers = np.frombuffer(columns.symbol_numbers, np.uint8).reshape(2, -1)
        self._gap_numbers = table[after_gaps:after_numbers].reshape(2, -1)
        self._symbol_of, self._gap_of = columns.symbol_of, columns.gap_of
        self._rest = columns.tables[after_numbers:]
        self._lengths = np.empty((5, count), np.int64)
        self._lengths[:2] = symbols_, gaps_
        # `width` of each count.
        widths = 1 + (self._lengths[:2] > 1 << 8).astype(np.int64) + (self._lengths[:2] > 1 << 16)
        self._lengths[2:4] = tokens * widths
        self._lengths[4] = segments * TABLE_BYTES + names + words
        stored = [self._symbol_numbers.shape[1], self._gap_numbers.shape[1]]
        stored += map(len, (self._symbol_of, self._gap_of, self._rest))
        if self._lengths.sum(axis=1).tolist() != stored:
            raise ValueError("joined streams have another length")

    def stream(self, place: int) -> bytes:
        begins = self._lengths[:, :place].sum(axis=1)
        ends = begins + self._lengths[:, place]
        symbols, gaps, symbol_of, gap_of, rest = map(slice, begins.tolist(), ends.tolist())
        rows = _rows_of(self._symbol_numbers, symbols, len(self._codes))
        gap_rows = _rows_of(self._gap_numbers, gaps, self._gaps.shape[1])
        return b"".join(
            (
                HEADER.pack(FORMAT, *self._counts[place].tolist(), 0),
                self._codes[rows].tobytes(),
                self._facts[:, rows].tobytes(),
                self._gaps[:, gap_rows].tobytes(),
                self._symbol_of[symbol_of],
                self._gap_of[gap_of],
                self._rest[rest],
            )
        )
