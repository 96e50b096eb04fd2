"""The share of an indexing run that is done."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from wherefrom.sources.git_folder import git_dir
from wherefrom.sources.source import Source, found_path


class Pace:
    """Measures the progress of a run by the bytes of contents that it reads.

    The bytes of a source that is not listed yet are estimated from its size on disk, by the ratio of the two in the
    listed sources. They differ, since a clone has history as well, and known contents are not read again.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        self._disk = {source.key: _disk_bytes(source) for source in sources}
        sizes = [size for size in self._disk.values() if size]
        self._usual = sum(sizes) / len(sizes) if sizes else 1.0
        self._listed_disk = 0.0
        self._listed = self._done = 0

    def list(self, key: str, contents: int) -> None:
        """Notes how many bytes of a source are to be read; only the first call for a source counts."""
        if key in self._disk:
            self._listed_disk += self._disk.pop(key) or self._usual
            self._listed += contents

    def finish(self, contents: int) -> None:
        """Notes that this many more bytes are done."""
        self._done += contents

    @property
    def share(self) -> float:
        """The share that is done, 0 to 1."""
        rate = self._listed / self._listed_disk if self._listed_disk else 0.0
        total = self._listed + rate * sum(size or self._usual for size in self._disk.values())
        return min(self._done / total, 1.0) if total else 0.0


def _disk_bytes(source: Source) -> int:
    """The bytes on disk of a clone's packs or of an archive; 0 for a folder, and for a URL that is not fetched yet."""
    place = found_path(source.location) if source.kind in {"git", "archive"} else None
    with suppress(OSError, ValueError):
        if place is not None and source.kind == "archive":
            return place.stat().st_size
        if place is not None and (directory := git_dir(place)) is not None:
            return sum(entry.stat().st_size for entry in os.scandir(directory / "objects" / "pack"))
    return 0
