# ruff: noqa: S608 - names of tables and columns are of this module, values are bound
"""The records of an embedded index: a database of SQLite with the tables of `mappings.embedded`.

Every commit of the index is one transaction here. Readers see the last one as a whole, and wait while the next one is
being written to the file.
"""

from __future__ import annotations

import errno
import json
import sqlite3
import time
import weakref
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import zstandard

from wherefrom.engines.embedded import listings
from wherefrom.engines.embedded.blocks import (
    LARGEST,
    ROOM,
    dump,
    dump_numbers,
    grouped,
    in_full_pages,
    join_tiny,
    load,
    load_numbers,
)
from wherefrom.engines.embedded.folder import check_locks
from wherefrom.engines.embedded.listings import Place
from wherefrom.engines.embedded.runs import Description
from wherefrom.engines.embedded.waiting import asking, say_for_whom
from wherefrom.engines.records import BULK, bulk, seal, unseal
from wherefrom.mappings.embedded import ID_PREFIX, PAGE_SIZE, TABLES
from wherefrom.model import Occurrence, StoredBlob
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import quoted

BUSY_SECONDS = 600.0
"""How long a reader waits for a commit, and a commit for readers. A commit takes about a second where much is written;
reading holds it up for no longer than a search, unless the process that reads is stopped.
"""

PATIENCE = 0.5
"""Seconds that SQLite waits by itself; then Python can be interrupted before it tries again."""

SAY_LOOKS = 4
"""After so many times `PATIENCE` a writer says for whom it waits."""

READER_CACHE = 16_000_000
"""Bytes of pages that a reader keeps."""

WRITER_CACHE = 256_000_000
"""Bytes of changed pages that a writer keeps until it commits; with more, readers wait until then."""

ASKED = 500
"""Values in one statement."""

ID_BYTES = 4
"""Of an id, by which a content is found (`ID_PREFIX`)."""

SPARE = 8
"""One page in so many may be empty before a sweep makes the file shorter."""

WAITING = 16_000_000
"""Bytes of blobs that wait to be grouped to blocks."""

BLOCKS_KEPT = 4
"""Blocks of which a listing keeps what it has loaded: contents that share one have numbers near to each other."""

LEVEL = 6
"""Of the compression (Zstandard)."""

TINY_LEVEL = 12
"""Of that of tiny token streams, which takes twice as long as the other level, and little."""

_BEGIN, _COMMIT = "BEGIN IMMEDIATE", "COMMIT"

_HEX = frozenset("0123456789abcdef")

_FACTS = "content.number, id, kind, size, token_count, block, seal"
_FACTS_COUNT = 7

BLOCK_FIELDS = ("contents", *BULK)
"""The values of a block."""

_LISTING = "number, repository, first, count, places"

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Damage(ValueError):
    """What is stored is not what was written."""


def id_bytes(blob: str) -> bytes | None:
    """A blob id as it is stored; None for a name that is not one."""
    return bytes.fromhex(blob) if len(blob) % 2 == 0 and _HEX.issuperset(blob) else None


def make(path: Path) -> None:
    """Makes the tables, empty.

    Raises:
        sqlite3.Error: they cannot be written.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.executescript(f"BEGIN; {TABLES} COMMIT")
        connection.execute("INSERT INTO state VALUES (0, ?)", (_seal("state", 0),))
    finally:
        connection.close()


@cache
def _schema() -> list[tuple[Any, ...]]:
    """What SQLite says of the tables."""
    connection = sqlite3.connect(":memory:")
    connection.text_factory = bytes
    try:
        connection.executescript(TABLES)
        return _described(connection)
    finally:
        connection.close()


def _described(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


def _seal(table: str, *values: object) -> int:
    """The checksum of a row, as a signed number of 32 bits: SQLite takes more bytes for an unsigned one."""
    return zlib.crc32(repr((table, *values)).encode()) - (1 << 31)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode(value: bytes) -> str:
    return value.decode("utf-8", "surrogatepass")


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def decoded(load: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
    """What `load` makes of stored values.

    Raises:
        Damage: it cannot.
    """
    try:
        return load(*args, **named)
    except (ValueError, LookupError, TypeError, zstandard.ZstdError) as error:
        raise Damage(f"a record cannot be decoded: {quoted(str(error))}") from error


def expect(fits: bool) -> None:
    """Goes on if what was found is what was asked for.

    Raises:
        Damage: it is not.
    """
    if not fits:
        raise Damage("a record is found in the place of another one")


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A blob that is in no block yet, and the number of its content."""

    number: int
    stored: StoredBlob


class _Kind(NamedTuple):
    """What many blobs have in common; one text holds all of it. `held` has a bit for each of `BULK` that they have."""

    language: str
    analysis: str
    held: int


@cache
def _loaded_kind(text: str) -> _Kind:
    return _Kind(*json.loads(text))


class Records:
    """A connection to the records. For one thread at a time.

    Raises:
        Damage: by every method: what is stored is not what was written.
        sqlite3.Error: by every method: SQLite cannot read or write the file.
    """

    def __init__(self, path: Path, *, writes: bool = False) -> None:
        # `rw` falls back to reading where the file cannot be written.
        self._connection = sqlite3.connect(
            f"{path.as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        self._folder, self._writes = path.parent, writes
        # An engine that is dropped without being closed leaves nothing open.
        weakref.finalize(self, self._connection.close)
        self._connection.text_factory = bytes  # there is no text but in what SQLite says itself, which may be damaged
        self._numbers: dict[str, int] = {}
        self._texts: dict[int, str] = {}
        self._waiting: dict[str, _Waiting] = {}
        self._waiting_bytes = 0
        self._last_content = 0
        self._changes = 0
        self._has_begun = self._is_ending = False
        self._compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._tiny_compressor = zstandard.ZstdCompressor(level=TINY_LEVEL)
        self._decompressor = zstandard.ZstdDecompressor()
        try:
            self._do(f"PRAGMA cache_size = -{(WRITER_CACHE if writes else READER_CACHE) // 1000}")
            self._do(f"PRAGMA query_only = {not writes:d}")
            self._do("PRAGMA cell_size_check = ON")
            # What SQLite notes to take a batch back is short, and so needs no room in TMPDIR.
            self._do("PRAGMA temp_store = MEMORY")
            if _described(self._connection) != _schema():
                raise Damage("its tables are not those that were made")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes the connection; what was not committed is lost."""
        self._connection.close()

    def interrupt(self) -> None:
        """Ends what is being read, with SQLITE_INTERRUPT; to be called from any thread."""
        self._connection.interrupt()

    def _do(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self._patiently(self._connection.execute, statement, values)

    def _do_all(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Does a statement, which may be done twice, with the values of each row."""
        self._patiently(self._connection.executemany, statement, rows)

    def _patiently(
        self, do: Callable[[str, Sequence[Any]], sqlite3.Cursor], statement: str, values: Sequence[Any]
    ) -> sqlite3.Cursor:
        if self._connection.in_transaction:
            self._is_ending = self._is_ending and statement == _COMMIT
        elif self._has_begun and statement != _BEGIN:
            if not self._is_ending:
                # SQLite has rolled it back. What followed would be committed row by row.
                raise OSError(errno.EIO, "an earlier error has ended this writing")
            self.begin()  # an interruption came after a commit, before the next one was begun
        begin = time.monotonic()
        with ExitStack() as stack:
            looks = 0
            while True:
                try:
                    return do(statement, values)
                except sqlite3.OperationalError as error:
                    is_late = time.monotonic() > begin + BUSY_SECONDS
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or is_late:
                        raise
                looks += 1
                if looks == 1:
                    check_locks(self._folder)  # SQLite calls a file that cannot be locked a locked one
                    if self._writes:
                        stack.enter_context(asking(self._folder))
                elif looks == SAY_LOOKS and self._writes:
                    say_for_whom(self._folder)

    def _all(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        return self._do(statement, values).fetchall()

    def _one(self, statement: str, values: Sequence[object] = ()) -> Any:
        return self._do(statement, values).fetchone()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A block in which everything is read of one commit; no writer commits meanwhile."""
        self._do("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._do("ROLLBACK")

    @contextmanager
    def together(self) -> Iterator[None]:
        """A block of which all changes are kept, or none where it does not end."""
        self._do("SAVEPOINT together")
        try:
            yield
            self._do("RELEASE together")
        except BaseException:
            if self._connection.in_transaction:
                try:
                    self._do("ROLLBACK TO together")
                    self._do("RELEASE together")
                except sqlite3.OperationalError as error:
                    if "no such savepoint" not in str(error):  # an interruption came when all was kept
                        raise
            # A text that was new may be gone.
            self._numbers.clear()
            self._texts.clear()
            raise

    # What every commit changes.

    def version(self) -> int:
        """How often the index was committed to."""
        rows = self._all("SELECT version, seal FROM state")
        if len(rows) != 1 or rows[0][1] != _seal("state", rows[0][0]):
            raise Damage("a record cannot be decoded: the checksum of the state does not match")
        return int(rows[0][0])

    def begin(self) -> None:
        """Begins what the next commit holds."""
        self._do(_BEGIN)
        self._has_begun = True
        self._last_content = self._one("SELECT max(number) FROM content")[0] or 0
        self._changes = self._connection.total_changes

    @property
    def is_changed(self) -> bool:
        """Whether anything was changed since `begin`."""
        return self._connection.total_changes != self._changes

    def commit(self) -> None:
        """Makes everything since `begin` lasting and visible, and begins what the next commit holds."""
        version = self.version() + 1
        self._do("UPDATE state SET version = ?, seal = ?", (version, _seal("state", version)))
        self._end()
        self.begin()

    def _end(self) -> None:
        self._is_ending = True
        try:
            self._do(_COMMIT)
        except Exception:
            self._is_ending = False
            raise

    # Runs.

    def runs(self) -> list[tuple[Description, bytes]]:
        """The runs, from the oldest on, each with a bit for each of its documents that lives; empty if all do."""
        rows = self._all("SELECT name, record, alive FROM run ORDER BY name")
        return [decoded(self._run, *row) for row in rows]

    @staticmethod
    def _run(name: int, record: bytes, alive: bytes) -> tuple[Description, bytes]:
        description = Description.load(json.loads(unseal(f"run {name}", record)))
        living = unseal(f"alive {name}", alive)
        if len(living) not in {0, -(-description.documents // 8)}:
            raise ValueError("the documents of a run that live are not as many as it has")
        return description, living

    def next_run(self) -> int:
        """A number that was not given to any run before."""
        return 1 + (self._one("SELECT seq FROM sqlite_sequence WHERE name = 'run'") or (0,))[0]

    def put_run(self, description: Description, alive: bytes = b"") -> None:
        """Adds a run, or replaces its row."""
        name = description.name
        record = seal(f"run {name}", json.dumps(description.dump()).encode())
        self._do("INSERT OR REPLACE INTO run VALUES (?, ?, ?)", (name, record, seal(f"alive {name}", alive)))

    def keep_runs(self, names: Iterable[int]) -> None:
        """Removes the rows of all other runs."""
        kept = set(names)
        for (name,) in self._all("SELECT name FROM run"):
            if name not in kept:
                self._do("DELETE FROM run WHERE name = ?", (name,))

    # Texts.

    def _text(self, number: int) -> str:
        if number not in self._texts:
            row = self._one("SELECT value, seal FROM text WHERE number = ?", (number,))
            if row is None or row[1] != _seal("text", number, row[0]):
                raise ValueError("the checksum of a text does not match")
            self._texts[number] = _decode(row[0])
        return self._texts[number]

    def _number(self, text: str) -> int | None:
        """The number of a text; None if it has none."""
        if text not in self._numbers:
            row = self._one("SELECT number FROM text WHERE value = ?", (_encode(text),))
            if row is None:
                return None
            expect(decoded(self._text, row[0]) == text)
            self._numbers[text] = row[0]
        return self._numbers[text]

    def _put_text(self, text: str) -> int:
        found = self._number(text)
        if found is None:
            value = _encode(text)
            found = 1 + (self._one("SELECT max(number) FROM text")[0] or 0)
            self._do("INSERT INTO text VALUES (?, ?, ?)", (found, value, _seal("text", found, value)))
            self._numbers[text] = found
        return found

    # Contents.

    def _contents(self, ids: Iterable[str], columns: str, table: str) -> Iterator[Any]:
        """The rows of those of these contents that are there."""
        asked = [given for blob in dict.fromkeys(ids) if (given := id_bytes(blob)) is not None]
        for batch in chunks(asked, ASKED):
            rows = self._identified(batch, columns, table)
            expect({row[1] for row in rows} <= set(batch))
            yield from rows

    def _identified(self, identities: Sequence[bytes], columns: str, table: str = "content") -> list[Any]:
        """The rows of those of these contents, of which there are few enough for one statement, that are there."""
        marks = _marks(identities)
        statement = f"SELECT {columns} FROM {table} WHERE {ID_PREFIX} IN ({marks}) AND id IN ({marks})"
        return self._all(statement, (*(identity[:ID_BYTES] for identity in identities), *identities))

    def loaded(self, row: Any) -> dict[str, Any] | None:
        """The facts of a blob, of a row of `content`; None for a content that only occurs."""
        *values, sealed = row
        _, identity, kind, size, token_count, _ = values
        if sealed != _seal("content", *values):
            raise ValueError("the checksum of a content does not match")
        if size is None:
            return None
        language, analysis, _ = self.kind(kind)
        return {
            "blob": identity.hex(),
            "language": language,
            "size": size,
            "token_count": token_count,
            "analysis": analysis,
        }

    def kind(self, number: int) -> _Kind:
        """What many blobs have in common, by the number of its text."""
        return _loaded_kind(self._text(number))

    def facts(self, blobs: Iterable[str]) -> Iterator[dict[str, Any]]:
        """The facts of those of these blobs that are there."""
        for row in self._contents(blobs, _FACTS, "content"):
            found = decoded(self.loaded, row)
            if found is not None:
                yield found

    def blobs(self, blobs: Iterable[str], names: Collection[str] = BULK) -> Iterator[StoredBlob]:
        """Those of these blobs that are there, of their `BULK` only these names, in any order."""
        columns, table = _joined(names)
        loader = _Loader(self, names)
        for row in self._contents(blobs, columns, table):
            found = decoded(loader.blob, row)
            if found is not None:
                yield found

    def numbered(self, numbers: Sequence[int], names: Collection[str]) -> dict[int, StoredBlob]:
        """These blobs by their numbers, of their `BULK` only these names.

        Raises:
            Damage: one is not there.
        """
        columns, table = _joined(names)
        loader = _Loader(self, names)
        found = {}
        for batch in chunks(numbers, ASKED):
            for row in self._all(f"SELECT {columns} FROM {table} WHERE content.number IN ({_marks(batch)})", batch):
                blob = decoded(loader.blob, row)
                if blob is not None:
                    found[row[0]] = blob
        expect(found.keys() == set(numbers))
        return found

    def ids_after(self, after: str, count: int) -> list[str]:
        """The ids of so many blobs with an id greater than `after`, ascending."""
        digits = next((at for at, digit in enumerate(after) if digit not in _HEX), len(after))
        least = bytes.fromhex(after[: digits // 2 * 2])
        rows = self._all(
            f"SELECT id FROM content WHERE {ID_PREFIX} >= ? AND lower(hex(id)) > ? AND size IS NOT NULL"
            f" ORDER BY {ID_PREFIX}, id LIMIT ?",
            (least[:ID_BYTES], after, count),
        )
        return [row[0].hex() for row in rows]

    def count_blobs(self, column: str) -> dict[str, int]:
        """How many blobs have each `language` or `analysis`."""
        rows = self._all("SELECT kind, count(*) FROM content WHERE size IS NOT NULL GROUP BY kind")
        found: Counter[str] = Counter()
        for number, count in rows:
            found[getattr(decoded(self.kind, number), column)] += count
        return found

    def totals(self) -> tuple[int, int, int]:
        """How many blobs there are, their bytes and their tokens."""
        row = self._one("SELECT count(*), total(size), total(token_count) FROM content WHERE size IS NOT NULL")
        return decoded(lambda: (row[0], int(row[1]), int(row[2])))

    def numbers(self, blobs: Iterable[str]) -> dict[str, int]:
        """The numbers of those of these blobs that are there."""
        asked = list(blobs)
        found = {blob: self._waiting[blob].number for blob in asked if blob in self._waiting}
        for row in self._contents((blob for blob in asked if blob not in found), _FACTS, "content"):
            if decoded(self.loaded, row) is not None:
                found[row[1].hex()] = int(row[0])
        return found

    def _numbers_for(self, blobs: Iterable[str]) -> tuple[dict[str, int], list[str]]:
        """The numbers of contents, and those of them that are new and were given one."""
        found: dict[str, int] = {}
        identities = {}
        for blob in blobs:
            identity = id_bytes(blob)
            if identity is None:
                raise ValueError(f"{blob!r} is not a blob id")
            if blob in self._waiting:
                found[blob] = self._waiting[blob].number
            else:
                identities[blob] = identity
        for batch in chunks(list(identities.values()), ASKED):
            found.update((row[1].hex(), int(row[0])) for row in self._identified(batch, "number, id"))
        new = [blob for blob in identities if blob not in found]
        found.update(zip(new, range(self._last_content + 1, self._last_content + 1 + len(new)), strict=True))
        self._last_content += len(new)
        return found, new

    def put_blobs(self, blobs: Sequence[StoredBlob]) -> list[int]:
        """Adds or replaces blobs that differ from each other; they wait until they are written in blocks.

        Returns:
            their numbers.
        """
        numbers, _ = self._numbers_for(stored.blob for stored in blobs)
        self._waiting_bytes += sum(len(value) for stored in blobs for value in bulk(stored).values())
        self._waiting.update({stored.blob: _Waiting(numbers[stored.blob], stored) for stored in blobs})
        return [numbers[stored.blob] for stored in blobs]

    def take_back(self, blobs: Iterable[str]) -> None:
        """Lets blobs not wait any longer, those that were put last."""
        for blob in blobs:
            self._waiting.pop(blob, None)

    @property
    def is_full(self) -> bool:
        """Whether so many blobs wait that they are to be written."""
        return self._waiting_bytes > WAITING

    def flush(self) -> None:
        """Writes the blobs that wait; what was interrupted here can be done again."""
        waiting = list(self._waiting.values())
        sizes = (sum(map(len, bulk(each.stored).values())) for each in waiting)
        groups = list(grouped((each, len(each.stored.tokens), size) for each, size in zip(waiting, sizes, strict=True)))
        packed = [self._dump_block({each.number: bulk(each.stored) for each in group}) for group in groups]
        order = in_full_pages([sum(len(value) for value in values if value is not None) for values in packed])
        with self.together():
            self._leave_blocks([each.number for each in waiting])
            first = 1 + (self._one("SELECT max(number) FROM block")[0] or 0)
            self._write_blocks({block: packed[at] for block, at in enumerate(order, first)})
            self._write_contents([(each, block) for block, at in enumerate(order, first) for each in groups[at]])
        self._waiting.clear()
        self._waiting_bytes = 0

    def _write_blocks(self, blocks: Mapping[int, Sequence[bytes | None]]) -> None:
        """Writes blocks, given as their `BLOCK_FIELDS`."""
        rows = [
            (
                block,
                *(value and seal(f"{name} {block}", value) for name, value in zip(BLOCK_FIELDS, values, strict=True)),
            )
            for block, values in blocks.items()
        ]
        columns = ", ".join(map(_quoted, BLOCK_FIELDS))
        self._do_all(f"INSERT OR REPLACE INTO block (number, {columns}) VALUES (?,{_marks(BLOCK_FIELDS)})", rows)

    def _write_contents(self, contents: Iterable[tuple[_Waiting, int]]) -> None:
        """Writes the facts of blobs, each with its block, in the order of their numbers, which fills pages."""
        rows = []
        for each, block in contents:
            stored = each.stored
            values = bulk(stored)
            held = sum(1 << at for at, name in enumerate(BULK) if name in values)
            kind = self._put_text(json.dumps([stored.language, stored.analysis, held]))
            row = (each.number, id_bytes(stored.blob), kind, stored.size, stored.token_count, block)
            rows.append((*row, _seal("content", *row)))
        rows.sort()
        self._do_all("INSERT OR REPLACE INTO content VALUES (?,?,?,?,?,?,?)", rows)

    def _leave_blocks(self, numbers: Sequence[int]) -> int:
        """Removes contents from their blocks; returns how many were in one."""
        leaving: dict[int, set[int]] = {}
        for batch in chunks(numbers, ASKED):
            statement = f"SELECT block, number FROM content WHERE number IN ({_marks(batch)}) AND block IS NOT NULL"
            for block, number in self._all(statement, batch):
                leaving.setdefault(block, set()).add(number)
        for block, gone in leaving.items():
            row = self._one(f"SELECT {', '.join(map(_quoted, BLOCK_FIELDS))} FROM block WHERE number = ?", (block,))
            expect(row is not None)
            left = {at: values for at, values in decoded(self._load_block, block, row).items() if at not in gone}
            if left:
                self._write_blocks({block: self._dump_block(left)})
            else:
                self._do("DELETE FROM block WHERE number = ?", (block,))
        return sum(map(len, leaving.values()))

    def _dump_block(self, blobs: Mapping[int, Mapping[str, bytes]]) -> list[bytes | None]:
        """The `BLOCK_FIELDS` of a block, of the numbers of its contents and the `BULK` of each."""
        packed: list[bytes | None] = [dump_numbers(list(blobs), self._compressor.compress)]
        for name in BULK:
            if not any(name in values for values in blobs.values()):
                packed.append(None)
                continue
            column = [values.get(name, b"") for values in blobs.values()]
            joined = join_tiny(column, self._tiny_compressor.compress) if name == "tokens" else None
            # A long token stream is compressed already.
            compress = None if name == "tokens" and len(blobs) == 1 else self._compressor.compress
            packed.append(dump(column, compress) if joined is None else joined)
        return packed

    def _load_block(self, block: int, row: Sequence[bytes | None]) -> dict[int, dict[str, bytes]]:
        """What `_dump_block` was given; what a content does not have is empty."""
        contents = self.contents_of(block, row[0])
        values: dict[int, dict[str, bytes]] = {number: {} for number in contents}
        for name, value in zip(BULK, row[1:], strict=True):
            if value is not None:
                for number, held in zip(contents, self.column(block, name, value, len(contents)), strict=True):
                    values[number][name] = held
        return values

    def contents_of(self, block: int, value: bytes | None) -> list[int]:
        """The numbers of the contents of a block."""
        packed = unseal(f"contents {block}", value or b"")
        return load_numbers(packed, partial(self._decompress, most=ROOM))

    def column(self, block: int, name: str, value: bytes | None, count: int, size: int = LARGEST) -> Sequence[bytes]:
        """One of `BULK` of each of the contents of a block, of which there are so many.

        Args:
            block: its number.
            name: of the column.
            value: as it is stored.
            count: of the contents.
            size: bytes that the values have at most, as the records of the contents say.
        """
        most = 4 * count + min(size, LARGEST if count == 1 else ROOM)
        packed = unseal(f"{name} {block}", value or b"")
        return load(packed, count, partial(self._decompress, most=most))

    def _decompress(self, data: bytes, most: int) -> bytes:
        """What was compressed. The decompressor allocates whatever a value claims, so the claim is checked first.

        Raises:
            ValueError: it claims more bytes than it can have.
            ZstdError: it is not what the compressor made.
        """
        size = zstandard.frame_content_size(data)
        if not 0 <= size <= most:
            raise ValueError(f"a compressed value claims {size:,} bytes and can have {most:,}")
        return self._decompressor.decompress(data)

    def orphans(self, count: int) -> list[int]:
        """The numbers of so many contents without an occurrence."""
        rows = self._all(
            "SELECT number FROM content WHERE NOT EXISTS (SELECT 1 FROM place WHERE content = content.number) LIMIT ?",
            (count,),
        )
        return [row[0] for row in rows]

    def delete_contents(self, numbers: Sequence[int]) -> int:
        """Removes contents; returns how many of them were blobs."""
        removed = self._leave_blocks(numbers)
        for batch in chunks(numbers, ASKED):
            self._do(f"DELETE FROM content WHERE number IN ({_marks(batch)})", batch)
        return removed

    def shrink(self) -> None:
        """Gives pages back that hold nothing, where they are many; to be called before anything is changed."""
        free, pages = self._one("PRAGMA freelist_count")[0], self._one("PRAGMA page_count")[0]
        if free > pages // SPARE:
            self._end()
            # `execute` would take one step, which frees one page.
            self._connection.executescript("PRAGMA incremental_vacuum")
            self.begin()

    # Occurrences.

    def occurrences(self, blobs: Collection[str] | None, repository: str | None) -> list[Occurrence]:
        """The occurrences of these blobs (None: of all) in this repository (None: in all), in any order."""
        number = None if repository is None else self._number(repository)
        if repository is not None and number is None:
            return []
        if blobs is None:
            where, of_repository = ("", ()) if number is None else (" WHERE repository = ?", (number,))
            return decoded(self._located, self._do(f"SELECT {_LISTING} FROM listing{where}", of_repository), None)
        contents = {}
        for row in self._contents(blobs, _FACTS, "content"):
            decoded(self.loaded, row)
            contents[int(row[0])] = row[1]
        found = []
        for batch in chunks(list(contents), ASKED):
            statement = f"SELECT DISTINCT listing FROM place WHERE content IN ({_marks(batch)})"
            in_listings = [row[0] for row in self._all(statement, batch)]
            for some in chunks(in_listings, ASKED):
                rows = self._all(f"SELECT {_LISTING} FROM listing WHERE number IN ({_marks(some)})", some)
                expect(len(rows) == len(some))
                wanted = [row for row in rows if number in (None, row[1])]
                found += decoded(self._located, wanted, {content: contents[content] for content in batch})
        return found

    def _located(self, rows: Iterable[Any], contents: Mapping[int, bytes] | None) -> list[Occurrence]:
        """The occurrences of contents, given with their ids (None: of all), in listings."""
        found = []
        for row in rows:
            repository, places = self._text(row[1]), self._places(row)
            ids = contents
            if ids is None:
                ids = self._ids({place.content for place in places.values()})
            for path, place in places.items():
                if place.content in ids:
                    identity, revision = ids[place.content], self._text(place.revision)
                    found.append(Occurrence(repository, _decode(path), identity.hex(), revision))
        return found

    def _ids(self, numbers: Collection[int]) -> dict[int, bytes]:
        """The ids of these contents."""
        found = {}
        for batch in chunks(list(numbers), ASKED):
            for row in self._all(f"SELECT {_FACTS} FROM content WHERE number IN ({_marks(batch)})", batch):
                self.loaded(row)
                found[int(row[0])] = row[1]
        expect(len(found) == len(numbers))
        return found

    def _places(self, row: Any) -> dict[bytes, Place]:
        """What a listing holds, of its row."""
        number, repository, first, count, sealed = row
        data = unseal(f"listing {number} {repository} {count}", sealed)
        places = listings.load(data, count, partial(self._decompress, most=LARGEST))
        if next(iter(places), None) != first:
            raise ValueError("a listing begins with another path")
        return places

    def count_occurrences(self) -> int:
        """Of all repositories."""
        return int(self._one("SELECT total(count) FROM listing")[0])

    def put_occurrences(self, occurrences: Sequence[Occurrence]) -> None:
        """Adds occurrences, each in the place of the one that is there."""
        with self.together():
            contents, new = self._numbers_for(occurrence.blob for occurrence in occurrences)
            facts = [(contents[blob], id_bytes(blob), *(None,) * 4) for blob in new]
            sealed_facts = [(*row, _seal("content", *row)) for row in facts]
            self._do_all("INSERT OR REPLACE INTO content VALUES (?,?,?,?,?,?,?)", sealed_facts)
            by_repository: dict[int, dict[bytes, Place | None]] = {}
            for occurrence in occurrences:
                here = by_repository.setdefault(self._put_text(occurrence.repository), {})
                place = Place(contents[occurrence.blob], self._put_text(occurrence.revision))
                here[_encode(occurrence.path)] = place
            for repository, here in by_repository.items():
                self._change_places(repository, here)

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None) -> None:
        """Removes the occurrences at these paths of a repository (None: all of it)."""
        number = self._number(repository)
        if number is None:
            return
        with self.together():
            if paths is not None:
                self._change_places(number, {_encode(path): None for path in paths})
                return
            for row in self._all(f"SELECT {_LISTING} FROM listing WHERE repository = ?", (number,)):
                self._put_listings(number, row[0], decoded(self._places, row), {})

    def _change_places(self, repository: int, changes: Mapping[bytes, Place | None]) -> None:
        """Puts places at these paths of a repository; None removes what is at one."""
        paths = sorted(changes)
        if not paths:
            return
        statement = "SELECT number, first FROM listing WHERE repository = ?"
        nearest = self._one(f"{statement} AND first <= ? ORDER BY first DESC LIMIT 1", (repository, paths[0]))
        nearest = nearest or self._one(f"{statement} ORDER BY first LIMIT 1", (repository,)) or (None, b"")
        later = f"{statement} AND first > ? AND first <= ? ORDER BY first"
        near = [nearest, *self._all(later, (repository, nearest[1], paths[-1]))]
        of_listing: dict[int | None, list[bytes]] = {}
        for path in paths:
            at = bisect_right(near, path, key=itemgetter(1)) - 1
            of_listing.setdefault(near[max(0, at)][0], []).append(path)
        for number, own in of_listing.items():
            before: dict[bytes, Place] = {}
            if number is not None:
                row = self._one(f"SELECT {_LISTING} FROM listing WHERE number = ?", (number,))
                before = decoded(self._places, row)
            after = dict(before)
            for path in own:
                place = changes[path]
                if place is None:
                    after.pop(path, None)
                else:
                    after[path] = place
            self._put_listings(repository, number, before, after)

    def _put_listings(
        self, repository: int, number: int | None, before: Mapping[bytes, Place], after: Mapping[bytes, Place]
    ) -> None:
        """Writes the places of a listing after a change, as one listing or several.

        Args:
            repository: the number of its key.
            number: of the listing; None for a new one.
            before: what it held.
            after: what is to be there.
        """
        if number is not None and not after:
            self._do("DELETE FROM listing WHERE number = ?", (number,))
            self._put_contents_of(number, before, {})
        for part in listings.parts(after):
            if number is None:
                number = 1 + (self._one("SELECT max(number) FROM listing")[0] or 0)
            sealed = seal(f"listing {number} {repository} {len(part)}", listings.dump(part, self._compressor.compress))
            values = (number, repository, next(iter(part)), len(part), sealed)
            self._do("INSERT OR REPLACE INTO listing VALUES (?,?,?,?,?)", values)
            self._put_contents_of(number, before, part)
            number, before = None, {}

    def _put_contents_of(self, listing: int, before: Mapping[bytes, Place], after: Mapping[bytes, Place]) -> None:
        """Notes which contents a listing holds."""
        held = {place.content for place in before.values()}
        holds = {place.content for place in after.values()}
        gone = [(content, listing) for content in sorted(held - holds)]
        self._do_all("DELETE FROM place WHERE content = ? AND listing = ?", gone)
        new = [(content, listing) for content in sorted(holds - held)]
        self._do_all("INSERT OR REPLACE INTO place VALUES (?,?)", new)

    # Repositories, boilerplate sets, refusals: tables with a name and values of bytes.

    def named(self, table: str, name: str) -> tuple[bytes, ...] | None:
        """The values of a row; None if it is not there."""
        row = self._one(f"SELECT * FROM {table} WHERE name = ?", (_encode(name),))
        return None if row is None else decoded(_unsealed, row)

    def all_named(self, table: str) -> list[bytes]:
        """The records of a table."""
        return [decoded(unseal, "record", row[0]) for row in self._all(f"SELECT record FROM {table}")]

    def put_named(self, table: str, name: str, **values: bytes) -> None:
        """Adds or replaces a row; `values` are all of its columns."""
        sealed = [seal(column, value) for column, value in values.items()]
        self._do(f"INSERT OR REPLACE INTO {table} VALUES (?,{_marks(sealed)})", (_encode(name), *sealed))

    def delete_named(self, table: str, name: str) -> None:
        """Removes a row."""
        self._do(f"DELETE FROM {table} WHERE name = ?", (_encode(name),))

    # Everything.

    def verify(self) -> list[int]:
        """Reads everything, and compares it with its checksums.

        Returns:
            The numbers of all blobs, ascending.
        """
        said = self._one("PRAGMA integrity_check(1)")[0]
        if said != b"ok":
            raise Damage(quoted(said.decode("utf-8", "replace")))
        return decoded(self._verified)

    def _verified(self) -> list[int]:
        for row in self._do("SELECT number FROM text"):
            self._texts.pop(row[0], None)
            self._text(row[0])
        columns, table = _joined(BULK)
        loader = _Loader(self, BULK)
        rows = self._do(f"SELECT {columns} FROM {table} ORDER BY content.number")
        numbers = sorted(int(row[0]) for row in rows if loader.blob(row) is not None)
        if self._one("SELECT count(*) FROM block")[0] != len(loader.blocks) or sum(loader.blocks.values()) != len(
            numbers
        ):
            raise ValueError("a blob is missing")
        listed: set[tuple[int, int]] = set()
        last = (0, b"")
        for row in self._do(f"SELECT {_LISTING} FROM listing ORDER BY repository, first"):
            places = self._places(row)
            self._located([row], None)
            paths = list(places)
            if (row[1], paths[0]) <= last or paths != sorted(paths):
                raise ValueError("the places of a repository are not in their order")
            last = (row[1], paths[-1])
            listed.update((place.content, row[0]) for place in places.values())
        if listed != set(self._do("SELECT content, listing FROM place")):
            raise ValueError("a place is missing")
        for table in NAMED:
            for row in self._do(f"SELECT * FROM {table}"):
                _unsealed(row)
        return numbers


class _Loader:
    """Makes blobs of rows with the columns of `_joined`; what it loads of a block is kept for the rows that follow.

    Attributes:
        blocks: how many contents each block has that was seen.
    """

    def __init__(self, records: Records, names: Collection[str]) -> None:
        self.blocks: dict[int, int] = {}
        self._records, self._names = records, names
        self._kept: dict[int, tuple[list[int], dict[str, Sequence[bytes]]]] = {}

    def blob(self, row: Any) -> StoredBlob | None:
        """The blob of a row; None for a content that only occurs."""
        facts = self._records.loaded(row[:_FACTS_COUNT])
        if facts is None:
            return None
        number, kind, block = row[0], self._records.kind(row[2]), row[5]
        columns = dict(zip(self._names, row[_FACTS_COUNT + 1 :], strict=True))
        contents, loaded = self._block(block, row[_FACTS_COUNT])
        for name, value in columns.items():
            if kind.held >> BULK.index(name) & 1:
                if name not in loaded:
                    # The source of a block's only content is as long as its record says.
                    size = facts["size"] if name == "source" and len(contents) == 1 else LARGEST
                    loaded[name] = self._records.column(block, name, value, len(contents), size)
                facts[name] = loaded[name][contents.index(number)]
        return StoredBlob(**{"tokens": b"", **facts})

    def _block(self, block: int, contents: bytes | None) -> tuple[list[int], dict[str, Sequence[bytes]]]:
        """The numbers of the contents of a block, and the columns of it that were loaded."""
        if block not in self._kept:
            numbers = self._records.contents_of(block, contents)
            self.blocks[block] = len(numbers)
            if len(self._kept) >= BLOCKS_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[block] = numbers, {}
        return self._kept[block]


NAMED = ("repository", "boilerplate", "refusal")
"""The tables whose rows have a name and values of bytes."""


def _joined(names: Iterable[str]) -> tuple[str, str]:
    """The columns of a blob and of its block with these of its `BULK`, and the tables that have them."""
    columns = ", ".join([_FACTS, "contents", *map(_quoted, names)])
    return columns, "content LEFT JOIN block ON block.number = content.block"


def _quoted(name: str) -> str:
    """A column; `references` is a word of SQL."""
    return f'"{name}"'


def _unsealed(row: Sequence[Any]) -> tuple[bytes, ...]:
    """The values of a row of `NAMED`."""
    return tuple(unseal(field, value) for field, value in zip(("record", "hashes"), row[1:], strict=False))
