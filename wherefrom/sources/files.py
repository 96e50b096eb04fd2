"""Single files of a folder, as a source of their own."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final

from wherefrom.model import KeyKind, SkipReason
from wherefrom.sources.beneath import Beneath
from wherefrom.sources.directory import file_entry
from wherefrom.sources.source import MAX_BYTES, Entry, path_text, refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path


class FilesSource:
    """Some files of one folder, by their names.

    Args:
        folder: the folder, absolute.
        names: of the files directly in it.
    """

    kind: Final = "directory"
    key_kind = KeyKind.PATH
    max_bytes = MAX_BYTES

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder = os.fsencode(folder)
        self.key = self.location = path_text(self.folder)
        self._names = sorted(set(names))

    def __repr__(self) -> str:
        return f"FilesSource({self.location!r}, {self._names!r})"

    @property
    def revision(self) -> str:
        """A digest over every path and size."""
        digest = hashlib.sha256()
        for entry in self.entries():
            digest.update(f"{len(entry.path)}:{entry.path} {entry.size}\n".encode())
        return digest.hexdigest()[:40]

    def entries(self) -> Iterator[Entry]:
        """Every file, by path; links and special files with their reason."""
        with Beneath(self.folder) as beneath:
            for name in self._names:
                path = os.fsencode(name)
                try:
                    yield file_entry(path, beneath.status(path))
                except OSError:
                    yield Entry(path_text(path), None, None, SkipReason.UNREADABLE, path)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents as they are now; `UNREADABLE` for a file that is gone, or no plain file any longer."""
        with Beneath(self.folder) as beneath:
            for entry in entries:
                reason = refusal(entry, self.max_bytes)
                yield entry, beneath.read(os.fsencode(entry.handle), self.max_bytes) if reason is None else reason
