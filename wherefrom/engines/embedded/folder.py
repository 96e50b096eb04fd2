"""The folder of an embedded index, and its card `wherefrom.json`. The card has the format version, the scheme ids, the
width of terms, whether the index has code, and a checksum.

The card is written last, whole or not at all, so a folder with a card has a complete index. While an index is being
made, its card has another name (`DRAFT`), so that the next attempt can recognize the half-made index and begin again.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wherefrom.engines import records
from wherefrom.engines.engine import Schemes
from wherefrom.errors import IndexBusy, IndexDamaged, IndexFormatError, IndexMissing, UnusableIndex
from wherefrom.mappings.embedded import FORMAT
from wherefrom.model import INDEXED
from wherefrom.support.system import system
from wherefrom.support.writing import make_folder

CARD = "wherefrom.json"
DRAFT = "wherefrom.json.new"
RECORDS = "records.sqlite"
RUNS = "runs"
LOCK = "writer.lock"
HISTORY = "history"
"""The folder of the history of an index, which is an index of its own."""

NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
"""The errors of a file system without locks, such as some network file systems."""

_AGAIN = "index again into a new folder"


def exists(folder: Path) -> bool:
    """True if the folder has a complete index. Raises IndexFormatError if it has other files instead."""
    try:
        if (folder / CARD).is_file():
            return True
        names = {path.name for path in folder.iterdir()}
    except FileNotFoundError:
        return False
    except NotADirectoryError as error:
        raise IndexFormatError(f"{folder} is not a folder; name another place for the index") from error
    except OSError as error:
        raise unusable(folder, error) from error
    if names and DRAFT not in names:
        raise IndexFormatError(f"{folder} holds other files and no index; name a new or empty folder for the index")
    return False


def make(folder: Path, schemes: Schemes, term_bits: int, fill: Callable[[], None], *, has_code: bool) -> None:
    """Makes an index in a folder, which is created with its parents if it is missing. `fill` writes an empty index
    there. Does nothing if another process has made the index meanwhile; raises IndexBusy if one is making it.
    """
    try:
        make_folder(folder)
        with open(folder / DRAFT, "a", encoding="utf-8", opener=system.opener) as draft:
            try:
                system.lock(draft.fileno())
            except BlockingIOError as error:
                raise IndexBusy(f"another process is making the index {folder}; wait until it is done") from error
            if (folder / CARD).exists():
                return
            for name in (RECORDS, f"{RECORDS}-journal"):
                (folder / name).unlink(missing_ok=True)
            if (folder / RUNS).is_dir():
                shutil.rmtree(folder / RUNS)
            fill()
            draft.truncate(0)
            indexed = {key: schemes[key] for key in INDEXED}
            card = {**FORMAT.stamp(), "schemes": indexed, "term_bits": term_bits, "has_code": has_code}
            json.dump({**card, "checksum": records.checksum(card)}, draft, indent=2)
            draft.write("\n")
            draft.flush()
            os.fsync(draft.fileno())
            system.replace(folder / DRAFT, folder / CARD)
    except OSError as error:
        raise unusable(folder, error) from error


def check(folder: Path, schemes: Schemes) -> tuple[int, bool]:
    """Reads the card; returns how many bits of each term the index stores, and whether it may have code.

    Raises:
        IndexMissing: the folder has no index yet.
        IndexFormatError: the index has another format version, or the folder has other files.
        SchemeMismatch: the index was made with other schemes than these.
        IndexDamaged: the card cannot be decoded.
    """
    if not exists(folder):
        raise IndexMissing(f"there is no index at {folder}; make one with `wherefrom index --index {folder} SOURCE`")
    try:
        card = json.loads((folder / CARD).read_bytes())
        records.check_format(folder, card, FORMAT, _AGAIN)
        if card.pop("checksum") != records.checksum(card):
            raise ValueError("the checksum does not match")
        return records.check_schemes(folder, card, schemes, _AGAIN), bool(card.get("has_code", True))
    except OSError as error:
        raise unusable(folder, error) from error
    except (ValueError, LookupError, TypeError) as error:
        raise damaged(folder, f"{CARD} is not what an index has") from error


def damaged(folder: Path, detail: str) -> IndexDamaged:
    """The error for an index with damaged files; `detail` tells what is wrong."""
    return IndexDamaged(f"the index {folder} is damaged ({detail}); {_AGAIN}")


def check_locks(folder: Path) -> None:
    """Raises OSError if files in the folder cannot be locked."""
    system.check_locks(folder / CARD)


@contextmanager
def writing_alone(folder: Path) -> Iterator[None]:
    """A block that has the lock of the only writer. The lock also ends with the process. Raises IndexBusy if another
    process has it.
    """
    try:
        file = (folder / LOCK).open("ab")
    except OSError as error:
        raise UnusableIndex(
            f"the folder {folder} cannot be written: {error.strerror}; fix that and run again"
        ) from error
    with file:
        try:
            system.lock(file.fileno())
        except BlockingIOError as error:
            raise IndexBusy(f"the index {folder} is being written already; wait until it is done") from error
        except OSError as error:
            raise unusable(folder, error) from error
        yield


def unusable(folder: Path, error: OSError) -> UnusableIndex:
    """The error for a folder that the system cannot read, write or lock."""
    if error.errno in NO_LOCKS:
        return UnusableIndex(
            f"the index {folder} cannot be used: its file system does not lock files ({error.strerror}); move the "
            "index to a local disk, or mount the file system with locks"
        )
    reason = error.strerror or type(error).__name__
    return UnusableIndex(f"the index {folder} cannot be used: {reason}; fix that or name another place")


def stored_bytes(folder: Path) -> int:
    """The bytes of all files of an index, without its history. A file that is removed meanwhile does not count."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() and folder / HISTORY not in path.parents else 0
    return total
