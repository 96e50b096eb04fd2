"""One file: its units looked up, and what is found in the light of what the project says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.references import LICENSES, Kind, References, of_file, scope
from wherefrom.analyzers.units import CHARACTERS, Unit, part
from wherefrom.check.accepted import Marks, marks
from wherefrom.check.finding_ids import file_fingerprint, fingerprint
from wherefrom.check.findings import MOST_OCCURRENCES, MOST_PLACES, FileCopy, Finding, MatchedLocation
from wherefrom.check.license_conflicts import judge
from wherefrom.check.pieces import Piece, PieceMatch, added_runs, pieces, tokens_on
from wherefrom.check.project import origin_of
from wherefrom.model import LicenseJudgment, Rule, SkipReason
from wherefrom.queries.evidence import Gathered
from wherefrom.queries.occurrences import records_at
from wherefrom.queries.prepare import boilerplate_mask
from wherefrom.queries.regions import region
from wherefrom.queries.search import search_tokens
from wherefrom.queries.whole_files import NEARLY, WholeFile, identical_file, nearest_files

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wherefrom.analyzers.analysis import Analysis
    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.changes.comparison import Changed
    from wherefrom.check.project import Project
    from wherefrom.engines.engine import Engine
    from wherefrom.model import Occurrence, RepositoryRecord
    from wherefrom.options import CheckOptions, SearchOptions
    from wherefrom.queries import IndexReferences
    from wherefrom.workers.analyzer import Analyzer

_LOOKED_AT = 50
"""Occurrences of a group among which one is looked for that the project names."""

_NOTICES = LICENSES | {Kind.COPYRIGHT}

_HEADER = 20
"""Lines of a header before a part of it."""

_LICENSED = 10
"""Occurrences of a group whose licenses are looked at."""


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, and what decides whether it counts and is accepted.

    Attributes:
        finding: the finding.
        counts: whether its lines are added, or all do.
        starts: the lines from one of which on a mark accepts it, or in the comment directly above.
        last: the last line on which a mark accepts it.
        files: of a piece the fingerprints that its file would have as a copy of one of the contents found.
    """

    finding: Finding
    counts: bool
    starts: tuple[int, ...]
    last: int
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was looked at; `units` of it were looked up, `has_code` says whether there were any."""

    path: str
    marks: Marks
    found: Sequence[Found]
    units: int
    has_code: bool


@dataclass(frozen=True, slots=True)
class _About:
    """A piece of a file that says `own`; `runs` are the token spans of it that count, `more` the hits beyond the ones
    that were taken; `repositories` holds the record of every repository named in the piece's hits. `copy` is of a piece
    that is the whole file, with so many `units`.
    """

    path: str
    stream: TokenStream
    own: References
    piece: Piece
    runs: Sequence[tuple[int, int]]
    more: int
    repositories: Mapping[str, RepositoryRecord]
    copy: FileCopy | None = None
    units: int = 1

    @property
    def is_file(self) -> bool:
        """Whether the piece is a whole file that has several units."""
        return self.copy is not None and self.units > 1


class Lookup:
    """Looks files up.

    Args:
        engine: the index.
        references: what its locations say of their source.
        project: what the project says.
        options: of the check.
        search: of each search.
        own: keys of repositories that are the project's own.
        analyzer: what analyzes the files.
    """

    def __init__(
        self,
        engine: Engine,
        references: IndexReferences,
        project: Project,
        *,
        options: CheckOptions,
        search: SearchOptions,
        own: frozenset[str],
        analyzer: Analyzer,
    ) -> None:
        self._engine = engine
        self._references = references
        self._project = project
        self._options = options
        self._search = search
        self._own = own
        self._analyzer = analyzer

    def file(self, changed: Changed, *, is_whole: bool) -> Checked | SkipReason | None:
        """What is found of a file; why it is not looked at; None for one that speaks for others, which is no code.

        Args:
            changed: the file.
            is_whole: look up all of it, also where not all counts.
        """
        path, content = changed.path, changed.content
        if not isinstance(content, bytes):
            return content
        if scope(path) is not None:
            return None
        analyzed = self._analyzer.units(path, content, self._options.limits, self._options.min_tokens)
        if isinstance(analyzed, SkipReason):
            return analyzed
        analysis, found_units = analyzed
        added = tokens_on(analysis.tokens, changed.added)
        own = of_file(content, analysis)
        found: list[Found] = []
        copies, others = self._copies(content, analysis, found_units) if added.all() else ([], 0)
        copy = copies[0] if copies else None
        if copy is not None:
            found += self._copied(path, analysis.tokens, own, (copies, others), found_units)
        looked_up = 0
        for unit in found_units:
            least = self._least(unit)
            if not is_whole and int(added[unit.begin : unit.end].sum()) < least:
                continue
            if copy is not None and _is_held(unit, copy.matched):
                continue
            looked_up += 1
            result = search_tokens(
                self._engine,
                part(analysis.tokens, unit.begin, unit.end),
                self._search,
                name=path,
                language=analysis.language,
                own=self._own,
                certain=True,
                references=self._references,
            )
            more = result.total - len(result.hits)
            for piece in pieces(analysis.tokens, unit, result.hits, least):
                if unit.is_text and _is_notice(analysis.tokens, own, piece):
                    continue
                if copy is not None and _is_of(piece, copy):
                    continue
                runs = added_runs(piece, added, least)
                about = _About(path, analysis.tokens, own, piece, runs, more, result.repositories)
                found += self._found(about)
        return Checked(path, marks(content, analysis), found, looked_up, bool(found_units))

    def _least(self, unit: Unit) -> int:
        """Tokens of the shortest piece of a unit."""
        return self._options.min_tokens * (CHARACTERS if unit.is_text else 1)

    def _copies(self, content: bytes, analysis: Analysis, found_units: Sequence[Unit]) -> tuple[list[WholeFile], int]:
        """The indexed files that have all of a file, or nearly, the best first, and how many more there may be; none
        where the file has no code.
        """
        stream = analysis.tokens
        counted = np.zeros(len(stream), np.bool_)
        for unit in found_units:
            counted[unit.begin : unit.end] = True
        counted &= ~boilerplate_mask(stream, self._search.without_sets)
        if not found_units or int(counted.sum()) < min(map(self._least, found_units)):
            return [], 0
        same = identical_file(self._engine, content, stream, language=analysis.language, counted=counted, own=self._own)
        if same is not None:
            return [same], 0
        if len(found_units) == 1:  # which is looked up as soon
            return [], 0
        return nearest_files(self._engine, stream, language=analysis.language, counted=counted, own=self._own)

    def _copied(
        self,
        path: str,
        stream: TokenStream,
        own: References,
        copies: tuple[Sequence[WholeFile], int],
        found_units: Sequence[Unit],
    ) -> Iterator[Found]:
        """What is found of a file that is a copy as a whole; `copies` as `_copies` gives them."""
        files, others = copies
        copy = files[0]
        positions = np.flatnonzero(copy.matched)
        piece = Piece(Unit(0, len(stream), is_function=False), positions)
        piece.matches += (PieceMatch(each.hit, np.flatnonzero(each.matched), each.hit.regions) for each in files)
        about = _About(
            path,
            stream,
            own,
            piece,
            [(int(positions[0]), int(positions[-1]) + 1)],
            others,
            records_at(self._engine, (at for each in files for at in each.hit.occurrences)),
            FileCopy(
                identical=copy.identical,
                share=copy.share,
                functions=sum(unit.is_function and _is_held(unit, copy.matched) for unit in found_units),
                occurrences=tuple(at for each in files for at in each.hit.occurrences)[:MOST_OCCURRENCES],
            ),
            len(found_units),
        )
        yield from self._found(about)

    def _found(self, about: _About) -> Iterator[Found]:
        stream, piece = about.stream, about.piece
        begin, end = int(piece.positions[0]), int(piece.positions[-1]) + 1
        lines = int(stream.start_lines[begin]), int(stream.end_lines[end - 1])
        named = [self._place(match, about, lines) for match in piece.matches]
        attributed = [each for each in named if each[0].evidence]
        others = [each for each in named if attributed and not each[0].evidence]
        counted = attributed or named
        licenses = self._project.licenses(about.path, about.own, lines)
        rules = [Rule.COPIED_ATTRIBUTED if attributed else Rule.COPIED_UNATTRIBUTED]
        judgment = judge(licenses, [theirs for _, places in counted for theirs in places])
        if judgment is LicenseJudgment.CONFLICT:
            rules.append(Rule.LICENSE_CONFLICT)
        source = piece.matches[0].hit.blob
        files: tuple[str, ...] = ()
        if about.is_file:
            mark = file_fingerprint(source)
        else:
            mark = fingerprint(stream.codes, piece.positions, source)
            contents = dict.fromkeys(at.blob for at in piece.matches[0].hit.occurrences)
            files = tuple(file_fingerprint(blob) for blob in contents)
        first_line = int(stream.start_lines[piece.unit.begin]) if piece.unit.is_function else lines[0]
        for rule in rules:
            for first, last in about.runs or [(begin, end)]:
                finding = Finding(
                    rule=rule,
                    path=about.path,
                    region=region(stream, first, last),
                    tokens=len(piece.positions) if about.copy else last - first,
                    fingerprint=mark,
                    places=tuple(place for place, _ in [*counted, *others][:MOST_PLACES]),
                    more=about.more,
                    licenses=licenses,
                    license_judgment=judgment,
                    copy=about.copy,
                )
                # A mark inside of a file is about a part of it.
                starts = (1,) if about.is_file else (finding.region.start_line, first_line)
                last_line = finding.region.start_line if about.is_file else finding.region.end_line
                yield Found(finding, bool(about.runs), starts, last_line, files)

    def _place(
        self, match: PieceMatch, about: _About, lines: tuple[int, int]
    ) -> tuple[MatchedLocation, list[tuple[str, ...]]]:
        """A place, and the licenses of some of its occurrences."""
        occurrences = match.hit.occurrences
        shown = occurrences[0]
        said = Gathered()
        matched = [(pair.document.start_line, pair.document.end_line) for pair in match.regions]
        self._references.load(each.blob for each in occurrences[:_LOOKED_AT])
        for each in occurrences[:_LOOKED_AT]:
            record, statements = about.repositories.get(each.repository), self._references.statements(each)
            origin = origin_of(record, statements, matched, is_file=about.is_file)
            found = self._project.says_of(origin, about.path, about.own, lines)
            if found.evidence or (found.hints and not said.hints):
                shown, said = each, found
            if found.evidence:
                break
        licenses = self._references.statements(shown).licenses(matched)
        others = _of_other_repositories(occurrences, shown)[: _LICENSED - 1]
        place = MatchedLocation(
            occurrence=shown,
            count=len(occurrences),
            regions=match.regions,
            matched_tokens=len(match.positions),
            licenses=licenses,
            evidence=said.evidence,
            hints=said.hints,
            decided_by=said.decided_by,
            record=about.repositories.get(shown.repository),
        )
        # Where the project names one of them, it is that one's license that holds.
        unnamed = () if said.evidence else others
        return place, [licenses, *(self._references.statements(each).licenses(matched) for each in unnamed)]


def _is_held(unit: Unit, matched: NDArray[np.bool_]) -> bool:
    """Whether a unit is part of what matches as a whole file."""
    return float(matched[unit.begin : unit.end].mean()) >= NEARLY


def _is_of(piece: Piece, copy: WholeFile) -> bool:
    """Whether the best hit of a piece is the file that the whole file is a copy of."""
    return any(at.blob == copy.hit.blob for at in piece.matches[0].hit.occurrences)


def _is_notice(stream: TokenStream, own: References, piece: Piece) -> bool:
    """Whether a piece is part of a header with a license: where comments are not told from code, these are alike."""
    first, last = int(stream.start_lines[piece.positions[0]]), int(stream.end_lines[piece.positions[-1]])
    return any(first - _HEADER <= each.line <= last for each in own.found if each.kind in _NOTICES)


def _of_other_repositories(occurrences: Sequence[Occurrence], shown: Occurrence) -> list[Occurrence]:
    by_repository = {each.repository: each for each in reversed(occurrences)}
    return [each for each in by_repository.values() if each.repository != shown.repository]
