"""Writes runs (`runs`): those of new documents, and those that a merge makes."""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.buckets import BucketTableWriter
from wherefrom.engines.embedded.packing import FRAME, Words, low_bits, pack, shifted_down
from wherefrom.engines.embedded.runs import BLOCK, Columns, Description
from wherefrom.engines.postings import by_term
from wherefrom.model import INDEXED


def write_run(
    folder: Path,
    name: int,
    terms: Sequence[Sequence[NDArray[np.uint64] | None]],
    columns: Columns,
    languages: list[str],
) -> Description:
    """Writes the run `name` of some new documents into the folder.

    Args:
        folder: of the runs.
        name: the number of the run.
        terms: for each of `INDEXED`, for each document its distinct terms, or None.
        columns: of the documents.
        languages: the names that `columns.languages` refers to.
    """
    counts = [sum(len(each) for each in column if each is not None) for column in terms]
    largest = max((int(each.max()) for column in terms for each in column if each is not None and len(each)), default=0)
    writer = RunWriter(folder, name, counts, largest, len(columns.keys))
    try:
        for representation in range(len(INDEXED)):
            if counts[representation]:
                writer.append(representation, *_sorted(terms[representation], largest))
        return writer.finish(columns, languages)
    except BaseException:
        writer.abandon()
        raise


def _sorted(terms: Sequence[NDArray[np.uint64] | None], largest: int) -> tuple[Words, NDArray[np.int64]]:
    """The postings of some documents by term, then document."""
    documents = np.repeat(np.arange(len(terms)), [0 if each is None else len(each) for each in terms])
    return by_term(np.concatenate([each for each in terms if each is not None]), documents, largest.bit_length())


PART = 1 << 16
"""Postings that are packed at a time: what a processor keeps at hand."""


class RunWriter:
    """Writes a run: the postings in their order, then the columns. `counts` are the most postings that come of each of
    `INDEXED`; a file of an interrupted attempt is overwritten.
    """

    def __init__(self, folder: Path, name: int, counts: Sequence[int], largest: int, documents: int) -> None:
        term_bits = max(1, largest.bit_length())
        tables = tuple(map(bool, counts))
        bucket_bits = min(term_bits, max(0, (sum(counts) // max(1, sum(tables))).bit_length() - 1))
        # `finish` gives the numbers that are not known yet; what is packed does not depend on them.
        self._planned = Description(name, documents, tuple(counts), tables, term_bits, bucket_bits, (), None, 0)
        self._path = folder / self._planned.file
        self._file = self._path.open("w+b")
        self._table = BucketTableWriter()
        self._counts = [0] * len(INDEXED)
        self._waiting = np.zeros(0, np.uint64), np.zeros(0, np.uint64)

    def append(self, representation: int, terms: Words, documents: NDArray[Any]) -> None:
        """Adds postings that follow the last ones, of a representation that was announced."""
        for begin in range(0, len(terms), PART):
            self._append(representation, terms[begin : begin + PART], documents[begin : begin + PART])

    def _append(self, representation: int, terms: Words, documents: NDArray[Any]) -> None:
        planned = self._planned
        shift = planned.term_bits - planned.bucket_bits
        self._table.add(planned.first_buckets[representation] + shifted_down(terms, shift).astype(np.int64))
        self._counts[representation] += len(terms)
        rests = np.concatenate([self._waiting[0], terms & low_bits(shift)])
        own = np.concatenate([self._waiting[1], documents.astype(np.uint64)])
        whole = len(rests) // FRAME * FRAME
        self._write(rests[:whole], own[:whole])
        self._waiting = rests[whole:], own[whole:]

    def _write(self, rests: Words, documents: Words) -> None:
        frames = np.hstack([pack(rests, self._planned.rest_bits), pack(documents, self._planned.document_bits)])
        self._file.write(frames.astype("<u8", copy=False).data.cast("B") if frames.size else b"")

    def finish(self, columns: Columns, languages: Sequence[str]) -> Description:
        """Writes the rest and the columns of the documents, and hands the file to the disk."""
        rests, documents = self._waiting
        missing = -len(rests) % FRAME
        self._write(np.pad(rests, (0, missing)), np.pad(documents, (0, missing)))
        table, kept = self._table.finish(self._planned.buckets)
        numbers = columns.numbers.astype(np.int64)
        first = int(numbers[0]) if len(numbers) and (np.diff(numbers) == 1).all() else None
        written = replace(self._planned, counts=tuple(self._counts), languages=tuple(languages), first_number=first)
        parts = {**columns._asdict(), "table": table, "kept": kept}
        if first is not None:
            parts["numbers"] = numbers[:0]
        for name, (kind, count) in written.sections.items():
            if name != "postings":
                assert len(parts[name]) == count
                self._file.write(np.ascontiguousarray(parts[name], kind).data.cast("B") if count else b"")
        return replace(written, checksum=self._write_checks())

    def _write_checks(self) -> int:
        """Writes the checksum of every block behind them; returns the CRC-32 of all of them."""
        self._file.flush()
        with mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as written, memoryview(written) as view:
            blocks = (view[begin : begin + BLOCK] for begin in range(0, len(view), BLOCK))
            checks = np.array([zlib.crc32(block) for block in blocks], "<u4").tobytes()
        self._file.write(checks)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return zlib.crc32(checks)

    def abandon(self) -> None:
        """Removes the file, which nothing names."""
        with suppress(OSError):
            self._file.close()
            self._path.unlink()
