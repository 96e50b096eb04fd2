"""One copying run: repositories from an index into another one, without their clones.

Repositories go in groups: the blobs that the target lacks, their terms made again by worker processes from the stored
token streams; then the occurrences that it lacks; then the records; then a commit. So memory stays flat, and a run that
is killed is simply run again: what was committed is found and not sent again. At the end both sides are read back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from wherefrom.analyzers.fingerprints import document_terms
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
"""Files from which on a group of repositories is full, and blobs after which everything is committed."""

BATCH = 50
"""Blobs that are read, and given to a worker, at a time."""

_NAMED = 3
"""At most so many obstacles are named."""


class Copy:
    """One run; used once. The schemes of the source are those of this version."""

    def __init__(self, source: Engine, target: Engine, options: CopyOptions) -> None:
        self.source, self.target, self.replace = source, target, options.replace
        self.progress = Throttle(options.progress)
        self.jobs = options.jobs or os.cpu_count() or 1
        self.begin = self.stage_begin = time.monotonic()
        self.files = self.files_total = self.sent = self.retired = 0

    def run(self) -> CopyReport:
        """Copies what the target lacks, and compares both sides. Raises CopyError, before anything is written, if the
        source has a repository whose last run was stopped, or the target has other states; at the end if both sides
        differ.
        """
        records = self.source.repositories()
        self.files_total = sum(record.files for record in records)
        sets = self.source.boilerplate_names()
        self._refuse_unfinished(records)
        if not self.replace:
            self._refuse_other_states(records, sets)
        with self.target.writer() as writer:
            self._copy_sets(writer, sets)
            with Pool(_terms, jobs=self.jobs, memory=None) as pool:
                for group in _groups(records):
                    self._copy_group(writer, pool, group)
            self._tell("copying", "", self.files_total, self.files_total, last=True)
            swept = 0
            # Beside other writers it is put off: the next sweep finds what is left.
            with suppress(IndexBusy):
                swept = writer.sweep() if self.retired else 0
        self.stage_begin = time.monotonic()
        agreement = Agreement(self.source, self.target, [record.key for record in records], sets)
        total = self.files_total + self.source.stats().blobs
        for done in agreement.compare():
            self._tell("comparing", "", done, total)
        self._tell("comparing", "", total, total, last=True)
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

    def _refuse_unfinished(self, records: Sequence[RepositoryRecord]) -> None:
        unfinished = next((record.key for record in records if not record.settings), None)
        if unfinished is not None:
            raise CopyError(
                f"{self.source.location} holds repository {unfinished!r} as a run left it that was stopped; "
                "index or remove it there, then copy"
            )

    def _refuse_other_states(self, records: Sequence[RepositoryRecord], sets: Sequence[str]) -> None:
        there = {record.key: record for record in self.target.repositories() if record.settings}
        other = [f"repository {each.key!r}" for each in records if there.get(each.key, each) != each]
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
            self._tell("copying", group[0].key, self.files, self.files_total)
        for record in group:
            self._copy_places(writer, record, listed[record.key])
            self._tell("copying", record.key, self.files, self.files_total)
        writer.commit()

    def _wanted(self, blobs: set[str], there: Mapping[str, str]) -> set[str]:
        """Those of these blobs of the source that the target lacks, or has by an older analysis; `there` are the stamps
        of those that it has.
        """
        here = self.source.analyses(there)
        other = {blob: stamp for blob, stamp in here.items() if stamp != there[blob]}
        older = {blob for blob, stamp in other.items() if is_older(there[blob], components(stamp))}
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
        before = {each.path: each for each in self.target.occurrences(repository=record.key)}
        gone = before.keys() - {each.path for each in listed}
        changed = [each for each in listed if before.get(each.path) != each]
        writer.delete_occurrences(record.key, sorted(gone))
        writer.put_occurrences(changed)
        if self.target.repository(record.key) != record:
            writer.put_repository(record)
        self.retired += len(gone) + sum(each.path in before for each in changed)
        self.files += len(listed)

    def _tell(
        self, stage: Literal["copying", "comparing"], repository: str, done: int, total: int, *, last: bool = False
    ) -> None:
        seconds = time.monotonic() - self.stage_begin
        self.progress.report(lambda: CopyProgress(stage, repository, done, total, self.sent, seconds), last=last)


def _groups(records: Sequence[RepositoryRecord]) -> Iterator[list[RepositoryRecord]]:
    """Consecutive records, of so many files together that all workers have something to do."""
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


def _terms(blob: StoredBlob) -> Mapping[Representation, Hashes]:
    """What a worker does with a blob."""
    return document_terms(decode(blob.tokens))


def _document(blob: StoredBlob, terms: Mapping[Representation, Hashes] | Died) -> BlobDocument:
    if isinstance(terms, Died):
        raise CopyError(f"a worker process did not survive the content {blob.blob}; copy again, with more memory")
    return BlobDocument(blob, terms)
