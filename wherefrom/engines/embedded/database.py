"""The SQLite database of an index, with the tables of `mappings.embedded`: its statements, commits and shared texts.

Every commit of the index is one transaction. Readers see the last commit as a whole, and wait while the next commit is
written to the file.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote_from_bytes

import zstandard

from wherefrom.engines.embedded.faults import Damage
from wherefrom.engines.embedded.folder import CARD, asking, say_for_whom
from wherefrom.mappings.embedded import PAGE_SIZE, TABLES
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import quoted
from wherefrom.support.system import system

BUSY_SECONDS = 600.0
"""How many seconds a reader waits for a commit, or a commit for readers. A large commit takes about a second. A reader
delays a commit for at most one search, unless the reading process is stopped.
"""

PATIENCE = 0.5  # seconds that SQLite itself waits for a lock. Then Python handles signals and lets SQLite try again
SAY_LOOKS = 4  # after this many waits of `PATIENCE` seconds, a writer logs which processes it waits for
READER_CACHE = 16_000_000  # bytes of pages that a reader keeps in memory

WRITER_CACHE = 256_000_000
"""Bytes of changed pages that a writer keeps in memory; if there are more, readers wait until it commits."""

VALUES = 500  # the highest number of values in a list (`IN`) of a statement
SPARE = 8  # a sweep shortens the file if more than one page in this many is empty

_BEGIN, _COMMIT = "BEGIN IMMEDIATE", "COMMIT"

_P = ParamSpec("_P")
_T = TypeVar("_T")


def make(path: Path) -> None:
    """Makes the database with empty tables."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.executescript(f"BEGIN; {TABLES} COMMIT")
        connection.execute("INSERT INTO state VALUES (0, ?)", (row_seal("state", 0),))


@cache
def _schema() -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.text_factory = bytes
        connection.executescript(TABLES)
        return _described(connection)


def _described(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


def row_seal(table: str, *values: object) -> int:
    """The checksum of a row, as a signed number of 32 bits: SQLite needs more bytes for an unsigned one."""
    return zlib.crc32(repr((table, *values)).encode()) - (1 << 31)


def encode(text: str) -> bytes:
    """A text as the bytes that are stored; a text may have lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def decode(value: bytes) -> str:
    """The reverse of `encode`."""
    return value.decode("utf-8", "surrogatepass")


def decoded(load: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
    """Calls `load` with stored values. Raises Damage if it cannot decode them."""
    try:
        return load(*args, **named)
    except (ValueError, LookupError, TypeError, zstandard.ZstdError) as error:
        raise Damage(f"a record cannot be decoded: {quoted(str(error))}") from error


def expect(fits: bool) -> None:
    """Raises Damage if `fits` is false, since the database then returned another record than the requested one."""
    if not fits:
        raise Damage("a record is found in the place of another one")


class Database:
    """A connection to the file, for one thread at a time. Methods raise Damage if a stored value has changed, and
    sqlite3.Error if SQLite cannot read or write the file.
    """

    def __init__(self, path: Path, *, writes: bool = False) -> None:
        # With mode `rw`, SQLite creates no file, and opens a write-protected file for reading. It refuses
        # what `Path.as_uri` makes of a long path of Windows.
        uri = f"file:{quote_from_bytes(os.fsencode(path), safe='')}?mode=rw"
        self._connection = sqlite3.connect(
            uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        self._folder, self._writes = path.parent, writes
        # This closes the file of an engine that is dropped without being closed.
        weakref.finalize(self, self._connection.close)
        self._connection.text_factory = bytes  # a damaged name may not be UTF-8
        self._numbers: dict[str, int] = {}
        self._texts: dict[int, str] = {}
        self._changes = 0
        self._has_begun = self._is_ending = False
        try:
            self.do(f"PRAGMA cache_size = -{(WRITER_CACHE if writes else READER_CACHE) // 1000}")
            self.do(f"PRAGMA query_only = {not writes:d}")
            self.do("PRAGMA cell_size_check = ON")
            # What SQLite writes to undo a savepoint is short, so it stays in memory and needs no room in TMPDIR.
            self.do("PRAGMA temp_store = MEMORY")
            if _described(self._connection) != _schema():
                raise Damage("its tables are not those that were made")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes the connection; changes that are not committed are lost."""
        self._connection.close()

    def interrupt(self) -> None:
        """Makes the running statement fail with SQLITE_INTERRUPT; may be called from any thread."""
        self._connection.interrupt()

    def do(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Runs a statement."""
        return self._patiently(self._connection.execute, statement, values)

    def do_all(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Runs a statement for each row of values. If the database is busy, starts over, so rows may be used twice."""
        self._patiently(self._connection.executemany, statement, rows)

    def all(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows that a statement gives."""
        return self.do(statement, values).fetchall()

    def one(self, statement: str, values: Sequence[object] = ()) -> Any:
        """The first row that a statement gives, or None."""
        return self.do(statement, values).fetchone()

    def all_of(self, statement: str, values: Sequence[object]) -> Iterator[Any]:
        """The rows of a statement that ends with `IN`. Runs the statement for at most `VALUES` values at a time."""
        for batch in chunks(values, VALUES):
            yield from self.all(f"{statement} ({marks(batch)})", batch)

    def is_empty(self, table: str) -> bool:
        """Whether a table has no rows."""
        return self.one(f"SELECT 1 FROM {table} LIMIT 1") is None  # noqa: S608 -- a name of this package

    def last(self, table: str) -> int:
        """The greatest `number` in a table, or 0."""
        return self.one(f"SELECT max(number) FROM {table}")[0] or 0  # noqa: S608 -- a name of this package

    def _patiently(
        self, do: Callable[[str, Sequence[Any]], sqlite3.Cursor], statement: str, values: Sequence[Any]
    ) -> sqlite3.Cursor:
        if self._connection.in_transaction:
            self._is_ending = self._is_ending and statement == _COMMIT
        elif self._has_begun and statement != _BEGIN:
            if not self._is_ending:
                # SQLite has rolled the transaction back. Without one, it would commit each further statement by itself.
                raise OSError(errno.EIO, "an earlier error has ended this writing")
            self.begin()  # an interruption came between a commit and the next BEGIN
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
                    # SQLite says "locked" also of a file that cannot be locked.
                    system.check_locks(self._folder / CARD)
                    if self._writes:
                        stack.enter_context(asking(self._folder))
                elif looks == SAY_LOOKS and self._writes:
                    say_for_whom(self._folder)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A block that reads from one and the same commit. Writers cannot commit until the block ends."""
        self.do("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self.do("ROLLBACK")

    @contextmanager
    def together(self) -> Iterator[None]:
        """A block of changes. If the block raises an error, all of its changes are undone."""
        self.do("SAVEPOINT together")
        try:
            yield
            self.do("RELEASE together")
        except BaseException:
            if self._connection.in_transaction:
                try:
                    self.do("ROLLBACK TO together")
                    self.do("RELEASE together")
                except sqlite3.OperationalError as error:
                    if "no such savepoint" not in str(error):  # the interruption came after RELEASE
                        raise
            # The cached texts may include some that were rolled back.
            self._numbers.clear()
            self._texts.clear()
            raise

    def version(self) -> int:
        """The number of commits to the index so far."""
        rows = self.all("SELECT version, seal FROM state")
        if len(rows) != 1 or rows[0][1] != row_seal("state", rows[0][0]):
            raise Damage("a record cannot be decoded: the checksum of the state does not match")
        return int(rows[0][0])

    def begin(self) -> None:
        """Begins the transaction of the next commit."""
        self.do(_BEGIN)
        self._has_begun = True
        self._changes = self._connection.total_changes

    @property
    def is_changed(self) -> bool:
        """True if anything changed since `begin`."""
        return self._connection.total_changes != self._changes

    def commit(self) -> None:
        """Makes all changes since `begin` durable and visible, and begins the next transaction."""
        version = self.version() + 1
        self.do("UPDATE state SET version = ?, seal = ?", (version, row_seal("state", version)))
        self._end()
        self._numbers.clear()  # a history has a text for each commit
        self.begin()
        self.do("PRAGMA shrink_memory")  # else unchanged pages take up to `WRITER_CACHE` from now on

    def _end(self) -> None:
        self._is_ending = True
        try:
            self.do(_COMMIT)
        except Exception:
            self._is_ending = False
            raise

    def shrink(self) -> None:
        """Shortens the file if it has many empty pages. Call it before any change, since it ends the transaction."""
        free, pages = self.one("PRAGMA freelist_count")[0], self.one("PRAGMA page_count")[0]
        if free > pages // SPARE:
            self._end()
            # `execute` would run a single step of this statement, and a step frees one page.
            self._connection.executescript("PRAGMA incremental_vacuum")
            self.begin()

    def text(self, number: int) -> str:
        """The text with this number. Many rows share one text."""
        if number not in self._texts:
            row = self.one("SELECT value, seal FROM text WHERE number = ?", (number,))
            if row is None or row[1] != row_seal("text", number, row[0]):
                raise ValueError("the checksum of a text does not match")
            self._texts[number] = decode(row[0])
        return self._texts[number]

    def number_of(self, text: str) -> int | None:
        """The number of a text; None if the text is not stored."""
        if text not in self._numbers:
            row = self.one("SELECT number FROM text WHERE value = ?", (encode(text),))
            if row is None:
                return None
            expect(decoded(self.text, row[0]) == text)
            self._numbers[text] = row[0]
        return self._numbers[text]

    def put_text(self, text: str) -> int:
        """The number of a text; stores the text if it is new."""
        found = self.number_of(text)
        if found is None:
            value = encode(text)
            found = 1 + self.last("text")
            self.do("INSERT INTO text VALUES (?, ?, ?)", (found, value, row_seal("text", found, value)))
            self._numbers[text] = found
        return found

    def check_file(self) -> None:
        """Lets SQLite check the whole file, and compares all texts with their checksums."""
        answer = self.one("PRAGMA integrity_check(1)")[0]
        if answer != b"ok":
            raise Damage(quoted(answer.decode("utf-8", "replace")))
        for row in self.do("SELECT number FROM text"):
            self._texts.pop(row[0], None)
            decoded(self.text, row[0])


def marks(values: Sequence[object]) -> str:
    """The SQL placeholders of some values: a `?` for each."""
    return ",".join("?" * len(values))
