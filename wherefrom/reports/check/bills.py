"""The pieces that appear elsewhere and the repositories that have them, for bills of materials (CycloneDX and SPDX)."""

from __future__ import annotations

import itertools
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from packageurl import PackageURL

from wherefrom.extend import is_listed_license, normalised_license
from wherefrom.model import Rule
from wherefrom.public import CheckReport, Finding, MatchedLocation
from wherefrom.reports.check.words import acceptance, settled_by
from wherefrom.reports.hit_fields import region_lines
from wherefrom.reports.layout import count
from wherefrom.support.chunks import by_key
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass


@dataclass(frozen=True, slots=True)
class MatchedPiece:
    """A piece of the project that appears elsewhere: its findings, one for each rule, and its number among the pieces
    with the same fingerprint, from 1.
    """

    findings: tuple[Finding, ...]
    number: int

    @property
    def finding(self) -> Finding:
        """The first finding. All findings have the same path, region, tokens and places."""
        return self.findings[0]

    @property
    def place(self) -> MatchedLocation:
        """The best location. A location that the project names comes before others."""
        return self.finding.places[0]

    @property
    def is_attributed(self) -> bool:
        """True if the project names the best location."""
        return any(finding.rule is Rule.COPIED_ATTRIBUTED for finding in self.findings)

    @property
    def description(self) -> str:
        """The lines, tokens and rules in words."""
        where = f"{region_lines(self.finding.region)}, {count(self.finding.tokens, 'token')}"
        return f"{where}: {', '.join(map(_rule, self.findings))}"


@dataclass(frozen=True, slots=True)
class MatchedRepository:
    """A repository at its indexed revision, with the pieces whose best location is in it."""

    key: str
    revision: str
    pieces: tuple[MatchedPiece, ...]

    @property
    def place(self) -> MatchedLocation:
        """One of the locations in the repository."""
        return self.pieces[0].place

    @property
    def package(self) -> PackageURL | None:
        """Its package URL, if it is a version of a package. Then `revision` is the SHA-256 of the archive."""
        record, purl = self.place.record, self.place.repository_purl
        is_package = record is not None and record.is_package
        return PackageURL.from_string(purl) if is_package and purl is not None else None

    @property
    def declared_license(self) -> str | None:
        """The license that the registry has for the package; None if it has none, or no SPDX expression."""
        record = self.place.record
        stated = record.package.license if record is not None and record.package is not None else ""
        return normalised_license(stated) if is_listed_license(stated) else None


def matched_pieces(report: CheckReport) -> list[MatchedPiece]:
    """The pieces of a check, including accepted ones, in the order of the findings."""
    by_place = by_key(
        ((it.path, it.region.start_byte, it.region.end_byte, it.fingerprint), it) for it in report.findings
    )
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))
    return [MatchedPiece(tuple(found), next(numbers[found[0].fingerprint])) for found in by_place.values()]


def matched_repositories(pieces: Sequence[MatchedPiece]) -> list[MatchedRepository]:
    """The repositories where pieces appear, by key."""
    places = ((piece.place.occurrence, piece) for piece in pieces)
    by_repository = by_key(((at.repository, at.revision), piece) for at, piece in places)
    return [MatchedRepository(*key, tuple(found)) for key, found in sorted(by_repository.items())]


def project_name(report: CheckReport) -> str:
    """The name of the project's folder. A bill of materials is for others, so it does not show the folder's path."""
    return visible(posixpath.basename(report.project.rstrip("/"))) or "project"


def file_uri(path: str) -> str:
    """A path of the project as a relative URI."""
    return quote(path, errors="surrogatepass")


def _rule(finding: Finding) -> str:
    notes = [settled_by(finding)] if finding.is_settled else []
    notes += ["older here"] if finding.is_older else []
    notes += [acceptance(finding.accepted)] if finding.accepted else []
    return f"{finding.rule} ({'; '.join(notes)})" if notes else str(finding.rule)
