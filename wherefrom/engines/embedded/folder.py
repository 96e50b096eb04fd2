"""The folder of an embedded index, and its card `wherefrom.json`. The card has the format version, the scheme ids, the
width of terms, whether the index has code, and a checksum.

The card is written last, whole or not at all, so a folder with a card has a complete index. While an index is being
made, its card has another name (`DRAFT`), so that the next attempt can recognize the half-made index and begin again.

SQLite cannot commit while another process reads, and does not tell that process. So a writer that waits locks the file
`commit.lock` (`flock`), and long readers look at this lock. The lock ends with the writer's process.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from wherefrom.engines import records
from wherefrom.engines.engine import Schemes
from wherefrom.errors import IndexBusy, IndexDamaged, IndexFormatError, IndexMissing, UnusableIndex
from wherefrom.mappings.embedded import FORMAT
from wherefrom.model import INDEXED
from wherefrom.support.printable import visible
from wherefrom.support.system import system
from wherefrom.support.writing import make_folder

CARD = "wherefrom.json"
DRAFT = "wherefrom.json.new"
RECORDS = "records.sqlite"
RUNS = "runs"
LOCK = "writer.lock"
HISTORY = "history"  # the folder of the history of an index, which is an index of its own

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
    """Reads the card; returns how many bits of each term the index stores, and whether it may have code. Raises
    IndexMissing; IndexFormatError, also for a folder with other files; SchemeMismatch; IndexDamaged.
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


@contextmanager
def writing_alone(folder: Path) -> Iterator[None]:
    """A block with the lock of the only writer, which also ends with the process. Raises IndexBusy."""
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


COMMIT_LOCK = "commit.lock"

LOOK_SECONDS = 0.2  # the interval at which a long reader looks for a waiting writer

_LOCK_BYTE = 0x4000_0000
"""The first byte that SQLite locks in its file ("Database File Format", 1.5: the lock-byte page)."""


@contextmanager
def asking(folder: Path) -> Iterator[None]:
    """A block in a writer that waits to commit. The lock that the block has makes long readers give way."""
    with (folder / COMMIT_LOCK).open("ab") as file:
        with suppress(OSError):  # on a file system without locks, readers do not give way
            system.lock(file.fileno())
        yield


@contextmanager
def giving_way(folder: Path, interrupt: Callable[[], None]) -> Iterator[None]:
    """A block with a long read. As long as a writer waits to commit, a thread calls `interrupt` again and again."""
    has_ended = Event()

    def watch() -> None:
        while not has_ended.wait(LOOK_SECONDS):
            if _is_asked(folder):
                interrupt()

    thread = Thread(target=watch, daemon=True, name="wherefrom-giving-way")
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()


def _is_asked(folder: Path) -> bool:
    try:
        with (folder / COMMIT_LOCK).open("rb") as file:
            system.lock(file.fileno(), shared=True)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def readers(folder: Path) -> str:
    """The other processes that read the index, as `process 4711 (stopped)`; "another process" if they are unknown."""
    import psutil  # noqa: PLC0415 -- most writers never wait

    found = []
    for pid in _lockers(folder / RECORDS):
        with suppress(psutil.Error):
            is_stopped = psutil.Process(pid).status() == psutil.STATUS_STOPPED
            found.append(f"process {pid}{' (stopped)' if is_stopped else ''}")
    return " and ".join(found) or "another process"


def _lockers(path: Path) -> list[int]:
    """The ids of the other processes with a lock of SQLite on a file, ascending, from `/proc/locks` of Linux
    (proc_locks(5)). A line is `1: POSIX  ADVISORY  READ 4711 08:01:1234567 1073741826 1073742335`.
    """
    found = set()
    with suppress(OSError):
        inode = str(path.stat().st_ino)
        for line in Path("/proc/locks").read_text().splitlines():
            fields = line.replace("->", "").split()
            if fields[1] == "POSIX" and fields[5].rpartition(":")[2] == inode and int(fields[6]) >= _LOCK_BYTE:
                found.add(int(fields[4]))
    return sorted(found - {0, -1, os.getpid()})


def say_for_whom(folder: Path) -> None:
    """Logs which processes a writer waits for."""
    import logging  # noqa: PLC0415 -- most writers never wait

    # Python writes the warning to standard error if the program has set up no logging.
    logging.getLogger("wherefrom").warning(
        "wherefrom: the index %s is ready to be committed and waits until %s has read it",
        visible(folder),
        readers(folder),
    )
