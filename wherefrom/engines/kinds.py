"""The kinds of engines: which locations are theirs, what options they take, how they open an index.

A new engine is a class here and a module that implements `engines.engine.Engine`. Settings, documentation and the
library follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from wherefrom.engines.elasticsearch import address
from wherefrom.engines.elasticsearch.address import ElasticsearchOptions
from wherefrom.engines.engine import Engine
from wherefrom.errors import ExtraMissing, UsageError
from wherefrom.model import Representation
from wherefrom.options import EngineOptions


class EngineKind(Protocol):
    """One kind of engine. What it calls an address is its own affair, but for `str`, which is the location again."""

    name: str
    """As in `Engine.name`; the settings of its options begin with it."""
    schemes: tuple[str, ...]
    """Of its locations: what precedes the `:`, in lower case."""
    form: str
    """How a user writes its locations, for messages."""
    options: type[EngineOptions] | None
    """What it takes to open an index; None for nothing."""

    def parse(self, location: str, base: Path) -> Any:
        """The address that a location names.

        Args:
            location: with one of `schemes` and a `:` before it, in any case.
            base: the folder that a relative path starts at.

        Raises:
            UsageError: it is not one.
        """

    def open(
        self,
        address: Any,
        schemes: Mapping[Representation, str],
        term_bits: int,
        options: EngineOptions | None,
        *,
        create: bool,
    ) -> Engine:
        """See `engines.open_engine`."""

    def rebuild(
        self, address: Any, schemes: Mapping[Representation, str], term_bits: int, options: EngineOptions | None
    ) -> AbstractContextManager[Engine]:
        """See `engines.rebuild`."""

    def is_same(self, one: str, other: str) -> bool:
        """Whether two locations of open engines are one index."""


class _Embedded:
    name = "embedded"
    schemes: tuple[str, ...] = ("embedded",)
    form = "a folder, PATH or embedded:PATH"
    options: type[EngineOptions] | None = None

    def parse(self, location: str, base: Path) -> Path:
        path = location.partition(":")[2]
        if not path.strip() or "\0" in path:
            raise UsageError("the location of the index is not a path; name a folder")
        try:
            return (base / Path(path).expanduser()).absolute()
        except RuntimeError as error:  # no such user, no home
            raise UsageError(f"the location {path!r} does not name a home folder; use an absolute path") from error

    def open(
        self,
        address: Path,
        schemes: Mapping[Representation, str],
        term_bits: int,
        options: EngineOptions | None,  # noqa: ARG002 -- as `EngineKind` has it
        *,
        create: bool,
    ) -> Engine:
        from wherefrom.engines.embedded import EmbeddedEngine  # noqa: PLC0415 -- SQLite is loaded on use

        return EmbeddedEngine.open(address, schemes, term_bits, create=create)

    def rebuild(
        self,
        address: Path,  # noqa: ARG002 -- as `EngineKind` has it
        schemes: Mapping[Representation, str],  # noqa: ARG002
        term_bits: int,  # noqa: ARG002
        options: EngineOptions | None,  # noqa: ARG002
    ) -> AbstractContextManager[Engine]:
        raise UsageError(
            "only an index on Elasticsearch is rebuilt in its place; index into a new folder, and use that instead"
        )

    def is_same(self, one: str, other: str) -> bool:
        return Path(one).samefile(other)


class _Elasticsearch:
    name = "elasticsearch"
    schemes: tuple[str, ...] = (address.PLAIN, address.ENCRYPTED)
    form = address.FORM
    options: type[EngineOptions] | None = ElasticsearchOptions

    def parse(self, location: str, base: Path) -> address.Address:  # noqa: ARG002 -- as `EngineKind` has it
        return address.parse(location)

    def open(
        self,
        address: address.Address,
        schemes: Mapping[Representation, str],
        term_bits: int,
        options: EngineOptions | None,
        *,
        create: bool,
    ) -> Engine:
        _check_client()
        from wherefrom.engines.elasticsearch.engine import ElasticsearchEngine  # noqa: PLC0415 -- loaded on use

        return ElasticsearchEngine.open(address, schemes, term_bits, _connection(options), create=create)

    def rebuild(
        self,
        address: address.Address,
        schemes: Mapping[Representation, str],
        term_bits: int,
        options: EngineOptions | None,
    ) -> AbstractContextManager[Engine]:
        _check_client()
        from wherefrom.engines.elasticsearch import rebuilding  # noqa: PLC0415 -- the client is loaded on use

        return rebuilding.rebuild(address, schemes, term_bits, _connection(options))

    def is_same(self, one: str, other: str) -> bool:
        return one == other


def _connection(options: EngineOptions | None) -> ElasticsearchOptions:
    return options if isinstance(options, ElasticsearchOptions) else ElasticsearchOptions()


def _check_client() -> None:
    if find_spec("elasticsearch") is None:
        raise ExtraMissing.of("Elasticsearch needs its client, which is not installed", "elasticsearch")


EMBEDDED: EngineKind = _Embedded()

KINDS: tuple[EngineKind, ...] = (EMBEDDED, _Elasticsearch())
"""All of them; the first one takes a location without a scheme."""
