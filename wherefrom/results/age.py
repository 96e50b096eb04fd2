"""How old code is: the commits that brought it, and what makes their dates doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wherefrom.support.contract import JsonObject


class Doubt(StrEnum):
    """Why code may be older, or younger, than the date of the commit that brought it first."""

    IMPORT = "import"
    """Most files of the commit are new: it may have imported code that was written elsewhere before."""
    BASE = "base"
    """The index does not know the commits before it: the clone is shallow, or the history was indexed from a day on."""
    OUT_OF_ORDER = "out-of-order"
    """The commit says that it is older than the commit before it."""
    OUT_OF_RANGE = "out-of-range"
    """The date of the commit is before version control existed, or after the day of indexing."""
    RELEASE = "release"
    """Only releases are known, by tags or as packages: the code may have been written at any time before."""
    VENDORED = "vendored"
    """The path is in a folder for code of other projects."""


@dataclass(frozen=True, slots=True)
class Appearance(JsonObject):
    """A commit that brought code to a place, or a release of a package that has it.

    Attributes:
        commit: its id; None for the release of a package, whose version is the `tag`.
        day: the day (UTC, ISO 8601) of its committer's date; None if no calendar has the date.
        written: the day of its author's date, which may be any; None as for `day`.
        tag: the oldest tag that contains it; None if no tag does.
        is_merge: whether it is a merge; then the code was written in a commit below it.
        brought_by: for a merge, the id of the commit below it that brought the code, if the clone is at hand.
        doubts: why the date may not be that of the code.
        is_root: whether it is the first commit of its repository, which may have brought code that is older.
    """

    JSON = "commit day written tag merge=is_merge brought_by doubts"

    commit: str | None
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
