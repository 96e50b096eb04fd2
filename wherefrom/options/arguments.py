"""Checks and converts arguments of the public functions that are not options."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from platformdirs import user_cache_path

from wherefrom.errors import UsageError


def default_cache() -> Path:
    """The default folder for clones of URLs: `wherefrom/clones` in the user's cache folder."""
    return user_cache_path("wherefrom") / "clones"


def check_lists(**given: object) -> None:
    """Raises `UsageError` for a text or path where a list is needed, since each letter would count as an item."""
    for name, value in given.items():
        if isinstance(value, str | bytes | PathLike):
            raise UsageError(f"{name} must be a list, not one value; use [{fspath(value)!r}]")


def encoded(code: str | bytes) -> bytes:
    """The bytes of a text in UTF-8. Surrogate escapes (PEP 383) become the original bytes; if the text has other
    surrogates, all surrogates are encoded as if they were characters.
    """
    if isinstance(code, bytes):
        return code
    try:
        return code.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return code.encode("utf-8", "surrogatepass")
