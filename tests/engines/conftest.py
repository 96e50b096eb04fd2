"""Engines to test, and documents to put into them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.analyzers.conftest import both_ways  # noqa: F401 -- a fixture; `__all__` would hide all else from scripts
from wherefrom.engines import ElasticsearchOptions, open_engine
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.pages import FolderPlace
from wherefrom.engines.published.publishing import Publisher
from wherefrom.model import (
    INDEXED,
    OF_TOKENS,
    BlobDocument,
    Notice,
    Occurrence,
    RepositoryRecord,
    Representation,
    SkipReason,
    StoredBlob,
)
from wherefrom.options import PublishOptions

SCHEMES = {representation: f"{representation}-scheme" for representation in INDEXED}

SET_SCHEMES = {representation: SCHEMES[representation] for representation in OF_TOKENS}
"""The schemes of a boilerplate set."""


def blob_id(name: object) -> str:
    return hashlib.sha1(repr(name).encode()).hexdigest()


def document(
    name: object,
    terms: Mapping[Representation, list[int]] | list[int],
    *,
    language: str = "python",
    size: int = 100,
    token_count: int = 30,
    blob: str = "",
    tokens: bytes | None = None,
    source: bytes | None = None,
    references: bytes = b"",
    analysis: str = "",
) -> BlobDocument:
    """A blob with these terms (a list: of `exact`)."""
    if isinstance(terms, list):
        terms = {Representation.EXACT: terms}
    stored = StoredBlob(
        blob=blob or blob_id(name),
        language=language,
        size=size,
        token_count=token_count,
        tokens=repr(name).encode() + bytes(range(256)) if tokens is None else tokens,
        source=source,
        references=references,
        analysis=analysis,
    )
    return BlobDocument(stored, {key: np.unique(np.array(values, np.uint64)) for key, values in terms.items()})


def occurrence(repository: str, path: str, name: object, revision: str = "r1") -> Occurrence:
    return Occurrence(repository, path, blob_id(name), revision)


def repository(key: str, **skipped: int) -> RepositoryRecord:
    return RepositoryRecord(
        key=key,
        location=f"/clones/{key}",
        kind="git",
        revision="f" * 40,
        settings="digest",
        files=3,
        size=4000,
        skipped={SkipReason(reason): count for reason, count in skipped.items()},
        indexed_at="2025-01-02T03:04:05Z",
        notices=(Notice("LICENSE", blob_id("license")), Notice("\u00e4/README.md", blob_id("readme"))),
    )


@dataclass
class Opened:
    """An engine, and a function that opens the same index again, as another process would."""

    engine: Engine
    again: Callable[[], Engine]

    def reopen(self) -> Engine:
        self.engine.close()
        self.engine = self.again()
        return self.engine


def opened(kind: str, folder: Path) -> Opened:
    if kind == "published":
        republished = Republished(folder / "published")
        return Opened(republished, lambda: Republished(folder / "published", republished))
    if kind == "memory":
        memory = MemoryEngine(SCHEMES)

        def again() -> MemoryEngine:
            engine = MemoryEngine(SCHEMES)
            engine._index = memory._index
            return engine

        return Opened(memory, again)
    return _opened(folder / "index", None)


READS = {name for name, value in vars(PublishedEngine).items() if name[0] != "_" and callable(value)} - {
    *("writer", "close", "make_history", "history"),
    "refusals",  # a published index has none, since nothing is indexed into it
    "repositories",  # it has no locations of clones
}


class Republished(MemoryEngine):
    """A published index for the tests of all engines: it is written in memory, and published after each commit."""

    name = "published"

    def __init__(self, folder: Path, index: MemoryEngine | None = None) -> None:
        super().__init__(SCHEMES)
        self.folder = folder
        self.location = str(folder)
        if index is not None:
            self._index = index._index
        self._published: tuple[object, PublishedEngine] | None = None

    def __getattribute__(self, name: str) -> Any:
        if name in READS and name not in super().__getattribute__("__dict__"):

            def read(*arguments: Any, **named: Any) -> Any:
                """Reads the last commit at the time of the call."""
                return getattr(self.published(), name)(*arguments, **named)

            return read
        return super().__getattribute__(name)

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        """The published records, with the locations that are not published."""
        locations = {record.key: record.location for record in super().repositories(keys)}
        return [replace(it, location=locations[it.key]) for it in self.published().repositories(keys)]

    def published(self) -> PublishedEngine:
        """The last commit, as published."""
        state = self._index.state
        if self._published is None or self._published[0] is not state:
            Publisher(_Plain(self._index), self.folder, PublishOptions()).run()
            self._published = state, PublishedEngine(FolderPlace(self.folder), SCHEMES)
        if self._closed:
            self._published[1].close()
        return self._published[1]


class _Plain(MemoryEngine):
    """The memory engine of an index."""

    def __init__(self, index: Any) -> None:
        super().__init__(SCHEMES)
        self._index = index


def opened_on_elasticsearch(location: str, shards: int) -> Opened:
    return _opened(location, ElasticsearchOptions(shards=shards))


def _opened(location: Path | str, options: ElasticsearchOptions | None) -> Opened:
    return Opened(
        open_engine(location, schemes=SCHEMES, create=True, options=options),
        lambda: open_engine(location, schemes=SCHEMES, options=options),
    )


LIVE = [pytest.param(f"elasticsearch, {shards}", marks=pytest.mark.live) for shards in ("1 shard", "3 shards")]


@pytest.fixture(params=["memory", "embedded", "published", *LIVE])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    if request.param.startswith("elasticsearch"):
        location = request.getfixturevalue("elasticsearch_location")()
        made = opened_on_elasticsearch(location, 3 if "3" in request.param else 1)
    else:
        made = opened(request.param, tmp_path)
    yield made
    made.engine.close()


@pytest.fixture
def engine(index: Opened) -> Engine:
    return index.engine
