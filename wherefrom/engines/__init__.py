"""The Engine protocol (`base`) and its implementations; `open_engine` chooses one by location."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path

from wherefrom.engines import locations
from wherefrom.engines.base import Engine
from wherefrom.engines.elasticsearch.address import Address, ElasticsearchOptions
from wherefrom.errors import ExtraMissing, UsageError
from wherefrom.model import Representation

__all__ = ["ElasticsearchOptions", "is_same_index", "open_engine", "rebuild"]


def open_engine(
    location: str | Path,
    *,
    schemes: Mapping[Representation, str],
    create: bool = False,
    elasticsearch: ElasticsearchOptions | None = None,
) -> Engine:
    """Opens an index, or makes an empty one.

    Args:
        location: as `locations.parse` takes it.
        schemes: the scheme ids that the index must have, or is made with, one for each of `INDEXED`.
        create: make the index where nothing stands yet.
        elasticsearch: how to connect to Elasticsearch.

    Raises:
        UsageError: no such engine.
        ExtraMissing: the extra `wherefrom[elasticsearch]` is not installed.
        IndexMissing: nothing is there, and `create` is off.
        IndexFormatError: another format version, or a folder with something else in it.
        SchemeMismatch: made by other schemes.
        IndexDamaged: its files do not open.
        UnusableIndex: the cluster cannot be reached, or refuses.
    """
    place = locations.parse(location)
    if isinstance(place, Address):
        _check_client()
        from wherefrom.engines.elasticsearch.engine import ElasticsearchEngine  # noqa: PLC0415 - loaded on use

        return ElasticsearchEngine.open(place, schemes, elasticsearch or ElasticsearchOptions(), create=create)
    from wherefrom.engines.embedded import EmbeddedEngine  # noqa: PLC0415 - tantivy is loaded on use

    return EmbeddedEngine.open(place, schemes, create=create)


def rebuild(
    location: str | Path, *, schemes: Mapping[Representation, str], elasticsearch: ElasticsearchOptions | None = None
) -> AbstractContextManager[Engine]:
    """The next version of an index, to be filled; with its boilerplate sets, as far as they are of these schemes.

    Leaving the block without an error puts it in the place of the one in use, at once; with an error removes it.
    Nobody else writes to the index meanwhile. Where nothing stands yet, it is made.

    Raises:
        UsageError: an engine that cannot do that.
        IndexBusy: others are writing.
        UnusableIndex: as `open_engine`.
    """
    place = locations.parse(location)
    if not isinstance(place, Address):
        raise UsageError(
            "only an index on Elasticsearch is rebuilt in its place; index into a new folder, and use that instead"
        )
    _check_client()
    from wherefrom.engines.elasticsearch import rebuilding  # noqa: PLC0415 - the client is loaded on use

    return rebuilding.rebuild(place, schemes, elasticsearch or ElasticsearchOptions())


def is_same_index(one: Engine, other: Engine) -> bool:
    """Whether two engines have the same index open, as far as their locations tell."""
    if one.name == other.name == "embedded":
        return Path(one.location).samefile(other.location)
    return (one.name, one.location) == (other.name, other.location)


def _check_client() -> None:
    if find_spec("elasticsearch") is None:
        raise ExtraMissing(
            "Elasticsearch needs its client, which is not installed; run: pip install 'wherefrom[elasticsearch]'"
        )
