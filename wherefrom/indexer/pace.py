"""How much of an indexing run is done."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from wherefrom.sources.git_folder import git_dir
from wherefrom.sources.source import Source, found_path


class Pace:
    """The contents that a run reads, in bytes. What is not listed yet is estimated by its size on disk, at the rate of
    what is listed: a clone has history as well, and what is known is not read again.
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
        """Notes that so many bytes more are dealt with."""
        self._done += contents

    @property
    def share(self) -> float:
        """The share that is done, 0 to 1."""
        rate = self._listed / self._listed_disk if self._listed_disk else 0.0
        total = self._listed + rate * sum(size or self._usual for size in self._disk.values())
        return min(self._done / total, 1.0) if total else 0.0


def _disk_bytes(source: Source) -> int:
    """What a clone's packs, or an archive, take on disk; 0 if that is not known: of a folder, or before a URL is
    fetched.
    """
    place = found_path(source.location) if source.kind in {"git", "archive"} else None
    if place is None:
        return 0
    with suppress(OSError, ValueError):
        if source.kind == "archive":
            return place.stat().st_size
        directory = git_dir(place)
        if directory is not None:
            return sum(entry.stat().st_size for entry in os.scandir(directory / "objects" / "pack"))
    return 0
