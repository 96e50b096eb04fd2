"""Places: where blobs stand, at the revisions that are indexed now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from whence.engines.base import Engine
    from whence.model import Hit, Occurrence, RepositoryRecord


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


def records_of(engine: Engine, hits: Iterable[Hit]) -> dict[str, RepositoryRecord]:
    """The record of every repository that a hit names."""
    keys = {occurrence.repository for hit in hits for occurrence in hit.occurrences}
    return {record.key: record for record in engine.repositories(keys)}
