"""Writes runs (`runs`): runs of new documents, and merged runs."""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.buckets import BucketTableWriter
from wherefrom.engines.embedded.packing import FRAME, Words, low_bits, pack
from wherefrom.engines.embedded.runs import BLOCK, Columns, Description
from wherefrom.engines.terms import all_narrowed, by_term
from wherefrom.model import INDEXED, TERM_BITS, TERM_BYTES

PART = 1 << 16  # the number of postings that are packed at a time; this many fit into the cache of a processor


def write_run(
    folder: Path, name: int, terms: Sequence[Sequence[bytes]], columns: Columns, languages: list[str], *, term_bits: int
) -> Description:
    """Writes new documents as run number `name`, with `term_bits` leading bits of each term. `terms` has the distinct
    terms of each document for each of `INDEXED`, ascending, as bytes; `columns.languages` has positions in `languages`.
    """
    joined = [np.frombuffer(b"".join(column), np.uint64) for column in terms]
    counts = [*map(len, joined)]
    largest = int(max(whole.max(initial=np.uint64(0)) for whole in joined)) >> TERM_BITS - term_bits
    with RunWriter(folder, name, counts, largest, len(columns.keys)) as writer:
        for representation, column in enumerate(terms):
            if counts[representation]:
                of_each = [len(own) // TERM_BYTES for own in column]
                found = all_narrowed(joined[representation], of_each, term_bits)
                writer.append(representation, *by_term(*found, largest.bit_length()))
        return writer.finish(columns, languages)


class RunWriter:
    """Writes a run: the postings in their order, then the columns. Overwrites the file of an interrupted attempt. After
    an error in the `with` block, removes the file, which is not part of the index yet. The postings of each of
    `INDEXED` are at most as many as in `counts`, and no term is above `largest`.
    """

    def __init__(self, folder: Path, name: int, counts: Sequence[int], largest: int, documents: int) -> None:
        term_bits = max(1, largest.bit_length())
        tables = tuple(map(bool, counts))
        bucket_bits = min(term_bits, max(0, (sum(counts) // max(1, sum(tables))).bit_length() - 1))
        # `finish` sets what the packing does not depend on.
        self._planned = Description(
            name, documents, tuple(counts), (0,) * len(counts), tables, term_bits, bucket_bits, (), None, 0
        )
        self._path = folder / self._planned.file
        self._file = self._path.open("w+b")
        self._table = BucketTableWriter(folder)
        self._counts = [0] * len(INDEXED)
        self._waiting = np.zeros(0, np.uint64), np.zeros(0, np.uint64)

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self._table.close()
        if error is not None:
            with suppress(OSError):
                self._file.close()
                self._path.unlink()

    def append(self, representation: int, terms: Words, documents: NDArray[Any]) -> None:
        """Adds postings that follow the earlier ones. The representation must have a count above 0."""
        planned = self._planned
        shift = planned.rest_bits
        self._counts[representation] += len(terms)
        for begin in range(0, len(terms), PART):
            part = terms[begin : begin + PART]
            self._table.add(planned.first_buckets[representation] + (part >> np.uint64(shift)).astype(np.int64))
            rests = np.concatenate([self._waiting[0], part & low_bits(shift)])
            own = np.concatenate([self._waiting[1], documents[begin : begin + PART].astype(np.uint64)])
            whole = len(rests) // FRAME * FRAME
            self._write(rests[:whole], own[:whole])
            self._waiting = rests[whole:], own[whole:]

    def _write(self, rests: Words, documents: Words) -> None:
        frames = np.hstack([pack(rests, self._planned.rest_bits), pack(documents, self._planned.document_bits)])
        self._file.write(frames.astype("<u8", copy=False).data.cast("B") if frames.size else b"")

    def finish(self, columns: Columns, languages: Sequence[str]) -> Description:
        """Writes the remaining postings, the other sections and the checksums, and syncs the file to the disk."""
        rests, documents = self._waiting
        missing = -len(rests) % FRAME
        self._write(np.pad(rests, (0, missing)), np.pad(documents, (0, missing)))
        self._table.finish(self._planned.buckets)
        numbers = columns.numbers.astype(np.int64)
        first = int(numbers[0]) if len(numbers) and (np.diff(numbers) == 1).all() else None
        holding = [int(np.count_nonzero(columns.representations >> at & 1)) for at in range(len(INDEXED))]
        written = replace(
            self._planned,
            counts=tuple(self._counts),
            holding=tuple(holding),
            languages=tuple(languages),
            first_number=first,
        )
        parts: dict[str, Iterable[NDArray[Any]]] = {name: [column] for name, column in columns._asdict().items()}
        parts |= {"table": _stored(self._table.bits, "<u1"), "kept": _stored(self._table.kept, "<u8")}
        if first is not None:
            parts["numbers"] = []
        for name, (kind, count) in written.sections.items():
            if name != "postings":
                items = 0
                for part in parts[name]:
                    items += len(part)
                    self._file.write(part.astype(kind, copy=False).tobytes())
                assert items == count
        return replace(written, checksum=self._write_checks())

    def _write_checks(self) -> int:
        """Appends the checksums of all blocks to the file; returns the CRC-32 of these checksums."""
        self._file.flush()
        with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as written, memoryview(written) as view:
            blocks = (view[begin : begin + BLOCK] for begin in range(0, len(view), BLOCK))
            checks = np.fromiter(map(zlib.crc32, blocks), "<u4", -(-len(view) // BLOCK)).tobytes()
        self._file.seek(0, os.SEEK_END)  # on Windows, `mmap` goes to the beginning
        self._file.write(checks)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return zlib.crc32(checks)


def _stored(file: IO[bytes], kind: str) -> Iterator[NDArray[Any]]:
    file.seek(0)
    while data := file.read(PART * np.dtype(kind).itemsize):
        yield np.frombuffer(data, kind)
