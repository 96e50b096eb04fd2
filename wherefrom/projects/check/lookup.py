"""The lookups of one file: as a whole, then unit by unit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom import queries
from wherefrom.analyzers import stamps
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.references import LICENSES, Kind, of_file, scope
from wherefrom.analyzers.tokens import part
from wherefrom.analyzers.units import Unit
from wherefrom.engines.engine import Engine
from wherefrom.fitted import CHARACTERS, NEARLY_ALL
from wherefrom.model import SkipReason
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.projects.check.accepted import Marks, marks
from wherefrom.projects.check.findings import MOST_OCCURRENCES, FileCopy
from wherefrom.projects.check.judging import CountedFinding, LocatedPiece, PieceJudge
from wherefrom.projects.check.pieces import CheckedFile, CheckedPiece, PieceMatch, added_runs, pieces, tokens_on
from wherefrom.projects.check.project import Project
from wherefrom.queries.judging.rule import STRONG
from wherefrom.queries.occurrences import records_at
from wherefrom.queries.preparation.preparing import boilerplate_mask
from wherefrom.queries.searching import search_tokens
from wherefrom.queries.similarity.whole_files import WholeFile, identical_file, nearest_files
from wherefrom.support.version import __version__

if TYPE_CHECKING:
    from wherefrom.projects.changes.comparison import Changed

_NOTICES = LICENSES | {Kind.COPYRIGHT}

_HEADER = 20
"""Lines of a header before a part of it."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was looked at; `units` of it were looked up, `has_code` says whether there were any, and
    `is_boilerplate` whether most of it is boilerplate that was left out.
    """

    path: str
    marks: Marks
    found: Sequence[CountedFinding]
    units: int
    has_code: bool
    is_boilerplate: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """What files are compared with, and how.

    Attributes:
        project: what the project says.
        options: of the check.
        search: of each search.
        own: keys of repositories that are the project's own.
        is_shown: the files are known as far as a diff shows them.
    """

    project: Project
    options: CheckOptions
    search: SearchOptions
    own: frozenset[str]
    is_shown: bool = False

    def digest(self, engine: Engine) -> str:
        """A digest of all that a lookup depends on beside the file: 64 hexadecimal digits."""
        values = (
            __version__,
            sorted(stamps.installed().items()),
            queries.index_digest(engine, self.search.without_sets),
            self.project.digest(),
            sorted(self.own),
            self.is_shown,
            self.options.min_tokens,
            asdict(self.options.limits),
        )
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


class FileLookup:
    """Looks files up in an index, analyzed by `analyzer`."""

    def __init__(self, setup: Setup, engine: Engine, analyzer: Analyzer) -> None:
        self._engine, self._analyzer, self._own = engine, analyzer, setup.own
        self._options, self._search, self._is_shown = setup.options, setup.search, setup.is_shown
        self._references = queries.IndexReferences(engine)
        self._judge = PieceJudge(self._references, setup.project)

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
        analyzed = self._analyzer.units(
            path, content, self._options.limits, self._options.min_tokens, is_piece=self._is_shown
        )
        if isinstance(analyzed, SkipReason):
            return analyzed
        analysis, units = analyzed
        added = tokens_on(analysis.tokens, changed.added)
        masked = boilerplate_mask(analysis.tokens, self._search.without_sets)
        file = CheckedFile(path, content, analysis, units, of_file(content, analysis), added, masked)
        found: list[CountedFinding] = []
        is_mostly_added = 2 * int(np.count_nonzero(added)) >= len(added)
        copies, others = self._copies(file) if is_mostly_added else ([], 0)
        copy = copies[0] if copies else None
        if copy is not None:
            found += self._judge.findings(self._copied(file, copies, others))
        looked_up = 0
        for unit in units:
            is_meant = is_whole or int(added[unit.begin : unit.end].sum()) >= self._least(unit)
            if is_meant and not (copy is not None and _is_held(unit, copy.matched)):
                looked_up += 1
                for located in self._pieces(file, unit):
                    if copy is None or not _is_of(located.piece, copy):
                        found += self._judge.findings(located)
        is_boilerplate = 2 * int(np.count_nonzero(masked)) > len(masked)
        return Checked(path, marks(content, analysis), found, looked_up, bool(units), is_boilerplate)

    def _pieces(self, file: CheckedFile, unit: Unit) -> Iterator[LocatedPiece]:
        """The pieces of a unit that appear elsewhere, without headers of licenses."""
        least = self._least(unit)
        result = search_tokens(
            self._engine,
            part(file.stream, unit.begin, unit.end),
            self._search,
            name=file.path,
            language=file.analysis.language,
            own=self._own,
            least=STRONG,
            references=self._references,
        )
        more = result.total - len(result.hits)
        for piece in pieces(file.stream, unit, result.hits, least):
            if not (unit.is_text and _is_notice(file, piece)):
                yield LocatedPiece(file, piece, added_runs(piece, file.added, least), more, result.repositories)

    def _least(self, unit: Unit) -> int:
        """Tokens of the shortest piece of a unit."""
        return self._options.min_tokens * (CHARACTERS if unit.is_text else 1)

    def _copies(self, file: CheckedFile) -> tuple[list[WholeFile], int]:
        """The indexed files that have all of a file, or nearly, the best first, and how many more there may be; none
        for a file without code.
        """
        stream, language = file.stream, file.analysis.language
        counted = np.zeros(len(stream), np.bool_)
        for unit in file.units:
            counted[unit.begin : unit.end] = True
        counted &= ~file.masked
        if not file.units or int(counted.sum()) < min(map(self._least, file.units)):
            return [], 0
        same = identical_file(self._engine, file.content, stream, language=language, counted=counted, own=self._own)
        if same is not None:
            return [same], 0
        if len(file.units) == 1:  # to look that one up is as quick
            return [], 0
        return nearest_files(self._engine, stream, language=language, counted=counted, own=self._own)

    def _copied(self, file: CheckedFile, copies: Sequence[WholeFile], others: int) -> LocatedPiece:
        """A file that is a copy as a whole; `copies` and `others` are what `_copies` gives."""
        best = copies[0]
        piece = CheckedPiece(Unit(0, len(file.stream), is_function=False), np.flatnonzero(best.matched))
        piece.matches += (PieceMatch(copy.hit, np.flatnonzero(copy.matched), copy.hit.regions) for copy in copies)
        occurrences = tuple(occurrence for copy in copies for occurrence in copy.hit.occurrences)
        copy = FileCopy(
            identical=best.identical,
            share=best.share,
            functions=sum(unit.is_function and _is_held(unit, best.matched) for unit in file.units),
            occurrences=occurrences[:MOST_OCCURRENCES],
        )
        return LocatedPiece(file, piece, [piece.span], others, records_at(self._engine, occurrences), copy)


def _is_held(unit: Unit, matched: NDArray[np.bool_]) -> bool:
    """Whether a unit is part of what matches as a whole file."""
    return float(matched[unit.begin : unit.end].mean()) >= NEARLY_ALL


def _is_of(piece: CheckedPiece, copy: WholeFile) -> bool:
    """Whether the best hit of a piece is the file that the whole file is a copy of."""
    return any(at.blob == copy.hit.blob for at in piece.matches[0].hit.occurrences)


def _is_notice(file: CheckedFile, piece: CheckedPiece) -> bool:
    """Whether a piece is part of a header with a license: if comments are not told from code, these are alike."""
    begin, end = piece.span
    first, last = int(file.stream.start_lines[begin]), int(file.stream.end_lines[end - 1])
    return any(first - _HEADER <= each.line <= last for each in file.own.found if each.kind in _NOTICES)
