"""Tells whether the source of a repository still exists. In doubt the answer is yes: a disk may be away for a day."""

from __future__ import annotations

import os

from wherefrom.model import RepositoryRecord
from wherefrom.results import MissingSource
from wherefrom.sources.clones import is_clone_name
from wherefrom.sources.source import path_bytes


def missing_source(record: RepositoryRecord) -> MissingSource | None:
    """Describes a repository whose source is not at its location on this machine; None if something is there.

    A source is gone if its path does not exist, but its folder does, can be read, and contains something else. In all
    these cases the source may still exist: the system does not let us look at the path; its folder is missing or empty,
    as if a disk is not mounted; or it is the clone of a URL, which a fetch makes again.
    """
    doubts = [_doubt(path) for path in path_bytes(record.location)]
    if None in doubts:
        return None
    return MissingSource(record.key, record.location, record.files, next(filter(None, doubts), None))


def _doubt(path: bytes) -> str | None:
    """Why a source may exist although it is not at a path; empty if it is gone, None if it is there."""
    if not path.startswith(b"/"):
        return "its location is not a path on this machine"
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        return f"its location cannot be read ({getattr(error, 'strerror', error)})"
    else:
        return None
    folder, name = os.path.split(path.rstrip(b"/"))
    if is_clone_name(os.fsdecode(name)):
        return "it was fetched from a URL, and can be fetched again"
    try:
        with os.scandir(folder) as found:
            return "" if any(found) else "its folder is empty, as if a disk is not mounted"
    except FileNotFoundError:
        return "its folder is not there either"
    except OSError as error:
        return f"its folder cannot be read ({error.strerror})"
