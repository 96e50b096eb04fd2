"""The Engine protocol (`engine`) and its implementations; `open_engine` chooses one by location."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from os import PathLike
from pathlib import Path

from wherefrom.engines import locations
from wherefrom.engines.elasticsearch.address import ElasticsearchOptions
from wherefrom.engines.engine import Engine
from wherefrom.engines.kinds import KINDS, EngineKind
from wherefrom.engines.locations import Location
from wherefrom.errors import UsageError
from wherefrom.model import TERM_BITS, Representation
from wherefrom.options import EngineOptions

__all__ = [
    "KINDS",
    "ElasticsearchOptions",
    "EngineKind",
    "engine_options",
    "is_index",
    "is_same_index",
    "open_engine",
    "rebuild",
]


def open_engine(
    location: str | Path,
    *,
    schemes: Mapping[Representation, str],
    create: bool = False,
    term_bits: int = TERM_BITS,
    options: EngineOptions | None = None,
) -> Engine:
    """Opens an index, or makes an empty one.

    Args:
        location: as `locations.parse` takes it.
        schemes: the scheme ids that the index must have, or is made with, one for each of `INDEXED`.
        create: make the index if nothing is there yet.
        term_bits: bits of a term that a new index stores, one of `STORED_BITS`; one that is there says itself.
        options: what the engine needs; the location chooses their type.

    Raises:
        UsageError: no such engine, or options of another one.
        ExtraMissing: the extra `elasticsearch` is not installed.
        IndexMissing: nothing is there, and `create` is off.
        IndexFormatError: another format version, or a folder with something else in it.
        SchemeMismatch: made by other schemes.
        IndexDamaged: its files do not open.
        UnusableIndex: the cluster cannot be reached, or refuses.
    """
    named = _checked(location, options)
    return named.kind.open(named.address, schemes, term_bits, options, create)


def rebuild(
    location: str | Path,
    *,
    schemes: Mapping[Representation, str],
    term_bits: int = TERM_BITS,
    options: EngineOptions | None = None,
) -> AbstractContextManager[Engine]:
    """The next version of an index, to be filled; with its boilerplate sets, as far as they are of these schemes.

    Leaving the block without an error puts it in the place of the one in use, at once; with an error removes it.
    Nobody else writes to the index meanwhile. If nothing is there yet, it is made.

    Raises:
        UsageError: an engine that cannot do that, or options of another one.
        IndexBusy: others are writing.
        UnusableIndex: as `open_engine`.
    """
    named = _checked(location, options)
    if named.kind.rebuild is None:
        raise UsageError(
            "only an index on Elasticsearch is rebuilt in its place; index into a new folder, and use that instead"
        )
    return named.kind.rebuild(named.address, schemes, term_bits, options)


def engine_options(location: str | Path, options: EngineOptions | None) -> EngineOptions | None:
    """The options if they are those of the location's engine, else None: for two locations with one object."""
    wanted = locations.parse(location).kind.options
    return options if wanted is not None and isinstance(options, wanted) else None


def is_index(named: str | PathLike[str]) -> bool:
    """Whether a path is the folder of an index on this machine."""
    from wherefrom.engines.embedded.folder import CARD  # noqa: PLC0415 -- the table of engines loads none of them

    return os.path.isfile(os.path.join(os.path.expanduser(named), CARD))  # noqa: PTH111, PTH113, PTH118  # Path's raise


def is_same_index(one: Engine, other: Engine) -> bool:
    """Whether two engines have the same index open, as far as their locations tell."""
    if one.name != other.name:
        return False
    return next(kind for kind in KINDS if kind.name == one.name).is_same(one.location, other.location)


def _checked(location: str | Path, options: EngineOptions | None) -> Location:
    """The location, whose engine takes these options."""
    named = locations.parse(location)
    wanted = named.kind.options
    if options is None or (wanted is not None and isinstance(options, wanted)):
        return named
    needed = f"pass {wanted.__name__}" if wanted else "leave them out"
    raise UsageError(f"the engine of {named} does not take {type(options).__name__}; {needed}")
