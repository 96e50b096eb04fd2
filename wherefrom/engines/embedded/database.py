"""The file of the records: a database of SQLite with the tables of `mappings.embedded`, its commits and its texts.

Every commit of the index is one transaction here. Readers see the last one as a whole, and wait while the next one is
being written to the file.
"""

from __future__ import annotations

import errno
import sqlite3
import time
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import zstandard

from wherefrom.engines.embedded.faults import Damage
from wherefrom.engines.embedded.folder import check_locks
from wherefrom.engines.embedded.waiting import asking, say_for_whom
from wherefrom.mappings.embedded import PAGE_SIZE, TABLES
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

VALUES = 500
"""Values in one statement."""

SPARE = 8
"""One page in so many may be empty before a sweep makes the file shorter."""

_BEGIN, _COMMIT = "BEGIN IMMEDIATE", "COMMIT"

_P = ParamSpec("_P")
_T = TypeVar("_T")


def make(path: Path) -> None:
    """Makes the tables, empty."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.executescript(f"BEGIN; {TABLES} COMMIT")
        connection.execute("INSERT INTO state VALUES (0, ?)", (row_seal("state", 0),))
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


def row_seal(table: str, *values: object) -> int:
    """The checksum of a row, as a signed number of 32 bits: SQLite takes more bytes for an unsigned one."""
    return zlib.crc32(repr((table, *values)).encode()) - (1 << 31)


def encode(text: str) -> bytes:
    """A text as it is stored."""
    return text.encode("utf-8", "surrogatepass")


def decode(value: bytes) -> str:
    """What `encode` was given."""
    return value.decode("utf-8", "surrogatepass")


def decoded(load: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
    """What `load` makes of stored values. Raises Damage if it cannot."""
    try:
        return load(*args, **named)
    except (ValueError, LookupError, TypeError, zstandard.ZstdError) as error:
        raise Damage(f"a record cannot be decoded: {quoted(str(error))}") from error


def expect(fits: bool) -> None:
    """Raises Damage unless what was found is what was asked for."""
    if not fits:
        raise Damage("a record is found in the place of another one")


class Database:
    """A connection to the file, for one thread at a time. Methods raise Damage if what is stored is not what was
    written, and sqlite3.Error if SQLite cannot read or write the file.
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
        self._changes = 0
        self._has_begun = self._is_ending = False
        try:
            self.do(f"PRAGMA cache_size = -{(WRITER_CACHE if writes else READER_CACHE) // 1000}")
            self.do(f"PRAGMA query_only = {not writes:d}")
            self.do("PRAGMA cell_size_check = ON")
            # What SQLite notes to take a batch back is short, and so needs no room in TMPDIR.
            self.do("PRAGMA temp_store = MEMORY")
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

    def do(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Does a statement."""
        return self._patiently(self._connection.execute, statement, values)

    def do_all(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Does a statement, which may be done twice, with the values of each row."""
        self._patiently(self._connection.executemany, statement, rows)

    def all(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows that a statement gives."""
        return self.do(statement, values).fetchall()

    def one(self, statement: str, values: Sequence[object] = ()) -> Any:
        """The first row that a statement gives, or None."""
        return self.do(statement, values).fetchone()

    def all_of(self, statement: str, values: Sequence[object]) -> Iterator[Any]:
        """The rows of a statement that ends with `IN` and takes any number of values, asked for a few at a time."""
        for batch in chunks(values, VALUES):
            yield from self.all(f"{statement} ({marks(batch)})", batch)

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

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A block in which everything is read of one commit; no writer commits meanwhile."""
        self.do("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self.do("ROLLBACK")

    @contextmanager
    def together(self) -> Iterator[None]:
        """A block of which all changes are kept, or none where it does not end."""
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
                    if "no such savepoint" not in str(error):  # an interruption came when all was kept
                        raise
            # A text that was new may be gone.
            self._numbers.clear()
            self._texts.clear()
            raise

    def version(self) -> int:
        """How often the index was committed to."""
        rows = self.all("SELECT version, seal FROM state")
        if len(rows) != 1 or rows[0][1] != row_seal("state", rows[0][0]):
            raise Damage("a record cannot be decoded: the checksum of the state does not match")
        return int(rows[0][0])

    def begin(self) -> None:
        """Begins what the next commit holds."""
        self.do(_BEGIN)
        self._has_begun = True
        self._changes = self._connection.total_changes

    @property
    def is_changed(self) -> bool:
        """Whether anything was changed since `begin`."""
        return self._connection.total_changes != self._changes

    def commit(self) -> None:
        """Makes everything since `begin` lasting and visible, and begins what the next commit holds."""
        version = self.version() + 1
        self.do("UPDATE state SET version = ?, seal = ?", (version, row_seal("state", version)))
        self._end()
        self.begin()

    def _end(self) -> None:
        self._is_ending = True
        try:
            self.do(_COMMIT)
        except Exception:
            self._is_ending = False
            raise

    def shrink(self) -> None:
        """Gives pages back that hold nothing, where they are many; to be called before anything is changed."""
        free, pages = self.one("PRAGMA freelist_count")[0], self.one("PRAGMA page_count")[0]
        if free > pages // SPARE:
            self._end()
            # `execute` would take one step, which frees one page.
            self._connection.executescript("PRAGMA incremental_vacuum")
            self.begin()

    def text(self, number: int) -> str:
        """The text with this number; texts are what many rows have in common."""
        if number not in self._texts:
            row = self.one("SELECT value, seal FROM text WHERE number = ?", (number,))
            if row is None or row[1] != row_seal("text", number, row[0]):
                raise ValueError("the checksum of a text does not match")
            self._texts[number] = decode(row[0])
        return self._texts[number]

    def number_of(self, text: str) -> int | None:
        """The number of a text; None if it has none."""
        if text not in self._numbers:
            row = self.one("SELECT number FROM text WHERE value = ?", (encode(text),))
            if row is None:
                return None
            expect(decoded(self.text, row[0]) == text)
            self._numbers[text] = row[0]
        return self._numbers[text]

    def put_text(self, text: str) -> int:
        """The number of a text, which is given one if it has none."""
        found = self.number_of(text)
        if found is None:
            value = encode(text)
            found = 1 + self.last("text")
            self.do("INSERT INTO text VALUES (?, ?, ?)", (found, value, row_seal("text", found, value)))
            self._numbers[text] = found
        return found

    def check_file(self) -> None:
        """Has SQLite look at the whole file, and reads all texts again."""
        answer = self.one("PRAGMA integrity_check(1)")[0]
        if answer != b"ok":
            raise Damage(quoted(answer.decode("utf-8", "replace")))
        for row in self.do("SELECT number FROM text"):
            self._texts.pop(row[0], None)
            decoded(self.text, row[0])


def marks(values: Sequence[object]) -> str:
    """The place of each value in a statement."""
    return ",".join("?" * len(values))
