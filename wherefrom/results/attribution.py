"""Whether a location names the source of its code, and how old its code is."""

from __future__ import annotations

from enum import StrEnum

from wherefrom.support.contract import JsonObject
from wherefrom.support.values import dataclass


class Verdict(StrEnum):
    """Whether a location names its source: evidence for a person, not a judgement. The least favorable come first."""

    UNATTRIBUTED = "unattributed"
    UNSTATED = "unstated"
    """The location does not state the license."""
    UNKNOWN = "unknown"
    EARLIER = "earlier"
    """The location does not name the source, but its file had all matched code before the source was written."""
    ATTRIBUTED = "attributed"
    STATED = "stated"
    """The location states the license."""
    SOURCE = "source"
    """The location is the source itself."""


class Where(StrEnum):
    """The place of the evidence. The members are in order of distance to the match, the nearest first."""

    MATCH = "match"
    """In the matched lines, or a few lines away from them."""
    FILE = "file"
    NOTICE = "notice"
    """In a notice or license file that covers the folder of the file."""
    ELSEWHERE = "elsewhere"
    """In a README, in the notice of another folder, or in an SPDX snippet beside the match. This is only a hint."""


class DecidedBy(StrEnum):
    """The rule that decided a verdict."""

    MATCH = "match"
    """Text beside the match names the source."""
    FILE = "file"
    """The file names the source, or has the header of its author or copyright holder."""
    NOTICE = "notice"
    """A notice or license file that covers the folder names the source."""
    HINT = "hint"
    """Only text that does not cover this code names the source, so the location counts as not attributed."""
    NOTHING = "nothing"
    """Nothing names the source."""
    DATE = "date"
    """The matched lines are older than the source."""
    REMOTE = "remote"
    """The remote of the repository is the source."""
    SAME_QUESTION = "same-question"
    """The location names another post of the same question, which may or may not mean the source."""
    INCOMPLETE = "incomplete"
    """The index did not store all URLs and names in the file, so a credit may be missing."""


@dataclass(frozen=True, slots=True)
class Evidence(JsonObject):
    """A line of a file (from 1) that names a source, an author or a license. `where` is relative to the match, `kind` a
    value of `analyzers.references.ReferenceKind`, and `value` the URL, name or license in the `text` of the line.
    """

    JSON = "kind text path line where value"

    where: Where
    kind: str
    value: str
    text: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Attribution(JsonObject):
    """Whether an occurrence names its source.

    Attributes:
        verdict: the result; UNKNOWN if no source was given.
        evidence: lines that cover this code and name the source, or may name it; the nearest first.
        licenses: SPDX identifiers or expressions for the location, from the SPDX snippet around it, else from the file,
            else from the nearest license files. `LicenseRef-unknown` means an unrecognized license text.
        first_seen: the day (UTC, ISO 8601) on which the oldest of the matched lines appeared there, or the file, if the
            index has no history of it; None if neither is known.
        is_older: whether `first_seen` is before the day of the source; None if either day is not known.
        decided_by: the rule that decided. If a line decided, it comes first in `evidence` (in `hints` for `HINT`).
        hints: lines that name the source but do not cover this code, such as a link in a README.
    """

    JSON = "verdict decided_by evidence hints licenses first_seen is_older"

    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    licenses: tuple[str, ...] = ()
    first_seen: str | None = None
    is_older: bool | None = None
    decided_by: DecidedBy = DecidedBy.NOTHING
    hints: tuple[Evidence, ...] = ()

    @property
    def best_evidence(self) -> Evidence | None:
        """The first of `evidence`."""
        return next(iter(self.evidence), None)

    @property
    def best_hint(self) -> Evidence | None:
        """The first of `hints`."""
        return next(iter(self.hints), None)


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
    MOVED = "moved"
    """The commit removed files and added others: the code may have come from there."""


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
        repository: the key of its repository if that is another one, of the same owner, which had the code before.
    """

    JSON = "commit day written tag merge=is_merge brought_by doubts repository"

    commit: str | None
    day: str | None
    written: str | None
    tag: str | None = None
    is_merge: bool = False
    brought_by: str | None = None
    doubts: tuple[Doubt, ...] = ()
    is_root: bool = False
    repository: str | None = None

    @property
    def not_after(self) -> str | None:
        """The day (ISO 8601) on which the code was there at the latest; None if the date may be too early."""
        return self.day if {Doubt.OUT_OF_ORDER, Doubt.OUT_OF_RANGE}.isdisjoint(self.doubts) else None

    @property
    def not_before(self) -> str | None:
        """The day (ISO 8601) before which the code was not there; None if it may be older than the commit."""
        may_be_older = self.doubts or self.is_root or self.is_merge or self.repository
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


def by_age(age: Age | None) -> tuple[bool, str, str, bool]:
    """A key that sorts the oldest first, by the day of the beginning, then by the day since which the code is as it
    is, then those that had it themselves. Unknown ages come last.
    """
    if age is None:
        return True, "", "", False
    return False, age.first.day or "~", age.since.day or "~", age.first.repository is not None
