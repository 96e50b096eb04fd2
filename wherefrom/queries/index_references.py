"""What the locations of an index say of their source, read once and kept from one search to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from wherefrom.analyzers.references import LICENSES, References, load_references, scope
from wherefrom.sources.history import first_committed

if TYPE_CHECKING:
    from wherefrom.engines.engine import Engine
    from wherefrom.model import Notice, Occurrence, RepositoryRecord

DATED_SECONDS = 10.0
"""What all of these may take in one search; the days that are not found until then stay unknown."""

_KEPT = 20_000
"""Blobs whose references are kept in memory."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class IndexReferences:
    """What the locations of an index say of their source.

    Remembers what it has read, and from one search to the next what never changes.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._references: dict[str, References | None] = {}
        self._records: dict[str, RepositoryRecord | None] = {}
        self._days: dict[tuple[str, str, str], date | None] = {}
        self._dated = 0.0

    def refresh(self) -> None:
        """Begins a search: what another commit to the index may have changed is forgotten."""
        self._dated = 0.0
        self._records.clear()
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

    def notices_of(self, repository: str) -> list[tuple[Notice, References]]:
        """The files of a repository that speak for others and say something, those nearest to its root first."""
        record = self.record(repository)
        notices = record.notices if record else ()
        self.load(notice.blob for notice in notices)
        stated = ((notice, self.references_of(notice.blob)) for notice in notices)
        return [(notice, found) for notice, found in stated if found is not None and found.found]

    def licenses_of(self, occurrence: Occurrence) -> tuple[str, ...]:
        """The licenses that hold for a place: those that its file states, else those of the files that speak for the
        nearest folder above it.
        """
        notices = ((notice.path, stated) for notice, stated in self.notices_of(occurrence.repository))
        return licenses_at(occurrence.path, self.references_of(occurrence.blob), notices)

    def first_seen(self, occurrence: Occurrence) -> date | None:
        """The day of the first commit of its file, see `sources.history` and `DATED_SECONDS`."""
        record = self.record(occurrence.repository)
        if record is None:
            return None
        key = record.key, record.revision, occurrence.path
        left = DATED_SECONDS - self._dated
        if key in self._days or left <= 0:
            return self._days.get(key)
        begin = time.monotonic()
        found = first_committed(record, occurrence.path, seconds=left)
        spent = time.monotonic() - begin
        self._dated += spent
        if spent < left:  # else it was cut short
            _make_room(self._days, _KEPT)
            self._days[key] = found
        return found

    def record(self, repository: str) -> RepositoryRecord | None:
        """The record of a repository."""
        return _remembered(self._records, repository, lambda: self._engine.repository(repository))


def licenses_at(path: str, own: References | None, notices: Iterable[tuple[str, References]]) -> tuple[str, ...]:
    """The licenses that hold for a file: those that it states, else those of the files that speak for the nearest
    folder above it.

    Args:
        path: of the file.
        own: what it says, None where that is not known.
        notices: path and words of the files that speak for others, in its repository.
    """
    if own is not None and (stated := _stated([own])):
        return stated
    by_folder: dict[str, list[References]] = {}
    for notice, references in notices:
        folder = scope(notice)
        if folder is not None and (not folder or path.startswith(f"{folder}/")):
            by_folder.setdefault(folder, []).append(references)
    nearest = sorted(by_folder, key=len, reverse=True)
    return next((stated for folder in nearest if (stated := _stated(by_folder[folder]))), ())


def _stated(files: Iterable[References]) -> tuple[str, ...]:
    found = (each.value for references in files for each in references.found if each.kind in LICENSES)
    return tuple(dict.fromkeys(found))


def _remembered(kept: dict[_Key, _Value], key: _Key, ask: Callable[[], _Value]) -> _Value:
    if key not in kept:
        _make_room(kept, _KEPT)
        kept[key] = ask()
    return kept[key]


def _make_room(kept: dict[_Key, _Value], most: int) -> None:
    if len(kept) > most:
        kept.clear()
