"""One indexing run: sources -> new blobs -> worker processes -> the engine; a repository's occurrences and record last.

Memory stays flat: one repository's listing, the batches under way in the pool and the engine's write buffer are held,
never contents or results of a whole repository. A run that is killed leaves the last commit; run again, it finds the
blobs that were committed and goes on.

URLs are fetched ahead while others are indexed, and all sources are indexed in the order in which they were given: the
index does not depend on which host answers first.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wherefrom.analyzers import stamps
from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.references import notices
from wherefrom.errors import IndexBusy, SourceError
from wherefrom.indexer.ledger import Content, Ledger
from wherefrom.indexer.pace import Pace
from wherefrom.indexer.renewal import COSTLY, Renewal, Stale
from wherefrom.indexer.work import Task, work
from wherefrom.model import BlobDocument, Notice, Occurrence, Refusal, RepositoryRecord, SkipReason
from wherefrom.options import IndexOptions, Limits
from wherefrom.results import IndexProgress, IndexReport, RepositoryReport, SkippedFile
from wherefrom.sources import blob_id
from wherefrom.sources.clones import clone_size
from wherefrom.sources.fetching import Fetches
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.source import UNWANTED, is_blob, refusal
from wherefrom.support.chunks import chunks
from wherefrom.support.throttle import Throttle
from wherefrom.support.workers.pool import Died, Pool

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from wherefrom.engines.engine import Engine, Writer
    from wherefrom.sources import Entry, Source

BATCH_BYTES = 512 * 1024
"""Content of a batch for a worker: enough that handing it over costs little, and small against the memory there is."""

BATCH_FILES = 64

COMMIT_BYTES = 128 * 1024 * 1024
"""Content analysed after which everything is committed; a commit costs about as much as indexing some megabytes."""

COMMIT_SECONDS = 60.0

MOST_REFUSED = 100_000
"""Refused contents that a run remembers beyond those of the repositories under way."""

KILL_SECONDS = 30.0
"""Seconds of a processor that a worker is given for one file beyond the limit on parsing before it is killed."""


@dataclass(slots=True, eq=False)
class _Repository:
    """A source under way.

    Attributes:
        record: of its last run.
        before: the blob at each path as the index has it, if its source is the same and something may be renewed.
        stale: its blobs that are to be renewed.
        skipped_files: the path and the reason of each file in `skipped`, if the caller wants to know them.
        authored: the blobs that it declares authored.
        unreadable: the blobs that it cannot read; another source may.
        waiting: counts its contents that are with the workers.
        kept: counts its stale blobs that could not be renewed; the next run tries again.
        is_same: whether its source is in the state in which it was indexed last.
        is_unchanged: whether there is nothing to be done but to report it.
    """

    source: Source
    record: RepositoryRecord | None = None
    before: dict[str, str] = field(default_factory=dict)
    stale: Stale = field(default_factory=Stale)
    occurrences: list[tuple[str, str]] = field(default_factory=list)
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    skipped_files: list[tuple[str, SkipReason]] = field(default_factory=list)
    size: dict[str, int] = field(default_factory=dict)
    authored: set[str] = field(default_factory=set)
    unreadable: dict[str, SkipReason] = field(default_factory=dict)
    waiting: int = 0
    parsed: int = 0
    renewed: int = 0
    kept: int = 0
    listed: bool = False
    error: str | None = None
    is_same: bool = False
    is_unchanged: bool = False


class Run:
    """One run; used once.

    Args:
        engine: of the index.
        sources: what is indexed.
        options: how.
        is_compressed: whether token streams are compressed: not where they are read back at once, and go then.
    """

    def __init__(
        self,
        engine: Engine,
        sources: Sequence[Source],
        options: IndexOptions,
        *,
        is_compressed: bool = True,
    ) -> None:
        self._is_compressed = is_compressed
        self._engine, self._sources, self._options = engine, sources, options
        self._limits = options.limits
        self._authored_limits = replace(options.limits, include_generated=True)
        self._settings = _digest(options)
        self._progress = Throttle(options.progress)
        self._pace = Pace(sources)
        self._ledger: Ledger[_Repository] = Ledger(engine.known)
        self._renewal = Renewal(engine, wanted=options.renew)
        self._upcoming = deque(sources)
        self._fetches = Fetches(
            sources, threads=options.fetches, space=options.clone_space if options.discard_clones else None
        )
        self._finished: list[Source] = []
        """Sources whose repositories are finished, and not released by `_fetches` yet."""
        self._discarded: list[int] = []
        """Bytes of each clone that was discarded."""
        self._queue: deque[_Repository] = deque()
        self._reports: list[RepositoryReport] = []
        self._retired = 0
        self._files = self._files_total = self._parsed = self._parsed_bytes = self._known = self._renewed = 0
        self._skipped: Counter[SkipReason] = Counter()
        self._without_grammar: Counter[str] = Counter()
        self._uncommitted_bytes = 0
        self._last_commit = time.monotonic()

    def run(self) -> IndexReport:
        """Indexes every source; one that cannot be read is reported as failed and does not stop the others.

        A KeyboardInterrupt ends the run early: what was finished is committed and the report says `interrupted`.

        Raises:
            UnusableIndex: the index cannot be written.
        """
        interrupted, swept = False, 0
        with self._engine.writer() as writer:
            try:
                jobs = self._options.jobs or os.cpu_count() or 1
                seconds = self._limits.parse_seconds + KILL_SECONDS
                self._note_known()
                with Pool(work, jobs=jobs, seconds=seconds, memory=self._limits.parse_memory) as pool, self._fetches:
                    while self._upcoming:
                        self._await_next(writer)
                        for results in pool.map(self._batches()):
                            self._write(writer, results)
                            self._finish_repositories(writer)
                            self._commit_sometimes(writer)
                            self._tell()
                        self._finish_repositories(writer)
                writer.commit()
            except KeyboardInterrupt:
                interrupted = True
                # It may have come in the middle of writing down a repository or of a commit; to do that again does no
                # harm.
                self._finish_repositories(writer)
                writer.commit()
            self._release()
            if self._retired and not interrupted:
                # Beside other writers it is put off: the next sweep finds what is left.
                with suppress(IndexBusy):
                    swept = writer.sweep()
        self._tell(last=True)
        return IndexReport(
            repositories=tuple(self._reports),
            parsed=self._parsed,
            parsed_bytes=self._parsed_bytes,
            swept=swept,
            seconds=self._progress.seconds,
            interrupted=interrupted,
            renewed=self._renewed,
            without_grammar=dict(self._without_grammar),
            clone_bytes=sum(map(clone_size, {each.folder for each in self._sources if isinstance(each, RemoteSource)})),
            discarded_clones=len(self._discarded),
            discarded_bytes=sum(self._discarded),
        )

    def _note_known(self) -> None:
        """Notes for each URL whose clone would be discarded again the commit for which nothing needs to be done."""
        if not self._options.discard_clones:
            return
        remotes = {source.key: source for source in self._sources if isinstance(source, RemoteSource)}
        for record in self._engine.repositories(remotes.keys()):
            source = remotes[record.key]
            if self._is_settled(record, source) and not self._is_stale(record):
                source.known = record.revision

    def _await_next(self, writer: Writer) -> None:
        """Waits until the next source can be read; by now the workers have nothing to do."""
        while not self._fetches.wait(self._upcoming[0]):
            self._commit_sometimes(writer)
            self._tell()

    def _batches(self) -> Iterator[list[Task]]:
        """The contents that the index does not hold yet or holds stale, in batches; lists one repository after the
        other, up to one that is still being fetched.
        """
        batch: list[Task] = []
        size = 0
        while self._upcoming and self._fetches.is_ready(self._upcoming[0]):
            source = self._upcoming.popleft()
            repository = _Repository(source)
            self._queue.append(repository)
            try:
                self._fetches.check(source)
                for task in self._new_contents(repository):
                    batch.append(task)
                    size += len(task.content)
                    if size >= BATCH_BYTES or len(batch) >= BATCH_FILES:
                        yield batch
                        batch, size = [], 0
            except SourceError as error:
                repository.error = str(error)
                # A later repository that has the same contents reads them instead.
                self._ledger.release_all(repository)
            self._pace.list(source.key, 0)
            repository.listed = True
            self._tell()
        if batch:
            yield batch

    def _new_contents(self, repository: _Repository) -> Iterator[Task]:
        source = repository.source
        repository.record = self._engine.repository(source.key)
        if self._is_unchanged(repository):
            repository.is_unchanged = True
            return
        wanted = []
        unreadable = []
        for entry in source.entries():
            self._files_total += 1
            reason = self._reason(entry)
            if reason is None:
                wanted.append(entry)
            elif reason is SkipReason.UNREADABLE and entry.blob:
                unreadable.append((entry.path, entry.blob))
            else:
                self._skip(repository, entry.path, reason)
        self._take_unreadable(repository, unreadable)
        # A git source names its blobs beforehand: what is known is not even read.
        named = {entry.blob for entry in wanted if entry.blob}
        repository.authored = {entry.blob for entry in wanted if entry.blob and entry.authored}
        files = ((entry.path, entry.blob) for entry in wanted if entry.blob)
        repository.stale.add(self._renewal.stale(repository.record, files))
        fresh = self._claim(repository, named)
        to_read = []
        for entry in wanted:
            if entry.blob is None:
                to_read.append(entry)
                continue
            self._take_on(repository, entry.path, entry.blob, entry.size or 0)
            if entry.blob in fresh:
                fresh.remove(entry.blob)
                to_read.append(entry)
            else:
                self._count_known()
        self._pace.list(repository.source.key, sum(entry.size or 0 for entry in to_read))
        yield from self._read(repository, to_read)

    def _take_unreadable(self, repository: _Repository, files: Sequence[tuple[str, str]]) -> None:
        """Takes on those files, given as (path, blob), whose contents only the index has."""
        for batch in chunks(files, BATCH_FILES):
            known = self._engine.blobs({blob for _, blob in batch})
            for path, blob in batch:
                if blob in known:
                    self._take_on(repository, path, blob, known[blob].size)
                    self._count_known()
                else:
                    self._skip(repository, path, SkipReason.UNREADABLE)
            kept = self._renewal.stale(repository.record, [file for file in batch if file[1] in known])
            repository.kept += len(kept.sure)

    def _is_unchanged(self, repository: _Repository) -> bool:
        """Whether a source is in the state of its record, and the index holds nothing stale of it."""
        source, record = repository.source, repository.record
        if record is None or not self._is_settled(record, source) or source.revision != record.revision:
            return False
        repository.is_same = True
        if not self._renewal.is_due(record) and self._options.skipped is None:
            return True
        repository.before = self._before(source.key)
        return not self._is_stale(record, repository.before)

    def _is_settled(self, record: RepositoryRecord, source: Source) -> bool:
        """Whether a source was indexed last from the same place with the same settings, at whatever revision."""
        state = (source.location, source.kind, source.key_kind, self._settings)
        return state == (record.location, record.kind, record.key_kind, record.settings)

    def _is_stale(self, record: RepositoryRecord, before: Mapping[str, str] | None = None) -> bool:
        """Whether something is to be read again in a repository; `before` as `_before` gives it, if that is known."""
        if self._options.skipped is not None:  # the record has only their number
            return True
        if not self._renewal.is_due(record):
            return False
        if self._renewal.lists_again(record):
            return True
        before = self._before(record.key) if before is None else before
        return bool(self._renewal.stale(record, before.items()))

    def _read(self, repository: _Repository, entries: Iterable[Entry]) -> Iterator[Task]:
        for entry, given in repository.source.read(entries):
            # git does not check it: under a false name a content would replace the true one of all repositories.
            is_false = entry.blob is not None and isinstance(given, bytes) and not is_blob(given, entry.blob)
            content = SkipReason.UNREADABLE if is_false else given
            if isinstance(content, SkipReason):
                self._pace.finish(entry.size or 0)
                if entry.blob is None:
                    self._skip_or_keep(repository, entry.path, content)
                else:
                    self._give_up(repository, entry.blob, content)
                continue
            blob = entry.blob or blob_id(content)
            if entry.blob is None:
                self._take_on(repository, entry.path, blob, len(content))
                repository.stale.add(self._renewal.stale(repository.record, [(entry.path, blob)]))
                if not self._claim(repository, {blob}):
                    self._pace.finish(entry.size or 0)
                    self._count_known()
                    continue
            key = self._content(repository, blob)
            self._ledger.hand_over(key)
            repository.waiting += 1
            yield Task(
                blob,
                entry.path,
                content,
                self._limits_of(authored=key.is_authored),
                self._is_compressed,
                renews=repository.stale.stamp(blob),
                languages=repository.stale.languages if blob in repository.stale.perhaps else None,
            )

    def _skip_or_keep(self, repository: _Repository, path: str, reason: SkipReason) -> None:
        """Skips a file of a folder or an archive that cannot be read; or keeps it as it was last indexed if nothing has
        changed since, but that it was to be renewed.
        """
        blob = repository.before.get(path) if repository.is_same else None
        known = self._engine.blobs([blob]) if blob is not None else {}
        if blob is None or blob not in known:
            self._skip(repository, path, reason)
            return
        self._take_on(repository, path, blob, known[blob].size)
        self._count_known()
        repository.kept += 1

    def _reason(self, entry: Entry) -> SkipReason | None:
        """Why an entry is not read. Names are judged here and contents by the workers: a content is refused or taken
        whatever the name under which it was seen first.
        """
        if entry.skip in UNWANTED and not self._limits.include_generated:
            return entry.skip
        reason = refusal(entry, self._limits.max_file_size)
        return reason or name_reason(entry.path, self._limits_of(authored=entry.authored))

    def _limits_of(self, *, authored: bool) -> Limits:
        return self._authored_limits if authored else self._limits

    def _content(self, repository: _Repository, blob: str) -> Content:
        return Content(blob, self._limits.include_generated or blob in repository.authored)

    def _claim(self, repository: _Repository, blobs: set[str]) -> set[str]:
        """Takes on those blobs that are new to the index and to this run, or stale; returns them.

        Those that an earlier run refused at some cost are refused again at none.
        """
        contents = (self._content(repository, blob) for blob in blobs)
        claimed = {content.blob: content for content in self._ledger.claim(contents, repository, repository.stale)}
        for blob, reason in self._remembered(claimed).items():
            content = claimed.pop(blob)
            if blob in repository.stale:
                repository.kept += 1
                self._ledger.release(content)
            else:
                self._ledger.refuse_unread(content, reason)
        return set(claimed)

    def _remembered(self, blobs: Collection[str]) -> dict[str, SkipReason]:
        """Why an earlier run refused some of these blobs, if no other outcome is to be expected now."""
        if not blobs:  # as for each file of a folder that is known: not worth a request
            return {}
        return {
            blob: refusal.reason
            for blob, refusal in self._engine.refusals(blobs).items()
            if isinstance(refusal.reason, SkipReason)
            and self._limits.parse_seconds <= refusal.seconds
            and self._limits.parse_memory <= refusal.memory
            and not stamps.is_older(refusal.analysis)
        }

    def _take_on(self, repository: _Repository, path: str, blob: str, size: int) -> None:
        repository.occurrences.append((path, blob))
        repository.size[blob] = size

    def _count_known(self) -> None:
        self._files += 1
        self._known += 1

    def _skip(self, repository: _Repository, path: str, reason: SkipReason) -> None:
        self._files += 1
        repository.skipped[reason] += 1
        self._skipped[reason] += 1
        if self._options.skipped is not None:
            repository.skipped_files.append((path, reason))

    def _list_skipped(self, repository: _Repository, refused: Mapping[str, SkipReason]) -> None:
        """Gives the caller the files that were skipped at once, and those whose contents were refused, by path."""
        files = sorted([*repository.skipped_files, *refused.items()])
        if self._options.skipped is not None and files:
            self._options.skipped([SkippedFile(repository.source.key, path, reason) for path, reason in files])

    def _give_up(self, repository: _Repository, blob: str, reason: SkipReason) -> None:
        self._ledger.release(self._content(repository, blob))
        if blob in repository.stale:
            repository.kept += blob in repository.stale.sure
            self._count_known()
            return
        self._files += 1
        self._skipped[reason] += 1
        repository.unreadable[blob] = reason

    def _refuse(self, content: Content, reason: SkipReason) -> _Repository:
        self._files += 1
        self._skipped[reason] += 1
        return self._ledger.refuse(content, reason)

    def _write(self, writer: Writer, results: Sequence[tuple[Task, BlobDocument | SkipReason | Died | None]]) -> None:
        documents = [
            (task, self._with_source(result, task.content))
            for task, result in results
            if isinstance(result, BlobDocument)
        ]
        # The blobs first: wherever an interruption comes, a repository counts as complete only when they are written.
        writer.add_blobs(document for task, document in documents if task.renews is None)
        renewed = self._changed([document for task, document in documents if task.renews is not None])
        writer.replace_blobs(renewed.values())
        for task, result in results:
            content = Content(task.blob, task.limits.include_generated)
            if isinstance(result, SkipReason | Died):
                reason = SkipReason.WORKER_DIED if isinstance(result, Died) else result
                repository = self._take_refusal(writer, task, content, reason)
            else:
                repository = self._ledger.write(content)
                if task.blob in renewed:
                    repository.renewed += 1
                    self._renewed += 1
                elif task.renews is None:
                    repository.parsed += 1
                    self._parsed += 1
                self._files += 1
                self._parsed_bytes += len(task.content)
                if result is not None:
                    self._without_grammar.update(stamps.without_grammar(result.stored.analysis))
            self._uncommitted_bytes += len(task.content)
            self._pace.finish(len(task.content))
            repository.waiting -= 1

    def _with_source(self, document: BlobDocument, content: bytes) -> BlobDocument:
        """A document as the index keeps it."""
        if not self._options.keep_source:
            return document
        return replace(document, stored=replace(document.stored, source=content))

    def _changed(self, documents: Sequence[BlobDocument]) -> dict[str, BlobDocument]:
        """Those of some analyzed again that came out differently, by blob, with the source that the index keeps."""
        before = self._engine.blobs([document.stored.blob for document in documents])
        renewed = {}
        for document in documents:
            old, new = before.get(document.stored.blob), document.stored
            if old is not None and new.source is None:
                new = replace(new, source=old.source)
            if old is None or old.analysis != new.analysis:
                renewed[new.blob] = replace(document, stored=new)
        return renewed

    def _take_refusal(self, writer: Writer, task: Task, content: Content, reason: SkipReason) -> _Repository:
        """Notes that a content is not to be indexed, or not to be renewed."""
        if reason in COSTLY:
            stamp = stamps.stamp(guess(task.path, task.content))
            limits = task.limits
            writer.put_refusals([Refusal(task.blob, reason, stamp, limits.parse_seconds, limits.parse_memory)])
        # If the rules have not changed, only the name of this file is the reason: the blob has another one elsewhere.
        keeps = task.renews is not None and (
            reason in COSTLY or not stamps.has_newer_rules(stamps.components(task.renews))
        )
        if not keeps:
            return self._refuse(content, reason)
        repository = self._ledger.write(content)
        repository.kept += 1
        self._count_known()
        return repository

    def _finish_repositories(self, writer: Writer) -> None:
        """Finishes what is complete, in the order of the sources: a repository may refer to blobs that an earlier one
        brought.
        """
        while self._queue and self._queue[0].listed and not self._queue[0].waiting:
            report = self._finish(writer, self._queue[0])
            self._finished.append(self._queue.popleft().source)
            self._reports.append(report)
        if not self._options.discard_clones:
            self._release()

    def _finish(self, writer: Writer, repository: _Repository) -> RepositoryReport:
        source = repository.source
        if repository.error is not None:
            return RepositoryReport(source.key, "failed", "", error=repository.error)
        record = repository.record
        if record and repository.is_unchanged:
            if self._renewal.is_due(record):
                self._renew_record(writer, record)
            return RepositoryReport(
                source.key, "unchanged", record.revision, record.files, known=record.files, skipped=record.skipped
            )
        indexed: dict[str, str] = {}
        refused: dict[str, SkipReason] = {}
        for path, blob in repository.occurrences:
            reason = repository.unreadable.get(blob) or self._ledger.refusal(self._content(repository, blob))
            if reason is None:
                indexed[path] = blob
            else:
                refused[path] = reason
        skipped = repository.skipped + Counter(refused.values())
        writer.claim(source.key)
        before = self._before(source.key)
        gone = before.keys() - indexed.keys()
        writer.delete_occurrences(source.key, sorted(gone))
        writer.put_occurrences(
            Occurrence(source.key, path, blob, source.revision)
            for path, blob in sorted(indexed.items())
            if before.get(path) != blob
        )
        after = RepositoryRecord(
            key=source.key,
            location=source.location,
            kind=source.kind,
            revision=source.revision,
            settings=self._settings,
            files=len(indexed),
            size=sum(repository.size[blob] for blob in indexed.values()),
            skipped=dict(sorted(skipped.items())),
            indexed_at=datetime.now(UTC).isoformat(timespec="seconds"),
            notices=_notices(indexed),
            analysis=self._analysis(repository),
            key_kind=source.key_kind,
        )
        writer.put_repository(after)
        self._list_skipped(repository, refused)
        changed = sum(1 for path, blob in before.items() if indexed.get(path, blob) != blob)
        self._retired += len(gone) + changed
        return RepositoryReport(
            key=source.key,
            status=_status(repository, is_changed=bool(gone or changed)),
            revision=source.revision,
            files=len(indexed),
            parsed=repository.parsed,
            known=len(indexed) - repository.parsed,
            renewed=repository.renewed,
            kept=repository.kept,
            retired=len(gone) + changed,
            skipped=after.skipped,
        )

    def _before(self, key: str) -> dict[str, str]:
        """The blob at each path of a repository, as the index has it."""
        return {file.path: file.blob for file in self._engine.occurrences(repository=key)}

    def _renew_record(self, writer: Writer, record: RepositoryRecord) -> None:
        """Notes in the record of an unchanged repository that nothing of it is older than what is installed."""
        writer.claim(record.key)
        if self._engine.repository(record.key) == record:  # no other writer was here since
            writer.put_repository(replace(record, analysis=stamps.newest(record.analysis, stamps.installed())))

    def _analysis(self, repository: _Repository) -> dict[str, str]:
        """The versions by which a repository counts as analyzed: where something is left to be renewed, older ones."""
        now, then = stamps.installed(), repository.record.analysis if repository.record else {}
        if not self._options.renew:
            return dict(then)
        if repository.kept:
            return {name: then.get(name, version) for name, version in now.items()}
        return stamps.newest(then, now) if repository.is_same else dict(now)

    def _commit_sometimes(self, writer: Writer) -> None:
        now = time.monotonic()
        is_due = self._uncommitted_bytes >= COMMIT_BYTES or now - self._last_commit >= COMMIT_SECONDS
        if is_due or self._fetches.is_held_up(self._finished):
            self._commit(writer)

    def _commit(self, writer: Writer) -> None:
        writer.commit()
        self._ledger.commit()
        self._ledger.forget_refused(MOST_REFUSED, self._under_way)
        self._uncommitted_bytes, self._last_commit = 0, time.monotonic()
        self._release()

    def _release(self) -> None:
        """Makes room for other clones: with `discard_clones` only once what was read from them is committed."""
        self._discarded += self._fetches.release(self._finished, discard=self._options.discard_clones)
        self._finished.clear()

    def _under_way(self) -> set[Content]:
        """The contents of the repositories that are not finished."""
        return {self._content(repository, blob) for repository in self._queue for _, blob in repository.occurrences}

    def _tell(self, *, last: bool = False) -> None:
        self._progress.report(self._event, last=last)

    def _event(self) -> IndexProgress:
        return IndexProgress(
            repository=self._queue[-1].source.key if self._queue else self._upcoming[0].key if self._upcoming else "",
            repositories=len(self._reports),
            repositories_total=len(self._sources),
            files=self._files,
            files_total=self._files_total,
            parsed=self._parsed,
            parsed_bytes=self._parsed_bytes,
            known=self._known,
            skipped=dict(self._skipped),
            seconds=self._progress.seconds,
            share=self._pace.share,
        )


def _status(repository: _Repository, *, is_changed: bool) -> str:
    if repository.is_same and repository.renewed:
        return "renewed"
    is_unchanged = repository.is_same and not (is_changed or repository.parsed)
    return "unchanged" if is_unchanged else "indexed"


def _notices(indexed: Mapping[str, str]) -> tuple[Notice, ...]:
    """The files that speak for others, those nearest to the root first."""
    return tuple(Notice(path, indexed[path]) for path in notices(indexed))


def _digest(options: IndexOptions) -> str:
    """Changes with whatever the user set that decides what is indexed."""
    values = (
        options.include_generated,
        options.include_data,
        options.max_file_size,
        options.parse_seconds,
        options.parse_memory,
        options.keep_source,
    )
    return hashlib.blake2b(repr(values).encode(), digest_size=6).hexdigest()
