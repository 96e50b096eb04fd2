"""Reads an indexed content again, to be displayed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wherefrom.errors import SourceError
from wherefrom.model import RepositoryRecord
from wherefrom.sources.beneath import Beneath
from wherefrom.sources.git import read_object, read_path
from wherefrom.sources.source import MAX_BYTES, found_path, is_blob, is_object_id, path_bytes


def read_blob(record: RepositoryRecord, path: str, blob: str) -> bytes | None:
    """The content of a blob from the location of its repository: git objects by id, otherwise by path, and never
    another content; None if it is not there any longer, whatever the reason.
    """
    try:
        place = found_path(record.location)
        if place is None or not is_object_id(blob):
            return None
        match record.kind:
            case "git":
                return read_object(place, blob)
            case "directory":
                return _first(_in_directory(place, path), blob)
            case "archive":
                return _first(_in_archive(place, path), blob)
            case _:
                return None
    except (SourceError, OSError, ValueError):
        return None


def read_at(record: RepositoryRecord, rev: str, path: str) -> tuple[str, bytes] | None:
    """The id of the commit that a revision (an id, a branch, a tag) names in the clone of a repository, and the content
    of a file in it; None if one of them is not there, whatever the reason.
    """
    try:
        place = found_path(record.location) if record.kind == "git" else None
        if place is None:
            return None
        return next((found for raw in path_bytes(path) if (found := read_path(place, rev, raw)) is not None), None)
    except (SourceError, OSError, ValueError):
        return None


def _first(contents: Iterable[object], blob: str) -> bytes | None:
    return next((content for content in contents if isinstance(content, bytes) and is_blob(content, blob)), None)


def _in_directory(folder: Path, path: str) -> Iterable[object]:
    with Beneath(bytes(folder)) as beneath:
        for relative in path_bytes(path):
            yield beneath.read(relative, MAX_BYTES)


def _in_archive(archive: Path, path: str) -> Iterable[object]:
    from wherefrom.sources.archive import ArchiveSource  # noqa: PLC0415 -- few contents are in one

    source = ArchiveSource(archive, key="")
    return (content for _, content in source.read(entry for entry in source.entries() if entry.path == path))
