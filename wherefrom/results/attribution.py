"""Whether a location names the source of its code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wherefrom.support.contract import JsonObject


class Verdict(StrEnum):
    """Whether a location names the source of its code. This is evidence for a person, not a judgement."""

    ATTRIBUTED = "attributed"
    UNATTRIBUTED = "unattributed"
    EARLIER = "earlier"
    """The location does not name the source, but its file had all matched code before the source was written."""
    SOURCE = "source"
    """The location is the source itself."""
    UNKNOWN = "unknown"


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
    """A line that names a source, an author or a license.

    Attributes:
        where: the place of the line relative to the match.
        kind: what the line names, a value of `analyzers.references.ReferenceKind`.
        value: the URL, name or license.
        text: the whole line.
        path: the file with the line.
        line: the number of the line, from 1.
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
