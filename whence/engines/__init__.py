"""The Engine protocol (`base`) and its implementations; `open_engine` chooses one by location."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from whence.engines.base import Engine
from whence.errors import UsageError
from whence.model import Representation

__all__ = ["open_engine"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""What makes a location a URL; one letter is none, so that a drive is a path."""


def open_engine(location: str | Path, *, schemes: Mapping[Representation, str], create: bool = False) -> Engine:
    """Opens an index, or makes an empty one.

    Args:
        location: a folder, or `embedded:FOLDER`. A folder whose name begins like a URL is written `./NAME:...`.
        schemes: the scheme ids that the index must have, or is made with, one for each of `INDEXED`.
        create: make the index where nothing stands yet.

    Raises:
        UsageError: no such engine.
        IndexMissing: nothing is there, and `create` is off.
        IndexFormatError: another format version, or a folder with something else in it.
        SchemeMismatch: made by other schemes.
        IndexDamaged: its files do not open.
    """
    folder = location if isinstance(location, Path) else _folder(location)
    from whence.engines.embedded import EmbeddedEngine  # noqa: PLC0415 - tantivy is loaded on use

    return EmbeddedEngine.open(folder, schemes, create=create)


def _folder(location: str) -> Path:
    found = _SCHEME.match(location)
    if found and found[1] != "embedded":
        raise UsageError(
            f"there is no engine {found[1]!r}; an index is a folder: PATH or embedded:PATH (./{found[1]}:... as a path)"
        )
    path = location[found.end() :] if found else location
    if not path or "\0" in path:
        raise UsageError("the location of the index is no path; name a folder")
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise UsageError(f"the location {path!r} names no home folder; name a folder") from error
