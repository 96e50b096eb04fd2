"""Turns a piece that appears elsewhere into findings: whether the project credits the place, and whether the licenses
of both sides conflict.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.references import References
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.analyzers.units import Unit
from wherefrom.model import Hashes, LicenseJudgment, Occurrence, RepositoryRecord, Rule
from wherefrom.projects.check.findings import MOST_PLACES, FileCopy, Finding, MatchedLocation, Relicensed
from wherefrom.projects.check.license_conflicts import judge, licenses_conflict
from wherefrom.projects.check.project import Project, origin_of
from wherefrom.queries.alignment.regions import explained_tokens, region
from wherefrom.queries.attributing.evidence import Gathered, gather
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.decomposition.decompose import long_runs
from wherefrom.queries.spans import stretches
from wherefrom.results import Hit, RegionPair
from wherefrom.support.values import dataclass, field


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file whose `units` are looked up: functions, and the stretches between them. `own` are its references to its
    sources; `added` and `masked` tell for each token whether it is on an added line, or boilerplate.
    """

    path: str
    content: bytes
    analysis: Analysis
    units: Sequence[Unit]
    own: References
    added: NDArray[np.bool_]
    masked: NDArray[np.bool_]

    @property
    def stream(self) -> TokenStream:
        """The tokens of the file."""
        return self.analysis.tokens


@dataclass(frozen=True, slots=True)
class PieceMatch:
    """The part of a piece that a hit has: the `positions` of its tokens in the file, and the regions they belong to."""

    hit: Hit
    positions: NDArray[np.int64]
    regions: tuple[RegionPair, ...]


@dataclass(slots=True)
class CheckedPiece:
    """Consecutive tokens of a unit, with short gaps, that appear elsewhere. `positions` are the tokens that the best
    hit has, ascending. `matches` are the matches of all hits, the best first.
    """

    unit: Unit
    positions: NDArray[np.int64]
    matches: list[PieceMatch] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        """The half-open span from its first token to its last one."""
        return int(self.positions[0]), int(self.positions[-1]) + 1


def pieces(stream: TokenStream, unit: Unit, hits: Sequence[Hit], least: int) -> list[CheckedPiece]:
    """The pieces of a unit of a file, in order, from its hits, the best first.

    Each long run of at least `least` tokens of a hit that no better hit has becomes a piece. Earlier pieces that share
    as many tokens with the hit get it as a further match.
    """
    made: list[CheckedPiece] = []
    taken = np.zeros(len(stream), np.bool_)
    for hit in hits:
        begins = [int(stream.starts.searchsorted(pair.query.start_byte)) for pair in hit.regions]
        shared = explained_tokens(stream, hit.regions)
        fresh = [CheckedPiece(unit, run) for run in long_runs(np.flatnonzero(shared & ~taken), least)]
        for piece in [*made, *fresh]:
            first, end_of_piece = piece.span
            positions = first + np.flatnonzero(shared[first:end_of_piece])
            if len(positions) >= least:
                regions = (
                    pair
                    for pair, begin in zip(hit.regions, begins, strict=True)
                    if begin < end_of_piece and first < begin + pair.tokens
                )
                piece.matches.append(PieceMatch(hit, positions, tuple(regions)))
        for piece in fresh:
            taken[slice(*piece.span)] = True
        made += fresh
    return sorted(made, key=lambda piece: int(piece.positions[0]))


def tokens_on(stream: TokenStream, lines: Sequence[tuple[int, int]] | None) -> NDArray[np.bool_]:
    """Marks the tokens that touch some ranges of lines (first and last, 1-based, inclusive, ascending). None: all."""
    if lines is None:
        return np.ones(len(stream), np.bool_)
    firsts = np.array([first for first, _ in lines], np.int64)
    lasts = np.array([last for _, last in lines], np.int64)
    # For each token, the first range that does not end before it. If this range does not touch the token, none does.
    near = lasts.searchsorted(stream.start_lines)
    inside = near < len(lines)
    on = np.zeros(len(stream), np.bool_)
    on[inside] = firsts[near[inside]] <= stream.end_lines[inside]
    return on


def added_runs(piece: CheckedPiece, added: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """The half-open spans of consecutive added tokens in a piece that each have at least `least` matched tokens. If no
    span has as many but all together do, the span with the most is returned. If all together have fewer, none is.
    """
    begin, end = piece.span
    matched = np.zeros(end - begin, np.int64)
    matched[piece.positions - begin] = 1
    matched *= added[begin:end]
    if int(matched.sum()) < least:
        return []
    spans = stretches(added[begin:end]).tolist()
    counted = [(int(matched[first:last].sum()), begin + first, begin + last) for first, last in spans]
    long = [(first, last) for count, first, last in counted if count >= least]
    return long or [max(counted)[1:]]


def file_fingerprint(source: str) -> str:
    """The fingerprint of a copied file: 32 hexadecimal digits of a hash of `source`, a colon, and 1. An edit of the
    copy does not change it, as long as `source` stays the blob id of its origin.
    """
    return f"{hashlib.blake2b(b'file ' + source.encode(), digest_size=16).hexdigest()}:1"


def fingerprint(codes: Hashes, positions: NDArray[np.int64], source: str) -> str:
    """The fingerprint of a piece: 32 hexadecimal digits of a hash of its matched tokens and its source, a colon, and
    its number among the pieces of the file with the same tokens, from 1.

    `codes` are those of the whole file, `positions` ascend, and `source` is the blob id of the best match.
    """
    stored = codes.astype("<u8")
    digest = hashlib.blake2b(digest_size=16)
    for part in (stored[positions].tobytes(), source.encode()):
        digest.update(b"%d " % len(part) + part)
    begin, end = int(positions[0]), int(positions[-1]) + 1
    wanted, text = stored[begin:end].tobytes(), stored[:begin].tobytes()
    number, at = 1, 0
    while (at := text.find(wanted, at)) >= 0:
        is_whole = at % stored.itemsize == 0
        number += is_whole
        at += len(wanted) if is_whole else 1
    return f"{digest.hexdigest()}:{number}"


_LOOKED_AT = 50  # at most this many occurrences of a group are searched for one that the project credits
_LICENSED = 10  # the licenses of at most this many occurrences of a group are compared

_VERSION = re.compile(
    r"[-_@/](?:v\d+|v?\d+(?:[._]\d+)+)(?:[-_.+]?(?:a|alpha|b|beta|rc|pre|post|dev|final|release|src|source|orig)(?:\.?\d+)?)*"
    r"(?:\.(?:tar|tgz|tbz2?|txz|zip|whl|gz|bz2|xz|zst))*$",
    re.IGNORECASE,
)
"""The version at the end of a key, such as `-7.0.0` or `@v2`, with the ending of an archive's name."""


@dataclass(frozen=True, slots=True)
class CountedFinding:
    """A finding with the facts that decide whether it counts and is accepted."""

    finding: Finding  # the finding
    counts: bool  # whether it is on added lines. In a check of a whole project, all lines count as added
    # lines where the code begins. A mark accepts the finding if it is on a line from the lowest of these to `last`, or
    # in the comment directly above
    starts: tuple[int, ...]
    last: int  # the last line on which a mark counts
    # the fingerprints of the whole file as a copy of each content with the piece; empty for a copied file. A baseline
    # has one of them if it was written when the whole file was a copy
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LocatedPiece:
    """A piece in its file. `runs` are its half-open token spans on added lines; the search counted `more` further hits
    but did not return them. `repositories` has the records of all hits by key, and `copy` the details if the piece is a
    whole file.
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
        """The places of a piece, credited ones first, and the occurrences whose licenses count."""
        places = [self._place(match, located) for match in located.piece.matches]
        places.sort(key=lambda pair: not pair[0].evidence)
        is_credited = bool(places[0][0].evidence)
        counted = [at for place, licensed in places if place.evidence or not is_credited for at in licensed]
        return [place for place, _ in places], counted

    def _place(self, match: PieceMatch, located: LocatedPiece) -> tuple[MatchedLocation, list[_Licensed]]:
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
            translated_from=match.hit.translated_from,
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
        """Another release of a repository in `counted` that has the code under a license that does not conflict."""
        for there in counted:
            record = located.repositories.get(there.occurrence.repository)
            if record is None or not licenses_conflict(own, there.licenses):
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
        """The first occurrence that the project credits, or hints at, or the first; with these references."""
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
    return [(pair.document.start_line, pair.document.end_line) for pair in match.regions]


def _fingerprints(located: LocatedPiece) -> tuple[str, tuple[str, ...]]:
    best = located.piece.matches[0].hit
    if located.is_file:
        return file_fingerprint(best.blob), ()
    mark = fingerprint(located.file.stream.codes, located.piece.positions, best.blob)
    return mark, tuple(map(file_fingerprint, dict.fromkeys(at.blob for at in best.occurrences)))


def _marked_lines(located: LocatedPiece, finding: Finding) -> tuple[tuple[int, ...], int]:
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
