"""What both bills of materials have: the pieces that appear elsewhere and the repositories that have them."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, Finding, MatchedLocation
from wherefrom.reports.check.words import acceptance, settled_by
from wherefrom.reports.layout import count
from wherefrom.reports.location_text import region_lines
from wherefrom.support.printable import visible


@dataclass(frozen=True, slots=True)
class MatchedPiece:
    """A piece of the project that appears elsewhere, with all that the rules find of it.

    Attributes:
        findings: of the piece, one for each rule.
        number: tells it from others of the same fingerprint, from 1.
    """

    findings: tuple[Finding, ...]
    number: int

    @property
    def finding(self) -> Finding:
        """The first one. Its path, region, tokens and places are those of all of them."""
        return self.findings[0]

    @property
    def place(self) -> MatchedLocation:
        """The best location, of those that the project names where it names one."""
        return self.finding.places[0]

    @property
    def is_attributed(self) -> bool:
        """Whether the project names that location."""
        return any(finding.rule is Rule.COPIED_ATTRIBUTED for finding in self.findings)

    @property
    def description(self) -> str:
        """What is found of it, in words."""
        where = f"{region_lines(self.finding.region)}, {count(self.finding.tokens, 'token')}"
        return f"{where}: {', '.join(map(_rule, self.findings))}"


@dataclass(frozen=True, slots=True)
class MatchedRepository:
    """A repository, by its key, at its indexed revision, and the pieces whose best location is in it."""

    key: str
    revision: str
    pieces: tuple[MatchedPiece, ...]

    @property
    def place(self) -> MatchedLocation:
        """One location in it, by which it is known."""
        return self.pieces[0].place


def matched_pieces(report: CheckReport) -> list[MatchedPiece]:
    """The pieces of a check, accepted ones too, in the order of its findings."""
    by_place: defaultdict[tuple[str, int, int, str], list[Finding]] = defaultdict(list)
    for finding in report.findings:
        region = finding.region
        by_place[finding.path, region.start_byte, region.end_byte, finding.fingerprint].append(finding)
    seen: defaultdict[str, int] = defaultdict(int)
    found = []
    for findings in by_place.values():
        seen[findings[0].fingerprint] += 1
        found.append(MatchedPiece(tuple(findings), seen[findings[0].fingerprint]))
    return found


def matched_repositories(pieces: Sequence[MatchedPiece]) -> list[MatchedRepository]:
    """The repositories that pieces appear in, by name."""
    by_repository: defaultdict[tuple[str, str], list[MatchedPiece]] = defaultdict(list)
    for piece in pieces:
        at = piece.place.occurrence
        by_repository[at.repository, at.revision].append(piece)
    return [MatchedRepository(*key, tuple(found)) for key, found in sorted(by_repository.items())]


def project_name(report: CheckReport) -> str:
    """The name of the project's folder, without the path to it: a document is for others."""
    return visible(posixpath.basename(report.project.rstrip("/"))) or "project"


def file_uri(path: str) -> str:
    """A path of the project as a relative URI."""
    return quote(path, errors="surrogatepass")


def _rule(finding: Finding) -> str:
    notes = [settled_by(finding)] if finding.is_settled else []
    if finding.accepted is not None:
        notes.append(acceptance(finding.accepted))
    return f"{finding.rule} ({'; '.join(notes)})" if notes else str(finding.rule)
