"""Whether the source of a repository still exists. In doubt it does: a disk may be away for a day only."""

from __future__ import annotations

import os

from wherefrom.model import RepositoryRecord
from wherefrom.results import MissingSource
from wherefrom.sources.clones import is_clone_name
from wherefrom.sources.source import path_bytes


def missing_source(record: RepositoryRecord) -> MissingSource | None:
    """Describes a repository whose source is not at its location; None if something is there.

    A source is gone if its path does not exist, and the folder that held it exists, can be read, and holds something
    else. These are not gone: a path that cannot be looked at; one whose folder is not there, or is empty, as where a
    disk is not mounted; and the clone of a URL, which a fetch makes again.

    Args:
        record: of the repository; its location is looked up on this machine.
    """
    doubts = [_doubt(path) for path in path_bytes(record.location)]
    if None in doubts:
        return None
    return MissingSource(record.key, record.location, record.files, next(filter(None, doubts), None))


def _doubt(path: bytes) -> str | None:
    """Why something that is not at a path may exist all the same; empty if it is gone, None if it is there."""
    if not path.startswith(b"/"):
        return "its location is not a path on this machine"
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        return f"its location cannot be looked at ({getattr(error, 'strerror', error)})"
    else:
        return None
    folder, name = os.path.split(path.rstrip(b"/"))
    if is_clone_name(os.fsdecode(name)):
        return "it was fetched from a URL, and can be fetched again"
    try:
        with os.scandir(folder) as found:
            return "" if any(found) else "its folder is empty, as where a disk is not mounted"
    except FileNotFoundError:
        return "its folder is not there either"
    except OSError as error:
        return f"its folder cannot be read ({error.strerror})"
