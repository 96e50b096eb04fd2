"""Opens a published index in a folder or on a web server."""

from __future__ import annotations

from pathlib import Path

from wherefrom.engines.engine import Schemes
from wherefrom.engines.published.address import PublishedAddress, PublishedOptions
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.http import WebPlace
from wherefrom.engines.published.kept import PageFile, folder
from wherefrom.engines.published.pages import FolderPlace


def open_published(address: PublishedAddress, schemes: Schemes, options: PublishedOptions) -> PublishedEngine:
    """Opens a published index. What is read from a server is kept on this machine for later calls.

    Raises:
        IndexMissing, IndexFormatError, SchemeMismatch, IndexDamaged, UnusableIndex: as for `PublishedEngine`.
        UsageError: the credentials cannot be read.
    """
    if isinstance(address.place, Path):
        return PublishedEngine(FolderPlace(address.place), schemes, expected=address.pin)
    place = WebPlace(address.place, options)
    kept = PageFile(folder(), f"{place.location} {place.secret}")
    return PublishedEngine(place, schemes, expected=address.pin, kept=kept)
