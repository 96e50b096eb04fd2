"""The kinds of engines: which locations are theirs, what options they take, how they open an index.

A new engine is a row here and a module that implements `engines.engine.Engine`. Settings, documentation and the
library follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from operator import eq
from pathlib import Path
from typing import Any

from wherefrom.engines.elasticsearch import address
from wherefrom.engines.elasticsearch.address import Address, ElasticsearchOptions
from wherefrom.engines.engine import Engine
from wherefrom.errors import ExtraMissing, UsageError
from wherefrom.model import Representation
from wherefrom.options import EngineOptions

Schemes = Mapping[Representation, str]


@dataclass(frozen=True, kw_only=True)
class EngineKind:
    """One kind of engine.

    Attributes:
        name: as in `Engine.name`; the settings of its options begin with it.
        schemes: of its locations: what precedes the `:`, in lower case.
        form: how a user writes its locations, for messages.
        parse: gives the address that a location names, of the location and the folder that a relative path starts at.
            The address is of any type; its `str` is the location again.
        open: opens the index at an address, given schemes, bits of a term, options and whether to make it
            (`engines.open_engine`).
        rebuild: as `engines.rebuild`; None if the engine cannot.
        is_same: whether two locations of open engines are one index.
        options: the type of what it takes to open an index; None for nothing.
    """

    name: str
    schemes: tuple[str, ...]
    form: str
    parse: Callable[[str, Path], Any]
    open: Callable[[Any, Schemes, int, EngineOptions | None, bool], Engine]
    rebuild: Callable[[Any, Schemes, int, EngineOptions | None], AbstractContextManager[Engine]] | None = None
    is_same: Callable[[str, str], bool]
    options: type[EngineOptions] | None = None


def _folder(location: str, base: Path) -> Path:
    path = location.partition(":")[2]
    if not path.strip() or "\0" in path:
        raise UsageError("the location of the index is not a path; name a folder")
    try:
        return (base / Path(path).expanduser()).absolute()
    except RuntimeError as error:  # no such user, no home
        raise UsageError(f"the location {path!r} does not name a home folder; use an absolute path") from error


def _open_embedded(folder: Path, schemes: Schemes, term_bits: int, _: EngineOptions | None, create: bool) -> Engine:
    from wherefrom.engines.embedded import EmbeddedEngine  # noqa: PLC0415 -- SQLite is loaded on use

    return EmbeddedEngine.open(folder, schemes, term_bits, create=create)


def _open_elasticsearch(
    address: Address, schemes: Schemes, term_bits: int, options: EngineOptions | None, create: bool
) -> Engine:
    connecting = _connecting(options)
    from wherefrom.engines.elasticsearch.engine import ElasticsearchEngine  # noqa: PLC0415 -- loaded on use

    return ElasticsearchEngine.open(address, schemes, term_bits, connecting, create=create)


def _rebuild_elasticsearch(
    address: Address, schemes: Schemes, term_bits: int, options: EngineOptions | None
) -> AbstractContextManager[Engine]:
    connecting = _connecting(options)
    from wherefrom.engines.elasticsearch import rebuilding  # noqa: PLC0415 -- loaded on use

    return rebuilding.rebuild(address, schemes, term_bits, connecting)


def _connecting(options: EngineOptions | None) -> ElasticsearchOptions:
    """How to connect, if the client is installed."""
    if find_spec("elasticsearch") is None:
        raise ExtraMissing.of("Elasticsearch needs its client, which is not installed", "elasticsearch")
    return options if isinstance(options, ElasticsearchOptions) else ElasticsearchOptions()


EMBEDDED = EngineKind(
    name="embedded",
    schemes=("embedded",),
    form="a folder, PATH or embedded:PATH",
    parse=_folder,
    open=_open_embedded,
    is_same=lambda one, other: Path(one).samefile(other),
)

ELASTICSEARCH = EngineKind(
    name="elasticsearch",
    schemes=(address.PLAIN, address.ENCRYPTED),
    form=address.FORM,
    parse=lambda location, _: address.parse(location),
    open=_open_elasticsearch,
    rebuild=_rebuild_elasticsearch,
    is_same=eq,
    options=ElasticsearchOptions,
)

KINDS = (EMBEDDED, ELASTICSEARCH)
"""All of them; the first one takes a location without a scheme."""
