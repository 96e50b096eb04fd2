"""The releases that a folder, a file or a piece of code may be from."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.locations import Identified
from wherefrom.results.naming import named
from wherefrom.results.regions import Region
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible


@dataclass(frozen=True, slots=True, repr=False)
class FittingRelease(Identified, JsonObject):
    """A release that has the code, or code that is like it.

    Attributes:
        occurrence: the repository, its revision, and the file or folder there; for a folder, the blob is empty.
        record: the record of the repository; None if the index does not have it (any longer).
        version: the version of the package or the tag; None for a repository without releases.
        released: the day of the release (ISO 8601), if it is known; else empty.
        likeness: the mean share of the code that each file has in common with the release, 0 to 1, rounded down.
        identical: how many files have the same bytes there.
        changed: paths of files that differ there.
        added: paths of files that are not there.
        missing: paths of files with code that are only there, in folders from which other files are here. All paths are
            relative to the folder; for a single file, the lists are empty.
        matched_regions: for a single file, the matches in the content.
    """

    JSON = "*occurrence version released url swhid purl likeness identical changed added missing"

    occurrence: Occurrence
    record: RepositoryRecord | None
    version: str | None
    released: str
    likeness: float
    identical: int
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    matched_regions: tuple[Region, ...] = ()

    def __repr__(self) -> str:
        return f"<FittingRelease {named(self.occurrence, self.matched_regions, 1)} likeness={self.likeness}>"


@dataclass(frozen=True, slots=True, repr=False)
class ReleasesResult(JsonDocument):
    """The releases that fit a folder, a file or a piece of code.

    Attributes:
        name: the name of the folder or the file.
        files: the number of compared files. Files that no release has count only if they are code.
        releases: the releases, the nearest first; of equally near ones, the older first.
        total: the number of releases, including those beyond the limit.
        took_ms: the duration in milliseconds.
    """

    JSON = "name files total took_ms releases"

    name: str
    files: int
    releases: tuple[FittingRelease, ...]
    total: int
    took_ms: float

    def __repr__(self) -> str:
        return f"<ReleasesResult {visible(self.name)!r} releases={self.total}>"
