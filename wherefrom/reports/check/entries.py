"""Groups the findings of a check into the entries of a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, Finding, FolderCopy


def folders_of(report: CheckReport) -> dict[str, FolderCopy]:
    """Maps the path of each file in a copied folder to that folder."""
    return {path: folder for folder in report.folders for path in folder.files}


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """An entry of a report: a copied folder with the findings of its files, or one piece of a file with its findings,
    one for each rule.
    """

    findings: Sequence[Finding]
    folder: FolderCopy | None = None

    @property
    def first(self) -> Finding:
        """The first of the findings."""
        return self.findings[0]

    @property
    def path(self) -> str:
        """The path of the folder or of the file."""
        return self.first.path if self.folder is None else self.folder.path

    @property
    def rules(self) -> list[Rule]:
        """The rules of the findings, each once."""
        found = {finding.rule for finding in self.findings}
        return [rule for rule in Rule if rule in found]

    @property
    def files(self) -> list[Finding]:
        """The first finding of each file, the most tokens first."""
        by_path = {finding.path: finding for finding in reversed(self.findings)}
        return sorted(by_path.values(), key=lambda finding: (-finding.tokens, finding.path))

    @property
    def tokens(self) -> int:
        """The tokens of the whole entry."""
        return sum(finding.tokens for finding in self.files)


def importance(entry: ReportEntry, report: CheckReport) -> tuple[bool, bool, int, str]:
    """A sort key that puts failing entries first, then folders, then the most tokens."""
    fails = any(report.is_failing(finding) for finding in entry.findings)
    return not fails, entry.folder is None, -entry.tokens, entry.path


def entries(report: CheckReport, *, accepted: bool) -> list[ReportEntry]:
    """The entries of a report: folders, then files and pieces by path and position. `accepted` adds accepted ones."""
    folders = folders_of(report)
    in_folders: defaultdict[str, list[Finding]] = defaultdict(list)
    by_place: defaultdict[tuple[str, int, int], list[Finding]] = defaultdict(list)
    for finding in report.findings:
        if finding.accepted is not None and not accepted:
            continue
        if finding.copy is not None and finding.path in folders:
            in_folders[folders[finding.path].path].append(finding)
        else:
            by_place[finding.path, finding.region.start_byte, finding.region.end_byte].append(finding)
    return [
        *(ReportEntry(in_folders[folder.path], folder) for folder in report.folders if folder.path in in_folders),
        *(ReportEntry(findings) for findings in by_place.values()),
    ]
