"""Copies repositories from one or several indexes into another one, without their clones.

Repositories are copied in groups: first the blobs that the target lacks, then the occurrences that it lacks, then the
records, then a commit. Threads compute the terms of a blob again from its stored token stream. Memory does not
grow with the number of contents, and a killed run can be run again: it skips what was committed. At the end the target
is compared with the others. Refusals are not copied: they only spare the next indexing run a try.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Literal

from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.pieces import piece_terms
from wherefrom.analyzers.stamps import components, is_older
from wherefrom.engines.engine import Engine, Writer
from wherefrom.errors import CopyError, IndexBusy
from wherefrom.indexer.agreement import Agreement
from wherefrom.indexer.union import GROUP, NOTE, SET, Union, named
from wherefrom.model import BlobDocument, Occurrence, RepositoryRecord, StoredBlob
from wherefrom.options import CopyOptions
from wherefrom.results import CopyProgress, CopyReport
from wherefrom.support.chunks import chunks
from wherefrom.support.throttle import Throttle

BATCH = 50
"""How many blobs are read at a time and given to a worker together."""

_NAMED = 3
"""The error that refuses a copy names at most this many of the repositories and boilerplate sets that prevent it."""


class Copy:
    """One copying run; call `run` once. All indexes must have the schemes of this version.

    Args:
        sources: what to copy.
        target: the index to copy to.
        options: how to copy.
        is_history: whether these are the histories of indexes.
    """

    def __init__(self, sources: Union, target: Engine, options: CopyOptions, *, is_history: bool = False) -> None:
        self.is_history = is_history
        self.sources, self.target, self.replace = sources, target, options.replace
        self.progress = Throttle(options.progress)
        self.jobs = options.jobs or os.cpu_count() or 1
        self.begin = self.stage_begin = time.monotonic()
        self.files = self.files_total = self.sent = self.retired = 0

    def run(self) -> CopyReport:
        """Copies what the target lacks, and compares the target with the sources. Raises CopyError before anything is
        written if the target has a repository, set or note in another state; and at the end if the indexes differ.
        """
        self.files_total = sum(part.files for part in self.sources.parts.values())
        self._refuse_obstacles()
        with self.target.writer() as writer:
            self._copy_named(writer)
            with ThreadPoolExecutor(self.jobs) as pool:
                for source, group in self.sources.groups():
                    self._copy_group(writer, pool, source, group)
            self._report("copying", "", self.files_total, self.files_total, last=True)
            swept = 0
            # While other writers are at work, nothing is swept. The next sweep removes the blobs.
            with suppress(IndexBusy):
                swept = writer.sweep() if self.retired else 0
        self.stage_begin = time.monotonic()
        agreement = Agreement(self.sources, self.target)
        total = self.files_total + sum(source.stats().blobs for source in self.sources.indexes)
        for done in agreement.compare():
            self._report("comparing", "", done, total)
        self._report("comparing", "", total, total, last=True)
        return CopyReport(
            repositories=len(self.sources.parts),
            files=agreement.files,
            blobs=agreement.blobs,
            sets=sum(key.kind == SET for key in self.sources.named),
            sent=self.sent,
            kept=agreement.kept,
            retired=self.retired,
            swept=swept,
            digest=agreement.digest,
            seconds=time.monotonic() - self.begin,
            left_out=self.sources.left_out,
        )

    def _refuse_obstacles(self) -> None:
        if self.replace:
            return
        other = []
        for _, group in self.sources.groups():
            there = {record.key: record for record in self.target.repositories([record.key for record in group])}
            found = ((record, there.get(record.key)) for record in group)
            other += [f"repository {record.key!r}" for record, old in found if old and old.settings and old != record]
        here, there_too = self.sources.named, named(self.target)
        other += [f"{key.kind} {key.name!r}" for key in here if there_too.get(key, here[key][1]) != here[key][1]]
        if other:
            more = f" and {len(other) - _NAMED:,} more" if len(other) > _NAMED else ""
            sources = " and ".join(source.location for source in self.sources.indexes)
            raise CopyError(
                f"{self.target.location} holds {', '.join(other[:_NAMED])}{more} in another state than {sources}; "
                "--replace takes the latter, or remove what is there first"
            )

    def _copy_named(self, writer: Writer) -> None:
        """Copies the boilerplate sets and the notes that the target lacks or has in another state."""
        there = named(self.target)
        for key, (number, value) in self.sources.named.items():
            source = self.sources.indexes[number]
            if there.get(key) == value:
                continue
            if key.kind == NOTE:
                writer.put_note(key.name, source.notes(key.name).get(key.name))
            elif (found := source.boilerplate(key.name)) is not None:
                writer.put_boilerplate(found)

    def _copy_group(
        self,
        writer: Writer,
        pool: ThreadPoolExecutor,
        source: Engine,
        group: Sequence[RepositoryRecord],
    ) -> None:
        listed = {record.key: list(source.occurrences(repository=record.key)) for record in group}
        # Blobs of neighboring paths are stored near each other.
        blobs = dict.fromkeys(occurrence.blob for places in listed.values() for occurrence in places)
        uncommitted = 0
        there = self.target.analyses(blobs)
        older = {
            blob
            for blob, stamp in source.analyses(there).items()
            if stamp != there[blob] and is_older(there[blob], components(stamp))
        }
        wanted = (blobs.keys() - there.keys()) | older
        if self.is_history:
            wanted |= self._texts(source, group, listed, there)
        for documents in self._documents(pool, _stored(source, [blob for blob in blobs if blob in wanted])):
            writer.add_blobs(document for document in documents if document.stored.blob not in there)
            writer.replace_blobs(document for document in documents if document.stored.blob in there)
            self.sent += len(documents)
            uncommitted += len(documents)
            if uncommitted >= GROUP:
                writer.commit()
                uncommitted = 0
            self._report("copying", group[0].key, self.files, self.files_total)
        for record in group:
            self._copy_places(writer, record, listed[record.key])
            self._report("copying", record.key, self.files, self.files_total)
        writer.commit()

    def _documents(
        self, pool: ThreadPoolExecutor, batches: Iterable[Sequence[StoredBlob]]
    ) -> Iterator[list[BlobDocument]]:
        """The batches with the terms of their blobs, a few batches ahead of the caller."""

        def made(blobs: Sequence[StoredBlob]) -> list[BlobDocument]:
            return [BlobDocument(it, piece_terms(it) if self.is_history else stored_terms(it.tokens)) for it in blobs]

        waiting: deque[Future[list[BlobDocument]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(made, batch))
            if len(waiting) > 2 * self.jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _texts(
        self,
        source: Engine,
        group: Sequence[RepositoryRecord],
        listed: Mapping[str, Sequence[Occurrence]],
        there: Mapping[str, str],
    ) -> set[str]:
        """The texts of histories that the target has in an earlier state: blobs without a stamp, whose repository was
        not copied as it is.
        """
        done = self.target.repositories([record.key for record in group])
        changed = [place.blob for record in group if record not in done for place in listed[record.key]]
        return {blob for blob, stamp in source.analyses(changed).items() if not stamp and blob in there}

    def _copy_places(self, writer: Writer, record: RepositoryRecord, listed: Sequence[Occurrence]) -> None:
        writer.claim(record.key)
        before = {place.path: place for place in self.target.occurrences(repository=record.key)}
        gone = before.keys() - {place.path for place in listed}
        changed = [place for place in listed if before.get(place.path) != place]
        writer.delete_occurrences(record.key, sorted(gone))
        writer.put_occurrences(changed)
        if self.target.repository(record.key) != record:
            writer.put_repository(record)
        self.retired += len(gone) + sum(place.path in before for place in changed)
        self.files += len(listed)

    def _report(
        self, stage: Literal["copying", "comparing"], repository: str, done: int, total: int, *, last: bool = False
    ) -> None:
        seconds = time.monotonic() - self.stage_begin
        self.progress.report(lambda: CopyProgress(stage, repository, done, total, self.sent, seconds), last=last)


def _stored(source: Engine, blobs: Sequence[str]) -> Iterator[list[StoredBlob]]:
    for names in chunks(blobs, BATCH):
        found = source.blobs(names)
        missing = [name for name in names if name not in found]
        if missing:
            raise CopyError(
                f"{source.location} lacks the content {missing[0]} to which a repository refers; "
                "index that repository again, then copy again"
            )
        yield [found[name] for name in names]
