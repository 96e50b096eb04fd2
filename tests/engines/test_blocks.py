"""Small contents share blocks: reading one is cheap, removing one leaves the others, and pages are full."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.conftest import SCHEMES, blob_id
from tests.engines.interrupts import interrupted_at
from wherefrom.engines import open_engine
from wherefrom.engines.embedded.blocks import (
    SHARED,
    SMALL,
    TINY,
    TINY_SHARED,
    dump,
    dump_numbers,
    grouped,
    in_full_pages,
    load,
    load_numbers,
)
from wherefrom.engines.embedded.database import make
from wherefrom.engines.embedded.folder import RECORDS
from wherefrom.engines.embedded.records import Records
from wherefrom.mappings.embedded import PAGE_SIZE
from wherefrom.model import BlobDocument, Occurrence, StoredBlob

SIZES = st.lists(st.integers(0, TINY) | st.integers(0, 2 * SMALL), max_size=80)

MODULES = "database.py", "contents.py", "blocks.py"
"""The modules that are interrupted."""

VALUES = st.lists(st.binary(max_size=20) | st.binary(max_size=1).map(lambda byte: 500 * byte), min_size=1, max_size=9)


def blob(name: str, tokens: bytes, *, source: bytes | None = None, references: bytes = b"") -> StoredBlob:
    return StoredBlob(blob_id(name), "python", len(tokens), 1, tokens, source=source, references=references)


def rows(folder: Path, statement: str) -> list[tuple[int, ...]]:
    with closing(sqlite3.connect(folder / RECORDS)) as connection:
        return connection.execute(statement).fetchall()


@given(SIZES)
def test_every_content_is_in_one_block_and_small_ones_share(sizes: list[int]) -> None:
    groups = list(grouped((number, size, size) for number, size in enumerate(sizes)))
    assert sorted(number for group in groups for number in group) == list(range(len(sizes)))
    shared: dict[int, list[int]] = {SHARED: [], TINY_SHARED: []}
    for group in groups:
        lengths = [sizes[number] for number in group]
        if max(lengths) > SMALL:
            assert len(group) == 1
            continue
        are_tiny = {length <= TINY for length in lengths}
        assert len(are_tiny) == 1
        most = TINY_SHARED if are_tiny == {True} else SHARED
        assert sum(lengths) <= most
        shared[most].append(sum(lengths))
    assert all(size > SHARED - SMALL for size in shared[SHARED][:-1])
    assert all(size > TINY_SHARED - TINY for size in shared[TINY_SHARED][:-1])


@given(numbers=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=300))
def test_numbers_of_contents_are_given_back(numbers: list[int]) -> None:
    packed = dump_numbers(numbers, zstandard.ZstdCompressor().compress)
    assert load_numbers(packed, zstandard.ZstdDecompressor().decompress) == numbers
    assert len(packed) <= 1 + 4 * len(numbers)


@given(values=VALUES, compresses=st.booleans())
def test_values_of_a_block_are_given_back(values: list[bytes], compresses: bool) -> None:
    compress = zstandard.ZstdCompressor().compress if compresses else None
    packed = dump(values, compress)
    assert len(packed) <= 1 + 4 * len(values) + sum(map(len, values))
    assert load(packed, len(values), zstandard.ZstdDecompressor().decompress) == values


@given(SIZES)
def test_the_order_that_fills_pages_holds_every_row(sizes: list[int]) -> None:
    assert sorted(in_full_pages(sizes)) == list(range(len(sizes)))


def test_pages_are_full(tmp_path: Path) -> None:
    dice = random.Random(1)
    with closing(open_engine(tmp_path / "index", schemes=SCHEMES, create=True)) as engine, engine.writer() as writer:
        for number in range(400):
            tokens = dice.randbytes(dice.randrange(SMALL, 16 * PAGE_SIZE))
            writer.add_blobs([BlobDocument(blob(str(number), tokens), {})])
    ((pages,),) = rows(tmp_path / "index", "PRAGMA page_count")
    ((size,),) = rows(tmp_path / "index", "SELECT sum(length(tokens)) FROM block")
    assert size > 0.95 * (pages - 20) * PAGE_SIZE


def test_contents_of_a_block_are_removed_and_replaced_one_by_one(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    stored = {
        name: blob(name, name.encode() * 50, source=name.encode() * number or None, references=b"r" * (number % 2))
        for number, name in enumerate("abcde")
    }
    with closing(open_engine(folder, schemes=SCHEMES, create=True)) as engine:
        with engine.writer() as writer:
            writer.add_blobs(BlobDocument(one, {}) for one in stored.values())
            writer.put_occurrences(Occurrence("r", name, one.blob, "1") for name, one in stored.items())
        assert rows(folder, "SELECT count(*) FROM block") == [(1,)]
        with engine.writer() as writer:
            writer.delete_occurrences("r", ["b", "d"])
            assert writer.sweep() == 2
        del stored["b"], stored["d"]
        assert engine.blobs([blob_id(name) for name in "abcde"]) == {one.blob: one for one in stored.values()}
        stored["c"] = blob("c", b"renewed")
        with engine.writer() as writer:
            writer.replace_blobs([BlobDocument(blob("c", b"not the last"), {}), BlobDocument(stored["c"], {})])
        assert list(engine.stored_blobs()) == sorted(stored.values(), key=lambda one: one.blob)
        assert rows(folder, "SELECT count(*) FROM block") == [(2,)]
        engine.verify()
        with engine.writer() as writer:
            writer.delete_occurrences("r")
            assert writer.sweep() == 3
        assert rows(folder, "SELECT count(*) FROM block") == [(0,)]
        engine.verify()


def test_a_blob_that_waits_is_known_to_its_writer(tmp_path: Path) -> None:
    with closing(open_engine(tmp_path / "index", schemes=SCHEMES, create=True)) as engine:
        with engine.writer() as writer:
            writer.put_occurrences([Occurrence("r", "early", blob_id("a"), "1")])
            writer.add_blobs([BlobDocument(blob("a", b"first"), {}), BlobDocument(blob("a", b"again"), {})])
            writer.put_occurrences([Occurrence("r", "late", blob_id("a"), "1")])
        assert [one.tokens for one in engine.blobs([blob_id("a")]).values()] == [b"first"]
        assert [place.blob for place in engine.occurrences()] == [blob_id("a")] * 2
        engine.verify()


@pytest.mark.slow
def test_an_interrupt_at_any_call_while_blocks_are_written_loses_nothing(tmp_path: Path) -> None:
    blobs = [blob(name, name.encode() * 50) for name in "abc"] + [blob("d", bytes(2 * SMALL))]
    renewed = [blob("a", b"renewed"), blob("e", b"new")]
    for stop in count(1):
        make(tmp_path / str(stop))
        records = Records(tmp_path / str(stop), writes=True)
        with closing(records):
            records.begin()
            records.contents.put_blobs(blobs)
            records.contents.flush()
            records.contents.put_blobs(renewed)
            is_interrupted = interrupted_at(stop, records.contents.flush, *MODULES)
            records.contents.flush()
            records.commit()
            assert records.verify() == [1, 2, 3, 4, 5]
            stored = {one.blob: one for one in records.contents.blobs(blob_id(name) for name in "abcde")}
            assert stored == {one.blob: one for one in [*blobs, *renewed]}
        if not is_interrupted:
            break
    assert stop > 50


def test_an_interrupt_at_any_call_of_a_commit_loses_nothing(tmp_path: Path) -> None:
    for stop in count(1):
        make(tmp_path / str(stop))
        records = Records(tmp_path / str(stop), writes=True)
        with closing(records):
            records.begin()
            records.contents.put_blobs([blob("a", b"first")])
            records.contents.flush()
            is_interrupted = interrupted_at(stop, records.commit, *MODULES)
            records.contents.put_blobs([blob("b", b"second")])
            records.contents.flush()
            records.commit()
        with closing(Records(tmp_path / str(stop))) as read:
            assert {one.blob for one in read.contents.blobs(map(blob_id, "ab"))} == {blob_id("a"), blob_id("b")}
        if not is_interrupted:
            break
    assert stop > 5
