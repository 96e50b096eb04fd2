"""What a check found, as a report shows it: a copied folder, or a place in a file, with its findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, FileCopy, Finding, FolderCopy, MatchedLocation


def folders_of(report: CheckReport) -> dict[str, FolderCopy]:
    """The copied folder of each file that is in one, by the path of the file."""
    return {path: folder for folder in report.folders for path in folder.files}


@dataclass(frozen=True, slots=True)
class Entry:
    """What a report shows as one: a copied folder with the findings of its copies, or the findings of one place in a
    file, which differ in their rules.
    """

    findings: Sequence[Finding]
    folder: FolderCopy | None = None

    @property
    def first(self) -> Finding:
        """The first of the findings; the findings of one place in a file differ in their rules alone."""
        return self.findings[0]

    @property
    def path(self) -> str:
        """Of the folder, or of the file."""
        return self.first.path if self.folder is None else self.folder.path

    @property
    def copy(self) -> FileCopy | None:
        """What makes a whole file one entry; None for a piece of one."""
        return self.first.copy

    @property
    def rules(self) -> list[Rule]:
        """The rules of its findings, each once."""
        found = {finding.rule for finding in self.findings}
        return [rule for rule in Rule if rule in found]

    @property
    def files(self) -> list[Finding]:
        """The findings of a folder, one for each file, the most tokens first."""
        by_path = {finding.path: finding for finding in reversed(self.findings)}
        return sorted(by_path.values(), key=lambda finding: (-finding.tokens, finding.path))

    @property
    def tokens(self) -> int:
        """The tokens of all files and pieces in it."""
        return sum(finding.tokens for finding in self.files)

    @property
    def places(self) -> Sequence[MatchedLocation]:
        """Where the piece, or the file, also is."""
        return self.first.places


def importance(entry: Entry, report: CheckReport) -> tuple[bool, bool, int, str]:
    """A key by which what is more important comes first: what fails, folders, the most tokens."""
    fails = any(report.is_failing(finding) for finding in entry.findings)
    return not fails, entry.folder is None, -entry.tokens, entry.path


def entries(report: CheckReport, *, accepted: bool) -> list[Entry]:
    """The entries of a report: folders first, then files and pieces by path and place.

    Args:
        report: of a check.
        accepted: whether those are among them all of whose findings are accepted.
    """
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
        *(Entry(in_folders[folder.path], folder) for folder in report.folders if folder.path in in_folders),
        *(Entry(findings) for findings in by_place.values()),
    ]
