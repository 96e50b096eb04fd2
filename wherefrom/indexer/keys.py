"""The keys of sources beside those that an index holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wherefrom.engines.engine import Engine
from wherefrom.errors import DuplicateSource
from wherefrom.model import KeyKind, RepositoryRecord
from wherefrom.sources.discover import FoundSource, Unusable, place_of
from wherefrom.sources.repository_urls import comparable, ignores_case
from wherefrom.support.printable import visible

_KNOWN_AS: Mapping[str, str] = {
    KeyKind.REMOTE: "from a remote, of",
    KeyKind.PATH: "as the path of",
    KeyKind.NAME: "as the name of",
}


def settle_keys(engine: Engine, sources: Sequence[FoundSource]) -> tuple[list[FoundSource], list[Unusable]]:
    """Sees that no source takes the place of another one in the index because it has the same name.

    A repository of GitHub that the index has under another spelling is given that one as its key.

    Returns:
        The sources that may be indexed, and those whose key the index has as the name of another source, or, for a
        source that was named, as anything else.
    """
    known = {record.key: record for record in engine.repositories([source.key for source in sources])}
    if any(source.key not in known and ignores_case(source.key) for source in sources):
        spelled = {comparable(record.key): record for record in engine.repositories() if ignores_case(record.key)}
        for source in sources:
            if source.key not in known and (record := spelled.get(comparable(source.key))) is not None:
                source.key = record.key
                known[record.key] = record
    kept: list[FoundSource] = []
    refused: list[Unusable] = []
    for source in sources:
        record = known.get(source.key)
        if record is not None and _is_another(source, record):
            refused.append(Unusable(place_of(source), _refusal(source, record)))
        else:
            kept.append(source)
    return kept, refused


def _is_another(source: FoundSource, record: RepositoryRecord) -> bool:
    if source.key_kind is KeyKind.NAME:
        return record.key_kind != KeyKind.NAME or record.location != source.location
    return record.key_kind == KeyKind.NAME and record.location != source.location


def _refusal(source: FoundSource, record: RepositoryRecord) -> DuplicateSource:
    key, known = visible(source.key), _KNOWN_AS.get(record.key_kind, "for")
    return DuplicateSource(
        f"the index holds {key} already {known} {visible(record.location)}, and {visible(place_of(source))} would take "
        f"its place; use another name, or remove that with `wherefrom remove {key}`"
    )
