"""Reads the present occurrences of blobs, their contents, and the records of their repositories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from wherefrom.analyzers.fingerprints import are_places
from wherefrom.analyzers.kernel import stored_stream
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines.engine import Engine
from wherefrom.model import Occurrence, RepositoryRecord, StoredBlob
from wherefrom.results import Hit
from wherefrom.results.locations import Colors, Texts
from wherefrom.sources.indexed import read_blob, read_blobs
from wherefrom.sources.repository_urls import comparable, ignores_case
from wherefrom.support.chunks import by_key


def current_occurrences(
    engine: Engine, blobs: Collection[str], records: dict[str, RepositoryRecord] | None = None
) -> dict[str, list[Occurrence]]:
    """The occurrences of some blobs, ordered by repository and path, with the revision of their repository's record: an
    index does not write an unchanged occurrence again for a new revision. Records that are read are added to `records`.
    """
    places: dict[str, list[Occurrence]] = {blob: [] for blob in blobs}
    stored = list(engine.occurrences(blobs=blobs)) if blobs else []
    found = records_at(engine, stored, records)
    for occurrence in stored:
        record = found.get(occurrence.repository)
        places[occurrence.blob].append(replace(occurrence, revision=record.revision) if record else occurrence)
    return places


def content_at(engine: Engine, repository: str, path: str, blob: str) -> bytes | None:
    """The content of a blob: from the index if it keeps sources, else from the clone; None if neither has it."""
    kept = engine.texts([blob]).get(blob)
    if kept is not None:
        return kept
    record = engine.repository(repository)
    return read_blob(_readable(engine, record), path, blob) if record else None


def contents_together(engine: Engine, places: Sequence[Occurrence]) -> dict[str, bytes]:
    """The contents at places that the index has, or a git clone, by blob id. It runs git at most once for a clone. It
    leaves out contents from other sources, and long ones.
    """
    kept = engine.texts({at.blob for at in places})
    found = {blob: text for blob, text in kept.items() if text is not None}
    records = records_at(engine, places)
    for key, blobs in by_key((at.repository, at.blob) for at in places).items():
        if key in records:
            found.update(read_blobs(_readable(engine, records[key]), {*blobs} - found.keys()))
    return found


def _readable(engine: Engine, record: RepositoryRecord) -> RepositoryRecord:
    """The record of a repository, with the location of the user's clone if the engine has one."""
    return record if engine.clones is None else engine.clones.record(record)


def texts(
    engine: Engine,
    query: bytes | Callable[[], bytes | None] | None = None,
    tokens: TokenStream | None = None,
    known: Mapping[str, StoredBlob] | None = None,
) -> Texts:
    """Reads texts of an answer while the index is open. `query` is the looked-up text, or a function that reads it, and
    `tokens` are its tokens. `known` has blobs by id that need not be read again.
    """

    def colors(text: bytes, blob: str | None, within: tuple[int, int] | None) -> Colors:
        from wherefrom.analyzers.colors import colors  # noqa: PLC0415 -- only pages have colors

        found = tokens
        if blob is not None:
            stored = (known or {}).get(blob) or engine.blobs([blob]).get(blob)
            found = None if stored is None or are_places(stored.tokens) else stored_stream(stored.tokens)
        return [] if found is None else colors(text, found, within)

    together = partial(contents_together, engine)
    return Texts(query, lambda place: content_at(engine, place.repository, place.path, place.blob), together, colors)


def record_of(engine: Engine, key: str) -> RepositoryRecord | None:
    """The record of a repository; None if it is not indexed. The case of a GitHub key does not matter."""
    record = engine.repository(key)
    if record is not None or not ignores_case(key):
        return record
    found = next((other for other in engine.repository_keys() if comparable(other) == comparable(key)), None)
    return None if found is None else engine.repository(found)


def with_records(
    engine: Engine, hits: Iterable[Hit], records: dict[str, RepositoryRecord] | None = None
) -> tuple[tuple[Hit, ...], dict[str, RepositoryRecord]]:
    """Adds to hits the records of their repositories. Returns both; `records` as in `current_occurrences`."""
    hits = tuple(hits)
    named = records_at(engine, (occurrence for hit in hits for occurrence in hit.occurrences), records)
    return tuple(replace(hit, repositories=named) for hit in hits), named


def records_at(
    engine: Engine, places: Iterable[Occurrence], records: dict[str, RepositoryRecord] | None = None
) -> dict[str, RepositoryRecord]:
    """The records of the repositories of some places, by key; `records` as in `current_occurrences`."""
    keys = {occurrence.repository for occurrence in places}
    known = {} if records is None else records
    if missing := keys - known.keys():
        known.update((record.key, record) for record in engine.repositories(missing))
    return {key: known[key] for key in sorted(keys) if key in known}
