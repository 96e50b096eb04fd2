"""Turns a piece that appears elsewhere into findings: whether the project credits the place, and whether the licenses
of both sides conflict.
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
from wherefrom.queries.alignment.regions import region
from wherefrom.queries.attributing.evidence import Gathered, gather
from wherefrom.queries.attributing.index_references import IndexReferences

_LOOKED_AT = 50
"""At most this many occurrences of a group are searched for one that the project credits."""

_LICENSED = 10
"""The licenses of at most this many occurrences of a group are compared."""

_VERSION = re.compile(
    r"[-_@/](?:v\d+|v?\d+(?:[._]\d+)+)(?:[-_.+]?(?:a|alpha|b|beta|rc|pre|post|dev|final|release|src|source|orig)(?:\.?\d+)?)*"
    r"(?:\.(?:tar|tgz|tbz2?|txz|zip|whl|gz|bz2|xz|zst))*$",
    re.IGNORECASE,
)
"""The version at the end of a key, such as `-7.0.0` or `@v2`, with the ending of an archive's name."""


@dataclass(frozen=True, slots=True)
class CountedFinding:
    """A finding with the facts that decide whether it counts and is accepted.

    Attributes:
        finding: the finding.
        counts: whether it is on added lines. In a check of a whole project, all lines count as added.
        starts: lines where the code begins. A mark accepts the finding if it is on a line from the lowest of these to
            `last`, or in the comment directly above.
        last: the last line on which a mark counts.
        files: the fingerprints of the whole file as a copy of each content with the piece; empty for a copied file. A
            baseline has one of them if it was written when the whole file was a copy.
    """

    finding: Finding
    counts: bool
    starts: tuple[int, ...]
    last: int
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LocatedPiece:
    """A piece in its file, with its hits.

    Attributes:
        file: the file.
        piece: the piece.
        runs: its half-open token spans on added lines.
        more: the number of further hits that the search counted but did not return.
        repositories: the record of every repository in these hits, by key.
        copy: details of the copy if the piece is a whole file.
    """

    file: CheckedFile
    piece: CheckedPiece
    runs: Sequence[tuple[int, int]]
    more: int
    repositories: Mapping[str, RepositoryRecord]
    copy: FileCopy | None = None

    @property
    def is_file(self) -> bool:
        """Whether it is a copied file of several units. A copied file of one unit is treated as a piece."""
        return self.copy is not None and len(self.file.units) > 1

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line of the piece (1-based)."""
        begin, end = self.piece.span
        return int(self.file.stream.start_lines[begin]), int(self.file.stream.end_lines[end - 1])


class _Licensed(NamedTuple):
    """An occurrence of a match, with its licenses."""

    match: PieceMatch
    occurrence: Occurrence
    licenses: tuple[str, ...]


class PieceJudge:
    """Judges pieces by the references and licenses of both sides."""

    def __init__(self, references: IndexReferences, project: Project) -> None:
        self._references = references
        self._project = project

    def findings(self, located: LocatedPiece) -> Iterator[CountedFinding]:
        """The findings of a piece: one for each rule that applies and each run on added lines."""
        places, counted = self._places(located)
        licenses = self._project.statements(located.file.path, located.file.own).licenses([located.lines])
        judgment = judge(licenses, [at.licenses for at in counted])
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
        """The places of a piece, credited ones first, and the occurrences whose licenses count: those of credited
        places if there are any, else of all.
        """
        places = [self._place(match, located) for match in located.piece.matches]
        places.sort(key=lambda pair: not pair[0].evidence)
        named = [pair for pair in places if pair[0].evidence]
        counted = [at for _, licensed in named or places for at in licensed]
        return [place for place, _ in places], counted

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
            probability=match.hit.probability,
            licenses=licenses,
            evidence=gathered.evidence,
            hints=gathered.hints,
            decided_by=gathered.decided_by,
        )
        licensed = [_Licensed(match, shown, licenses)]
        if not gathered.evidence:  # if the place is credited, only the license of `shown` counts
            first = {at.repository: at for at in reversed(occurrences) if at.repository != shown.repository}
            others = [*first.values()][: _LICENSED - 1]
            licensed += (_Licensed(match, at, self._references.statements(at).licenses(matched)) for at in others)
        return place, licensed

    def _relicensed(self, located: LocatedPiece, own: Sequence[str], counted: Sequence[_Licensed]) -> Relicensed | None:
        """Finds another release of a repository in `counted` whose license conflicts. That release must have all of the
        matching code, under a license that does not conflict. None if there is no such release.
        """
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
        """Chooses the occurrence to show: the first that the project credits, else the first that it hints at, else the
        first. Returns it with the references that credit it or hint at it.
        """
        shown, gathered = occurrences[0], Gathered()
        self._references.load(occurrence.blob for occurrence in occurrences[:_LOOKED_AT])
        for occurrence in occurrences[:_LOOKED_AT]:
            record = located.repositories.get(occurrence.repository)
            statements = self._references.statements(occurrence)
            origin = origin_of(record, statements, matched, is_file=located.is_file)
            found = gather(origin, self._project.statements(located.file.path, located.file.own), [located.lines])
            if found.evidence:
                return occurrence, found
            if found.hints and not gathered.hints:
                shown, gathered = occurrence, found
        return shown, gathered


def _lines(match: PieceMatch) -> list[tuple[int, int]]:
    """The matching lines of the indexed content, first and last (1-based, inclusive)."""
    return [(pair.document.start_line, pair.document.end_line) for pair in match.regions]


def _fingerprints(located: LocatedPiece) -> tuple[str, tuple[str, ...]]:
    """The fingerprint of a piece, and the value of `CountedFinding.files`."""
    best = located.piece.matches[0].hit
    if located.is_file:
        return file_fingerprint(best.blob), ()
    contents = dict.fromkeys(occurrence.blob for occurrence in best.occurrences)
    mark = fingerprint(located.file.stream.codes, located.piece.positions, best.blob)
    return mark, tuple(file_fingerprint(blob) for blob in contents)


def _marked_lines(located: LocatedPiece, finding: Finding) -> tuple[tuple[int, ...], int]:
    """The values of `CountedFinding.starts` and `CountedFinding.last`."""
    if located.is_file:
        # Only a mark at the top accepts the whole file. One further down accepts a part of it.
        return (1,), finding.region.start_line
    unit = located.piece.unit
    first = int(located.file.stream.start_lines[unit.begin]) if unit.is_function else located.lines[0]
    return (finding.region.start_line, first), finding.region.end_line


def is_other_release(one: RepositoryRecord, other: RepositoryRecord, *, same_path: bool) -> bool:
    """Whether two repositories of an index are releases of one project.

    They are if they were read from one clone at two revisions. They also are if their names differ only in the version
    and the code has the same path in both (`same_path`): a name alone proves nothing, since anybody can choose it.
    """
    if one.key == other.key:
        return False
    if one.location == other.location:
        return True
    names = [_VERSION.sub("", record.key).lower() for record in (one, other)]
    has_version = any(name != record.key.lower() for name, record in zip(names, (one, other), strict=True))
    if one.remote is None or other.remote is None:  # only the key of a remote has an owner to compare
        names = [name.rpartition("/")[2] for name in names]
    return same_path and has_version and names[0] == names[1]
