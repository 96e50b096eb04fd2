"""Where blobs occur, at the revisions that are indexed now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from wherefrom.engines.engine import Engine
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results import Hit
from wherefrom.results.texts import Texts
from wherefrom.sources.contents import read_blob
from wherefrom.sources.repository_urls import comparable, ignores_case


def current_occurrences(
    engine: Engine, blobs: Collection[str], records: dict[str, RepositoryRecord] | None = None
) -> dict[str, list[Occurrence]]:
    """The occurrences of each of these blobs, by repository, then path, at the revision of the repository's record: one
    that did not change is not written again at a new revision. Records that are read are added to `records`.
    """
    places: dict[str, list[Occurrence]] = {blob: [] for blob in blobs}
    standing = list(engine.occurrences(blobs=blobs)) if blobs else []
    found = records_at(engine, standing, records)
    for occurrence in standing:
        record = found.get(occurrence.repository)
        places[occurrence.blob].append(replace(occurrence, revision=record.revision) if record else occurrence)
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
    """What reads the texts behind an answer of an index; `query` is what was looked up, or what reads it."""
    return Texts(query, lambda at: content_at(engine, at.repository, at.path, at.blob))


def record_of(engine: Engine, key: str) -> RepositoryRecord | None:
    """The record of a repository; on GitHub the case of letters does not count. None if it is not indexed."""
    record = engine.repository(key)
    if record is not None or not ignores_case(key):
        return record
    return next((other for other in engine.repositories() if comparable(other.key) == comparable(key)), None)


def with_records(
    engine: Engine, hits: Iterable[Hit], records: dict[str, RepositoryRecord] | None = None
) -> tuple[tuple[Hit, ...], dict[str, RepositoryRecord]]:
    """The hits, each of which knows the records of the repositories that they name, and these records; `records` as in
    `current_occurrences`.
    """
    hits = tuple(hits)
    named = records_at(engine, (occurrence for hit in hits for occurrence in hit.occurrences), records)
    return tuple(replace(hit, repositories=named) for hit in hits), named


def records_at(
    engine: Engine, places: Iterable[Occurrence], records: dict[str, RepositoryRecord] | None = None
) -> dict[str, RepositoryRecord]:
    """The record of every repository in which one of these places is; `records` as in `current_occurrences`."""
    keys = {occurrence.repository for occurrence in places}
    known = {} if records is None else records
    if missing := keys - known.keys():
        known.update((record.key, record) for record in engine.repositories(missing))
    return {key: known[key] for key in sorted(keys) if key in known}
