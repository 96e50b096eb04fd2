"""Kinds of engines: their locations, options, and how they open an index. Only this module maps locations to engines.

To add an engine, add an `EngineKind` to `KINDS`, and a module that implements `engines.engine.Engine`. Settings,
documentation and the library are derived from `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wherefrom.engines.elasticsearch import address
from wherefrom.engines.elasticsearch.address import Address, ElasticsearchOptions
from wherefrom.engines.engine import Engine, Schemes
from wherefrom.engines.published import address as published
from wherefrom.engines.published.address import MANIFEST, PublishedOptions
from wherefrom.errors import ExtraMissing, UsageError
from wherefrom.options import EngineOptions
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass
from wherefrom.support.version import remedy


@dataclass(frozen=True, kw_only=True)
class EngineKind:
    """One kind of engine."""

    name: str  # the value of `Engine.name`; the names of the engine's settings begin with it
    url_schemes: tuple[str, ...]  # the texts that may precede the `:` in its locations, in lower case
    form: str  # how a user writes its locations, for messages
    # takes a location and the folder that a relative path starts from; returns the address. The address may have any
    # type, but its `str` must be a location again
    parse: Callable[[str, Path], Any]
    # opens the index at an address. Also takes `schemes`, `term_bits`, `options`, `create` and `has_code` as
    # `open_engine`
    open: Callable[[Any, Schemes, int, EngineOptions | None, bool, bool], Engine]
    # like `engines.rebuild`; None if the engine cannot rebuild
    rebuild: Callable[[Any, Schemes, int, EngineOptions | None], AbstractContextManager[Engine]] | None = None
    options: type[EngineOptions] | None = None  # the class of the engine's options; None if it has no options
    can_lack_code: bool = False  # whether a new index can be without code

    def takes(self, options: EngineOptions | None) -> bool:
        """True if these are options of this engine."""
        return self.options is not None and isinstance(options, self.options)


def _folder(location: str, base: Path) -> Path:
    path = location.partition(":")[2]
    if not path.strip() or "\0" in path:
        raise UsageError("the location of the index is not a path; name a folder")
    try:
        return (base / Path(path).expanduser()).absolute()
    except RuntimeError as error:  # `~NAME` names no user, or a user without a home
        raise UsageError(f"the location {path!r} does not name a home folder; use an absolute path") from error


def _open_embedded(
    folder: Path, schemes: Schemes, term_bits: int, _: EngineOptions | None, create: bool, has_code: bool
) -> Engine:
    from wherefrom.engines.embedded.engine import EmbeddedEngine  # noqa: PLC0415 -- loads SQLite

    return EmbeddedEngine.open(folder, schemes, term_bits, create=create, has_code=has_code)


def _open_elasticsearch(
    address: Address, schemes: Schemes, term_bits: int, options: EngineOptions | None, create: bool, _: bool
) -> Engine:
    connecting = _connecting(options)
    from wherefrom.engines.elasticsearch.engine import ElasticsearchEngine  # noqa: PLC0415 -- loads the client

    return ElasticsearchEngine.open(address, schemes, term_bits, connecting, create=create)


def _rebuild_elasticsearch(
    address: Address, schemes: Schemes, term_bits: int, options: EngineOptions | None
) -> AbstractContextManager[Engine]:
    connecting = _connecting(options)
    from wherefrom.engines.elasticsearch.engine import rebuild  # noqa: PLC0415 -- loads the client

    return rebuild(address, schemes, term_bits, connecting)


def _connecting(options: EngineOptions | None) -> ElasticsearchOptions:
    if find_spec("elasticsearch") is None:
        raise ExtraMissing(f"Elasticsearch needs its client, which is not installed; {remedy('elasticsearch')}")
    return options if isinstance(options, ElasticsearchOptions) else ElasticsearchOptions()


def _parse_published(location: str, base: Path) -> published.PublishedAddress:
    if not location.lower().startswith("published:"):
        return published.parse(location)
    path, mark, sha256 = location.partition("#sha256=")
    address = published.PublishedAddress(_folder(path, base))
    return published.pinned(address, sha256) if mark else address


def _open_published(
    address: published.PublishedAddress, schemes: Schemes, _: int, options: EngineOptions | None, create: bool, __: bool
) -> Engine:
    if create:
        raise UsageError(f"{address.place} is published and cannot be changed; change the index, and publish it again")
    from wherefrom.engines.published.engine import PublishedEngine  # noqa: PLC0415 -- loads the client

    given = options if isinstance(options, PublishedOptions) else PublishedOptions()
    return PublishedEngine.open(address, schemes, given)


EMBEDDED = EngineKind(
    name="embedded",
    url_schemes=("embedded",),
    form="a folder, PATH or embedded:PATH",
    parse=_folder,
    open=_open_embedded,
    can_lack_code=True,
)

ELASTICSEARCH = EngineKind(
    name="elasticsearch",
    url_schemes=(address.PLAIN, address.ENCRYPTED),
    form=address.FORM,
    parse=lambda location, _: address.parse(location),
    open=_open_elasticsearch,
    rebuild=_rebuild_elasticsearch,
    options=ElasticsearchOptions,
)

PUBLISHED = EngineKind(
    name="published",
    url_schemes=("https", "http", "published"),
    form=f"{published.FORM} (published)",
    parse=_parse_published,
    open=_open_published,
    options=PublishedOptions,
)

KINDS = (EMBEDDED, ELASTICSEARCH, PUBLISHED)
"""All kinds of engines. The first one is used for a location without a scheme."""


def pinned(location: str, sha256: str) -> str:
    """The location of a published index, with the SHA-256 that its manifest must have. Raises UsageError if the
    location is not that of a published index, or `sha256` is not a SHA-256.
    """
    found = parse_location(location)
    if found.kind is not PUBLISHED:
        raise UsageError(f"--expect is only for published indexes, and {location} is not one; leave it out")
    return str(published.pinned(found.address, sha256))


def servers(locations: Iterable[str]) -> set[str]:
    """The servers of the published indexes among some locations."""
    found = {named.address.server for named in map(parse_location, locations) if named.kind is PUBLISHED}
    return found - {None}


_SCHEME = later(r"([A-Za-z][A-Za-z0-9+.-]+):")  # the scheme of a URL. `C:` is a drive


@dataclass(frozen=True, slots=True)
class EngineAddress:
    """The location of an index, parsed: the kind of its engine, and the address as `EngineKind.parse` returns it."""

    kind: EngineKind
    address: Any

    def __str__(self) -> str:
        return str(self.address)


def parse_location(location: str | Path, base: Path | None = None) -> EngineAddress:
    """Returns the kind of engine for a location, and the address: the absolute path of a folder, or the parts of a URL.

    Args:
        location: a folder, `embedded:FOLDER`, or `elasticsearch://HOST:9200/NAME` (`elasticsearch+https://` for
            encryption; commas between several hosts; a path prefix may precede NAME). A `Path` is always a folder. In a
            string, write the folder `NAME:...` as `./NAME:...`.
        base: the folder that a relative path starts from (default: the working directory).

    Raises UsageError if the location names no known engine, or is neither a path nor an address.
    """
    base = base or Path()
    found = None if isinstance(location, Path) else _SCHEME.match(location)
    if found is None:
        folder = (base / location).absolute() if isinstance(location, Path) else _folder(f":{location}", base)
        if (folder / MANIFEST).is_file():
            return EngineAddress(PUBLISHED, published.PublishedAddress(folder))
        return EngineAddress(EMBEDDED, folder)
    assert isinstance(location, str)
    scheme = found[1].lower()
    for kind in KINDS:
        if scheme in kind.url_schemes:
            return EngineAddress(kind, kind.parse(location, base))
    forms = ", or ".join(kind.form for kind in KINDS)
    raise UsageError(f"there is no engine {scheme!r}; an index is {forms} (./{scheme}:... as a path)")
