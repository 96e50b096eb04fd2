"""The values of a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wherefrom.model import LicenseJudgment, Occurrence, RepositoryRecord, Rule, SkipReason
from wherefrom.results import DecidedBy, Evidence, Region, RegionPair
from wherefrom.results.display import to_html
from wherefrom.results.locations import Identified
from wherefrom.results.naming import listed, named
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument, JsonObject, encoded
from wherefrom.support.printable import visible

MOST_PLACES = 10
"""Places of one finding; the rest is counted."""

MOST_OCCURRENCES = 100
"""Occurrences of a copied file among which one in a copied folder is looked for."""


@dataclass(frozen=True, slots=True, repr=False)
class MatchedLocation(Identified, JsonObject):
    """Where a piece also appears: one group of (nearly) identical contents.

    Attributes:
        occurrence: the first one of the best content.
        count: occurrences of the group.
        regions: what matches, on both sides; the side of the project is called the query.
        matched_tokens: of the piece.
        licenses: SPDX identifiers or expressions that hold there; empty where none is known.
        evidence: what in the project names the place and speaks for the piece, the nearest first.
        record: that of the occurrence's repository, None if it has just been removed.
        hints: what names the place without speaking for the piece, such as a link in a README.
        decided_by: the rule by which the project names the place, or does not.
    """

    JSON = "*occurrence url swhid purl count matched_tokens licenses decided_by evidence hints regions"

    occurrence: Occurrence
    count: int
    regions: tuple[RegionPair, ...]
    matched_tokens: int
    licenses: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    record: RepositoryRecord | None = None
    hints: tuple[Evidence, ...] = ()
    decided_by: DecidedBy = DecidedBy.NOTHING

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """See `Identified`."""
        return tuple(pair.document for pair in self.regions)

    def __repr__(self) -> str:
        return f"<MatchedLocation {named(self.occurrence, self.matched_regions, self.count)}>"


@dataclass(frozen=True, slots=True)
class Acceptance(JsonObject):
    """Why a finding does not fail: it is in the baseline, or a comment beside the code says so with a reason."""

    by: Literal["baseline", "comment"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FileCopy(JsonObject):
    """What makes a whole file one finding: all of it, or nearly, is in one other file.

    Attributes:
        identical: whether both files have the same bytes.
        share: of the file's tokens that the other one has in the same order, 0 to 1.
        functions: of the file that are part of this finding.
        occurrences: where the other file is, and others that have as much, at most `MOST_OCCURRENCES`.
    """

    JSON = "identical share functions"

    identical: bool
    share: float
    functions: int
    occurrences: tuple[Occurrence, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {**encoded(self), "share": round(self.share, 4)}


@dataclass(frozen=True, slots=True)
class Relicensed(JsonObject):
    """Another release of the project that a piece appears in, with the same code under a license that fits.

    Attributes:
        occurrence: where the code is in that release.
        licenses: SPDX identifiers or expressions that hold there.
    """

    JSON = "*occurrence licenses"

    occurrence: Occurrence
    licenses: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Finding(JsonObject):
    """One contiguous piece of the project's code, or a whole file, that appears elsewhere too. Evidence, no judgement.

    Attributes:
        rule: what is said of it.
        path: of the file, relative to the project's root.
        region: the piece, in the file.
        tokens: in the piece.
        fingerprint: stays when lines move and when the file is renamed (`pieces.fingerprint`).
        places: the best first, at most `MOST_PLACES`.
        more: places beyond these that were seen.
        licenses: those that hold for the file in the project.
        accepted: why it does not fail although its rule does.
        license_judgment: whether its licenses conflict, or why that could not be judged.
        copy: what makes the whole file one finding; None for a piece.
        relicensed: another release of the project there under whose license the code may be taken although the licenses
            conflict; None if none is indexed.
    """

    JSON = "rule accepted path region tokens fingerprint copy licenses license_judgment relicensed places more"

    rule: Rule
    path: str
    region: Region
    tokens: int
    fingerprint: str
    places: tuple[MatchedLocation, ...]
    more: int = 0
    licenses: tuple[str, ...] = ()
    accepted: Acceptance | None = None
    license_judgment: LicenseJudgment = LicenseJudgment.NONE
    copy: FileCopy | None = None
    relicensed: Relicensed | None = None

    @property
    def is_settled(self) -> bool:
        """Whether it is a license conflict that another release settles: it never fails."""
        return self.rule is Rule.LICENSE_CONFLICT and self.relicensed is not None

    def fails(self, rules: Collection[Rule]) -> bool:
        """Whether it fails where these rules do."""
        return self.rule in rules and self.accepted is None and not self.is_settled

    def __str__(self) -> str:
        accepted = ", accepted" if self.accepted else ""
        lines = "" if self.copy else f":{self.region.start_line}-{self.region.end_line}"
        return f"{self.rule} {visible(self.path)}{lines}{accepted}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"


@dataclass(frozen=True, slots=True)
class FolderCopy(JsonObject):
    """A folder of the project most of whose files are copies of files at the same paths in one folder elsewhere.

    Attributes:
        path: of the folder, relative to the project's root; empty for the root itself.
        repository: that has the other folder.
        there: path of the other folder; empty for the root of the repository.
        files: the paths of the copies, relative to the project's root, ascending. The findings of these files that are
            whole files (`Finding.copy`) are those of the folder.
        checked: files with code in the folder, those that are no copies among them.
    """

    path: str
    repository: str
    there: str
    files: tuple[str, ...]
    checked: int


@dataclass(frozen=True, slots=True, order=True)
class BaselineEntry(JsonObject):
    """What a baseline keeps of a finding."""

    path: str
    rule: Rule
    fingerprint: str


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """How far a check is. `path` is the last file that is done, empty at the end; an earlier run did `resumed`."""

    path: str
    files: int
    files_total: int
    units: int
    findings: int
    seconds: float
    resumed: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class CheckReport(JsonDocument):
    """The whole check.

    Attributes:
        project: the folder of the project, percent-encoded where it is not UTF-8.
        state: what was checked, in words: `the work tree`, `what is staged`, ...
        engine: of the index.
        files: files that were looked at, and not skipped.
        units: functions and stretches between them that were looked up.
        resumed: files that were looked up by an earlier run that was stopped, and not again.
        skipped: files that were not looked at, by reason.
        own: repository keys of the index that are the project itself, or its owner's.
        findings: by path, then by place, then by rule.
        fail_on: the rules that fail.
        folders: the folders that are copies, by path; none is in another one.
        boilerplate: the paths of files most of whose tokens are boilerplate that was left out.
        stale: entries of the baseline that fit no finding any longer.
        unexplained: (path, line) of each `wherefrom: ok` without a reason.
        seconds: it took so long.
        index: the location of the index.
        baseline: the entries of the baseline but for the stale ones.
        contents: of every file with a finding.
        texts: reads what is at the places of the findings, while the index is open.
    """

    JSON = (
        "engine project state files units resumed +skipped own fail_on failing=_failing findings=_findings folders "
        "boilerplate stale +not_judged unexplained=_unexplained seconds"
    )

    project: str
    state: str
    engine: str
    files: int
    units: int
    skipped: Mapping[SkipReason, int]
    own: tuple[str, ...]
    findings: tuple[Finding, ...]
    fail_on: tuple[Rule, ...]
    stale: tuple[BaselineEntry, ...]
    unexplained: tuple[tuple[str, int], ...]
    seconds: float
    resumed: int = 0
    folders: tuple[FolderCopy, ...] = ()
    boilerplate: tuple[str, ...] = ()
    index: str = ""
    baseline: tuple[BaselineEntry, ...] = ()
    contents: Mapping[str, bytes] = field(default_factory=dict)
    texts: Texts = field(default_factory=Texts, compare=False)

    @property
    def failing(self) -> tuple[Finding, ...]:
        """The findings that fail."""
        return tuple(finding for finding in self.findings if self.is_failing(finding))

    def is_failing(self, finding: Finding) -> bool:
        """Whether one of the findings fails: it is of a rule that does, and neither accepted nor settled."""
        return finding.fails(self.fail_on)

    @property
    def not_judged(self) -> Mapping[LicenseJudgment, int]:
        """How many findings of copied code could not be judged for a license conflict, by reason."""
        rules = {Rule.COPIED_ATTRIBUTED, Rule.COPIED_UNATTRIBUTED}
        judgments = Counter(finding.license_judgment for finding in self.findings if finding.rule in rules)
        return {judgment: number for judgment, number in judgments.items() if not judgment.is_judged}

    @property
    def _failing(self) -> int:
        return len(self.failing)

    @property
    def _findings(self) -> list[dict[str, Any]]:
        return [
            {"rule": finding.rule, "failing": self.is_failing(finding), **finding.to_dict()}
            for finding in self.findings
        ]

    @property
    def _unexplained(self) -> list[dict[str, Any]]:
        return [{"path": path, "line": line} for path, line in self.unexplained]

    def __repr__(self) -> str:
        failing = self.failing
        return (
            f"<CheckReport {visible(self.project)!r} files={self.files} findings={len(self.findings)} "
            f"failing={len(failing)}{listed(failing, len(failing))}>"
        )

    def _repr_html_(self) -> str | None:
        return to_html(self)
