"""The values of a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from wherefrom.model import Occurrence, RepositoryRecord, Rule, SkipReason
from wherefrom.results import Evidence, Region, RegionPair

MOST_PLACES = 10
"""Places of one finding; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece also stands: one group of (nearly) identical contents.

    Attributes:
        occurrence: the first one of the best content.
        count: occurrences of the group.
        regions: what matches, on both sides; the side of the project is called the query.
        tokens: of the piece that match.
        licenses: SPDX identifiers or expressions that hold there; empty where none is known.
        evidence: what the project says that names the place, the nearest first; empty where it does not name it.
        record: that of the occurrence's repository, None if it has just been removed.
    """

    occurrence: Occurrence
    count: int
    regions: tuple[RegionPair, ...]
    tokens: int
    licenses: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    record: RepositoryRecord | None = None


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Why a finding does not fail: it stands in the baseline, or a comment beside the code says so with a reason."""

    by: Literal["baseline", "comment"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One contiguous piece of the project's code that stands elsewhere too. Evidence, no judgement.

    Attributes:
        rule: what is said of it.
        path: of the file, relative to the project's root.
        region: the piece, in the file.
        tokens: in the piece.
        fingerprint: made of the path, the matched tokens and the best place's blob, and the number of these tokens in
            the file; it stays when lines move.
        places: the best first, at most `MOST_PLACES`.
        more: places beyond these that were seen.
        licenses: those that hold for the file in the project.
        accepted: why it does not fail although its rule does.
    """

    rule: Rule
    path: str
    region: Region
    tokens: int
    fingerprint: str
    places: tuple[Place, ...]
    more: int = 0
    licenses: tuple[str, ...] = ()
    accepted: Acceptance | None = None


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """What a baseline keeps of a finding."""

    path: str
    rule: Rule
    fingerprint: str


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """Where a check stands: `files` of `files_total` are done, `path` is the next one (empty at the end)."""

    path: str
    files: int
    files_total: int
    units: int
    findings: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The whole check.

    Attributes:
        project: the folder of the project, percent-encoded where it is not UTF-8.
        state: what was checked, in words: `the work tree`, `what is staged`, ...
        engine: of the index.
        files: files that were looked at, and not skipped.
        units: functions and stretches between them that were looked up.
        skipped: files that were not looked at, by reason.
        own: repository keys of the index that are the project itself, or its owner's.
        findings: by path, then by place, then by rule.
        fail_on: the rules that fail.
        stale: entries of the baseline that fit no finding any longer.
        unexplained: (path, line) of each `wherefrom: ok` without a reason.
        seconds: it took so long.
        contents: of every file with a finding.
    """

    project: str
    state: str
    engine: str
    files: int
    units: int
    skipped: Mapping[SkipReason, int]
    own: tuple[str, ...]
    findings: tuple[Finding, ...]
    fail_on: tuple[Rule, ...]
    stale: tuple[Entry, ...]
    unexplained: tuple[tuple[str, int], ...]
    seconds: float
    contents: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def failing(self) -> tuple[Finding, ...]:
        """The findings that fail: of a rule that does, and not accepted."""
        return tuple(each for each in self.findings if each.rule in self.fail_on and each.accepted is None)
