"""Copies repositories from one index into another one, without their clones.

Repositories are copied in groups: first the blobs that the target lacks, then the occurrences that it lacks, then the
records, then a commit. Worker processes compute the terms of a blob again from its stored token stream. Memory stays
flat, and a killed run can be run again: it skips what was committed. At the end both indexes are compared.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.pieces import piece_terms
from wherefrom.analyzers.stamps import components, is_older
from wherefrom.analyzers.tokens import decode
from wherefrom.engines.engine import Engine, Writer
from wherefrom.engines.records import dump_boilerplate
from wherefrom.errors import CopyError, IndexBusy
from wherefrom.indexer.agreement import Agreement
from wherefrom.model import BlobDocument, Hashes, Occurrence, RepositoryRecord, Representation, StoredBlob
from wherefrom.options import CopyOptions
from wherefrom.results import CopyProgress, CopyReport
from wherefrom.support.chunks import chunks
from wherefrom.support.throttle import Throttle
from wherefrom.support.workers.pool import Died, Pool

GROUP = 10_000
"""A group of repositories ends once it has this many files, enough to keep all workers busy. Within a group, the writer
commits each time it has written this many blobs."""

BATCH = 50
"""How many blobs are read at a time and given to a worker together."""

_NAMED = 3
"""The error that refuses a copy names at most this many of the repositories and boilerplate sets that prevent it."""


def blob_terms(blob: StoredBlob) -> Mapping[Representation, Hashes]:
    """Makes the terms of a blob again, from its tokens."""
    return document_terms(decode(blob.tokens))


class Copy:
    """One copying run; call `run` once. The source must have the schemes of this version.

    Args:
        source, target: the indexes.
        options: how to copy.
        is_history: whether these are the histories of indexes.
    """

    def __init__(
        self,
        source: Engine,
        target: Engine,
        options: CopyOptions,
        *,
        is_history: bool = False,
    ) -> None:
        self.is_history = is_history
        self.source, self.target, self.replace = source, target, options.replace
        self.progress = Throttle(options.progress)
        self.jobs = options.jobs or os.cpu_count() or 1
        self.begin = self.stage_begin = time.monotonic()
        self.files = self.files_total = self.sent = self.retired = 0

    def run(self) -> CopyReport:
        """Copies what the target lacks, and compares both indexes.

        Raises:
            CopyError: before anything is written, if the last run of a repository in the source was stopped, or the
                target has a repository or set in another state; at the end, if the indexes differ.
        """
        records = self.source.repositories()
        self.files_total = sum(record.files for record in records)
        sets = self.source.boilerplate_names()
        self._refuse_obstacles(records, sets)
        with self.target.writer() as writer:
            self._copy_sets(writer, sets)
            with Pool(piece_terms if self.is_history else blob_terms, jobs=self.jobs, memory=None) as pool:
                for group in _groups(records):
                    self._copy_group(writer, pool, group)
            self._report("copying", "", self.files_total, self.files_total, last=True)
            swept = 0
            # While other writers are at work, nothing is swept. The next sweep removes the blobs.
            with suppress(IndexBusy):
                swept = writer.sweep() if self.retired else 0
        self.stage_begin = time.monotonic()
        agreement = Agreement(self.source, self.target, [record.key for record in records], sets)
        total = self.files_total + self.source.stats().blobs
        for done in agreement.compare():
            self._report("comparing", "", done, total)
        self._report("comparing", "", total, total, last=True)
        return CopyReport(
            repositories=len(records),
            files=agreement.files,
            blobs=agreement.blobs,
            sets=len(sets),
            sent=self.sent,
            kept=agreement.kept,
            retired=self.retired,
            swept=swept,
            digest=agreement.digest,
            seconds=time.monotonic() - self.begin,
        )

    def _refuse_obstacles(self, records: Sequence[RepositoryRecord], sets: Sequence[str]) -> None:
        for record in records:
            if not record.settings:
                raise CopyError(
                    f"{self.source.location} holds repository {record.key!r} as a run left it that was stopped; "
                    "index or remove it there, then copy"
                )
        if self.replace:
            return
        there = {record.key: record for record in self.target.repositories() if record.settings}
        other = [f"repository {record.key!r}" for record in records if there.get(record.key, record) != record]
        other += [f"boilerplate set {name!r}" for name in sets if self._is_other_set(name)]
        if other:
            more = f" and {len(other) - _NAMED:,} more" if len(other) > _NAMED else ""
            raise CopyError(
                f"{self.target.location} holds {', '.join(other[:_NAMED])}{more} in another state than "
                f"{self.source.location}; --replace takes the latter, or remove what is there first"
            )

    def _is_other_set(self, name: str) -> bool:
        here, there = self.source.boilerplate(name), self.target.boilerplate(name)
        return bool(here and there and dump_boilerplate(here) != dump_boilerplate(there))

    def _copy_sets(self, writer: Writer, names: Sequence[str]) -> None:
        there = self.target.boilerplate_names()
        for name in names:
            found = self.source.boilerplate(name)
            if found is not None and (name not in there or self._is_other_set(name)):
                writer.put_boilerplate(found)

    def _copy_group(
        self,
        writer: Writer,
        pool: Pool[StoredBlob, Mapping[Representation, Hashes]],
        group: Sequence[RepositoryRecord],
    ) -> None:
        listed = {record.key: list(self.source.occurrences(repository=record.key)) for record in group}
        blobs = {occurrence.blob for places in listed.values() for occurrence in places}
        uncommitted = 0
        there = self.target.analyses(blobs)
        for results in pool.map(self._stored(sorted(self._wanted(blobs, there)))):
            documents = [_document(blob, terms) for blob, terms in results]
            writer.add_blobs(document for document in documents if document.stored.blob not in there)
            writer.replace_blobs(document for document in documents if document.stored.blob in there)
            self.sent += len(results)
            uncommitted += len(results)
            if uncommitted >= GROUP:
                writer.commit()
                uncommitted = 0
            self._report("copying", group[0].key, self.files, self.files_total)
        for record in group:
            self._copy_places(writer, record, listed[record.key])
            self._report("copying", record.key, self.files, self.files_total)
        writer.commit()

    def _wanted(self, blobs: set[str], there: Mapping[str, str]) -> set[str]:
        """Which of these blobs of the source the target lacks, or has with an older analysis. `there` has the analysis
        stamp of each blob that the target has. A text of a history has no stamp, and may have changed.
        """
        older = {
            blob
            for blob, stamp in self.source.analyses(there).items()
            if (self.is_history and not stamp) or (stamp != there[blob] and is_older(there[blob], components(stamp)))
        }
        return (blobs - there.keys()) | older

    def _stored(self, blobs: Sequence[str]) -> Iterator[list[StoredBlob]]:
        for names in chunks(blobs, BATCH):
            found = self.source.blobs(names)
            missing = [name for name in names if name not in found]
            if missing:
                raise CopyError(
                    f"{self.source.location} lacks the content {missing[0]} to which a repository refers; "
                    "index that repository again, then copy again"
                )
            yield [found[name] for name in names]

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


def _groups(records: Sequence[RepositoryRecord]) -> Iterator[list[RepositoryRecord]]:
    """Consecutive records with about `GROUP` files together."""
    group: list[RepositoryRecord] = []
    files = 0
    for record in records:
        group.append(record)
        files += record.files
        if files >= GROUP:
            yield group
            group, files = [], 0
    if group:
        yield group


def _document(blob: StoredBlob, terms: Mapping[Representation, Hashes] | Died) -> BlobDocument:
    if isinstance(terms, Died):
        raise CopyError(f"a worker process did not survive the content {blob.blob}; copy again, with more memory")
    return BlobDocument(blob, terms)
