"""Single files of a folder, as a source of their own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path

from wherefrom.model import KeyKind
from wherefrom.sources.beneath import Beneath
from wherefrom.sources.directory import DirectorySource, entry_at
from wherefrom.sources.source import Entry, local_key


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
        with Beneath(self.folder) as beneath:
            return [entry_at(path, partial(beneath.status, path)) for path in map(os.fsencode, self._names)]
