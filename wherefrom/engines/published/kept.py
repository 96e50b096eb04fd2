"""Pages of published indexes that are kept on this machine, for all processes of a user."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

from wherefrom.support.chunks import by_key, chunks
from wherefrom.support.system import system

MOST_BYTES = 1 << 30  # the most bytes of the file. If it has more, the pages that came first are removed
LEFT = 0.75  # after some pages are removed, this share of `MOST_BYTES` is used
PATIENCE = 1.0  # seconds to wait for another process that writes
_PAUSE = 0.005  # seconds between two tries to open a new file that another process opens too
VALUES = 400  # the number of pages in a statement
_TABLES = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS page (
  number INTEGER PRIMARY KEY AUTOINCREMENT, file BLOB NOT NULL, place INTEGER NOT NULL, data BLOB NOT NULL,
  UNIQUE (file, place)
);
"""


def kept_folder() -> Path:
    """The folder of the kept pages."""
    return user_cache_path("wherefrom") / "published"


class PageFile:
    """Kept pages in a file, by the SHA-256 of the file that they belong to and by number. Whatever is wrong with the
    file, pages are then read from the server again. The folder is for the user alone. `owner` decides whether a page
    may be used: the address and the credentials. The file has at most `most` bytes.
    """

    def __init__(self, where: Path, owner: str, most: int = MOST_BYTES) -> None:
        self._path, self._owner, self._most = where / "pages.sqlite", owner, most
        self._lock = threading.Lock()
        self._connection = self._opened()

    def _opened(self) -> sqlite3.Connection | None:
        late = time.monotonic() + PATIENCE
        is_new = False
        while True:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.parent.chmod(0o700)
                made = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            except (OSError, sqlite3.Error):
                return None
            try:
                made.executescript(_TABLES)
            except sqlite3.OperationalError as error:
                made.close()
                # SQLite does not wait where two processes change a new file to WAL.
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > late:
                    return None
                time.sleep(_PAUSE)
            except sqlite3.DatabaseError:  # it is damaged: begin with a new file
                made.close()
                if is_new:
                    return None
                is_new = True
                with suppress(OSError):
                    self._path.unlink()
            else:
                return made

    def _key(self, file: str) -> bytes:
        return sha256(f"{self._owner} {file}".encode()).digest()

    def get(self, wanted: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], bytes]:
        """Those of these pages that are kept. They may be damaged: the caller compares them with their checksums."""
        found: dict[tuple[str, int], bytes] = {}
        if self._connection is None:
            return found
        with self._lock, suppress(sqlite3.Error):
            for file, pages in by_key(wanted).items():
                for batch in chunks(pages, VALUES):
                    rows = self._connection.execute(
                        f"SELECT place, data FROM page WHERE file = ? AND place IN ({','.join('?' * len(batch))})",  # noqa: S608 -- only marks
                        (self._key(file), *batch),
                    )
                    found.update({(file, place): data for place, data in rows if isinstance(data, bytes)})
        return found

    def put(self, pages: Mapping[tuple[str, int], bytes]) -> None:
        """Keeps some pages, if there is room."""
        if self._connection is None:
            return
        rows = [(self._key(file), page, data) for (file, page), data in pages.items()]
        with self._lock, suppress(sqlite3.Error):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT OR REPLACE INTO page (file, place, data) VALUES (?,?,?)", rows)
                self._make_room(self._connection)
            finally:
                self._connection.execute("COMMIT")

    def _make_room(self, connection: sqlite3.Connection) -> None:
        used, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        share = (used - free) * size / self._most
        if share > 1:
            first, last = connection.execute("SELECT min(number), max(number) FROM page").fetchone()
            until = first + int((last - first) * (1 - LEFT / share))
            connection.execute("DELETE FROM page WHERE number < ?", (until,))

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def kept_bytes(where: Path) -> int:
    """The bytes of all kept pages."""
    return sum(path.stat().st_size for path in where.glob("pages.sqlite*"))


def clear_kept(where: Path) -> None:
    """Removes all kept pages. A file that another process has open may stay, without pages. Raises OSError."""
    if (where / "pages.sqlite").exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(where / "pages.sqlite", timeout=PATIENCE)) as connection:
            connection.execute("DELETE FROM page")
            connection.commit()
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for path in where.glob("pages.sqlite*"):
        system.remove(path)
