"""The Engine protocol (`engine`) and its implementations; `open_engine` chooses an engine by location."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from os import PathLike
from pathlib import Path

from wherefrom.engines.elasticsearch.address import ElasticsearchOptions as ElasticsearchOptions
from wherefrom.engines.engine import Engine, Schemes
from wherefrom.engines.kinds import EMBEDDED, EngineAddress, parse_location
from wherefrom.engines.kinds import KINDS as KINDS
from wherefrom.engines.published.address import PublishedOptions as PublishedOptions
from wherefrom.errors import UsageError
from wherefrom.model import TERM_BITS
from wherefrom.options import EngineOptions


def open_engine(
    location: str | Path,  # a folder or a URL, as `kinds.parse_location` accepts it
    *,
    schemes: Schemes,  # the scheme ids that an existing index must have, and that a new one gets
    create: bool = False,  # whether to make the index if it does not exist
    term_bits: int = TERM_BITS,  # the leading bits of each term that a new index stores, one of `STORED_BITS`
    options: EngineOptions | None = None,  # the options of the location's engine; None for their defaults
    has_code: bool = True,  # whether a new index may have code (see `can_lack_code`)
) -> Engine:
    """Opens an index, or makes an empty one.

    Raises UsageError for a location without an engine or for options of another engine; ExtraMissing without the extra
    `elasticsearch`; IndexMissing; IndexFormatError, also for a folder with other files; SchemeMismatch; IndexDamaged;
    UnusableIndex if the cluster cannot be reached, or refuses a request.
    """
    named = _checked(location, options)
    return named.kind.open(named.address, schemes, term_bits, options, create, has_code)


def rebuild(
    location: str | Path, *, schemes: Schemes, term_bits: int = TERM_BITS, options: EngineOptions | None = None
) -> AbstractContextManager[Engine]:
    """Opens the next version of an index, to be filled in a `with` block. The boilerplate sets that have these schemes
    are copied into the next version.

    If the block ends without an error, the next version replaces the one in use in one step. After an error, the next
    version is removed. Nobody else can write to the index meanwhile. If there is no index yet, it is made. Raises
    UsageError if the engine cannot rebuild; IndexBusy if others are writing; else the errors of `open_engine`.
    """
    named = _checked(location, options)
    if named.kind.rebuild is None:
        raise UsageError(
            "only an index on Elasticsearch is rebuilt in its place; index into a new folder, and use that instead"
        )
    return named.kind.rebuild(named.address, schemes, term_bits, options)


def engine_options(location: str | Path, options: EngineOptions | None) -> EngineOptions | None:
    """Returns `options` if the location's engine takes them, else None, so one object can serve several locations."""
    return options if parse_location(location).kind.takes(options) else None


def can_lack_code(location: str | Path) -> bool:
    """True if a new index at this location can be without code."""
    return parse_location(location).kind.can_lack_code


def is_index(named: str | PathLike[str]) -> bool:
    """True if a path is the folder of an index on this machine."""
    from wherefrom.engines.embedded.folder import CARD  # noqa: PLC0415 -- an engine is loaded when it is needed

    return os.path.isfile(os.path.join(os.path.expanduser(named), CARD))  # noqa: PTH111, PTH113, PTH118  # the methods of Path raise errors


def is_same_index(one: Engine, other: Engine) -> bool:
    """True if two engines have the same index open, judged by their locations."""
    if one.name == other.name == EMBEDDED.name:
        return os.path.samefile(one.location, other.location)  # noqa: PTH121 -- locations are texts
    return (one.name, one.location) == (other.name, other.location)


def _checked(location: str | Path, options: EngineOptions | None) -> EngineAddress:
    named = parse_location(location)
    if options is None or named.kind.takes(options):
        return named
    needed = f"pass {named.kind.options.__name__}" if named.kind.options else "leave them out"
    raise UsageError(f"the engine of {named} does not take {type(options).__name__}; {needed}")
