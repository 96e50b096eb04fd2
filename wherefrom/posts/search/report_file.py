"""A report that grows block by block in a file; where a run was stopped, the next one resumes it.

Until the file is whole, `FILE.position` lies beside it: how long the file was when a block was wholly written, and
which one that was. What is behind that length is cut off and made again.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from wherefrom.errors import UsageError, WherefromError
from wherefrom.support.formats import Format
from wherefrom.support.writing import write_whole

SYNC_SECONDS = 1.0
"""How often the position is written."""

_FORMAT = Format(version=1, reader=1, oldest=1)
"""Version of `FILE.position`."""

_REMEDY = "remove it to begin again, or name another file"


class ReportFile:
    """The file; to be used in a `with` block, at the end of which what was written is safe.

    Args:
        path: the file.
        identity: a text that says what the report is of; one that was begun for another is refused.

    Attributes:
        after: the key of the last block that is in it, 0 for none.
        counts: those that were given with that block.

    Raises:
        UsageError: the file is there, and is not a report of this identity that was stopped.
        WherefromError: it cannot be written.
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not self._is_whole:
                # After a failure of the disk, what was synchronised before is what counts.
                with self._errors() if error is None else suppress(OSError):
                    self._sync()
        finally:
            with suppress(OSError):
                self._file.close()

    @property
    def is_new(self) -> bool:
        """Whether nothing was written yet, not even that a block has no rows."""
        return self._length == 0 and self.after == 0

    def write(self, text: str, after: int, counts: Mapping[str, int]) -> None:
        """Writes all rows of a block. Raises WherefromError on a full disk; what was written before is safe."""
        content = text.encode("utf-8", "backslashreplace")
        with self._errors():
            self._file.write(content)
            self._length += len(content)
            self.after, self.counts = after, counts
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                self._sync()

    def finish(self) -> None:
        """Ends the report: it is whole. Raises as `write`."""
        with self._errors():
            self._sync()
            self._sidecar.unlink(missing_ok=True)
        self._is_whole = True

    def _resume(self) -> None:
        """Takes up the report where it was left."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
        try:
            values = json.loads(self._sidecar.read_bytes())
        except OSError:
            raise UsageError(f"{self.path} is there already; remove it, or name another file") from None
        except ValueError:
            values = None
        try:
            refusal = _FORMAT.refusal(values["format"], values["reader"], _REMEDY)
        except (ValueError, TypeError, KeyError):
            refusal = values = None
        if refusal is not None:
            raise UsageError(f"the report {self.path} {refusal}")
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
        """Writes the position, whole or not at all."""
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
