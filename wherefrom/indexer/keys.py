"""Chooses the repository key of each source, so that two repositories never have the same key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wherefrom.engines.engine import Engine
from wherefrom.errors import DuplicateSource
from wherefrom.model import KeyKind, RepositoryRecord
from wherefrom.sources.discover import Unusable, place_of
from wherefrom.sources.repository_urls import comparable, ignores_case
from wherefrom.sources.source import Source
from wherefrom.support.printable import visible

_KNOWN_AS: Mapping[str, str] = {
    KeyKind.REMOTE: "from a remote, of",
    KeyKind.PATH: "as the path of",
    KeyKind.NAME: "as the name of",
    KeyKind.PACKAGE: "as the package in",
}


def settle_keys(engine: Engine, sources: Sequence[Source]) -> tuple[list[Source], list[Unusable]]:
    """Refuses sources that would replace another source in the index because both have the same name. If the index has
    the key of a GitHub repository in other letter case, the source gets the key from the index. Returns the sources
    that may be indexed, and the refused ones: their keys belong to other sources in the index. A source is refused only
    if its key or the one in the index is a name.
    """
    known = {record.key: record for record in engine.repositories([source.key for source in sources])}
    if any(source.key not in known and ignores_case(source.key) for source in sources):
        spelled = {comparable(key): key for key in engine.repository_keys() if ignores_case(key)}
        for source in sources:
            if source.key not in known and (key := spelled.get(comparable(source.key))) is not None:
                source.key = key
        known |= {record.key: record for record in engine.repositories([source.key for source in sources])}
    kept: list[Source] = []
    refused: list[Unusable] = []
    for source in sources:
        record = known.get(source.key)
        if record is not None and _is_another(source, record):
            refused.append(Unusable(place_of(source), _refusal(source, record)))
        else:
            kept.append(source)
    return kept, refused


def _is_another(source: Source, record: RepositoryRecord) -> bool:
    if source.key_kind is KeyKind.NAME:
        return record.key_kind != KeyKind.NAME or record.location != source.location
    return record.key_kind == KeyKind.NAME and record.location != source.location


def _refusal(source: Source, record: RepositoryRecord) -> DuplicateSource:
    key, known = visible(source.key), _KNOWN_AS.get(record.key_kind, "for")
    return DuplicateSource(
        f"the index holds {key} already {known} {visible(record.location)}, and {visible(place_of(source))} would take "
        f"its place; use another name, or remove that with `wherefrom remove {key}`"
    )
