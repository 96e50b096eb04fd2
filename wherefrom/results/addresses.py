"""Where a place can be looked at: a URL."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import quote

from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.results.regions import Lines, Region, line_range
from wherefrom.support.hosts import HOSTS

_SAFE = "/:@~!$&'()*+,;="


def address(repository: RepositoryRecord | None, occurrence: Occurrence, regions: Sequence[Region] = ()) -> str | None:
    """The URL of a place: the page that shows it where the host's are known, else that of its repository, or the file
    on this machine; None if nothing is known but a name.

    Args:
        repository: the record of its repository, None if it is not known.
        occurrence: the place.
        regions: what matches there.
    """
    if repository is None:
        return None
    key, path = repository.key, occurrence.path
    if repository.key_kind == KeyKind.PATH:
        if key.startswith("file://"):
            return _quoted(key)
        return f"file://{_quoted(os.path.normpath(key))}/{_quoted(path)}"
    origin = root(repository)
    if origin is None:
        return None
    host = HOSTS.get(key.partition("/")[0])
    if host is None or not occurrence.revision:
        return origin
    lines = line_range(regions) or Lines(1, 1)
    return origin + host.software.page(_quoted(occurrence.revision), _quoted(path), (lines.first, lines.last))


def root(repository: RepositoryRecord) -> str | None:
    """The URL of a repository, None if its key does not say its remote."""
    return None if repository.remote is None else f"https://{_quoted(repository.remote)}"


def _quoted(text: str) -> str:
    return quote(text, safe=_SAFE, errors="surrogatepass")
