"""Tells whether the source of a repository still exists. In doubt it does: a disk may be unmounted for a day."""

from __future__ import annotations

import os

from wherefrom.model import RepositoryRecord
from wherefrom.results import MissingSource
from wherefrom.sources.clones import is_clone_name
from wherefrom.sources.source import path_bytes


def missing_source(record: RepositoryRecord) -> MissingSource | None:
    """Describes the missing source of a repository; None if something exists at the source's location on this machine.

    A source is certainly gone if its path does not exist, but the folder above can be read and contains something else.
    In three cases the source may still exist: the system does not let us look at the path; the folder above is missing
    or empty, as if a disk is not mounted; or the source is the clone of a URL, which a fetch makes again.
    """
    doubts = [_doubt(path) for path in path_bytes(record.location)]
    if None in doubts:
        return None
    return MissingSource(record.key, record.location, record.files, next(filter(None, doubts), None))


def _doubt(path: bytes) -> str | None:
    """Why a source may still exist although its path does not; empty if it is certainly gone, None if it is there."""
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
