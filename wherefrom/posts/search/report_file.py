"""A report file that grows block by block. A stopped run can be resumed.

Until the report is finished, `FILE.position` beside it has the key of the last block that was written, and the length
of the report after that block. A resumed run cuts the report to that length.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from wherefrom.errors import UsageError, WherefromError
from wherefrom.support.closing import Closing
from wherefrom.support.formats import Format, OtherFormat
from wherefrom.support.system import system
from wherefrom.support.writing import write_whole

SYNC_SECONDS = 1.0
"""The seconds between two writes of the position."""

_FORMAT = Format(version=1, reader=1, oldest=1)
"""The version of `FILE.position`."""

_REMEDY = "remove it to begin again, or name another file"


class ReportFile(Closing):
    """A report file, for use in a `with` statement. At the end of the statement all that was written is on the disk.

    Args:
        path: the file.
        identity: a text that identifies the search. A report of a search with another identity is not resumed.

    Attributes:
        after: the key of the last block that was written; 0 if no block was written yet.
        counts: the counts that were written with that block.

    Raises:
        UsageError: the file exists, and is not an unfinished report of this identity.
        WherefromError: the file cannot be written.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self._identity = identity
        self._sidecar = path.with_name(f"{path.name}.position")
        self._synced = time.monotonic()
        self._is_whole = False
        self._length = self.after = 0
        self.counts: Mapping[str, int] = {}
        with self._errors():
            if not os.path.lexists(path):
                self._keep()
            self._file = path.open("ab")
        try:
            self._resume()
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Closes the file. If the last rows cannot be written, a resumed run continues before these rows."""
        try:
            if not self._is_whole:
                with self._errors():
                    self._sync()
        finally:
            with suppress(OSError):
                self._file.close()

    @property
    def is_new(self) -> bool:
        """True if nothing was written yet, not even the position after a block without rows."""
        return self._length == 0 and self.after == 0

    def write(self, text: str, after: int, counts: Mapping[str, int]) -> None:
        """Writes the rows of a block, its key and the counts. Raises WherefromError if they cannot be written."""
        content = text.encode("utf-8", "backslashreplace")
        with self._errors():
            self._file.write(content)
            self._length += len(content)
            self.after, self.counts = after, counts
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                self._sync()

    def finish(self) -> None:
        """Marks the report as finished, by removing its position. Raises the errors of `write`."""
        with self._errors():
            self._sync()
            self._sidecar.unlink(missing_ok=True)
        self._is_whole = True

    def _resume(self) -> None:
        try:
            system.lock(self._file.fileno())
        except BlockingIOError:
            raise UsageError(f"another run writes to {self.path}; let it end, or name another file") from None
        except OSError as error:
            raise UsageError(f"{self.path} cannot be locked ({error.strerror}); name a file on a local disk") from None
        self._read_position()
        with self._errors():
            if self._file.seek(0, os.SEEK_END) < self._length:
                raise UsageError(f"{self.path} was cut since its search was stopped; remove it to begin again")
            self._file.truncate(self._length)
            self._file.seek(0, os.SEEK_END)

    def _read_position(self) -> None:
        values = None
        try:
            values = _FORMAT.load(self._sidecar.read_bytes(), _REMEDY)
        except OSError:
            raise UsageError(f"{self.path} is there already; remove it, or name another file") from None
        except OtherFormat as error:
            raise UsageError(f"the report {self.path} {error}") from None
        except (ValueError, TypeError, KeyError):
            pass  # another program wrote the file, so `values` stays None
        match values:
            case {"identity": self._identity, "length": int(length), "after": int(after), "counts": dict(counts)}:
                self._length, self.after, self.counts = length, after, counts
            case _:
                raise UsageError(
                    f"{self.path} was begun by another search, or the posts or the index have changed since; {_REMEDY}"
                )

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._keep()
        self._synced = time.monotonic()

    def _keep(self) -> None:
        values = {"identity": self._identity, "length": self._length, "after": self.after, "counts": dict(self.counts)}
        write_whole(self._sidecar, json.dumps(_FORMAT.stamp() | values).encode("ascii"))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WherefromError(
                f"cannot write {self.path}: {error.strerror}; make room, or name another file with --output"
            ) from error
