"""From a piece that appears elsewhere to its findings: where, whether the project names that place, and under which
licenses both are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wherefrom.model import LicenseJudgment, Occurrence, RepositoryRecord, Rule
from wherefrom.projects.check.findings import MOST_PLACES, FileCopy, Finding, MatchedLocation, Relicensed
from wherefrom.projects.check.license_conflicts import conflict, judge
from wherefrom.projects.check.pieces import CheckedFile, CheckedPiece, PieceMatch, file_fingerprint, fingerprint
from wherefrom.projects.check.project import Project, origin_of
from wherefrom.queries import IndexReferences
from wherefrom.queries.alignment.regions import region
from wherefrom.queries.attributing.evidence import Gathered

_LOOKED_AT = 50
"""Occurrences of a group among which one is looked for that the project names."""

_LICENSED = 10
"""Occurrences of a group whose licenses are looked at."""


_VERSION = re.compile(
    r"[-_@/](?:v\d+|v?\d+(?:[._]\d+)+)(?:[-_.+]?(?:a|alpha|b|beta|rc|pre|post|dev|final|release|src|source|orig)(?:\.?\d+)?)*"
    r"(?:\.(?:tar|tgz|tbz2?|txz|zip|whl|gz|bz2|xz|zst))*$",
    re.IGNORECASE,
)
"""The version at the end of a key, such as `-7.0.0` or `@v2`, and what the name of an archive has behind it."""


@dataclass(frozen=True, slots=True)
class CountedFinding:
    """A finding, and what decides whether it counts and is accepted.

    Attributes:
        finding: the finding.
        counts: whether it is on added lines; of a whole project all are.
        starts: a mark accepts it from one of these lines on, or in the comment directly above one.
        last: the last line on which a mark accepts it.
        files: of a piece the fingerprints that its file would have as a copy of one of the contents found.
    """

    finding: Finding
    counts: bool
    starts: tuple[int, ...]
    last: int
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LocatedPiece:
    """A piece in its file, with what the index has of it.

    Attributes:
        file: the file.
        piece: the piece, with its hits.
        runs: half-open token spans of it that are on added lines.
        more: hits beyond those of the piece.
        repositories: the record of every repository in these hits, by key.
        copy: of a whole file that is a copy.
    """

    file: CheckedFile
    piece: CheckedPiece
    runs: Sequence[tuple[int, int]]
    more: int
    repositories: Mapping[str, RepositoryRecord]
    copy: FileCopy | None = None

    @property
    def is_file(self) -> bool:
        """Whether it is a copied file of several units; one of a single unit is known by its tokens, as a piece is."""
        return self.copy is not None and len(self.file.units) > 1

    @property
    def lines(self) -> tuple[int, int]:
        """Its first and its last line (1-based)."""
        begin, end = self.piece.span
        return int(self.file.stream.start_lines[begin]), int(self.file.stream.end_lines[end - 1])


class _Licensed(NamedTuple):
    """An occurrence of a match whose licenses count."""

    match: PieceMatch
    occurrence: Occurrence
    licenses: tuple[str, ...]


class PieceJudge:
    """Finds what is to be said of pieces."""

    def __init__(self, references: IndexReferences, project: Project) -> None:
        self._references = references
        self._project = project

    def findings(self, located: LocatedPiece) -> Iterator[CountedFinding]:
        """The findings of a piece: one for each rule and each of its runs."""
        places, counted = self._places(located)
        licenses = self._project.licenses(located.file.path, located.file.own, located.lines)
        judgment = judge(licenses, [each.licenses for each in counted])
        relicensed = self._relicensed(located, licenses, counted) if judgment is LicenseJudgment.CONFLICT else None
        rules = [Rule.COPIED_ATTRIBUTED if places[0].evidence else Rule.COPIED_UNATTRIBUTED]
        if judgment is LicenseJudgment.CONFLICT:
            rules.append(Rule.LICENSE_CONFLICT)
        mark, files = _fingerprints(located)
        for rule in rules:
            for begin, end in located.runs or [located.piece.span]:
                finding = Finding(
                    rule=rule,
                    path=located.file.path,
                    region=region(located.file.stream, begin, end),
                    tokens=len(located.piece.positions) if located.copy else end - begin,
                    fingerprint=mark,
                    places=tuple(places[:MOST_PLACES]),
                    more=located.more,
                    licenses=licenses,
                    license_judgment=judgment,
                    copy=located.copy,
                    relicensed=relicensed,
                )
                starts, last = _marked_lines(located, finding)
                yield CountedFinding(finding, bool(located.runs), starts, last, files)

    def _places(self, located: LocatedPiece) -> tuple[list[MatchedLocation], list[_Licensed]]:
        """Where a piece appears, what the project names first; and the occurrences whose licenses count: those of the
        places that the project names, where it names some.
        """
        places = [self._place(match, located) for match in located.piece.matches]
        named = [(place, licensed) for place, licensed in places if place.evidence]
        others = [place for place, _ in places if not place.evidence]
        counted = [each for _, licensed in named or places for each in licensed]
        return [*(place for place, _ in named), *others], counted

    def _place(self, match: PieceMatch, located: LocatedPiece) -> tuple[MatchedLocation, list[_Licensed]]:
        """A place, and some of its occurrences with their licenses."""
        matched = _lines(match)
        occurrences = match.hit.occurrences
        shown, gathered = self._best_named(occurrences, matched, located)
        licenses = self._references.statements(shown).licenses(matched)
        place = MatchedLocation(
            occurrence=shown,
            count=len(occurrences),
            regions=match.regions,
            matched_tokens=len(match.positions),
            licenses=licenses,
            evidence=gathered.evidence,
            hints=gathered.hints,
            decided_by=gathered.decided_by,
        )
        licensed = [_Licensed(match, shown, licenses)]
        if not gathered.evidence:  # else it is the license of that one that holds
            others = _of_other_repositories(occurrences, shown)[: _LICENSED - 1]
            licensed += (_Licensed(match, at, self._references.statements(at).licenses(matched)) for at in others)
        return place, licensed

    def _relicensed(self, located: LocatedPiece, own: Sequence[str], counted: Sequence[_Licensed]) -> Relicensed | None:
        """Another release of a project in `counted`, whose license conflicts, with all of it under one that fits."""
        for there in counted:
            record = located.repositories.get(there.occurrence.repository)
            if record is None or not conflict(own, there.licenses):
                continue
            for match in located.piece.matches:
                if not np.isin(there.match.positions, match.positions).all():
                    continue
                for at in match.hit.occurrences[:_LOOKED_AT]:
                    other = located.repositories.get(at.repository)
                    same_path = at.path == there.occurrence.path
                    if other is None or not is_other_release(record, other, same_path=same_path):
                        continue
                    licenses = self._references.statements(at).licenses(_lines(match))
                    if judge(own, [licenses]) is LicenseJudgment.NONE:
                        return Relicensed(at, licenses)
        return None

    def _best_named(
        self, occurrences: Sequence[Occurrence], matched: Sequence[tuple[int, int]], located: LocatedPiece
    ) -> tuple[Occurrence, Gathered]:
        """The first occurrence that the project names, else the first that it hints at, else the first; and what it
        says.
        """
        shown, gathered = occurrences[0], Gathered()
        self._references.load(occurrence.blob for occurrence in occurrences[:_LOOKED_AT])
        for occurrence in occurrences[:_LOOKED_AT]:
            record = located.repositories.get(occurrence.repository)
            statements = self._references.statements(occurrence)
            origin = origin_of(record, statements, matched, is_file=located.is_file)
            found = self._project.says_of(origin, located.file.path, located.file.own, located.lines)
            if found.evidence:
                return occurrence, found
            if found.hints and not gathered.hints:
                shown, gathered = occurrence, found
        return shown, gathered


def _lines(match: PieceMatch) -> list[tuple[int, int]]:
    """The lines that match there, first and last (1-based, inclusive)."""
    return [(pair.document.start_line, pair.document.end_line) for pair in match.regions]


def _fingerprints(located: LocatedPiece) -> tuple[str, tuple[str, ...]]:
    """The fingerprint of a piece, and those of its file as a copy of one of the contents found, for a piece alone."""
    best = located.piece.matches[0].hit
    if located.is_file:
        return file_fingerprint(best.blob), ()
    contents = dict.fromkeys(occurrence.blob for occurrence in best.occurrences)
    mark = fingerprint(located.file.stream.codes, located.piece.positions, best.blob)
    return mark, tuple(file_fingerprint(blob) for blob in contents)


def _marked_lines(located: LocatedPiece, finding: Finding) -> tuple[tuple[int, ...], int]:
    """`starts` and `last` of `CountedFinding`."""
    if located.is_file:
        # A mark inside of a file is about a part of it.
        return (1,), finding.region.start_line
    unit = located.piece.unit
    first = int(located.file.stream.start_lines[unit.begin]) if unit.is_function else located.lines[0]
    return (finding.region.start_line, first), finding.region.end_line


def _of_other_repositories(occurrences: Sequence[Occurrence], shown: Occurrence) -> list[Occurrence]:
    """The first occurrence in each of the other repositories."""
    by_repository = {occurrence.repository: occurrence for occurrence in reversed(occurrences)}
    return [occurrence for key, occurrence in by_repository.items() if key != shown.repository]


def is_other_release(one: RepositoryRecord, other: RepositoryRecord, *, same_path: bool) -> bool:
    """Whether two repositories of an index are releases of one project.

    They are if they were read from one clone at two revisions, or if their names differ only in the version and the
    code has the same path in both: anybody may give a repository such a name.

    Args:
        one: a repository.
        other: another one.
        same_path: whether the code has the same path in both.
    """
    if one.key == other.key:
        return False
    if one.location == other.location:
        return True
    names = [_VERSION.sub("", record.key).lower() for record in (one, other)]
    has_version = any(name != record.key.lower() for name, record in zip(names, (one, other), strict=True))
    if one.remote is None or other.remote is None:  # of remotes the owner counts too
        names = [name.rpartition("/")[2] for name in names]
    return same_path and has_version and names[0] == names[1]
