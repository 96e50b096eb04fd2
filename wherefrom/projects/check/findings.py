"""The answer of a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Literal

from wherefrom.model import LicenseJudgment, Occurrence, RepositoryRecord, Rule, SkipReason
from wherefrom.results import Age, Appearance, DecidedBy, Evidence, Region, RegionPair
from wherefrom.results.locations import Identified, Texts, listed, named, to_html
from wherefrom.support.contract import JsonDocument, JsonObject, encoded
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

MOST_PLACES = 10  # a finding lists at most this many places; the others are only counted
MOST_OCCURRENCES = 100  # at most this many occurrences of a copied file are considered when folders are compared


@dataclass(frozen=True, slots=True, repr=False)
class MatchedLocation(Identified, JsonObject):
    """A place where a piece also appears: one group of (nearly) identical contents.

    Attributes:
        occurrence: the first occurrence of the best content.
        count: the number of occurrences of the group.
        regions: the matching regions of both sides. The project's side is called the query.
        matched_tokens: the number of tokens of the piece that match.
        probability: how probable it is that the piece is a copy, 0 to 1; None if the whole file was compared.
        licenses: SPDX identifiers or expressions of the code at the place; empty if none is known.
        evidence: references in the project that credit the place for the piece, the nearest first.
        record: the record of the occurrence's repository; None if it has just been removed.
        hints: references that name the place but do not credit it for the piece, such as a link in a README.
        decided_by: the rule by which the place counts as credited or not credited.
        age: how old the matching lines are at `occurrence`; None if the index has no history of it.
        translated_from: the language of the place, if it has the piece in another language; None for a copy.
    """

    JSON = (
        "*occurrence url swhid purl count matched_tokens probability translated_from licenses decided_by evidence "
        "hints regions age"
    )

    occurrence: Occurrence
    count: int
    regions: tuple[RegionPair, ...]
    matched_tokens: int
    licenses: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    record: RepositoryRecord | None = None
    hints: tuple[Evidence, ...] = ()
    decided_by: DecidedBy = DecidedBy.NOTHING
    age: Age | None = None
    probability: float | None = None
    translated_from: str | None = None

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """The matching regions of the content at the place."""
        return tuple(pair.document for pair in self.regions)

    def __repr__(self) -> str:
        return f"<MatchedLocation {named(self.occurrence, self.matched_regions, self.count)}>"


@dataclass(frozen=True, slots=True)
class Acceptance(JsonObject):
    """Why a finding does not fail: the baseline has it, or a comment beside the code accepts it for a reason."""

    by: Literal["baseline", "comment"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FileCopy(JsonObject):
    """Details of a finding that is a whole file: all or nearly all of the file is in one other file.

    Attributes:
        identical: whether both files have the same bytes.
        share: the share of the file's tokens that the other file has in the same order, 0 to 1.
        functions: the number of functions of the file that are part of this finding.
        occurrences: the occurrences of the other file and of further files that have nearly all of this one, at most
            `MOST_OCCURRENCES`.
    """

    JSON = "identical share functions"

    identical: bool
    share: float
    functions: int
    occurrences: tuple[Occurrence, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON values, with the share rounded."""
        return {**encoded(self), "share": round(self.share, 4)}


@dataclass(frozen=True, slots=True)
class Relicensed(JsonObject):
    """Another release of the repository where a piece was found. That release has the same code under `licenses` (SPDX
    identifiers or expressions), which do not conflict.
    """

    JSON = "*occurrence licenses"

    occurrence: Occurrence
    licenses: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Finding(JsonObject):
    """One contiguous piece of the project's code, or a whole file, that also appears elsewhere. Evidence, no judgement.

    Attributes:
        rule: the rule that it falls under.
        path: the path of the file, relative to the project's root.
        region: the piece in the file.
        tokens: the number of tokens in the piece.
        fingerprint: identifies the piece when lines move or the file is renamed (`pieces.fingerprint`).
        places: where it appears, the best first, at most `MOST_PLACES`.
        more: the number of further places that were found.
        licenses: the licenses of the file in the project.
        accepted: why it does not fail although other findings of its rule do; None if it is not accepted.
        license_judgment: whether its licenses conflict, or why that could not be judged.
        copy: details of the copy if the whole file is one finding; None for a piece.
        relicensed: for conflicting licenses, another release of the found project whose license allows to take the
            code; None if no such release is indexed.
        since: the commit since which the project has all of the lines that match; None if it is not known, or if no
            place has a known age.
        is_older: whether the project had the code before all others (`check.ages` has the rule). Such a finding never
            fails.
    """

    JSON = (
        "rule accepted path region tokens fingerprint copy licenses license_judgment relicensed since older=is_older "
        "places more"
    )

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
    since: Appearance | None = None
    is_older: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether it is a license conflict that another release settles. Such a finding never fails."""
        return self.rule is Rule.LICENSE_CONFLICT and self.relicensed is not None

    def fails(self, rules: Collection[Rule]) -> bool:
        """Whether the finding fails, given the rules whose findings fail."""
        return self.rule in rules and self.accepted is None and not self.is_settled and not self.is_older

    def __str__(self) -> str:
        accepted = ", accepted" if self.accepted else ""
        lines = "" if self.copy else f":{self.region.start_line}-{self.region.end_line}"
        older = ", older here" if self.is_older else ""
        return f"{self.rule} {visible(self.path)}{lines}{older}{accepted}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"


@dataclass(frozen=True, slots=True)
class FolderCopy(JsonObject):
    """A copied folder of the project: most of its files are copies of files at the same paths in one folder elsewhere.

    Attributes:
        path: the path of the folder, relative to the project's root; empty for the root itself.
        repository: the repository that has the other folder.
        there: the path of the other folder; empty for the root of the repository.
        files: the paths of the copies, relative to the project's root, ascending. Findings of these files that are
            whole files (`Finding.copy`) belong to the folder.
        checked: the number of files with code in the folder, copies or not.
    """

    path: str
    repository: str
    there: str
    files: tuple[str, ...]
    checked: int


@dataclass(frozen=True, slots=True, order=True)
class BaselineEntry(JsonObject):
    """The part of a finding that a baseline keeps."""

    path: str
    rule: Rule
    fingerprint: str


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """The progress of a check. `path` is the last file that is done, empty at the end. An earlier run, which was
    stopped, did `resumed` of the `files`.
    """

    path: str
    files: int
    files_total: int
    units: int
    findings: int
    seconds: float
    resumed: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class CheckReport(JsonDocument):
    """The answer of a check.

    Attributes:
        project: the folder of the project, percent-encoded if it is not UTF-8.
        state: what was checked, in words: `the work tree`, `what is staged`, ...
        engine: the name of the engine of the index.
        files: the number of files that were checked.
        units: the number of functions, and of stretches between them, that were looked up.
        resumed: the number of files that an earlier run had looked up before it was stopped.
        skipped: the number of files that were skipped, by reason.
        own: the keys of indexed repositories that are the project itself or belong to its owner.
        findings: the findings, by path, then by position, then by rule.
        fail_on: the rules whose findings fail.
        folders: the folders that are copies, by path; none is inside another one.
        boilerplate: the paths of files that are mostly boilerplate, which was left out.
        stale: entries of the baseline that match no finding any longer.
        unexplained: (path, line) of each `wherefrom: ok` without a reason.
        seconds: the duration of the check.
        index: the location of the index.
        baseline: the entries of the baseline that are not stale.
        contents: the contents of all files with a finding, by path.
        texts: reads the code at the places of the findings, while the index is open.
        warnings: what the check could not do as well as usual, in sentences.
    """

    JSON = (
        "engine project state files units resumed +skipped own fail_on failing=_failing findings=_findings folders "
        "boilerplate stale +not_judged unexplained=_unexplained warnings seconds"
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
    warnings: tuple[str, ...] = ()

    @property
    def failing(self) -> tuple[Finding, ...]:
        """The findings that fail."""
        return tuple(finding for finding in self.findings if self.is_failing(finding))

    def is_failing(self, finding: Finding) -> bool:
        """Whether a finding of this report fails (see `Finding.fails`)."""
        return finding.fails(self.fail_on)

    @property
    def not_judged(self) -> Mapping[LicenseJudgment, int]:
        """The number of findings of copied code whose licenses could not be judged, by reason."""
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
