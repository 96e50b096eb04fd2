"""What callers pass, checked and brought into one form."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from platformdirs import user_cache_path

from wherefrom.errors import UsageError


def default_cache() -> Path:
    """Where clones of URLs are kept unless told otherwise: `wherefrom` in the user's cache folder."""
    return user_cache_path("wherefrom") / "clones"


def check_lists(**given: object) -> None:
    """Refuses one text or path for a parameter that takes several: it would be taken letter by letter."""
    for name, value in given.items():
        if isinstance(value, str | bytes | PathLike):
            raise UsageError(f"{name} must be a list, not one value; use [{fspath(value)!r}]")


def encoded(code: str | bytes) -> bytes:
    """A text as it stood in a file: what Python made surrogates of are bytes again, others are encoded as they are."""
    if isinstance(code, bytes):
        return code
    try:
        return code.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return code.encode("utf-8", "surrogatepass")
