"""What searches learn of an index, kept from one to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TypeVar

from wherefrom.analyzers.references import References, load_references
from wherefrom.engines.engine import Engine
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.queries.attributing.evidence import Statements
from wherefrom.queries.filters import AdmittedBlobs
from wherefrom.queries.occurrences import record_of
from wherefrom.sources.history import days_of_lines, first_committed

DATED_SECONDS = 10.0
"""What all of these may take in one search; the days that are not found until then stay unknown."""

_KEPT = 20_000
"""Blobs whose references are kept in memory."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class IndexReferences:
    """What the locations of an index say of their source, and the `admitted_blobs` of filters; kept from one search to
    the next.
    """

    def __init__(self, engine: Engine) -> None:
        self.admitted_blobs = AdmittedBlobs(engine)
        self._engine = engine
        self._references: dict[str, References | None] = {}
        self._records: dict[str, RepositoryRecord | None] = {}
        self._remotes: dict[str, RepositoryRecord | None] = {}
        self._blobs: dict[tuple[str, str, str], str | None] = {}
        self._roots: dict[tuple[str, str], tuple[str, ...]] = {}
        self._days: dict[tuple[object, ...], date | None] = {}
        self._dated = 0.0

    def refresh(self) -> None:
        """Begins a search: what another commit to the index may have changed is forgotten."""
        self._dated = 0.0
        self._records.clear()
        self._remotes.clear()
        self._references = {blob: found for blob, found in self._references.items() if found is not None}

    def load(self, blobs: Iterable[str]) -> None:
        """Reads what these blobs say, all at once."""
        missing = {blob for blob in blobs if blob not in self._references}
        if missing:
            found = self._engine.references(missing)
            _make_room(self._references, _KEPT)
            for blob in missing:
                self._references[blob] = load_references(found[blob]) if blob in found else None

    def references_of(self, blob: str) -> References | None:
        """What a blob says; None where the index does not hold it."""
        self.load([blob])
        return self._references[blob]

    def statements(self, occurrence: Occurrence) -> Statements:
        """What is said at a location: by its file, and by the files of its repository that speak for others."""
        notices = self.notices_of(occurrence.repository)
        return Statements(occurrence.path, self.references_of(occurrence.blob), notices)

    def notices_of(self, repository: str) -> list[tuple[str, References]]:
        """Path and words of the files of a repository that speak for others, those nearest to its root first."""
        record = self.record(repository)
        notices = record.notices if record else ()
        self.load(notice.blob for notice in notices)
        stated = ((notice.path, self.references_of(notice.blob)) for notice in notices)
        return [(path, found) for path, found in stated if found is not None]

    def repository_at(self, key: str) -> RepositoryRecord | None:
        """The record of the repository with this remote, see `record_of`; None where none has it."""
        record = _remembered(self._remotes, key, lambda: record_of(self._engine, key))
        return None if record is None or record.remote is None else record

    def blob_at(self, record: RepositoryRecord, path: str) -> str | None:
        """The blob at a path of a repository; None where nothing is there."""

        def find() -> str | None:
            return next((at.blob for at in self._engine.occurrences(repository=record.key) if at.path == path), None)

        return _remembered(self._blobs, (record.key, record.revision, path), find)

    def at_the_root(self, record: RepositoryRecord) -> list[References]:
        """What the files say that are in no folder of a repository."""

        def find() -> tuple[str, ...]:
            return tuple(at.blob for at in self._engine.occurrences(repository=record.key) if "/" not in at.path)

        blobs = _remembered(self._roots, (record.key, record.revision), find)
        self.load(blobs)
        return [said for blob in blobs if (said := self.references_of(blob)) is not None]

    def first_seen(self, occurrence: Occurrence, *, if_known: bool = False) -> date | None:
        """The day of the first commit of its file, see `sources.history` and `DATED_SECONDS`; with `if_known` only what
        was found before, and the history is not read.
        """
        record = self.record(occurrence.repository)
        if record is None:
            return None
        key = record.key, record.revision, occurrence.path
        if if_known:
            return self._days.get(key)
        return self._day(key, lambda seconds: first_committed(record, occurrence.path, seconds=seconds))

    def newest_line(self, occurrence: Occurrence, ranges: Sequence[tuple[int, int]]) -> date | None:
        """The day since which all of some lines (first and last, 1-based, inclusive) are in a file, likewise."""
        record = self.record(occurrence.repository)
        if record is None:
            return None

        def ask(seconds: float) -> date | None:
            revision = record.revision
            days = days_of_lines(record, occurrence.path, ranges, revision=revision, seconds=seconds)
            return days[1] if days else None

        return self._day((record.key, record.revision, occurrence.path, *ranges), ask)

    def _day(self, key: tuple[object, ...], ask: Callable[[float], date | None]) -> date | None:
        """What is asked for within the seconds that are left, remembered; None after these."""
        left = DATED_SECONDS - self._dated
        if key in self._days or left <= 0:
            return self._days.get(key)
        begin = time.monotonic()
        found = ask(left)
        spent = time.monotonic() - begin
        self._dated += spent
        if spent < left:  # else it was cut short
            _make_room(self._days, _KEPT)
            self._days[key] = found
        return found

    def record(self, repository: str) -> RepositoryRecord | None:
        """The record of a repository."""
        return _remembered(self._records, repository, lambda: self._engine.repository(repository))


def _remembered(kept: dict[_Key, _Value], key: _Key, ask: Callable[[], _Value]) -> _Value:
    if key not in kept:
        _make_room(kept, _KEPT)
        kept[key] = ask()
    return kept[key]


def _make_room(kept: dict[_Key, _Value], most: int) -> None:
    if len(kept) > most:
        kept.clear()
