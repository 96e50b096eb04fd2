"""Turns errors of SQLite, of files and of damaged values into errors of wherefrom."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wherefrom.engines.embedded.folder import NO_LOCKS, RECORDS, damaged, readers, unusable
from wherefrom.errors import IndexBusy, UnusableIndex
from wherefrom.support.printable import quoted
from wherefrom.support.writing import NO_ROOM

_REFUSED = {
    sqlite3.SQLITE_PERM: "Permission denied",
    sqlite3.SQLITE_READONLY: "it cannot be written",
    sqlite3.SQLITE_CANTOPEN: f"{RECORDS} cannot be opened",
    sqlite3.SQLITE_AUTH: "Permission denied",
    sqlite3.SQLITE_NOLFS: "a file is too large for its file system",
    sqlite3.SQLITE_NOMEM: "there is too little memory",
}


class Damage(ValueError):
    """A stored value is not the one that was written."""


@contextmanager
def mapped(folder: Path, *, writing: bool = False) -> Iterator[None]:
    """A block whose errors of SQLite, of the system and of damage become IndexDamaged, IndexBusy or UnusableIndex."""
    try:
        yield
    except Damage as error:
        raise damaged(folder, str(error)) from error
    except sqlite3.Error as error:
        found = _of_sqlite(folder, error, writing=writing)
        if found is None:
            raise  # a fault of wherefrom
        raise found from error
    except UnicodeDecodeError as error:
        # SQLite's message quotes a damaged name, which Python cannot decode.
        raise damaged(folder, f"{RECORDS}: a name cannot be decoded") from error
    except MemoryError as error:
        raise UnusableIndex(
            f"the index {folder} cannot be used: there is too little memory; free some, or look for damage with "
            "`wherefrom stats --verify`"
        ) from error
    except OSError as error:
        if error.errno in NO_ROOM:
            raise _full(folder) from error
        if writing and error.errno not in NO_LOCKS:
            raise _not_written(folder, quoted(error.strerror or str(error))) from error
        raise unusable(folder, error) from error


def _of_sqlite(folder: Path, error: sqlite3.Error, *, writing: bool) -> UnusableIndex | None:
    """The error of wherefrom for one of SQLite; None if it shows a wrong call, and no damage."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    primary = code & 0xFF
    text = quoted(str(error)) or type(error).__name__
    if primary in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return IndexBusy(f"the index {folder} is held by {readers(folder)}; wait until it is done, or end it")
    if primary == sqlite3.SQLITE_INTERRUPT:
        return IndexBusy(f"the index {folder} is being written; verify it when that is done")
    if primary == sqlite3.SQLITE_READONLY and not writing:
        return UnusableIndex(
            f"the index {folder} cannot be read: a writer was stopped; open it once as somebody who may write to it"
        )
    if primary in _REFUSED:
        return UnusableIndex(f"the index {folder} cannot be used: {_REFUSED[primary]}; fix that and run again")
    if primary == sqlite3.SQLITE_FULL:
        return _full(folder)
    if primary == sqlite3.SQLITE_IOERR and code != sqlite3.SQLITE_IOERR_SHORT_READ:
        if writing:
            return _not_written(folder, text)
        return UnusableIndex(f"the index {folder} cannot be used: {text}; fix that and run again")
    if isinstance(error, sqlite3.ProgrammingError | sqlite3.InterfaceError) or "transaction" in text:
        return None
    return damaged(folder, f"{RECORDS}: {text}")


def _full(folder: Path) -> UnusableIndex:
    return UnusableIndex(
        f"the disk of the index {folder} is full; what was committed is safe; make room on it and run again"
    )


def _not_written(folder: Path, reason: str) -> UnusableIndex:
    return UnusableIndex(
        f"the index {folder} could not be written ({reason}); what was committed is safe; see that the disk is not "
        "full and run again, or look for damage with `wherefrom stats --verify`"
    )
