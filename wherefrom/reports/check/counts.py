"""What a check found, counted: by rule, by repository, by license."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, Finding, FolderCopy
from wherefrom.reports.check.entries import folders_of
from wherefrom.reports.check.words import license_names, rule_name

HEADER = ("folders", "files", "pieces", "tokens")
"""The columns of every table, after its first one."""


@dataclass(slots=True)
class Row:
    """What was found under one name: copied folders, copied files (those in these folders too), pieces, and the tokens
    of both.
    """

    folders: set[str] = field(default_factory=set)
    files: int = 0
    pieces: int = 0
    tokens: int = 0

    def cells(self) -> tuple[str, ...]:
        """The cells after the first one."""
        return tuple(f"{number:,}" for number in (len(self.folders), self.files, self.pieces, self.tokens))

    def add(self, finding: Finding, folder: FolderCopy | None) -> None:
        """Counts a finding."""
        self.files += finding.copy is not None
        self.pieces += finding.copy is None
        self.tokens += finding.tokens
        if folder is not None:
            self.folders.add(folder.path)


def counted(report: CheckReport) -> dict[str, dict[str, Row]]:
    """The tables of a report, by what the first column of each is called: from names to their rows, the most tokens
    first. Accepted findings are not in them.
    """
    folders = folders_of(report)
    rules: defaultdict[str, Row] = defaultdict(Row)
    repositories: defaultdict[str, Row] = defaultdict(Row)
    licenses: defaultdict[str, Row] = defaultdict(Row)
    for finding in report.findings:
        if finding.accepted is not None:
            continue
        folder = folders.get(finding.path) if finding.copy is not None else None
        rules[rule_name(finding)].add(finding, folder)
        if finding.rule is not Rule.LICENSE_CONFLICT:  # another finding is of the same piece
            place = finding.places[0]
            repositories[folder.repository if folder else place.occurrence.repository].add(finding, folder)
            licenses[license_names(place.licenses)].add(finding, folder)
    tables = {"rule": rules, "repository": repositories, "license there": licenses}
    return {
        title: dict(sorted(rows.items(), key=lambda row: (-row[1].tokens, row[0]))) for title, rows in tables.items()
    }
