# ruff: noqa: D102 - the methods are documented in the protocols
"""The embedded engine: an index in a folder."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded import folder as folders
from wherefrom.engines.embedded.database import decoded, encode, expect, make
from wherefrom.engines.embedded.faults import Damage, mapped
from wherefrom.engines.embedded.folder import HISTORY, RECORDS, RUNS, giving_way
from wherefrom.engines.embedded.merging import LiveRun, in_order
from wherefrom.engines.embedded.packing import Words
from wherefrom.engines.embedded.ranking import Ranked, TermLookup, best, blob_key
from wherefrom.engines.embedded.records import Records
from wherefrom.engines.embedded.writer import EmbeddedWriter, live_runs
from wherefrom.engines.engine import DocumentFrequencies, Engine, Note, Postings, Schemes, Wanted, closed, index_stats
from wherefrom.engines.records import (
    boilerplate_name,
    load_boilerplate,
    load_note,
    load_refusal,
    load_repository,
    load_skipped,
)
from wherefrom.engines.terms import ScaledWeights, scale
from wherefrom.mappings.embedded import FORMAT
from wherefrom.model import (
    INDEXED,
    TERM_BITS,
    BoilerplateSet,
    Candidate,
    Occurrence,
    Refusal,
    RepositoryRecord,
    Representation,
    StoredBlob,
)
from wherefrom.results import IndexStats
from wherefrom.support.values import dataclass, field

_T = TypeVar("_T")

LISTED = 100  # the number of blobs that `stored_blobs` loads at a time
CANDIDATE_BYTES = 1 << 24  # the highest number of bytes of token streams in `_View.candidates`


@dataclass(slots=True)
class _View:
    """The runs of one commit, and what later searches use again: the number of blobs that have terms of a
    representation; the last ranking, since a search takes it batch after batch; the skipped files of each repository,
    as a page of a server may need them each time; and the last candidates, since windows of a query overlap.
    """

    version: int
    runs: list[LiveRun]
    holding: dict[Representation, int] = field(default_factory=dict)
    boilerplate: dict[str, BoilerplateSet] = field(default_factory=dict)
    ranked: tuple[object, Ranked] | None = None
    skips: Sequence[Mapping[str, int]] = ()
    candidates: dict[int, StoredBlob] = field(default_factory=dict)
    candidate_bytes: int = 0

    def rank(self, scaled: ScaledWeights, languages: frozenset[str] | None, keys: Words | None) -> Ranked:
        """The documents that have weighted terms; uses `ranked` if the arguments are the same."""
        question = (tuple(scaled), languages, None if keys is None else keys.tobytes())
        if self.ranked is None or self.ranked[0] != question:
            lookup = TermLookup(self.runs, [(representation, term) for representation, term, _ in scaled])
            weights = np.array([weight for _, _, weight in scaled], np.float64)
            self.ranked = question, lookup.ranked(weights, languages=languages, keys=keys)
        return self.ranked[1]

    def stored(self, records: Records, numbers: Sequence[int]) -> dict[int, StoredBlob]:
        """The blobs with these numbers, by number; reads only those that are not in `candidates`."""
        missing = [number for number in numbers if number not in self.candidates]
        found = records.contents.numbered(missing, ("tokens",))
        for number in numbers:
            if number in self.candidates:
                found[number] = self.candidates.pop(number)
            else:
                self.candidate_bytes += len(found[number].tokens)
            self.candidates[number] = found[number]
        while self.candidate_bytes > CANDIDATE_BYTES:
            self.candidate_bytes -= len(self.candidates.pop(next(iter(self.candidates))).tokens)
        return found

    def facts(self, records: Records, numbers: Sequence[int]) -> dict[int, StoredBlob]:
        """The blobs with these numbers, by number; those that are not in `candidates` have no tokens."""
        found = {number: self.candidates[number] for number in numbers if number in self.candidates}
        return found | records.contents.numbered([number for number in numbers if number not in found], ())

    def count_holding(self, representation: Representation) -> int:
        if representation not in self.holding:
            number = INDEXED.index(representation)
            self.holding[representation] = sum(live.count_holding(number) for live in self.runs)
        return self.holding[representation]


class EmbeddedEngine(Engine):
    """An index in a folder; `engines.engine.Engine` documents the methods. Threads may share it, and read in turn."""

    name = "embedded"

    def __init__(self, folder: Path, schemes: Schemes, term_bits: int, has_code: bool) -> None:
        self.location = str(folder)
        self.schemes: Schemes = {key: schemes[key] for key in INDEXED}
        self.term_bits, self.has_code = term_bits, has_code
        self._folder, self._path = folder, folder / RECORDS
        self._lock = threading.RLock()
        self._is_closed = False
        self._records: Records | None = None
        self._file = (0, 0)
        self._history: EmbeddedEngine | None = None
        self._current = _View(-1, [])
        with self._reading():
            """If every later call would fail because of damage, this raises IndexDamaged now."""

    @classmethod
    def open(
        cls, folder: Path, schemes: Schemes, term_bits: int, *, create: bool = False, has_code: bool = True
    ) -> EmbeddedEngine:
        """Opens an index; with `create`, makes it if it does not exist. Raises the errors of `engines.open_engine`."""
        folder = folder.absolute()
        if create and not folders.exists(folder):
            folders.make(folder, schemes, term_bits, lambda: _fill(folder), has_code=has_code)
        return cls(folder, schemes, *folders.check(folder, schemes))

    @contextmanager
    def _reading(self) -> Iterator[tuple[Records, _View]]:
        """A block that reads from the last commit, whichever process made it."""
        with self._lock, mapped(self._folder):
            records = self._opened()
            with records.snapshot():
                version = records.version()
                if version != self._current.version:
                    known = {live.run.description.name: live.run for live in self._current.runs}
                    self._current = _View(version, live_runs(records, self._folder / RUNS, known))
                yield records, self._current

    def _refuse_closed(self) -> None:
        if self._is_closed:
            raise closed(self.location)

    def _opened(self) -> Records:
        """The open records. Opens them again if their file was replaced by another file."""
        self._refuse_closed()
        try:
            status = self._path.stat()
        except FileNotFoundError as error:
            raise Damage(f"{RECORDS} is missing") from error
        file = status.st_dev, status.st_ino
        if self._records is None or file != self._file:
            self._drop()
            self._records = Records(self._path)
            self._file = file
        return self._records

    @property
    def version(self) -> object | None:
        return self._file, self._current.version

    def writer(self) -> AbstractContextManager[EmbeddedWriter]:
        self._refuse_closed()
        return EmbeddedWriter.opened(self._folder, self.term_bits)

    def analyses(self, blobs: Collection[str]) -> dict[str, str]:
        with self._reading() as (records, _):
            return records.contents.analyses(blobs)

    def count_analyses(self) -> dict[str, int]:
        with self._reading() as (records, _):
            return records.contents.count("analysis")

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:
        with self._reading() as (records, _):
            if records.is_empty("refusal"):  # as in nearly all indexes
                return {}
            return {refusal.blob: refusal for refusal in _named(records, "refusal", blobs, load_refusal, "blob")}

    def blobs(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        with self._reading() as (records, _):
            return {stored.blob: stored for stored in records.contents.blobs(blobs)}

    def analyzed(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        with self._reading() as (records, _):
            return {stored.blob: stored for stored in records.contents.blobs(blobs, ("tokens",))}

    def references(self, blobs: Collection[str]) -> dict[str, bytes]:
        with self._reading() as (records, _):
            return {stored.blob: stored.references for stored in records.contents.blobs(blobs, ("references",))}

    def texts(self, blobs: Collection[str]) -> dict[str, bytes | None]:
        with self._reading() as (records, _):
            return {stored.blob: stored.source for stored in records.contents.blobs(blobs, ("source",))}

    def ids(self) -> Iterator[str]:
        return (blob for batch in self._listed() for blob in batch)

    def stored_blobs(self) -> Iterator[StoredBlob]:
        for ids in self._listed():
            with self._reading() as (records, _):
                found = sorted(records.contents.blobs(ids), key=lambda stored: stored.blob)
            yield from found

    def _listed(self) -> Iterator[list[str]]:
        """The ids of all blobs, ascending, in parts."""
        last = ""
        while True:
            with self._reading() as (records, _):
                ids = records.contents.ids_after(last, LISTED)
            yield ids
            if len(ids) < LISTED:
                return
            last = ids[-1]

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        with self._reading() as (records, _):
            if keys is None:
                stored = records.all_named("repository")
                return sorted((decoded(load_repository, record) for record in stored), key=attrgetter("key"))
            return sorted(_named(records, "repository", set(keys), load_repository, "key"), key=attrgetter("key"))

    def repository_keys(self) -> list[str]:
        with self._reading() as (records, _):
            return records.names("repository")

    def located(self, locations: Collection[str]) -> list[str]:
        texts = [json.dumps(location).encode() for location in locations]
        with self._reading() as (records, _):
            stored = (record for record in records.all_named("repository") if any(text in record for text in texts))
            found = [decoded(load_repository, record) for record in stored]
        return sorted(record.key for record in found if record.location in locations)

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        if blobs is None and repository is None:  # those of one repository at a time
            with self._reading() as (records, _):
                repositories = records.listings.repositories()
            for key in repositories:
                yield from self.occurrences(repository=key)
            return
        with self._reading() as (records, _):
            found = records.listings.occurrences(blobs, repository)
        yield from sorted(found, key=lambda occurrence: (occurrence.repository, occurrence.path))

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        with self._reading() as (_, view):
            shift = TERM_BITS - self.term_bits
            stored = [(representation, term >> shift) for representation, those in terms.items() for term in those]
            counts = iter(TermLookup(view.runs, stored).frequencies().tolist())
            return {
                representation: DocumentFrequencies([*islice(counts, len(those))], view.count_holding(representation))
                for representation, those in terms.items()
            }

    def _candidates(self, wanted: Wanted) -> list[Candidate]:
        weights, limit, offset, languages, blobs, promising = wanted
        scaled, unit = scale(weights, self.term_bits)
        keys = None if blobs is None else np.array(sorted({blob_key(blob) for blob in blobs}), np.uint64)
        with self._reading() as (records, view):
            ranked = view.rank(scaled, None if languages is None else frozenset(languages), keys)
            chosen = best(view.runs, ranked, limit, offset)
            read = numbers = [number for _, number in chosen]
            stored: dict[int, StoredBlob] = {}
            if promising is not None and self.has_code:
                # Most candidates are refused by their facts. Their tokens would take most of the time and of the pages.
                stored = view.facts(records, numbers)
                worth = promising([(score * unit, stored[number].token_count) for score, number in chosen])
                read = [number for number, is_worth in zip(numbers, worth, strict=True) if is_worth]
            stored |= view.stored(records, read)
        batch = [Candidate(score * unit, stored[number]) for score, number in chosen]
        return sorted(batch, key=lambda candidate: (-candidate.score, candidate.blob.blob))

    def postings(self, blobs: Sequence[str]) -> Iterator[Postings]:
        if not blobs:
            return
        keys = np.array([blob_key(blob) for blob in blobs], np.uint64)
        order = np.argsort(keys)
        with self._reading() as (_, view):
            runs = view.runs
        with mapped(self._folder):
            positions = [_positions(live, keys[order], order) for live in runs]
            for representation, terms, places in in_order(runs, positions):
                yield Postings(INDEXED[representation], terms, places)

    def boilerplate_names(self) -> list[str]:
        with self._reading() as (records, _):
            return sorted(decoded(boilerplate_name, record) for record in records.all_named("boilerplate"))

    def boilerplate(self, name: str) -> BoilerplateSet | None:
        with self._reading() as (records, view):
            stored = _named(records, "boilerplate", [name], load_boilerplate, "name")
            found = view.boilerplate.get(name) or next(stored, None)
            if found is not None:
                view.boilerplate[name] = found
            return found

    def notes(self, begin: str) -> dict[str, Note]:
        with self._reading() as (records, _):
            return {name: decoded(load_note, record) for name, record in records.notes(begin).items()}

    def stats(self) -> IndexStats:
        with self._reading() as (records, view):
            view.skips = view.skips or [decoded(load_skipped, record) for record in records.all_named("repository")]
            blobs, size, tokens = records.contents.totals()
            return index_stats(
                self,
                view.skips,
                format=FORMAT.version,
                occurrences=records.listings.count(),
                blobs=blobs,
                size=size,
                tokens=tokens,
                languages=records.contents.count("language"),
                analyses=records.contents.count("analysis"),
                stored=folders.stored_bytes(self._folder),
            )

    def verify(self) -> None:
        with self._reading() as (records, view), giving_way(self._folder, records.interrupt):
            numbers = np.array(records.verify(), np.uint32)
        with mapped(self._folder):
            for live in view.runs:
                live.run.verify()
            alive = [live.run.columns.numbers[live.is_alive] for live in view.runs]
            if not np.array_equal(np.sort(np.concatenate([*alive, np.zeros(0, np.uint32)])), numbers):
                raise Damage(f"{RUNS} and {RECORDS} hold different blobs")

    def history(self) -> EmbeddedEngine | None:
        with self._lock:
            self._refuse_closed()
            return self.make_history() if self._history or folders.exists(self._folder / HISTORY) else None

    def make_history(self) -> EmbeddedEngine:
        with self._lock:
            self._refuse_closed()
            if self._history is None:
                folder = self._folder / HISTORY
                self._history = EmbeddedEngine.open(folder, self.schemes, self.term_bits, create=True)
            return self._history

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._history is not None:
                self._history.close()
            self._drop()

    def _drop(self) -> None:
        self._current = _View(-1, [])
        if self._records is not None:
            self._records.close()
            self._records = None


def _positions(live: LiveRun, keys: Words, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each document of a run, the index of its blob among the wanted ones (`positions`, of the ascending `keys`);
    -1 if the document is deleted or its blob is not wanted.
    """
    own = live.run.columns.keys
    near = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
    return np.where(live.is_alive & (keys[near] == own), positions[near], -1)


def _named(records: Records, table: str, names: Iterable[str], load: Callable[..., _T], attribute: str) -> Iterator[_T]:
    """The records with these names. Raises Damage if the `attribute` of a record is not its name."""
    for name, *values in records.named(table, names):
        found = decoded(load, *values)
        expect(encode(getattr(found, attribute)) == name)
        yield found


def _fill(folder: Path) -> None:
    with mapped(folder, writing=True):
        (folder / RUNS).mkdir()
        make(folder / RECORDS)
