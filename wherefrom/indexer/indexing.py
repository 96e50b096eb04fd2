"""One indexing run: sources -> new blobs -> worker processes -> the engine; a repository's occurrences and record last.

Memory stays flat: a run holds the listing of one repository, the batches in the pool and the engine's write buffer,
never the contents or results of a whole repository. A killed run leaves the last commit; the next run finds the
committed blobs and goes on.

URLs are fetched ahead while other sources are indexed. All sources are indexed in the given order, so the index does
not depend on which host answers first.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from wherefrom.analyzers.pieces import ChangedFile
from wherefrom.engines.engine import Engine, Writer
from wherefrom.errors import DuplicateSource, IndexBusy, SourceError
from wherefrom.indexer.job import Job, Pace, RepositoryRun, Seen
from wherefrom.indexer.listing import is_settled, is_stale, tasks_of
from wherefrom.indexer.work import STEPS, Task, work
from wherefrom.indexer.writing import finish, write_results
from wherefrom.model import KeyKind, RepositoryRecord
from wherefrom.options import IndexOptions
from wherefrom.results import IndexProgress, IndexReport, RepositoryReport
from wherefrom.results.indexing import unparsed_warning
from wherefrom.sources.discover import Unusable, place_of
from wherefrom.sources.fetching import Fetches
from wherefrom.sources.repository_urls import comparable, ignores_case
from wherefrom.sources.source import FetchedSource, Source
from wherefrom.support.chunks import weighed
from wherefrom.support.printable import visible
from wherefrom.support.throttle import Throttle
from wherefrom.support.workers.pool import Pool
from wherefrom.support.writing import folder_size

BATCH_BYTES = 512 * 1024
"""Bytes of content in a batch for a worker: enough that handing over the batch costs little, but few to save memory."""

BATCH_FILES = 256

COMMIT_BYTES = 128 * 1024 * 1024
"""A commit follows after this many bytes of analyzed content. This costs as much as indexing some megabytes."""

COMMIT_SECONDS = 60.0

MOST_REFUSED = 100_000
"""A run remembers about this many refused contents, and all that the unfinished repositories need."""

KILL_SECONDS = (
    30.0  # processor time that a step of one file may take beyond the limit on parsing; then the worker is killed
)


_Task = TypeVar("_Task", Task, ChangedFile)


def content_batches(tasks: Iterable[_Task]) -> Iterator[list[_Task]]:
    """Batches for the workers."""
    return weighed(tasks, lambda task: len(task.content), most=BATCH_BYTES, count=BATCH_FILES)


class IndexingRun:
    """One indexing run; call `run` once. `is_kept` goes to `documents.Steps`. `seen` gets all new contents before
    they are written.
    """

    def __init__(
        self,
        engine: Engine,
        sources: Sequence[Source],
        options: IndexOptions,
        *,
        is_kept: bool = True,
        seen: Seen | None = None,
    ) -> None:
        self._engine, self._sources, self._options = engine, sources, options
        self._job = Job(engine, options, Pace(sources), is_kept=is_kept, seen=seen)
        self._progress = Throttle(options.progress)
        self._fetches = Fetches(
            sources, threads=options.fetches, space=options.clone_space if options.discard_clones else None
        )
        self._upcoming = deque(sources)
        self._queue: deque[RepositoryRun] = deque()
        self._reports: list[RepositoryReport] = []
        self._finished: list[Source] = []
        """Sources that are indexed completely, and that `_fetches` has not released yet."""
        self._discarded: list[int] = []
        """Bytes of each discarded clone."""
        self._uncommitted_bytes = 0
        self._last_commit = time.monotonic()

    def run(self) -> IndexReport:
        """Indexes every source. A source that cannot be read is reported as failed and does not stop the others.

        A KeyboardInterrupt ends the run early: finished repositories are committed, and the report says `interrupted`.
        Raises UnusableIndex if the index cannot be written.
        """
        interrupted, swept = False, 0
        with self._engine.writer() as writer:
            try:
                self._index_all(writer)
            except KeyboardInterrupt:
                interrupted = True
                # If a repository or a commit was being written, it is simply written again.
                self._finish_repositories(writer)
                writer.commit()
            self._release()
            if self._job.tally.retired and not interrupted:
                # While other writers are at work, nothing is swept. The next sweep removes the blobs.
                with suppress(IndexBusy):
                    swept = writer.sweep()
        self._progress.report(self._event, last=True)
        tally = self._job.tally
        clones = {source.path for source in self._sources if isinstance(source, FetchedSource)}
        return IndexReport(
            repositories=tuple(self._reports),
            parsed=tally.parsed,
            parsed_bytes=tally.parsed_bytes,
            swept=swept,
            seconds=self._progress.seconds,
            interrupted=interrupted,
            renewed=tally.renewed,
            without_grammar=dict(tally.without_grammar),
            clone_bytes=sum(map(folder_size, clones)),
            discarded_clones=len(self._discarded),
            discarded_bytes=sum(self._discarded),
            warnings=(
                *(warning for source in self._sources for warning in source.warnings),
                *unparsed_warning(tally.unparsed),
            ),
        )

    def _index_all(self, writer: Writer) -> None:
        limits = self._options.limits
        jobs, seconds = self._options.jobs or os.cpu_count() or 1, limits.parse_seconds + KILL_SECONDS
        self._note_known()
        pool = Pool(work, jobs=jobs, seconds=seconds, memory=limits.parse_memory, steps=STEPS, forks=True)
        with pool, self._fetches:
            while self._upcoming:
                while not self._fetches.is_ready(self._upcoming[0]):  # all earlier sources are done
                    self._commit_sometimes(writer)
                    self._progress.report(self._event)
                for results in pool.map(content_batches(self._tasks())):
                    write_results(self._job, writer, results)
                    self._uncommitted_bytes += sum(len(task.content) for task, _ in results)
                    self._finish_repositories(writer)
                    self._commit_sometimes(writer)
                    self._progress.report(self._event)
                self._finish_repositories(writer)
        writer.commit()

    def _note_known(self) -> None:
        """Notes the indexed commit of URLs that are up to date, so that no clone is fetched only to be discarded."""
        if not self._options.discard_clones:
            return
        remotes = {source.key: source for source in self._sources if isinstance(source, FetchedSource)}
        for record in self._engine.repositories(remotes.keys()):
            source = remotes[record.key]
            if is_settled(self._job, record, source) and not is_stale(self._job, record):
                source.known = record.revision

    def _tasks(self) -> Iterator[Task]:
        """Yields the contents to analyze, one repository after the other, up to the first that is being fetched."""
        while self._upcoming and self._fetches.is_ready(self._upcoming[0], seconds=0):
            source = self._upcoming.popleft()
            repository = RepositoryRun(source)
            self._queue.append(repository)
            try:
                self._fetches.check(source)
                yield from tasks_of(self._job, repository)
            except SourceError as error:
                repository.error = str(error)
                # Gives up the repository's unread contents, so that a later repository can index them.
                self._job.ledger.release_all(repository)
            self._job.pace.list(source.key, 0)
            repository.listed = True
            self._progress.report(self._event)

    def _finish_repositories(self, writer: Writer) -> None:
        """Finishes complete repositories in the order of the sources, since they may refer to blobs of earlier ones."""
        while self._queue and self._queue[0].listed and not self._queue[0].waiting:
            report = finish(self._job, writer, self._queue[0])
            self._finished.append(self._queue.popleft().source)
            self._reports.append(report)
        if not self._options.discard_clones:
            self._release()

    def _commit_sometimes(self, writer: Writer) -> None:
        is_due = self._uncommitted_bytes >= COMMIT_BYTES or time.monotonic() - self._last_commit >= COMMIT_SECONDS
        if not is_due and not self._fetches.is_blocked_by(self._finished):
            return
        writer.commit()
        self._job.ledger.commit()
        under_way = ((repository, blob) for repository in self._queue for _, blob, _ in repository.occurrences)
        self._job.ledger.forget_refused(MOST_REFUSED, lambda: {self._job.content(*each) for each in under_way})
        self._uncommitted_bytes, self._last_commit = 0, time.monotonic()
        self._release()

    def _release(self) -> None:
        """Makes room for other clones. With `discard_clones`, call it only when finished sources are committed."""
        self._discarded += self._fetches.release(self._finished, discard=self._options.discard_clones)
        self._finished.clear()

    def _event(self) -> IndexProgress:
        tally = self._job.tally
        return IndexProgress(
            repository=self._queue[-1].source.key if self._queue else self._upcoming[0].key if self._upcoming else "",
            repositories=len(self._reports),
            repositories_total=len(self._sources),
            files=tally.files,
            files_total=tally.files_total,
            parsed=tally.parsed,
            parsed_bytes=tally.parsed_bytes,
            known=tally.known,
            skipped=dict(tally.skipped),
            seconds=self._progress.seconds,
            share=self._job.pace.share,
        )


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
        if record is None or not _is_another(source, record):
            kept.append(source)
            continue
        key, known_as = visible(source.key), _KNOWN_AS.get(record.key_kind, "for")
        error = DuplicateSource(
            f"the index holds {key} already {known_as} {visible(record.location)}, and {visible(place_of(source))} "
            f"would take its place; use another name, or remove that with `wherefrom remove {key}`"
        )
        refused.append(Unusable(place_of(source), error))
    return kept, refused


def _is_another(source: Source, record: RepositoryRecord) -> bool:
    if source.key_kind is KeyKind.NAME:
        return record.key_kind != KeyKind.NAME or record.location != source.location
    return record.key_kind == KeyKind.NAME and record.location != source.location
