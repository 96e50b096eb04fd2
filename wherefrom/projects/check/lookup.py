"""Looks one file up: as a whole, then unit by unit."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import stamps
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.references import LICENSES, ReferenceKind, of_project_file, scope
from wherefrom.analyzers.tokens import part
from wherefrom.analyzers.units import Unit
from wherefrom.engines.engine import Engine
from wherefrom.fitted import CHARACTERS, COPIED
from wherefrom.languages import LANGUAGES
from wherefrom.model import SkipReason
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.projects.changes.comparison import Changed
from wherefrom.projects.check.findings import MOST_OCCURRENCES, FileCopy
from wherefrom.projects.check.judging import (
    CheckedFile,
    CheckedPiece,
    CountedFinding,
    LocatedPiece,
    PieceJudge,
    PieceMatch,
    added_runs,
    pieces,
    tokens_on,
)
from wherefrom.projects.check.project import Project
from wherefrom.queries import statistics
from wherefrom.queries.attributing import index_references
from wherefrom.queries.filters import OwnPlaces
from wherefrom.queries.judging.odds import OF_MANY
from wherefrom.queries.occurrences import records_at
from wherefrom.queries.preparation.preparing import boilerplate_mask
from wherefrom.queries.searching import search_tokens
from wherefrom.queries.similarity.whole_files import WholeFileMatch, identical_file, nearest_files
from wherefrom.support.positions import encoding, newlines
from wherefrom.support.values import asdict, dataclass
from wherefrom.support.version import __version__

_MARK = re.compile(r"wherefrom:[ \t]{0,20}ok\b(.*)", re.IGNORECASE)
_LONG_COMMENTS = {closing.decode() for language in LANGUAGES.values() for _, closing in language.long_comments}
_ENDS = re.compile("|".join(map(re.escape, sorted({*_LONG_COMMENTS, "#}", "%}"}))))
"""The marks that end a long comment, in all languages and in HTML templates."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks `wherefrom: ok` of a file: the reasons, which may be empty, by line, and the lines with a comment."""

    reasons: Mapping[int, str]
    comments: frozenset[int]

    @property
    def unexplained(self) -> list[int]:
        """The lines of marks without a reason."""
        return [line for line, reason in self.reasons.items() if not reason]

    def reason(self, *starts: int, last: int) -> str | None:
        """The reason of the first mark on the lines from the lowest of `starts` to `last`, or in the comment directly
        above them. None if no such mark has a reason.
        """
        first = min(starts)
        while first - 1 in self.comments:
            first -= 1
        return next((reason for line, reason in self.reasons.items() if first <= line <= last and reason), None)


def marks(content: bytes, analysis: Analysis) -> Marks:
    """The marks in the comments of a file, or anywhere in it if its language has no grammar."""
    reasons: dict[int, str] = {}
    lines: set[int] = set()
    ends = newlines(content).tolist()
    # Without a grammar, nothing shows where the comments are, so marks are searched in the whole file.
    everywhere = [] if LANGUAGES[analysis.language].grammar else [(0, len(content))]
    for start, end in analysis.comments or everywhere:
        first = bisect_right(ends, start - 1) + 1
        text = content[start:end].decode(encoding(content), "replace")
        for number, line in enumerate(text.split("\n"), first):
            lines.add(number)
            if mark := _MARK.search(line):
                reason = " ".join(_ENDS.split(mark[1], maxsplit=1)[0].split()).strip(" :,;-–—")
                reasons.setdefault(number, reason if any(map(str.isalnum, reason)) else "")
    return Marks(dict(sorted(reasons.items())), frozenset(lines if analysis.comments else reasons))


_NOTICES = LICENSES | {ReferenceKind.COPYRIGHT}

_HEADER = 20  # text that begins at most this many lines below a license or copyright line belongs to the same header


@dataclass(frozen=True, slots=True)
class LookedUpFile:
    """A file that was looked up: its findings, the marks that accept some, and the number of units that were looked up.
    `has_code` tells whether it has any units, `is_boilerplate` whether it is mostly boilerplate, which was left out.
    `without_grammar` has the languages that were read as text.
    """

    path: str
    marks: Marks
    found: Sequence[CountedFinding]
    units: int
    has_code: bool
    is_boilerplate: bool = False
    without_grammar: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """The part of a check that is the same for all of its files. `search` has the options of each search; `is_shown`
    tells whether only the parts of files that a diff shows are known.
    """

    project: Project
    options: CheckOptions
    search: SearchOptions
    own: OwnPlaces
    is_shown: bool = False

    def digest(self, engine: Engine) -> str:
        """A digest of everything that affects a lookup, except the file: 64 hexadecimal digits."""
        values = (
            __version__,
            sorted(stamps.installed().items()),
            statistics.index_digest(engine, self.search.without_sets),
            self.project.digest(),
            self.own.shown(),
            self.is_shown,
            self.options.min_tokens,
            asdict(self.options.limits),
        )
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


class FileLookup:
    """Looks files up in an index."""

    def __init__(self, setup: Setup, engine: Engine, analyzer: Analyzer) -> None:
        self._setup, self._engine, self._analyzer = setup, engine, analyzer
        self._references = index_references.IndexReferences(engine)
        self._judge = PieceJudge(self._references, setup.project)

    def file(self, changed: Changed) -> LookedUpFile | SkipReason | None:
        """Looks a file up. Returns the reason if it is skipped, or None if it is a license, a README or the like."""
        path, content = changed.path, changed.content
        if not isinstance(content, bytes):
            return content
        if scope(path) is not None:
            return None
        options, is_shown = self._setup.options, self._setup.is_shown
        analyzed = self._analyzer.units(path, content, options.limits, options.min_tokens, is_piece=is_shown)
        if isinstance(analyzed, SkipReason):
            return analyzed
        analysis, units = analyzed
        added = tokens_on(analysis.tokens, changed.added)
        masked = boilerplate_mask(analysis.tokens, self._setup.search.without_sets)
        file = CheckedFile(path, content, analysis, units, of_project_file(content, analysis), added, masked)
        found: list[CountedFinding] = []
        is_mostly_added = 2 * int(np.count_nonzero(added)) >= len(added)
        copies, others = self._copies(file) if is_mostly_added else ([], 0)
        copy = copies[0] if copies else None
        if copy is not None:
            found += self._judge.findings(self._copied(file, copies, others))
        looked_up = 0
        for unit in units:
            is_meant = changed.is_whole or int(added[unit.begin : unit.end].sum()) >= self._least(unit)
            if is_meant and not (copy is not None and _is_copied(unit, copy.matched)):
                looked_up += 1
                for located in self._pieces(file, unit):
                    best = located.piece.matches[0].hit.occurrences
                    if copy is None or all(at.blob != copy.hit.blob for at in best):
                        found += self._judge.findings(located)
        is_boilerplate = 2 * int(np.count_nonzero(masked)) > len(masked)
        marked = marks(content, analysis)
        return LookedUpFile(path, marked, found, looked_up, bool(units), is_boilerplate, analysis.left_out)

    def _pieces(self, file: CheckedFile, unit: Unit) -> Iterator[LocatedPiece]:
        least = self._least(unit)
        result = search_tokens(
            self._engine,
            part(file.stream, unit.begin, unit.end),
            self._setup.search,
            name=file.path,
            language=file.analysis.language,
            own=self._setup.own,
            least=OF_MANY,
            references=self._references,
        )
        more = result.total - len(result.hits)
        for piece in pieces(file.stream, unit, result.hits, least):
            if not (unit.is_text and _is_notice(file, piece)):
                yield LocatedPiece(file, piece, added_runs(piece, file.added, least), more, result.repositories)

    def _least(self, unit: Unit) -> int:
        return self._setup.options.min_tokens * (CHARACTERS if unit.is_text else 1)

    def _copies(self, file: CheckedFile) -> tuple[list[WholeFileMatch], int]:
        """The indexed files that have nearly all of a file, the best first, and the number of unseen candidates."""
        stream, language = file.stream, file.analysis.language
        counted = np.zeros(len(stream), np.bool_)
        for unit in file.units:
            counted[unit.begin : unit.end] = True
        counted &= ~file.masked
        if not file.units or int(counted.sum()) < min(map(self._least, file.units)):
            return [], 0
        own = self._setup.own
        same = identical_file(self._engine, file.content, stream, language=language, counted=counted, own=own)
        if same is not None:
            return [same], 0
        if len(file.units) == 1:  # the search for its only unit finds the same
            return [], 0
        return nearest_files(self._engine, stream, language=language, counted=counted, own=own)

    def _copied(self, file: CheckedFile, copies: Sequence[WholeFileMatch], others: int) -> LocatedPiece:
        best = copies[0]
        piece = CheckedPiece(Unit(0, len(file.stream), is_function=False), np.flatnonzero(best.matched))
        piece.matches += (PieceMatch(copy.hit, np.flatnonzero(copy.matched), copy.hit.regions) for copy in copies)
        occurrences = tuple(occurrence for copy in copies for occurrence in copy.hit.occurrences)
        copy = FileCopy(
            identical=best.identical,
            share=best.share,
            functions=sum(unit.is_function and _is_copied(unit, best.matched) for unit in file.units),
            occurrences=occurrences[:MOST_OCCURRENCES],
        )
        return LocatedPiece(file, piece, [piece.span], others, records_at(self._engine, occurrences), copy)


def _is_copied(unit: Unit, matched: NDArray[np.bool_]) -> bool:
    return float(matched[unit.begin : unit.end].mean()) >= COPIED


def _is_notice(file: CheckedFile, piece: CheckedPiece) -> bool:
    """Whether a piece is part of a license header. A header is looked up only if comments cannot be told from code."""
    begin, end = piece.span
    first, last = int(file.stream.start_lines[begin]), int(file.stream.end_lines[end - 1])
    return any(first - _HEADER <= found.line <= last for found in file.own.found if found.kind in _NOTICES)
