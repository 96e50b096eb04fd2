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
    revisions: dict[str, str] = {}
    for occurrence in engine.occurrences(blobs=blobs) if blobs else ():
        key = occurrence.repository
        if key not in revisions:
            record = engine.repository(key)
            revisions[key] = record.revision if record else occurrence.revision
        places[occurrence.blob].append(replace(occurrence, revision=revisions[key]))
    return places


def records_of(engine: Engine, hits: Iterable[Hit]) -> dict[str, RepositoryRecord]:
    """The record of every repository that a hit names."""
    keys = sorted({occurrence.repository for hit in hits for occurrence in hit.occurrences})
    return {key: record for key in keys if (record := engine.repository(key)) is not None}
