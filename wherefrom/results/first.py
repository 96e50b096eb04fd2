"""Where code appeared first: the commits that brought it, and what makes their dates doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.display import to_html
from wherefrom.results.locations import Identified
from wherefrom.results.naming import named
from wherefrom.results.regions import Lines, Region, line_range
from wherefrom.results.search import QueryInfo
from wherefrom.support.contract import JsonDocument, JsonObject


class Doubt(StrEnum):
    """Why code may be older, or younger, than the date of the commit in which it appeared first."""

    IMPORT = "import"
    """Most files of the commit are new: it may have imported code that was written elsewhere before."""
    BASE = "base"
    """The index does not know the commits before it: the clone is shallow, or the history was indexed from a day on."""
    OUT_OF_ORDER = "out-of-order"
    """The commit says that it is older than the commit before it."""
    OUT_OF_RANGE = "out-of-range"
    """The date of the commit is before version control existed, or after the day of indexing."""
    VENDORED = "vendored"
    """The path is in a folder for code of other projects."""


@dataclass(frozen=True, slots=True)
class Appearance(JsonObject):
    """A commit in which code appeared.

    Attributes:
        commit: its id.
        day: the day (UTC, ISO 8601) of its committer's date; None if no calendar has the date.
        written: the day of its author's date, which may be any; None as for `day`.
        tag: the oldest tag that contains it; None if no tag does.
        is_merge: whether it is a merge; then the code was written in a commit below it.
        brought_by: for a merge, the id of the commit below it that brought the code, if the clone is at hand.
        doubts: why the date may not be that of the code.
        is_root: whether it is the first commit of its repository, which may have brought code that is older.
    """

    JSON = "commit day written tag merge=is_merge brought_by doubts"

    commit: str
    day: str | None
    written: str | None
    tag: str | None = None
    is_merge: bool = False
    brought_by: str | None = None
    doubts: tuple[Doubt, ...] = ()
    is_root: bool = False

    @property
    def not_after(self) -> str | None:
        """The day (ISO 8601) on which the code was there at the latest; None if the date may be too early."""
        return self.day if {Doubt.OUT_OF_ORDER, Doubt.OUT_OF_RANGE}.isdisjoint(self.doubts) else None

    @property
    def not_before(self) -> str | None:
        """The day (ISO 8601) before which the code was not there; None if it may be older than the commit."""
        may_be_older = self.doubts or self.is_root or self.is_merge
        if may_be_older or self.day is None or self.written is None:
            return None
        return min(self.day, self.written)


@dataclass(frozen=True, slots=True)
class Age(JsonObject):
    """How old some lines of a file are.

    Attributes:
        first: where the oldest of the lines come from: the commit that began them. Lines that replaced others are a
            part of the same story, as in `git log -L`.
        since: the commit since which at least half of the lines are as they are now.
        newest: the commit since which all of them are; None for code that is gone.
    """

    JSON = "first since"

    first: Appearance
    since: Appearance
    newest: Appearance | None = None


@dataclass(frozen=True, slots=True, repr=False)
class FirstPlace(Identified, JsonObject):
    """A place that has the code, or had it.

    Attributes:
        occurrence: repository and path. For code that is gone, the path and the commit of its first appearance.
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
        return f"<FirstResult {self.query.name!r} places={len(self.places)}>"
