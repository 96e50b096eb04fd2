"""What a place says of its source."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wherefrom.support.contract import JsonObject


class Verdict(StrEnum):
    """Whether a place says where its code came from: evidence for a person, no judgement."""

    ATTRIBUTED = "attributed"
    UNATTRIBUTED = "unattributed"
    EARLIER = "earlier"
    """The place does not name the source, and all that matches was in its file before: it cannot be a copy."""
    SOURCE = "source"
    """The place is the source itself."""
    UNKNOWN = "unknown"


class Where(StrEnum):
    """Where a place says it; the nearest first."""

    MATCH = "match"
    """Within the matched lines or a few lines of them."""
    FILE = "file"
    NOTICE = "notice"
    """In a notice or license file that speaks for the folder of the file."""
    ELSEWHERE = "elsewhere"
    """In a README, in the notice of another folder, in an SPDX snippet beside the match: a hint, no attribution."""


class DecidedBy(StrEnum):
    """The rule by which a verdict was reached."""

    MATCH = "match"
    """Beside the match the source is named."""
    FILE = "file"
    """The file names the source, or has the header of its author or copyright holder."""
    NOTICE = "notice"
    """A notice or license file that speaks for the folder names the source."""
    HINT = "hint"
    """The source is named, but only where nothing speaks for this code: it is not attributed."""
    NOTHING = "nothing"
    """The source is not named at all."""
    DATE = "date"
    """The matched lines are older than the source."""
    REMOTE = "remote"
    """The repository is the source, by its remote."""
    SAME_QUESTION = "same-question"
    """A question or an answer is named that may belong to the source."""
    INCOMPLETE = "incomplete"
    """Not all that the file says is in the index."""


@dataclass(frozen=True, slots=True)
class Evidence(JsonObject):
    """What a place says: `kind` and `value` are those of a reference (`analyzers.references.Kind`), `text` is the line
    as it is in `path` at `line` (1-based).
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
    """What one occurrence says of its source.

    Attributes:
        verdict: see `Verdict`; UNKNOWN if no source was given.
        evidence: what names the source and speaks for this code, or may name it; the nearest first.
        licenses: SPDX identifiers or expressions that hold for the place: those of the SPDX snippet around it, else
            those of the file, else those of the nearest license files. `LicenseRef-unknown` is written for a text of a
            license that is not recognized.
        first_seen: the day (UTC, ISO 8601) on which the file was first committed, None where it is not known.
        is_older: whether that was before the source was written; None where either day is not known.
        decided_by: the rule by which the verdict was reached; where one line decided, it is the first of `evidence`, or
            where that is empty, of `hints`.
        hints: what names the source without speaking for this code: a link in a README, the notice of another folder.
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
