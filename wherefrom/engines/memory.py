# ruff: noqa: D102 - the methods are documented in the protocols
"""The engine in memory: dictionaries, and a temporary file with the contents of the indexed files. Tests compare the
other engines with it, and a comparison (`wherefrom.compare`) stores its files in it. Users cannot choose it.
"""

from __future__ import annotations

import math
import tempfile
import weakref
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from wherefrom.engines.engine import DocumentFrequencies, Engine, Note, Postings, Schemes, Wanted, closed, index_stats
from wherefrom.engines.terms import in_term_order, with_ties
from wherefrom.errors import IndexBusy, UnusableIndex
from wherefrom.model import (
    INDEXED,
    TERM_BITS,
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
from wherefrom.support.system import system
from wherefrom.support.values import dataclass, field, replace


@dataclass
class _State:
    """The data of an index: `occurrences` by repository and path, `sources` with places in the file of `_Sources`."""

    blobs: dict[str, BlobDocument] = field(default_factory=dict)
    occurrences: dict[str, dict[str, Occurrence]] = field(default_factory=dict)
    repositories: dict[str, RepositoryRecord] = field(default_factory=dict)
    boilerplate: dict[str, BoilerplateSet] = field(default_factory=dict)
    refusals: dict[str, Refusal] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    sources: dict[str, tuple[int, int]] = field(default_factory=dict)

    def copy(self) -> _State:
        copied = _State(**{name: dict(values) for name, values in vars(self).items()})
        copied.occurrences = {key: dict(own) for key, own in self.occurrences.items()}
        return copied

    def listed(self, repository: str | None = None) -> list[Occurrence]:
        chosen = sorted(self.occurrences) if repository is None else [repository]
        return [found for key in chosen for _, found in sorted(self.occurrences.get(key, {}).items())]


class _Sources:
    """Contents in an unnamed temporary file. The system deletes the file with the last reference to this object."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 -- it is closed with this object
        weakref.finalize(self, self._file.close)
        self._end = 0

    def put(self, content: bytes) -> tuple[int, int]:
        """Adds a content; returns its place. Raises UnusableIndex if there is no space."""
        try:
            self._file.seek(self._end)
            rest = memoryview(content)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise UnusableIndex(
                f"the files that are read cannot be kept in {tempfile.gettempdir()}: {error.strerror}; "
                "free some space, or name another folder in TMPDIR"
            ) from error
        place = self._end, len(content)
        self._end += len(content)
        return place

    def get(self, place: tuple[int, int]) -> bytes:
        begin, length = place
        return system.read_at(self._file.fileno(), length, begin)


@dataclass
class _Index:
    """The current state of an index, shared by the engine and its writer."""

    state: _State = field(default_factory=_State)
    is_being_written: bool = False
    sources: _Sources = field(default_factory=_Sources)

    def stored(self, blob: str) -> StoredBlob:
        place = self.state.sources.get(blob)
        return replace(self.state.blobs[blob].stored, source=None if place is None else self.sources.get(place))


class _MemoryWriter:
    """Writes to a copy of the state; `commit` publishes the copy."""

    def __init__(self, index: _Index) -> None:
        self._index = index
        self._draft = index.state.copy()

    def add_blobs(self, documents: Iterable[BlobDocument]) -> None:
        self.replace_blobs(document for document in documents if document.stored.blob not in self._draft.blobs)

    def replace_blobs(self, documents: Iterable[BlobDocument]) -> None:
        for document in documents:
            stored = document.stored
            if stored.source is not None:
                self._draft.sources[stored.blob] = self._index.sources.put(stored.source)
                stored = replace(stored, source=None)
            self._draft.blobs[stored.blob] = BlobDocument(stored, document.terms)

    def put_refusals(self, refusals: Iterable[Refusal]) -> None:
        self._draft.refusals |= {refusal.blob: refusal for refusal in refusals}

    def claim(self, repository: str) -> None:
        """Does nothing, since there is no other writer."""

    def put_occurrences(self, occurrences: Iterable[Occurrence]) -> None:
        for occurrence in occurrences:
            self._draft.occurrences.setdefault(occurrence.repository, {})[occurrence.path] = occurrence

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None = None) -> None:
        own = self._draft.occurrences.get(repository, {})
        for path in list(own) if paths is None else paths:
            own.pop(path, None)

    def put_repository(self, record: RepositoryRecord) -> None:
        self._draft.repositories[record.key] = record

    def delete_repository(self, key: str) -> None:
        self._draft.repositories.pop(key, None)

    def put_boilerplate(self, boilerplate: BoilerplateSet) -> None:
        self._draft.boilerplate[boilerplate.name] = boilerplate

    def delete_boilerplate(self, name: str) -> None:
        self._draft.boilerplate.pop(name, None)

    def put_note(self, name: str, note: Note | None) -> None:
        self._draft.notes.pop(name, None)
        if note is not None:
            self._draft.notes[name] = note

    def sweep(self) -> int:
        orphans = self._draft.blobs.keys() - {occurrence.blob for occurrence in self._draft.listed()}
        for blob in orphans:
            del self._draft.blobs[blob]
        self.commit()
        return len(orphans)

    def commit(self) -> None:
        self._index.state = self._draft.copy()


class MemoryEngine(Engine):
    """An index that exists as long as this object; `engines.engine.Engine` documents the methods."""

    name = "memory"
    location = "memory"
    term_bits = TERM_BITS

    def __init__(self, schemes: Schemes) -> None:
        self.schemes: Schemes = {key: schemes[key] for key in INDEXED}
        self._index = _Index()
        self._history: MemoryEngine | None = None
        self._closed = False

    @property
    def _state(self) -> _State:
        self.verify()
        return self._index.state

    @contextmanager
    def writer(self) -> Iterator[_MemoryWriter]:
        self.verify()
        if self._index.is_being_written:
            raise IndexBusy("another writer of this index is open; wait until it is done")
        self._index.is_being_written = True
        try:
            writer = _MemoryWriter(self._index)
            yield writer
            writer.commit()
        finally:
            self._index.is_being_written = False

    def analyses(self, blobs: Collection[str]) -> dict[str, str]:
        state = self._state
        return {blob: state.blobs[blob].stored.analysis for blob in blobs if blob in state.blobs}

    def count_analyses(self) -> dict[str, int]:
        return Counter(document.stored.analysis for document in self._state.blobs.values())

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:
        state = self._state
        return {blob: state.refusals[blob] for blob in blobs if blob in state.refusals}

    def blobs(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        state = self._state
        return {blob: self._index.stored(blob) for blob in blobs if blob in state.blobs}

    def analyzed(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        state = self._state
        return {blob: state.blobs[blob].stored for blob in blobs if blob in state.blobs}

    def stored_blobs(self) -> Iterator[StoredBlob]:
        return (self._index.stored(blob) for blob in sorted(self._state.blobs))

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        return [record for key, record in sorted(self._state.repositories.items()) if keys is None or key in keys]

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        wanted = None if blobs is None else set(blobs)
        return (at for at in self._state.listed(repository) if wanted is None or at.blob in wanted)

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        found = {}
        for representation, wanted in terms.items():
            of_each = [set(_terms(document, representation)) for document in self._state.blobs.values()]
            counts = [sum(term in own for own in of_each) for term in wanted]
            found[representation] = DocumentFrequencies(counts, sum(map(bool, of_each)))
        return found

    def _candidates(self, wanted: Wanted) -> list[Candidate]:
        allowed = None if wanted.blobs is None else set(wanted.blobs)
        ranked = []
        for blob, document in self._state.blobs.items():
            stored = document.stored
            if (wanted.languages is None or stored.language in wanted.languages) and (
                allowed is None or blob in allowed
            ):
                shared = [
                    weighted[term]
                    for representation, weighted in wanted.weights.items()
                    for term in _terms(document, representation)
                    if term in weighted
                ]
                if shared:
                    ranked.append((math.fsum(shared), blob, replace(stored, source=None, references=b"")))
        ranked.sort(key=lambda entry: (-entry[0], entry[1]))
        return [Candidate(score, stored) for score, _, stored in with_ties(ranked, wanted.limit, wanted.offset)]

    def postings(self, blobs: Sequence[str]) -> Iterator[Postings]:
        documents = [self._state.blobs.get(blob) for blob in blobs]
        nothing = np.zeros(0, np.uint64)
        for representation in INDEXED:
            of_each = [nothing if found is None else found.terms.get(representation, nothing) for found in documents]
            yield from in_term_order(representation, of_each)

    def boilerplate_names(self) -> list[str]:
        return sorted(self._state.boilerplate)

    def boilerplate(self, name: str) -> BoilerplateSet | None:
        return self._state.boilerplate.get(name)

    def notes(self, begin: str) -> dict[str, Note]:
        return {name: note for name, note in sorted(self._state.notes.items()) if name.startswith(begin)}

    def stats(self) -> IndexStats:
        blobs = [document.stored for document in self._state.blobs.values()]
        return index_stats(
            self,
            [record.skipped for record in self.repositories()],
            format=1,
            occurrences=len(self._state.listed()),
            blobs=len(blobs),
            size=sum(blob.size for blob in blobs),
            tokens=sum(blob.token_count for blob in blobs),
            languages=Counter(blob.language for blob in blobs),
            analyses=self.count_analyses(),
            stored=None,
        )

    def verify(self) -> None:
        """Raises `IndexClosed` after `close`. Nothing else is checked, since the data has no checksums."""
        if self._closed:
            raise closed(self.location)

    def history(self) -> MemoryEngine | None:
        self.verify()
        return self._history

    def make_history(self) -> MemoryEngine:
        self.verify()
        self._history = self._history or MemoryEngine(self.schemes)
        return self._history

    def close(self) -> None:
        self._closed = True
        if self._history is not None:
            self._history.close()


def _terms(document: BlobDocument, representation: Representation) -> list[int]:
    terms: list[int] = document.terms.get(representation, np.zeros(0, np.uint64)).tolist()
    return terms
