"""What callers pass, checked and brought into one form."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path

from platformdirs import user_cache_path

from wherefrom import queries
from wherefrom.errors import BoilerplateError, UsageError


def default_cache() -> Path:
    """Where clones of URLs are kept unless told otherwise: `wherefrom` in the user's cache folder."""
    return user_cache_path("wherefrom") / "clones"


def gather(
    builder: queries.SetBuilder,
    texts: Iterable[tuple[str, bytes]],
    sources: Iterable[str | PathLike[str]],
    cache: str | Path | None,
) -> None:
    """Adds texts and the contents of sources to a boilerplate set under way."""
    from wherefrom.sources.discover import discover  # noqa: PLC0415 -- searches do not wait for it

    check_lists(texts=texts, sources=sources)
    for file, content in texts:
        builder.add_text(file, content)
    for source in discover(sources, cache=Path(cache) if cache else default_cache()):
        builder.add_source(source)


def check_set_name(name: str) -> None:
    """Refuses a name that cannot be printed.

    Raises:
        BoilerplateError: it cannot.
    """
    if not name or not name.isprintable():
        raise BoilerplateError(f"a boilerplate set needs a printable name, not {name!r}")


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
