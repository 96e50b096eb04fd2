"""Single files of a folder, as a source of their own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from wherefrom.model import KeyKind, SkipReason
from wherefrom.sources.beneath import Beneath
from wherefrom.sources.directory import DirectorySource, file_entry
from wherefrom.sources.source import Entry, local_key, path_text


class FilesSource(DirectorySource):
    """Some files of one folder, by their names.

    Args:
        folder: the folder, absolute.
        names: of the files directly in it.
    """

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        super().__init__(folder, key=local_key(folder), key_kind=KeyKind.PATH)
        self._names = sorted(set(names))

    @cached_property
    def _listed(self) -> list[tuple[Entry, int]]:
        """The entries with their modification times in nanoseconds."""
        listed = []
        with Beneath(self.folder) as beneath:
            for path in map(os.fsencode, self._names):
                try:
                    status = beneath.status(path)
                    listed.append((file_entry(path, status), status.st_mtime_ns))
                except OSError:
                    listed.append((Entry(path_text(path), None, None, SkipReason.UNREADABLE, path), 0))
        return listed
