"""Packages that are kept in the cache. To read their files again, no registry is needed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from wherefrom.errors import SourceError
from wherefrom.model import Package, SkipReason
from wherefrom.sources.archive import ArchiveSource
from wherefrom.sources.source import Entry, Files, local_key
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, replace

RECORD = "package.json"  # the file in the folder of a package that has its `KeptPackage`
_RECORD_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class KeptPackage:
    """What is kept of a version beside its archive: the name of the archive, the number of folders around its files,
    its SHA-256, its metadata, and warnings as in `Source`.
    """

    archive: str
    depth: int
    revision: str
    package: Package
    warnings: tuple[str, ...]


class PackageFiles(Files):
    """The files of a package in a folder of the cache; SourceError if it is gone or broken."""

    def __init__(self, folder: Path) -> None:
        kept = kept_in(folder)
        if kept is None:
            raise SourceError(f"the package in {visible(local_key(folder))} is gone; index it again")
        self._archive, self._depth = ArchiveSource(folder / kept.archive), kept.depth

    def entries(self) -> Iterator[Entry]:
        """Every file, in the order of the archive. Its path is without the folders around the package."""
        yield from {entry.path: entry for entry in inner_files(self._archive, self._depth)}.values()

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents."""
        return self._archive.read(entries)


def inner_files(archive: ArchiveSource, depth: int) -> Iterator[Entry]:
    """The files in an archive, with paths below `depth` folders."""
    for entry in archive.entries():
        parts = entry.path.split("/", depth)
        yield replace(entry, path=parts[depth]) if len(parts) > depth else entry


def kept_in(folder: Path) -> KeptPackage | None:
    """What is kept in a folder; None if that is missing or broken."""
    try:
        with (folder / RECORD).open("rb") as file:
            values = json.loads(file.read(_RECORD_BYTES))
        package, warnings = Package(**values.pop("package")), tuple(values.pop("warnings"))
        kept = KeptPackage(**values, package=package, warnings=warnings)
        return kept if (folder / kept.archive).is_file() else None
    except (OSError, ValueError, TypeError, KeyError):
        return None
