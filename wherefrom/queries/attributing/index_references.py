"""Reads references, repository records and ages of lines from an index, and keeps them for the next search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from functools import lru_cache, partial
from typing import Any

from wherefrom.analyzers.references import References, expressions, load_references
from wherefrom.engines.engine import Engine
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.queries.attributing.evidence import Statements
from wherefrom.queries.filters import AdmittedBlobs
from wherefrom.queries.history import Histories, LineRanges
from wherefrom.queries.occurrences import record_of
from wherefrom.results import Age, SearchResult
from wherefrom.results.search import MOST_LICENSED
from wherefrom.sources.indexed import days_of_lines, first_committed

DATED_SECONDS = 10.0  # so long one search may look for days of commits; days that are not found by then stay unknown
_KEPT = 20_000  # at most this many entries of a cache are kept


class IndexReferences:
    """Reads references of locations in an index. Keeps them, and `admitted_blobs` of filters, for the next search."""

    def __init__(self, engine: Engine) -> None:
        self.admitted_blobs = AdmittedBlobs(engine)
        self._engine = engine
        self._references: dict[str, References | None] = {}
        self.record = lru_cache(_KEPT)(engine.repository)
        self._with_remote = lru_cache(_KEPT)(partial(record_of, engine))
        self._blob_at = lru_cache(_KEPT)(self._read_blob_at)
        self._at_the_root = lru_cache(_KEPT)(self._read_root)
        self._histories = Histories(engine)
        self._is_refreshed = False
        self._ages: dict[tuple[object, ...], Age | None] = {}
        self._days: dict[tuple[object, ...], date | None] = {}
        self._dated = 0.0

    def refresh(self) -> None:
        """Begins a search: forgets everything that another commit to the index may have changed."""
        self._dated = 0.0
        self._is_refreshed = False
        self._ages.clear()
        self.record.cache_clear()
        self._with_remote.cache_clear()
        self._references = {blob: found for blob, found in self._references.items() if found is not None}

    @property
    def histories(self) -> Histories:
        """The history of the index. Only a search that asks for ages looks whether there is one."""
        if not self._is_refreshed:
            self._histories.refresh()
            self._is_refreshed = True
        return self._histories

    def load(self, blobs: Iterable[str]) -> None:
        """Reads the references of some blobs at once."""
        missing = {blob for blob in blobs if blob not in self._references}
        if missing:
            found = self._engine.references(missing)
            _make_room(self._references)
            for blob in missing:
                self._references[blob] = load_references(found[blob]) if blob in found else None

    def references_of(self, blob: str) -> References | None:
        """The references of a blob; None if the index does not have it."""
        self.load([blob])
        return self._references[blob]

    def statements(self, occurrence: Occurrence) -> Statements:
        """The references at a location: those of its file, and those of the notices of its repository or package."""
        notices, record = self.notices_of(occurrence.repository), self.record(occurrence.repository)
        license = expressions.declared(record.package.license) if record is not None and record.package else ""
        return Statements(occurrence.path, self.references_of(occurrence.blob), notices, license)

    def with_licenses(self, found: SearchResult) -> SearchResult:
        """Adds to an answer the licenses of the first `MOST_LICENSED` places of each hit."""
        places = [hit.places[:MOST_LICENSED] for hit in found.hits]
        shown = {place.occurrence.repository for own in places for place in own} & found.repositories.keys()
        notices = [notice.blob for key in shown for notice in found.repositories[key].notices]
        self.load([*notices, *(place.occurrence.blob for own in places for place in own)])
        stated = [[self.statements(place.occurrence).licenses(place.line_ranges) for place in own] for own in places]
        hits = (
            replace(hit, licenses=(*own, *[None] * (len(hit.occurrences) - len(own))))
            for hit, own in zip(found.hits, stated, strict=True)
        )
        return replace(found, hits=tuple(hits))

    def notices_of(self, repository: str) -> list[tuple[str, References]]:
        """Path and references of the notices of a repository, those nearest to its root first."""
        record = self.record(repository)
        notices = record.notices if record else ()
        self.load(notice.blob for notice in notices)
        stated = ((notice.path, self.references_of(notice.blob)) for notice in notices)
        return [(path, found) for path, found in stated if found is not None]

    def repository_at(self, key: str) -> RepositoryRecord | None:
        """The record of the repository with the remote `key` (see `record_of`); None if no repository has it."""
        record = self._with_remote(key)
        return None if record is None or record.remote is None else record

    def blob_at(self, record: RepositoryRecord, path: str) -> str | None:
        """The blob at a path of a repository; None if the index has no file there."""
        return self._blob_at(record.key, record.revision, path)

    def _read_blob_at(self, key: str, _revision: str, path: str) -> str | None:
        return next((at.blob for at in self._engine.occurrences(repository=key) if at.path == path), None)

    def at_the_root(self, record: RepositoryRecord) -> list[References]:
        """The references of the files at the root of a repository."""
        blobs = self._at_the_root(record.key, record.revision)
        self.load(blobs)
        return [found for blob in blobs if (found := self.references_of(blob)) is not None]

    def _read_root(self, key: str, _revision: str) -> list[str]:
        return [at.blob for at in self._engine.occurrences(repository=key) if "/" not in at.path]

    def load_ages(self, places: Iterable[tuple[Occurrence, LineRanges]]) -> None:
        """Reads the ages of some lines (as `Histories.ages` takes them) at once from the history of the index."""
        missing = {key: (at, lines) for at, lines in places if (key := _lines_key(at, lines)) not in self._ages}
        if not missing:
            return
        _make_room(self._ages)
        self._ages.update(zip(missing, self.histories.ages([*missing.values()]), strict=True))

    def _age(self, occurrence: Occurrence, ranges: LineRanges) -> Age | None:
        self.load_ages([(occurrence, ranges)])
        return self._ages[_lines_key(occurrence, ranges)]

    def first_seen(self, occurrence: Occurrence, ranges: LineRanges, *, if_known: bool = False) -> date | None:
        """The day on which the oldest of some lines appeared at an occurrence, if the history of the index tells it,
        else the day of the first commit of the file, see `sources.indexed`; None if that is not found within
        `DATED_SECONDS`. With `if_known`, git is not run, and only a day that was found before is returned.
        """
        if (age := self._age(occurrence, ranges)) is not None:
            return _date(age.first.day)
        if (record := self.record(occurrence.repository)) is None:
            return None
        key = record.key, record.revision, occurrence.path
        if if_known:
            return self._days.get(key)
        return self._day(key, lambda seconds: first_committed(record, occurrence.path, seconds=seconds))

    def newest_line(self, occurrence: Occurrence, ranges: LineRanges) -> date | None:
        """The day of the newest of some lines: since that day, the file has all of them. None as in `first_seen`, or if
        the history of the index shows that the day may be too early.
        """
        if (age := self._age(occurrence, ranges)) is not None:
            return None if age.newest is None else _date(age.newest.not_after)
        if (record := self.record(occurrence.repository)) is None:
            return None

        def find(seconds: float) -> date | None:
            days = days_of_lines(record, occurrence.path, ranges, revision=record.revision, seconds=seconds)
            return days[1] if days else None

        return self._day((record.key, record.revision, occurrence.path, *ranges), find)

    def _day(self, key: tuple[object, ...], find: Callable[[float], date | None]) -> date | None:
        left = DATED_SECONDS - self._dated
        if key in self._days or left <= 0:
            return self._days.get(key)
        begin = time.monotonic()
        found = find(left)
        spent = time.monotonic() - begin
        self._dated += spent
        if spent < left:  # otherwise the search for the day was cut short
            _make_room(self._days)
            self._days[key] = found
        return found


def _lines_key(occurrence: Occurrence, ranges: LineRanges) -> tuple[object, ...]:
    return occurrence.repository, occurrence.path, occurrence.blob, *ranges


def _date(day: str | None) -> date | None:
    return None if day is None else date.fromisoformat(day)


def _make_room(kept: dict[Any, Any]) -> None:
    if len(kept) > _KEPT:
        kept.clear()
