"""Counts the findings of a check by rule, by repository and by license."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, Finding, FolderCopy
from wherefrom.reports.check.entries import folders_of
from wherefrom.reports.check.words import license_names, rule_name

HEADER = ("folders", "files", "pieces", "tokens")
"""The columns of every table after the name."""


@dataclass(slots=True)
class Tally:
    """The numbers in one row of a table: copied folders, copied files (including files in copied folders), pieces, and
    the tokens of files and pieces.
    """

    folders: set[str] = field(default_factory=set)
    files: int = 0
    pieces: int = 0
    tokens: int = 0

    def cells(self) -> tuple[str, ...]:
        """The numbers as cells of a table, in the order of `HEADER`."""
        return tuple(f"{number:,}" for number in (len(self.folders), self.files, self.pieces, self.tokens))

    def add(self, finding: Finding, folder: FolderCopy | None) -> None:
        """Counts a finding. `folder` is the copied folder that has its file, if any."""
        self.files += finding.copy is not None
        self.pieces += finding.copy is None
        self.tokens += finding.tokens
        if folder is not None:
            self.folders.add(folder.path)


def counted(report: CheckReport) -> dict[str, dict[str, Tally]]:
    """The tables of a report, by the title of their first column. Each table maps names to rows, the most tokens first.
    Accepted findings do not count.
    """
    folders = folders_of(report)
    rules, repositories, licenses = (defaultdict[str, Tally](Tally) for _ in range(3))
    for finding in report.findings:
        if finding.accepted is not None:
            continue
        folder = folders.get(finding.path) if finding.copy is not None else None
        rules[rule_name(finding)].add(finding, folder)
        if finding.rule is not Rule.LICENSE_CONFLICT:  # the same piece has another finding, which counts its place
            place = finding.places[0]
            repositories[folder.repository if folder else place.occurrence.repository].add(finding, folder)
            licenses[license_names(place.licenses)].add(finding, folder)
    tables = {"rule": rules, "repository": repositories, "license there": licenses}
    return {
        title: dict(sorted(rows.items(), key=lambda row: (-row[1].tokens, row[0]))) for title, rows in tables.items()
    }
