"""The kinds of engines: their locations, their options, and how they open an index. No other module tells engines apart
by a location.

A new engine is a row here and a module that implements `engines.engine.Engine`. Settings, documentation and the
library follow from the row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from operator import eq
from pathlib import Path
from typing import Any

from wherefrom.engines.elasticsearch import address
from wherefrom.engines.elasticsearch.address import Address, ElasticsearchOptions
from wherefrom.engines.engine import Engine, Schemes
from wherefrom.errors import ExtraMissing, UsageError
from wherefrom.options import EngineOptions


@dataclass(frozen=True, kw_only=True)
class EngineKind:
    """One kind of engine.

    Attributes:
        name: as in `Engine.name`; the settings of its options begin with it.
        url_schemes: what precedes the `:` in its locations, in lower case.
        form: how a user writes its locations, for messages.
        parse: takes a location and the folder at which a relative path starts; returns the address. It may have any
            type, but its `str` is the location again.
        open: opens the index at an address. It takes the schemes, bits of a term, options, and `create`, as
            `engines.open_engine` does.
        rebuild: like `engines.rebuild`; None if the engine cannot rebuild.
        is_same: takes the locations of two open engines; returns True if they are one index.
        options: the class of the options that it takes; None if it takes none.
    """

    name: str
    url_schemes: tuple[str, ...]
    form: str
    parse: Callable[[str, Path], Any]
    open: Callable[[Any, Schemes, int, EngineOptions | None, bool], Engine]
    rebuild: Callable[[Any, Schemes, int, EngineOptions | None], AbstractContextManager[Engine]] | None = None
    is_same: Callable[[str, str], bool]
    options: type[EngineOptions] | None = None

    def takes(self, options: EngineOptions | None) -> bool:
        """True if these are options of this engine."""
        return self.options is not None and isinstance(options, self.options)


def _folder(location: str, base: Path) -> Path:
    path = location.partition(":")[2]
    if not path.strip() or "\0" in path:
        raise UsageError("the location of the index is not a path; name a folder")
    try:
        return (base / Path(path).expanduser()).absolute()
    except RuntimeError as error:  # there is no such user, or the user has no home
        raise UsageError(f"the location {path!r} does not name a home folder; use an absolute path") from error


def _open_embedded(folder: Path, schemes: Schemes, term_bits: int, _: EngineOptions | None, create: bool) -> Engine:
    from wherefrom.engines.embedded import EmbeddedEngine  # noqa: PLC0415 -- loads SQLite

    return EmbeddedEngine.open(folder, schemes, term_bits, create=create)


def _open_elasticsearch(
    address: Address, schemes: Schemes, term_bits: int, options: EngineOptions | None, create: bool
) -> Engine:
    connecting = _connecting(options)
    from wherefrom.engines.elasticsearch.engine import ElasticsearchEngine  # noqa: PLC0415 -- loads the client

    return ElasticsearchEngine.open(address, schemes, term_bits, connecting, create=create)


def _rebuild_elasticsearch(
    address: Address, schemes: Schemes, term_bits: int, options: EngineOptions | None
) -> AbstractContextManager[Engine]:
    connecting = _connecting(options)
    from wherefrom.engines.elasticsearch import rebuilding  # noqa: PLC0415 -- loads the client

    return rebuilding.rebuild(address, schemes, term_bits, connecting)


def _connecting(options: EngineOptions | None) -> ElasticsearchOptions:
    if find_spec("elasticsearch") is None:
        raise ExtraMissing.of("Elasticsearch needs its client, which is not installed", "elasticsearch")
    return options if isinstance(options, ElasticsearchOptions) else ElasticsearchOptions()


EMBEDDED = EngineKind(
    name="embedded",
    url_schemes=("embedded",),
    form="a folder, PATH or embedded:PATH",
    parse=_folder,
    open=_open_embedded,
    is_same=lambda one, other: Path(one).samefile(other),
)

ELASTICSEARCH = EngineKind(
    name="elasticsearch",
    url_schemes=(address.PLAIN, address.ENCRYPTED),
    form=address.FORM,
    parse=lambda location, _: address.parse(location),
    open=_open_elasticsearch,
    rebuild=_rebuild_elasticsearch,
    is_same=eq,
    options=ElasticsearchOptions,
)

KINDS = (EMBEDDED, ELASTICSEARCH)
"""All engines; the first one takes a location without a scheme."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""The beginning of a location that is a URL. It has at least two letters, so that `C:` is a drive."""


@dataclass(frozen=True, slots=True)
class EngineAddress:
    """The place of an index: the kind of its engine, and the address in that engine's own type."""

    kind: EngineKind
    address: Any

    def __str__(self) -> str:
        return str(self.address)


def parse_location(location: str | Path, base: Path | None = None) -> EngineAddress:
    """The engine of a location and the address: the absolute path of a folder, or a URL's parts.

    Args:
        location: a folder, `embedded:FOLDER`, or `elasticsearch://HOST:9200/NAME` (`elasticsearch+https://` encrypted;
            several hosts with commas between, a path prefix before NAME). A `Path` is always a folder. As text, a
            folder with a name that begins like a URL is written `./NAME:...`.
        base: the folder at which a relative path starts (default: the working directory).

    Raises:
        UsageError: the location names no known engine, or is neither a path nor an address.
    """
    base = base or Path()
    if isinstance(location, Path):
        return EngineAddress(EMBEDDED, (base / location).absolute())
    found = _SCHEME.match(location)
    if found is None:
        return EngineAddress(EMBEDDED, EMBEDDED.parse(f"{EMBEDDED.name}:{location}", base))
    scheme = found[1].lower()
    for kind in KINDS:
        if scheme in kind.url_schemes:
            return EngineAddress(kind, kind.parse(location, base))
    forms = ", or ".join(kind.form for kind in KINDS)
    raise UsageError(f"there is no engine {scheme!r}; an index is {forms} (./{scheme}:... as a path)")
