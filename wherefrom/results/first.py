"""Where code appeared first: the places that have it or had it, the oldest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.age import Age
from wherefrom.results.display import to_html
from wherefrom.results.locations import Identified
from wherefrom.results.naming import named
from wherefrom.results.regions import Lines, Region, line_range
from wherefrom.results.search import QueryInfo
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible


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

    def __repr__(self) -> str:
        return f"<FirstPlace {named(self.occurrence, self.matched_regions, 1)}>"


@dataclass(frozen=True, slots=True, repr=False)
class FirstResult(JsonDocument):
    """Where code appeared first, in the repositories whose history the index knows.

    Attributes:
        query: the looked-up code.
        places: the places that have the code or had it, the oldest first; places without a known age come last.
        total: the number of places, including those beyond the limit.
        took_ms: the duration in milliseconds.
        warnings: what may make the answer incomplete; one line each.
        repositories: the records of the repositories of `places`, by key.
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
            if place.age is not None and place.occurrence.repository != oldest.occurrence.repository
        ]
        since = oldest.age.since.day or ""
        return bool(others) and (bool(oldest.age.first.doubts) or any((age.first.day or "") < since for age in others))

    def _repr_html_(self) -> str | None:
        return to_html(self)

    def __repr__(self) -> str:
        return f"<FirstResult {visible(self.query.name)!r} places={self.total}>"
