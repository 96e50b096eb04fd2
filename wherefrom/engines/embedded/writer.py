# ruff: noqa: D102 - the methods are documented in the protocol
"""The writer of an embedded index: records go into one transaction, postings into new runs; a commit keeps both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wherefrom.engines.embedded.faults import mapped
from wherefrom.engines.embedded.folder import RECORDS, RUNS, writing_alone
from wherefrom.engines.embedded.merging import LiveRun, merge, runs_to_merge
from wherefrom.engines.embedded.ranking import blob_key
from wherefrom.engines.embedded.records import Records
from wherefrom.engines.embedded.run_writer import write_run
from wherefrom.engines.embedded.runs import SUFFIX, Columns, Description, Run
from wherefrom.engines.engine import Note
from wherefrom.engines.records import dump_boilerplate, dump_note, dump_refusal, dump_repository
from wherefrom.model import (
    INDEXED,
    TERM_BYTES,
    BlobDocument,
    BoilerplateSet,
    Occurrence,
    Refusal,
    RepositoryRecord,
    packed_terms,
)
from wherefrom.support.chunks import batches
from wherefrom.support.system import system

BUFFER = 1 << 22  # once this many postings wait in memory, they are written as a run
TOGETHER = 256  # the number of blobs that are written at a time

LISTED_TOGETHER = 4_096
"""The number of occurrences that are written at a time. Each time, the listing before them is written again."""

SWEEP_COMMIT = 50_000  # a sweep commits each time that it has removed this many contents


def live_runs(records: Records, folder: Path, known: dict[int, Run]) -> list[LiveRun]:
    """The runs of a commit; opens those that are not among the `known` ones. Call it in a snapshot or a transaction, so
    that no file is removed meanwhile. Raises Damage if a file is missing or a description cannot be right.
    """
    found = []
    for description, packed in records.runs():
        run = known.get(description.name)
        if run is None or run.description != description:
            run = Run(folder, description)
        alive = np.ones(description.documents, np.bool_)
        if packed:
            alive = np.unpackbits(np.frombuffer(packed, np.uint8), count=description.documents).astype(np.bool_)
        found.append(LiveRun(run, alive))
    return found


class _Document(NamedTuple):
    """A blob with postings that are not in a run yet. Its terms are whole: their bytes for each of `INDEXED`."""

    key: int
    language: str
    terms: Sequence[bytes | None]

    @property
    def postings(self) -> int:
        return sum([len(terms) for terms in self.terms if terms]) // TERM_BYTES


class EmbeddedWriter:
    """The writer of an embedded index; `engines.engine.Writer` documents the methods. For one thread."""

    def __init__(self, folder: Path, term_bits: int, records: Records) -> None:
        self._folder = folder
        self._term_bits = term_bits
        self._runs_folder = folder / RUNS
        self._records = records
        self._changed: set[int] = set()
        self._waiting: dict[int, _Document] = {}
        self._postings = 0
        self._dead: set[int] = set()
        with mapped(folder, writing=True):
            records.begin()
            self._runs = live_runs(records, self._runs_folder, {})
            self._remove_leftovers()

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, term_bits: int) -> Iterator[EmbeddedWriter]:
        """A block with the only writer of an index; commits at its end. Raises IndexBusy if there is another writer."""
        with writing_alone(folder):
            with mapped(folder, writing=True):
                records = Records(folder / RECORDS, writes=True)
            with closing(records):
                writer = cls(folder, term_bits, records)
                yield writer
                writer.commit()
                writer._runs = []  # which closes their files

    def _remove_leftovers(self) -> None:
        """Removes the files of runs that the last commit does not name: merged runs, and those of killed writers."""
        named = {live.run.description.file for live in self._runs}
        for path in self._runs_folder.iterdir():
            if path.suffix == SUFFIX and path.name not in named:
                system.remove(path)

    def claim(self, repository: str) -> None:
        """Does nothing, since there is no other writer."""

    def add_blobs(self, documents: Iterable[BlobDocument]) -> None:
        for batch in batches(documents, TOGETHER):
            with mapped(self._folder, writing=True):
                known = self._records.contents.numbers(document.stored.blob for document in batch)
                new: dict[str, BlobDocument] = {}
                for document in batch:
                    if document.stored.blob not in known:
                        new.setdefault(document.stored.blob, document)
                self._add(list(new.values()))

    def replace_blobs(self, documents: Iterable[BlobDocument]) -> None:
        for document in documents:
            with mapped(self._folder, writing=True):
                for number in self._records.contents.numbers([document.stored.blob]).values():
                    self._forget(number)
                self._add([document])

    def _add(self, documents: Sequence[BlobDocument]) -> None:
        """Adds distinct blobs. After an interruption, either all of them are added or none."""
        if self._records.contents.is_full:
            self._records.contents.flush()
        numbers: list[int] = []
        try:
            numbers = self._records.contents.put_blobs([document.stored for document in documents])
            for number, document in zip(numbers, documents, strict=True):
                stored = document.stored
                terms = packed_terms(document.terms)
                self._waiting[number] = _Document(blob_key(stored.blob), stored.language, terms)
        except BaseException:
            self._records.contents.take_back(document.stored.blob for document in documents)
            for number in numbers:
                self._waiting.pop(number, None)
            raise
        self._postings += sum(self._waiting[number].postings for number in numbers)
        if self._postings >= BUFFER:
            self._write_run()

    def _forget(self, number: int) -> None:
        """Notes that searches must not find the postings of a content any more."""
        forgotten = self._waiting.pop(number, None)
        if forgotten is not None:
            self._postings -= forgotten.postings
        self._dead.add(number)

    def put_refusals(self, refusals: Iterable[Refusal]) -> None:
        for refusal in refusals:
            self._put("refusal", refusal.blob, record=dump_refusal(refusal))

    def put_occurrences(self, occurrences: Iterable[Occurrence]) -> None:
        for batch in batches(occurrences, LISTED_TOGETHER):
            with mapped(self._folder, writing=True):
                self._records.listings.put(batch)

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None = None) -> None:
        with mapped(self._folder, writing=True):
            self._records.listings.delete(repository, paths)

    def put_repository(self, record: RepositoryRecord) -> None:
        self._put("repository", record.key, record=dump_repository(record))

    def delete_repository(self, key: str) -> None:
        self._put("repository", key)

    def put_boilerplate(self, boilerplate: BoilerplateSet) -> None:
        description, hashes = dump_boilerplate(boilerplate)
        self._put("boilerplate", boilerplate.name, record=description, hashes=hashes)

    def delete_boilerplate(self, name: str) -> None:
        self._put("boilerplate", name)

    def put_note(self, name: str, note: Note | None) -> None:
        self._put("note", name, **({} if note is None else {"record": dump_note(note)}))

    def _put(self, table: str, name: str, **values: bytes) -> None:
        """Puts a record into a table; without `values`, removes the record."""
        with mapped(self._folder, writing=True):
            self._records.put_named(table, name, **values)

    def sweep(self) -> int:
        self.commit()
        swept = 0
        with mapped(self._folder, writing=True):
            while orphans := self._records.contents.orphans(SWEEP_COMMIT):
                for number in orphans:
                    self._forget(number)
                swept += self._records.contents.delete(orphans)
                self.commit()
            self._records.shrink()
        return swept

    def commit(self) -> None:
        """Writes the new run, then the records, which name it. Then merges runs, and removes the merged ones. It can be
        called again after a KeyboardInterrupt at any moment.
        """
        with mapped(self._folder, writing=True):
            self._write_run()
            self._keep()
            while chosen := runs_to_merge(self._runs):
                self._merge(chosen)
                self._keep()

    def _keep(self) -> None:
        """Commits the records, and begins the next transaction."""
        self._records.contents.flush()
        for live in self._runs:
            if live.run.description.name in self._changed:
                packed = b"" if live.is_whole else np.packbits(live.is_alive).tobytes()
                self._records.put_run(live.run.description, packed)
        self._records.keep_runs(live.run.description.name for live in self._runs)
        self._changed.clear()
        if not self._records.is_changed:
            return
        system.sync_folder(self._runs_folder)
        self._records.commit()
        self._remove_leftovers()

    def _write_run(self) -> None:
        """Writes the waiting documents as a run, and notes which documents of earlier runs are deleted."""
        self._mark_dead()
        if not self._waiting:
            return
        documents = list(self._waiting.values())
        languages = sorted({document.language for document in documents})
        place = {language: at for at, language in enumerate(languages)}
        terms = [[document.terms[at] or b"" for document in documents] for at in range(len(INDEXED))]
        has = sum(np.array([len(own) > 0 for own in column], np.uint8) << at for at, column in enumerate(terms))
        columns = Columns(
            np.array([document.key for document in documents], np.uint64),
            np.fromiter(self._waiting, np.uint32, len(documents)),
            np.array([place[document.language] for document in documents], np.uint16),
            np.asarray(has, np.uint8),
        )
        name = self._next_name()
        written = self._opened(write_run(self._runs_folder, name, terms, columns, languages, term_bits=self._term_bits))
        # Signals are handled at calls. These assignments have none, so an interruption leaves all of them done or none.
        self._runs, self._waiting, self._postings = [*self._runs, written], {}, 0

    def _next_name(self) -> int:
        """A number that no committed run ever had."""
        return max(self._records.next_run(), *(1 + live.run.description.name for live in self._runs), 1)

    def _opened(self, description: Description) -> LiveRun:
        """Opens a run that was just written; the next commit names it."""
        self._changed.add(description.name)
        return LiveRun(Run(self._runs_folder, description), np.ones(description.documents, np.bool_))

    def _mark_dead(self) -> None:
        if not self._dead:
            return
        dead = np.fromiter(self._dead, np.uint32, len(self._dead))
        for live in self._runs:
            is_gone = np.isin(live.run.columns.numbers, dead) & live.is_alive
            if is_gone.any():
                self._changed.add(live.run.description.name)
                live.is_alive[is_gone] = False
        self._dead.clear()

    def _merge(self, chosen: Sequence[LiveRun]) -> None:
        """Replaces several runs by one, or by none if all of their documents are deleted."""
        lives = any(live.is_alive.any() for live in chosen)
        merged = [self._opened(merge(self._runs_folder, self._next_name(), chosen))] if lives else []
        self._runs = [*self._runs[: len(self._runs) - len(chosen)], *merged]
