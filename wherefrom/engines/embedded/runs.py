"""Runs: immutable files with the postings of some documents, sorted, packed, and protected by checksums.

A run has *documents*, numbered from 0, and *postings*: pairs of a term and a document, sorted by representation, term
and document. The leading bits of a term choose its *bucket*. A table tells which postings are in each bucket
(`buckets`); the rest of each term's bits is packed beside its document (`packing`). There are about as many buckets as
postings. So finding a term takes one look-up in the table, and then the comparison of a few packed numbers.

The file is a sequence of sections, each an array of little-endian numbers:

| section | one for each | what |
| --- | --- | --- |
| postings | frame of 64 postings | the rests of their terms, then their documents |
| keys | document | the first 64 bits of the blob id |
| kept | 64 buckets, and one more | the position of the first bucket's 0 in the table; at the end, the table's bits |
| table | 8 bits, and `buckets.WINDOW` more | which postings are in each bucket; one representation after the other |
| numbers | document | the number of its content in the records; empty if the numbers are consecutive |
| languages | document | its language, as a position in `Description.languages` |
| representations | document | a bit for each of `INDEXED`: 1 if the document has terms of it |
| checks | `BLOCK` bytes of the above | their CRC-32 |

The lengths of the sections follow from the run's description, which is in the records (`records.Records.runs`). After a
run is opened, each block is compared with its checksum once, before the first use of the block.
"""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.buckets import BucketTable, table_sizes
from wherefrom.engines.embedded.faults import Damage
from wherefrom.engines.embedded.packing import FRAME, Positions, Words, low_bits, places, spread, words_at_every_byte
from wherefrom.model import INDEXED, TERM_BITS
from wherefrom.support import extension
from wherefrom.support.values import dataclass

if TYPE_CHECKING:
    from wherefrom import _kernel

LARGE_BUCKET = 512
"""In a bucket with more postings than this, a term is found by bisection; in a smaller one, all postings are read."""

BLOCK = 1024  # the number of bytes that share a checksum: a little more than a look-up reads

SUFFIX = ".run"


@dataclass(frozen=True, slots=True)
class Description:
    """The description of a run, as it is in the records."""

    name: int  # the number that names its file
    documents: int  # the number of documents, including deleted ones
    counts: tuple[int, ...]  # the number of postings of each of `INDEXED`
    holding: tuple[int, ...]  # the number of documents, including deleted ones, that have terms of each of `INDEXED`
    # for each of `INDEXED`, True if the run has buckets for it. A representation with postings needs buckets
    tables: tuple[bool, ...]
    term_bits: int  # bits of the widest term
    bucket_bits: int  # the leading bits of a term that choose its bucket
    languages: tuple[str, ...]  # names of languages; `Columns.languages` has positions in them
    first_number: int | None  # the number of the first document's content if the numbers are consecutive; else None
    checksum: int  # the CRC-32 of the section `checks`

    @classmethod
    def load(cls, values: Mapping[str, Any]) -> Description:
        """A description from JSON values. Raises ValueError, LookupError or TypeError if they do not describe a run."""
        plain: dict[str, Any] = {name: tuple(value) if type(value) is list else value for name, value in values.items()}
        return cls(**plain)

    def __post_init__(self) -> None:
        """Raises ValueError for values that no run can have, since they decide how much memory is allocated."""
        numbers = [self.name, self.documents, self.term_bits, self.bucket_bits, self.checksum]
        numbers += [*self.counts, *self.holding]
        numbers += [] if self.first_number is None else [self.first_number]
        if any(type(number) is not int or number < 0 for number in numbers):
            raise ValueError("a run is described by something that is not a number")
        if not self.bucket_bits <= self.term_bits <= TERM_BITS or self.documents + (self.first_number or 0) > 1 << 32:
            raise ValueError("a run is described by numbers that it cannot have")
        if {*map(len, (self.counts, self.holding, self.tables))} != {len(INDEXED)} or {*map(type, self.tables)} != {
            bool
        }:
            raise ValueError("a run is described by tables that it cannot have")
        if any(type(language) is not str for language in self.languages):
            raise ValueError("a run is described by languages that are not names")

    @property
    def file(self) -> str:
        """The name of the run's file."""
        return f"{self.name}{SUFFIX}"

    @property
    def postings(self) -> int:
        """The number of postings of all representations."""
        return sum(self.counts)

    @property
    def rest_bits(self) -> int:
        """The number of bits that are packed for a term: its bits without those that choose the bucket."""
        return self.term_bits - self.bucket_bits

    @property
    def document_bits(self) -> int:
        """The number of bits that are packed for a document."""
        return max(0, self.documents - 1).bit_length()

    @property
    def frame_words(self) -> int:
        """Words of 64 bits in a frame of postings."""
        return self.rest_bits + self.document_bits

    @property
    def first_buckets(self) -> tuple[int, ...]:
        """For each of `INDEXED`, its first bucket; meaningless if it has no buckets."""
        return tuple(sum(self.tables[:number]) << self.bucket_bits for number in range(len(self.tables)))

    @property
    def buckets(self) -> int:
        """The number of buckets of all representations."""
        return sum(self.tables) << self.bucket_bits

    @property
    def sections(self) -> dict[str, tuple[np.dtype[Any], int]]:
        """The type and the number of items of each section except `checks`, in the order of the file."""
        frames = -(-self.postings // FRAME)
        table, kept = table_sizes(self.postings, self.buckets)
        sizes: dict[str, tuple[str, int]] = {
            "postings": ("<u8", frames * self.frame_words),
            "keys": ("<u8", self.documents),
            "kept": ("<u4" if self.postings + self.buckets < 1 << 32 else "<u8", kept),
            "table": ("<u1", table),
            "numbers": ("<u4", self.documents if self.first_number is None else 0),
            "languages": ("<u1" if len(self.languages) <= 1 << 8 else "<u2", self.documents),
            "representations": ("<u1", self.documents),
        }
        return {name: (np.dtype(kind), count) for name, (kind, count) in sizes.items()}

    @property
    def checked_bytes(self) -> int:
        """The bytes of all sections except `checks`."""
        return sum(kind.itemsize * count for kind, count in self.sections.values())


class Columns(NamedTuple):
    """The values of a run's documents: arrays with one item for each document."""

    keys: Words
    numbers: NDArray[np.uint32]
    languages: NDArray[np.unsignedinteger[Any]]
    representations: NDArray[np.uint8]


class Run:
    """A run that is open for reading, even after its file is removed. Methods raise Damage if the file has changed."""

    def __init__(self, folder: Path, description: Description) -> None:
        self.description = description
        self._name = description.file
        try:
            with (folder / description.file).open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                expected = description.checked_bytes + 4 * -(-description.checked_bytes // BLOCK)
                if size != expected:
                    raise Damage(f"{self._name} has {size} bytes in place of {expected}")
                data: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError as error:
            raise Damage(f"{self._name} is missing") from error
        self._data: Any = memoryview(data)
        self.expect(in_order=False)
        self._words = words_at_every_byte(self._data)
        self._begins: dict[str, int] = {}
        begin = 0
        for name, (kind, count) in description.sections.items():
            self._begins[name] = begin
            begin += kind.itemsize * count
        self._checks = np.frombuffer(self._data, "<u4", offset=begin)
        self._is_checked = np.zeros(len(self._checks), np.bool_)
        self._first_buckets = np.array(description.first_buckets, np.int64)
        self._has_postings = np.array(description.counts, np.int64) > 0

    def expect(self, *, in_order: bool) -> None:
        """Tells the system how the run is read next. For look-ups, which are anywhere, it need not read ahead."""
        advice = getattr(mmap, "MADV_NORMAL" if in_order else "MADV_RANDOM", None)
        if advice is not None:  # Windows has no advice
            self._data.obj.madvise(advice)

    @cached_property
    def _native(self) -> _kernel.Run | None:
        """The run as the kernel reads it to implement `bounds` and `summed`; None if the kernel is not used."""
        native = extension.wanted()
        if native is None:
            return None
        described, sections = self.description, self.description.sections
        first_buckets = zip(described.first_buckets, described.counts, strict=True)
        run: _kernel.Run = native.Run(
            self._data,
            self._is_checked.view(np.uint8),
            block=BLOCK,
            table=self._begins["table"],
            kept=self._begins["kept"],
            checks=described.checked_bytes,
            table_bytes=sections["table"][1],
            is_wide=sections["kept"][0].itemsize > 4,
            first_buckets=[first if count else None for first, count in first_buckets],
            term_bits=described.term_bits,
            bucket_bits=described.bucket_bits,
            rest_bits=described.rest_bits,
            document_bits=described.document_bits,
            documents=described.documents,
        )
        return run

    @property
    def _table(self) -> BucketTable:
        # A run that kept its table would be in a cycle of references. So its file would stay open after the last use,
        # and Windows removes no open file.
        return BucketTable(self._section("table"), self._section("kept"), self._check_items)

    def _section(self, name: str) -> NDArray[Any]:
        kind, count = self.description.sections[name]
        return np.frombuffer(self._data, kind, count, self._begins[name])

    def _check(self, first: Positions, last: Positions) -> None:
        """Checks the blocks of the bytes `first` to `last` (inclusive; less than a block apart), each block once."""
        for blocks in (first // BLOCK, last // BLOCK):
            unchecked = blocks[~self._is_checked[blocks]]
            if len(unchecked):
                self._check_blocks(np.array(sorted({*unchecked.tolist()}), np.int64))

    def _check_blocks(self, blocks: NDArray[np.int64]) -> None:
        end = self.description.checked_bytes
        for block in blocks.tolist():
            begin = block * BLOCK
            if zlib.crc32(self._data[begin : min(begin + BLOCK, end)]) != self._checks[block]:
                raise Damage(f"{self._name} does not match its checksum")
        self._is_checked[blocks] = True

    def _check_items(self, name: str, first: Positions, last: Positions) -> None:
        begin, width = self._begins[name], self.description.sections[name][0].itemsize
        self._check(begin + first * width, begin + (last + 1) * width - 1)

    def _checked(self, name: str) -> NDArray[Any]:
        section, begin = self._section(name), self._begins[name]
        blocks = np.arange(begin // BLOCK, (begin + section.nbytes - 1) // BLOCK + 1)
        self._check_blocks(blocks[~self._is_checked[blocks]])
        return section

    def keys_of(self, documents: Positions) -> Words:
        """The first 64 bits of the blob id of each document."""
        return self._items("keys", documents)

    def numbers_of(self, documents: Positions) -> NDArray[np.uint32]:
        """The number of the content of each document."""
        first = self.description.first_number
        return self._items("numbers", documents) if first is None else (documents + first).astype(np.uint32)

    def languages_of(self, documents: Positions) -> NDArray[np.unsignedinteger[Any]]:
        """The language of each document, as a position in `Description.languages`."""
        return self._items("languages", documents)

    def _items(self, name: str, documents: Positions) -> NDArray[Any]:
        self._check_items(name, documents, documents)
        return self._section(name)[documents]

    @cached_property
    def columns(self) -> Columns:
        """The values of all documents of the run; reads all of them."""
        columns = Columns(*(self._checked(name) for name in Columns._fields))
        first = self.description.first_number
        if first is None:
            return columns
        return columns._replace(numbers=np.arange(first, first + len(columns.keys), dtype=np.uint32))

    def verify(self) -> None:
        """Compares the whole file with its checksums, including blocks that were checked before."""
        self.expect(in_order=True)
        if zlib.crc32(self._checks.tobytes()) != self.description.checksum:
            raise Damage(f"{self._name} does not match its checksum")
        self._is_checked[:] = False
        self._check_blocks(np.arange(len(self._checks)))
        self.expect(in_order=False)

    def _rests(self, positions: Positions) -> Words:
        return self._unpacked(positions, 0, self.description.rest_bits)

    def documents_of(self, positions: Positions) -> Positions:
        """The documents of the postings at these positions."""
        documents = self._unpacked(positions, self.description.rest_bits, self.description.document_bits)
        return documents.astype(np.int64)

    def _unpacked(self, positions: Positions, first_word: int, bits: int) -> Words:
        if not bits or not len(positions):
            return np.zeros(len(positions), np.uint64)
        byte, shift = places(positions, self.description.frame_words, first_word, bits)
        self._check(byte, byte + 7)
        found: Words = (self._words[byte] >> shift) & low_bits(bits)
        return found

    def bounds(self, representations: NDArray[np.int64], terms: Words) -> tuple[Positions, Positions]:
        """The half-open range of the postings of each term, empty if the run does not have the term. `representations`
        has the representation of each term, as a position in `INDEXED`.
        """
        if self._native is not None:
            begins, ends = self._read(self._native.bounds, representations, terms)
            return np.frombuffer(begins, np.int64), np.frombuffer(ends, np.int64)
        described = self.description
        shift = described.rest_bits
        first, end = np.zeros(len(terms), np.int64), np.zeros(len(terms), np.int64)
        near = np.flatnonzero(self._has_postings[representations] & (terms >> np.uint64(described.term_bits) == 0))
        if len(near):
            buckets = (terms[near] >> np.uint64(shift)).astype(np.int64)
            low, high = self._table.bounds(self._first_buckets[representations[near]] + buckets)
            first[near], end[near] = self._narrowed(low, high, terms[near] & low_bits(shift))
        return first, end

    def summed(
        self, first: Positions, end: Positions, weights: NDArray[np.float64]
    ) -> tuple[Positions, NDArray[np.float64]]:
        """The distinct documents in some half-open ranges of postings, in no order, each with the sum of the weights of
        the ranges that contain it. Weights are whole numbers above 0.
        """
        if self._native is not None:
            documents, sums = self._read(self._native.summed, first, end, weights)
            return np.frombuffer(documents, np.int64), np.frombuffer(sums, np.float64)
        owners, positions = spread(first, end)
        return _summed(self.documents_of(positions), weights[owners], self.description.documents)

    def _read(self, read: Callable[..., tuple[bytes, bytes]], *arrays: NDArray[Any]) -> tuple[bytes, bytes]:
        """Calls a function of the kernel that reads the run. Raises Damage if the run has changed."""
        try:
            return read(*map(np.ascontiguousarray, arrays))
        except ValueError as error:
            raise Damage(f"{self._name} {error}") from error

    def _narrowed(self, first: Positions, end: Positions, rests: Words) -> tuple[Positions, Positions]:
        """Narrows each bucket, a range of postings, to the range of the postings whose terms end with these `rests`."""
        owners, positions = spread(first, np.where(end - first > LARGE_BUCKET, first, end))
        matches = np.flatnonzero(self._rests(positions) == rests[owners])
        counts = np.bincount(owners[matches], minlength=len(first))
        begins = np.cumsum(counts) - counts
        begin = np.where(counts > 0, positions[matches[np.where(counts > 0, begins, 0)]] if len(matches) else 0, 0)
        large = np.flatnonzero(end - first > LARGE_BUCKET)
        found = begin, begin + counts
        for is_end in (False, True):
            found[is_end][large] = self._bisected(first[large], end[large], rests[large], is_end=is_end)
        return found

    def _bisected(self, first: Positions, end: Positions, rests: Words, *, is_end: bool) -> Positions:
        """For each range, the position where the postings with its rest begin, or with `is_end`, where they end."""
        low, high = first.copy(), end.copy()
        while (is_open := low < high).any():
            middle = (low + high) // 2
            found = self._rests(np.where(is_open, middle, first))
            is_before = is_open & ((found <= rests) if is_end else (found < rests))
            low = np.where(is_before, middle + 1, low)
            high = np.where(is_open & ~is_before, middle, high)
        return low

    def range_of(self, representation: int, first: int, last: int) -> tuple[Words, Positions]:
        """The term and the document of each posting with a term from `first` to `last` (inclusive), in order."""
        described = self.description
        shift = described.rest_bits
        last = min(last, (1 << described.term_bits) - 1)
        if not described.counts[representation] or first > last:
            return np.zeros(0, np.uint64), np.zeros(0, np.int64)
        start = described.first_buckets[representation]
        before, buckets = self._table.members(start + (first >> shift), start + (last >> shift))
        positions = np.arange(before, before + len(buckets))
        terms = self._rests(positions) | (buckets - start).astype(np.uint64) << np.uint64(shift)
        is_within = (terms >= np.uint64(first)) & (terms <= np.uint64(last))
        return terms[is_within], self.documents_of(positions[is_within])


def _summed(documents: Positions, weights: NDArray[np.float64], count: int) -> tuple[Positions, NDArray[np.float64]]:
    """Each document once, with the sum of its weights; `count` is the number of documents of the run."""
    if 8 * len(documents) > count:
        sums = np.bincount(documents, weights, count).astype(np.float64, copy=False)
        distinct: Positions = np.flatnonzero(sums)
        return distinct, sums[distinct]
    distinct, places = np.unique(documents, return_inverse=True)
    return distinct, np.bincount(places, weights, len(distinct)).astype(np.float64, copy=False)
