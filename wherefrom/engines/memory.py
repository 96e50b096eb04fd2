# ruff: noqa: D102 - the methods are documented in the protocols
"""The plain engine: dictionaries, no index. The oracle of the tests, never offered to users."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from wherefrom.engines.engine import TIES, DocumentFrequencies, Postings, closed
from wherefrom.errors import IndexBusy
from wherefrom.model import (
    INDEXED,
    BlobDocument,
    BoilerplateSet,
    Candidate,
    Occurrence,
    Refusal,
    RepositoryRecord,
    Representation,
    StoredBlob,
)
from wherefrom.results import IndexStats


@dataclass
class _State:
    """Everything that an index holds; occurrences by (repository, path)."""

    blobs: dict[str, BlobDocument] = field(default_factory=dict)
    occurrences: dict[tuple[str, str], Occurrence] = field(default_factory=dict)
    repositories: dict[str, RepositoryRecord] = field(default_factory=dict)
    boilerplate: dict[str, BoilerplateSet] = field(default_factory=dict)
    refusals: dict[str, Refusal] = field(default_factory=dict)

    def copy(self) -> _State:
        return replace(
            self,
            blobs=dict(self.blobs),
            occurrences=dict(self.occurrences),
            repositories=dict(self.repositories),
            boilerplate=dict(self.boilerplate),
            refusals=dict(self.refusals),
        )


@dataclass
class _Index:
    """What every engine that has the index open shares."""

    state: _State = field(default_factory=_State)
    is_being_written: bool = False


class _MemoryWriter:
    """Writes to a copy of the state, which `commit` publishes."""

    def __init__(self, index: _Index) -> None:
        self._index = index
        self._draft = index.state.copy()

    def add_blobs(self, documents: Iterable[BlobDocument]) -> None:
        for document in documents:
            self._draft.blobs.setdefault(document.stored.blob, document)

    def replace_blobs(self, documents: Iterable[BlobDocument]) -> None:
        self._draft.blobs |= {document.stored.blob: document for document in documents}

    def put_refusals(self, refusals: Iterable[Refusal]) -> None:
        self._draft.refusals |= {refusal.blob: refusal for refusal in refusals}

    def claim(self, repository: str) -> None:
        """There is no other writer."""

    def put_occurrences(self, occurrences: Iterable[Occurrence]) -> None:
        for occurrence in occurrences:
            self._draft.occurrences[occurrence.repository, occurrence.path] = occurrence

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None = None) -> None:
        if paths is None:
            paths = [path for key, path in self._draft.occurrences if key == repository]
        for path in paths:
            self._draft.occurrences.pop((repository, path), None)

    def put_repository(self, record: RepositoryRecord) -> None:
        self._draft.repositories[record.key] = record

    def delete_repository(self, key: str) -> None:
        self._draft.repositories.pop(key, None)

    def put_boilerplate(self, boilerplate: BoilerplateSet) -> None:
        self._draft.boilerplate[boilerplate.name] = boilerplate

    def delete_boilerplate(self, name: str) -> None:
        self._draft.boilerplate.pop(name, None)

    def sweep(self) -> int:
        referred = {occurrence.blob for occurrence in self._draft.occurrences.values()}
        orphans = self._draft.blobs.keys() - referred
        for blob in orphans:
            del self._draft.blobs[blob]
        self.commit()
        return len(orphans)

    def commit(self) -> None:
        self._index.state = self._draft.copy()


class MemoryEngine:
    """An index that lives as long as the object; `engines.engine.Engine` says what the methods do."""

    name = "memory"
    location = "memory"

    def __init__(self, schemes: Mapping[Representation, str]) -> None:
        self.schemes: Mapping[Representation, str] = {key: schemes[key] for key in INDEXED}
        self._index = _Index()
        self._closed = False

    @property
    def _state(self) -> _State:
        if self._closed:
            raise closed(self.location)
        return self._index.state

    def opened_again(self) -> MemoryEngine:
        """Another engine on the same index."""
        engine = MemoryEngine(self.schemes)
        engine._index = self._index
        return engine

    @contextmanager
    def writer(self) -> Iterator[_MemoryWriter]:
        if self._closed:
            raise closed(self.location)
        if self._index.is_being_written:
            raise IndexBusy("another writer of this index is open; wait until it is done")
        self._index.is_being_written = True
        try:
            writer = _MemoryWriter(self._index)
            yield writer
            writer.commit()
        finally:
            self._index.is_being_written = False

    def known(self, blobs: Collection[str]) -> set[str]:
        return self._state.blobs.keys() & set(blobs)

    def analyses(self, blobs: Collection[str]) -> dict[str, str]:
        return {blob: stored.analysis for blob, stored in self.blobs(blobs).items()}

    def count_analyses(self) -> dict[str, int]:
        return Counter(document.stored.analysis for document in self._state.blobs.values())

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:
        return {blob: self._state.refusals[blob] for blob in blobs if blob in self._state.refusals}

    def blobs(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        return {blob: self._state.blobs[blob].stored for blob in blobs if blob in self._state.blobs}

    def references(self, blobs: Collection[str]) -> dict[str, bytes]:
        return {blob: stored.references for blob, stored in self.blobs(blobs).items()}

    def stored_blobs(self, after: str | None = None) -> Iterator[StoredBlob]:
        documents = self._state.blobs
        return (documents[blob].stored for blob in sorted(documents) if after is None or blob > after)

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        return [record for key, record in sorted(self._state.repositories.items()) if keys is None or key in keys]

    def repository(self, key: str) -> RepositoryRecord | None:
        return self._state.repositories.get(key)

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        wanted = None if blobs is None else set(blobs)
        for _, occurrence in sorted(self._state.occurrences.items()):
            if (wanted is None or occurrence.blob in wanted) and repository in {None, occurrence.repository}:
                yield occurrence

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        found = {}
        for representation, each in terms.items():
            held = [set(_terms(document, representation)) for document in self._state.blobs.values()]
            counts = [sum(term in those for those in held) for term in each]
            found[representation] = DocumentFrequencies(counts, sum(map(bool, held)))
        return found

    def candidates(
        self,
        weights: Mapping[Representation, Mapping[int, float]],
        *,
        limit: int,
        offset: int = 0,
        languages: Collection[str] | None = None,
        blobs: Collection[str] | None = None,
    ) -> list[Candidate]:
        allowed = None if blobs is None else set(blobs)
        ranked = []
        for document in self._state.blobs.values():
            stored = document.stored
            if (languages is not None and stored.language not in languages) or (
                allowed is not None and stored.blob not in allowed
            ):
                continue
            shared = [
                weighted[term]
                for representation, weighted in weights.items()
                for term in _terms(document, representation)
                if term in weighted
            ]
            if shared:
                ranked.append(Candidate(math.fsum(shared), replace(stored, source=None, references=b"")))
        ranked.sort(key=lambda candidate: (-candidate.score, candidate.blob.blob))
        batch = ranked[offset : offset + limit]
        if batch:
            rest = ranked[offset + limit : offset + limit + TIES]
            batch += [candidate for candidate in rest if candidate.score == batch[-1].score]
        return batch

    def postings(self, blobs: Sequence[str]) -> Iterator[Postings]:
        for representation in INDEXED:
            held = sorted(
                (term, position)
                for position, blob in enumerate(blobs)
                if blob in self._state.blobs
                for term in self._state.blobs[blob].terms.get(representation, np.zeros(0, np.uint64)).tolist()
            )
            terms, positions = [term for term, _ in held], [position for _, position in held]
            yield Postings(representation, np.array(terms, np.uint64), np.array(positions, np.int64))

    def boilerplate_names(self) -> list[str]:
        return sorted(self._state.boilerplate)

    def boilerplate(self, name: str) -> BoilerplateSet | None:
        return self._state.boilerplate.get(name)

    def stats(self) -> IndexStats:
        blobs = [document.stored for document in self._state.blobs.values()]
        skipped: Counter[str] = Counter()
        for record in self._state.repositories.values():
            skipped.update(record.skipped)
        return IndexStats(
            engine=self.name,
            location=self.location,
            format=1,
            schemes=self.schemes,
            repositories=len(self._state.repositories),
            occurrences=len(self._state.occurrences),
            blobs=len(blobs),
            size=sum(blob.size for blob in blobs),
            tokens=sum(blob.token_count for blob in blobs),
            languages=Counter(blob.language for blob in blobs),
            analyses=self.count_analyses(),
            skipped=skipped,
            stored=None,
        )

    def verify(self) -> None:
        """Nothing is stored that could change."""
        if self._closed:
            raise closed(self.location)

    def close(self) -> None:
        self._closed = True


def _terms(document: BlobDocument, representation: Representation) -> list[int]:
    terms = document.terms.get(representation)
    return [] if terms is None else [int(term) for term in terms]
