"""The releases that code may be from, and the places where it appeared first."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.attribution import Age
from wherefrom.results.locations import Identified, named
from wherefrom.results.regions import Lines, Region, line_range
from wherefrom.results.search import QueryInfo
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field


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
    """The releases that fit a folder, a file or a piece of code, the nearest first; of equally near ones, the older
    first. `total` counts those beyond the limit too. Files that no release has count only if they are code.
    """

    JSON = "name files total took_ms releases"

    name: str
    files: int
    releases: tuple[FittingRelease, ...]
    total: int
    took_ms: float

    def __repr__(self) -> str:
        return f"<ReleasesResult {visible(self.name)!r} releases={self.total}>"


@dataclass(frozen=True, slots=True, repr=False)
class FirstPlace(Identified, JsonObject):
    """A place that has the code, or had it.

    Attributes:
        occurrence: repository and path. For code that is gone, the path and the commit of its first appearance; its
            blob is then empty, because the index does not know it.
        record: the record of the repository; None if the index does not have it (any longer).
        age: when the code appeared there; None if the index has no history of the place, or an older one.
        is_gone: whether the code is no longer at this path of the indexed revision.
        match: percent of the query that the place has, 0 to 100, rounded down.
        probability: the probability that the place has a copy, 0.5 to 1.
        matched_regions: the matches in the content.
    """

    JSON = "*occurrence url swhid purl lines gone=is_gone match probability age"

    occurrence: Occurrence
    record: RepositoryRecord | None
    age: Age | None
    is_gone: bool
    match: float
    probability: float
    matched_regions: tuple[Region, ...] = ()

    @property
    def url(self) -> str | None:
        """As for every location, but None for code that is gone from a repository without a remote."""
        is_there = not self.is_gone or self.origin is not None
        return Identified.url.__get__(self) if is_there else None

    @property
    def lines(self) -> Lines | None:
        """From the first matched line to the last one."""
        return line_range(self.matched_regions)


@dataclass(frozen=True, slots=True, repr=False)
class FirstResult(JsonDocument):
    """Where code appeared first, in the repositories whose history the index knows: the places that have it or had it,
    the oldest first; places without a known age come last. `total` counts those beyond the limit too. The warnings say
    what may make the answer incomplete, and `repositories` has the records of the places, by key.
    """

    JSON = "query total unsure=is_unsure warnings took_ms places"

    query: QueryInfo
    places: tuple[FirstPlace, ...]
    total: int
    took_ms: float
    warnings: tuple[str, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict)

    @property
    def oldest(self) -> FirstPlace | None:
        """The oldest known place; None if no place has a known age."""
        return next((place for place in self.places if place.age is not None), None)

    @property
    def is_unsure(self) -> bool:
        """Whether another repository may be the oldest: the date of the oldest place is doubtful, or the code there
        became as it is now only after it appeared elsewhere.
        """
        oldest = self.oldest
        if oldest is None or oldest.age is None:
            return False
        others = [
            place.age
            for place in self.places
            if place.age is not None
            and oldest.occurrence.repository not in {place.occurrence.repository, place.age.first.repository}
        ]
        since = oldest.age.since.day or ""
        return bool(others) and (bool(oldest.age.first.doubts) or any((age.first.day or "") < since for age in others))

    def __repr__(self) -> str:
        return f"<FirstResult {visible(self.query.name)!r} places={self.total}>"
