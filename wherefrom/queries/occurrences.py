"""Where blobs occur, at the revisions that are indexed now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wherefrom.results.texts import Texts
from wherefrom.sources import read_blob
from wherefrom.sources.repository_urls import comparable, ignores_case

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from wherefrom.engines.engine import Engine
    from wherefrom.model import Occurrence, RepositoryRecord
    from wherefrom.results import Hit


def current_occurrences(engine: Engine, blobs: Collection[str]) -> dict[str, list[Occurrence]]:
    """The occurrences of each of these blobs, by repository, then path.

    An occurrence that did not change is not written again when its repository is indexed at a new revision, so the
    revision is that of the repository's record.
    """
    places: dict[str, list[Occurrence]] = {blob: [] for blob in blobs}
    standing = list(engine.occurrences(blobs=blobs)) if blobs else []
    revisions = {record.key: record.revision for record in engine.repositories({each.repository for each in standing})}
    for occurrence in standing:
        revision = revisions.get(occurrence.repository, occurrence.revision)
        places[occurrence.blob].append(replace(occurrence, revision=revision))
    return places


def content_at(engine: Engine, repository: str, path: str, blob: str) -> bytes | None:
    """The content of a blob: from the index where it was kept, else from the clone by blob id; None where neither has
    it (any longer).
    """
    stored = engine.blobs([blob]).get(blob)
    if stored is not None and stored.source is not None:
        return stored.source
    record = engine.repository(repository)
    return read_blob(record, path, blob) if record else None


def texts(engine: Engine, query: bytes | Callable[[], bytes | None] | None = None) -> Texts:
    """What reads the texts behind an answer of an index.

    Args:
        engine: the index.
        query: what was looked up, or what reads it.
    """
    return Texts(query, lambda at: content_at(engine, at.repository, at.path, at.blob))


def record_of(engine: Engine, key: str) -> RepositoryRecord | None:
    """The record of a repository; on GitHub the case of letters does not count. None if it is not indexed."""
    record = engine.repository(key)
    if record is not None or not ignores_case(key):
        return record
    return next((other for other in engine.repositories() if comparable(other.key) == comparable(key)), None)


def with_records(engine: Engine, hits: Iterable[Hit]) -> tuple[tuple[Hit, ...], dict[str, RepositoryRecord]]:
    """The hits, each of which knows the records of the repositories that they name, and these records."""
    hits = tuple(hits)
    records = records_at(engine, (occurrence for hit in hits for occurrence in hit.occurrences))
    return tuple(replace(hit, repositories=records) for hit in hits), records


def records_at(engine: Engine, places: Iterable[Occurrence]) -> dict[str, RepositoryRecord]:
    """The record of every repository in which one of these places is."""
    keys = {occurrence.repository for occurrence in places}
    return {record.key: record for record in engine.repositories(keys)}
