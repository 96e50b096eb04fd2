"""Indexes the history of repositories: the code that each commit brought first.

Each changed file of a commit is one piece: the blocks of code around its new lines, so that a state of a function is
found whole. Only terms that the repository did not have before are indexed. So the pieces with some terms tell since
when a repository has them, in whatever file.

The commits of a repository are finished in their order, so the history that `_Walk.keep` stores is that of one
revision, and the next run goes on from there.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import stamps
from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.fingerprints import DATING
from wherefrom.analyzers.pieces import ChangedFile, Piece, piece, piece_terms
from wherefrom.analyzers.tokens import packed
from wherefrom.engines.engine import Engine, TermOrdered, Writer
from wherefrom.engines.history import (
    TOGETHER,
    HistoryReader,
    StoredCommit,
    commits_blob,
    commits_group,
    commits_path,
    dump_commits,
    piece_path,
    piece_place,
)
from wherefrom.errors import IndexBusy, SourceError
from wherefrom.indexer.indexing import COMMIT_BYTES, COMMIT_SECONDS, KILL_SECONDS, content_batches
from wherefrom.model import TERM_BITS, BlobDocument, Hashes, Occurrence, RepositoryRecord, SkipReason, StoredBlob
from wherefrom.options import IndexOptions
from wherefrom.results import Doubt, HistoryReport, IndexProgress
from wherefrom.sources.git import GitSource, resolve
from wherefrom.sources.history import FileChange, History
from wherefrom.sources.source import Entry, Source
from wherefrom.support.chunks import chunks
from wherefrom.support.contract import now
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass, field, replace
from wherefrom.support.workers import Died
from wherefrom.support.workers.pool import Pool

IMPORTED_FILES = 20
"""A commit may have imported code if it adds at least this many files, and more than there were before."""

EARLIEST = 631_152_000.0
"""The beginning of 1990, in seconds since 1970. Version control with dates in commits is younger."""

SLACK_SECONDS = 86_400.0
"""Clocks differ, so a date is in doubt only if it is this much before that of the parent, or after now."""

READ_TOGETHER = 250  # the number of stored pieces that are read at a time


class HistoryRun:
    """Indexes the history of repositories that are indexed already; call `run` once."""

    def __init__(self, engine: Engine, sources: Iterable[Source], options: IndexOptions) -> None:
        self._engine, self._options = engine, options
        self._sources = [source for source in sources if isinstance(source, GitSource)]
        self.progress = Throttle(options.progress)
        self.reports: list[HistoryReport] = []
        """The reports of the finished repositories."""

    def run(self) -> None:
        """Indexes the history of every git source. One that cannot be read does not stop the others. A
        KeyboardInterrupt ends the run: what was kept last is in the index. Raises UnusableIndex if the index cannot be
        written.
        """
        history = self._engine.make_history()
        limits = self._options.limits
        jobs, seconds = self._options.jobs or os.cpu_count() or 1, limits.parse_seconds + KILL_SECONDS
        with (
            history.writer() as writer,
            Pool(piece, jobs=jobs, seconds=seconds, memory=limits.parse_memory, forks=True) as pool,
        ):
            for source in self._sources:
                try:
                    if self._engine.repository(source.key) is not None:  # else indexing it has failed
                        self.reports.append(self._index(history, writer, pool, source))
                except SourceError as error:
                    self.reports.append(HistoryReport(source.key, "failed", error=str(error)))

    def _index(
        self, history: Engine, writer: Writer, pool: Pool[ChangedFile, Piece | SkipReason | None], source: GitSource
    ) -> HistoryReport:
        options = self._options
        revision = source.revision if options.branch is None else resolve(source.path, options.branch)
        if not revision:
            return HistoryReport(source.key, "unchanged")
        line = History(source.path, revision, is_tags=options.tags_only)
        walk = _Walk(history, writer, source, line, options)
        if walk.status != "unchanged":
            for results in pool.map(content_batches(walk.changed_files())):
                walk.take(results)
                self.progress.report(lambda: self._event(source.key, walk))
            walk.keep()
            # While other writers are at work, nothing is swept. The next sweep removes the blobs.
            with suppress(IndexBusy):
                if walk.has_removed:
                    writer.sweep()
        self.progress.report(lambda: self._event(source.key, walk), last=True)
        return walk.report()

    def _event(self, key: str, walk: _Walk) -> IndexProgress:
        return IndexProgress(
            repository=key,
            repositories=len(self.reports),
            repositories_total=len(self._sources),
            files=walk.files,
            files_total=walk.files,
            parsed=walk.files,
            parsed_bytes=walk.parsed_bytes,
            known=0,
            skipped={},
            seconds=self.progress.seconds,
            share=(len(self.reports) + walk.share) / len(self._sources),
            commits=walk.number,
            commits_total=walk.commits_total,
        )


@dataclass(slots=True)
class _Waiting:
    """A commit whose changed files are being analyzed: `files` of them are not done yet."""

    number: int
    changes: list[FileChange]
    files: int
    pieces: list[tuple[str, Piece]] = field(default_factory=list)


class _Walk:
    """The walk over the commits of one repository, from where the last one ended.

    Attributes:
        status: as in `HistoryReport`.
        number: the number of the next commit.
        commits_total: the number of commits on the line.
        files, parsed_bytes: the changed files that were analyzed, and their bytes.
        has_removed: whether something was removed from the index.
    """

    def __init__(
        self, history: Engine, writer: Writer, source: GitSource, line: History, options: IndexOptions
    ) -> None:
        self._engine, self._writer, self._source, self._line = history, writer, source, line
        self._limits = options.limits
        self._reader = HistoryReader(history)
        self.commits_total = len(line)
        self.files = self.parsed_bytes = 0
        self.has_removed = False
        self._settings = _settings(options)
        self._pieces = 0
        self._commits: dict[int, StoredCommit] = {}
        self._seen = SeenTerms()
        self._waiting: deque[_Waiting] = deque()
        self._documents: list[BlobDocument] = []
        self._occurrences: list[Occurrence] = []
        self._uncommitted, self._last_commit = 0, time.monotonic()
        self._base = line.start(options.since)
        self._first = self.number = self._base
        self._known = -1
        """The number of the last commit whose pieces are in the index."""
        self._obsolete: list[str] = []
        """The paths that an earlier walk stored and this one does not need. They are removed with the first commit."""
        writer.claim(source.key)
        self.status = self._resume()
        self._begin = self.number

    @property
    def share(self) -> float:
        """The share of the commits that is done, 0 to 1."""
        return self.number / self.commits_total if self.commits_total else 1.0

    def _resume(self) -> str:
        record = self._engine.repository(self._source.key)
        revision = -1 if record is None else self._line.number(record.revision)
        is_same = record is not None and record.settings == self._settings and not stamps.is_behind(record.analysis)
        kept: StoredCommit | None = None
        gone: StoredCommit | None = None
        for commit in self._stored_commits(revision if revision >= 0 else len(self._line) - 1) if is_same else ():
            if not self._is_on_line(commit):
                gone = commit
                break
            kept = commit
            if (tag := self._line.commit(commit.number).tag) != commit.tag:
                self._commits[commit.number] = replace(commit, tag=tag)
        # The walk goes on behind the last commit that is still at its place.
        is_longer = kept is not None and gone is None and revision >= 0
        self._known = revision if is_longer else -1 if kept is None else kept.number
        self._first = self.number = max(self._known + 1, self._base)
        pieces = []
        for at in self._engine.occurrences(repository=self._source.key):
            place, group = piece_place(at), commits_group(at)
            if place is not None and place[0] <= self._known:
                pieces.append(at.blob)
            elif kept is None or group is None or group > kept.number // TOGETHER:
                self._obsolete.append(at.path)
        self._pieces = len(pieces)
        if is_longer and self._known == self.commits_total - 1 and not self._commits:
            return "unchanged"
        if kept is not None:
            self._commits.setdefault(kept.number, kept)
            self._load(sorted({*pieces}))
        return "indexed" if kept is gone is None or revision >= 0 else "rewritten"

    def _stored_commits(self, last: int) -> Iterator[StoredCommit]:
        for first in range(self._base // TOGETHER * TOGETHER, last + 1, TOGETHER):
            numbers = range(first, first + TOGETHER)
            yield from self._reader.commits((self._source.key, number) for number in numbers).values()
            self._reader.refresh()

    def _is_on_line(self, commit: StoredCommit) -> bool:
        return self._base <= commit.number < len(self._line) and self._line.id(commit.number) == commit.id

    def _load(self, blobs: Sequence[str]) -> None:
        if isinstance(self._engine, TermOrdered):
            for part in self._engine.postings(blobs):
                self._seen.add(part.terms, self._engine.term_bits)
            return
        for batch in chunks(blobs, READ_TOGETHER):
            for stored in self._engine.blobs(batch).values():
                for terms in piece_terms(stored).values():
                    self._seen.add(terms)

    def changed_files(self) -> Iterator[ChangedFile]:
        """The changed files that are to be analyzed. All changes join `_waiting` in their order."""
        asked: deque[tuple[_Waiting, FileChange]] = deque()
        for entry, content in self._source.read(self._entries(asked)):
            waiting, change = asked.popleft()
            if isinstance(content, SkipReason):
                waiting.files -= 1
                continue
            # All lines of another file are new. A change that only removed lines has an empty range.
            lines = None if not change.hunks or self._is_other_file(change) else change.hunks
            yield ChangedFile(waiting.number, entry.path, content, lines, self._limits)

    def _entries(self, asked: deque[tuple[_Waiting, FileChange]]) -> Iterator[Entry]:
        is_whole = self._first == self._base
        for number, changes in self._line.changes(self._first, is_whole=is_whole):
            named = [it for it in changes if it.new and it.blob and name_reason(it.new, self._limits) is None]
            wanted = [change for change in named if change.is_changed or self._is_other_file(change)]
            waiting = _Waiting(number, changes, len(wanted))
            self._waiting.append(waiting)
            for change in wanted:
                asked.append((waiting, change))
                yield Entry(change.new or "", change.blob, None, None, change.blob or "")

    def _is_other_file(self, change: FileChange) -> bool:
        """Whether a file is new, or was skipped or of another language before it was renamed."""
        if change.old is None or PurePosixPath(change.old).suffix != PurePosixPath(change.new or "").suffix:
            return True
        return name_reason(change.old, self._limits) is not None

    def take(self, results: Sequence[tuple[ChangedFile, Piece | SkipReason | Died | None]]) -> None:
        """Takes the results of a batch, and finishes the commits that are complete, in their order."""
        by_number = {waiting.number: waiting for waiting in self._waiting}
        for file, made in results:
            waiting = by_number[file.number]
            waiting.files -= 1
            self.files += 1
            self.parsed_bytes += len(file.content)
            self._uncommitted += len(file.content)
            if isinstance(made, Piece):
                waiting.pieces.append((file.path, made))
        while self._waiting and not self._waiting[0].files:
            self._finish(self._waiting.popleft())
        if self._uncommitted >= COMMIT_BYTES or time.monotonic() - self._last_commit >= COMMIT_SECONDS:
            self._store(self.number)

    def _finish(self, waiting: _Waiting) -> None:
        number, key = waiting.number, self._source.key
        for path, made in sorted(waiting.pieces, key=lambda pair: pair[0]):
            is_new = {kind: self._seen.lacks(terms) for kind, terms in made.terms.items()}
            if any(flags.any() for flags in is_new.values()):
                document = made.stored(is_new)
                self._documents.append(document)
                self._occurrences.append(
                    Occurrence(key, piece_path(number, path), document.stored.blob, self._line.id(number))
                )
                self._pieces += 1
                for terms in document.terms.values():
                    self._seen.add(terms)
        self._commits[number] = self._facts(number, waiting.changes)
        self.number = number + 1

    def _facts(self, number: int, changes: Sequence[FileChange]) -> StoredCommit:
        commit = self._line.commit(number)
        added = sum(change.new is not None and change.old is None for change in changes)
        is_import = added >= IMPORTED_FILES and (
            number == self._first == self._base or added > self._line.files(number - 1)
        )
        doubts = [Doubt.IMPORT] if is_import else []
        gone = {PurePosixPath(change.old).suffix for change in changes if change.old and change.new is None}
        new = {PurePosixPath(change.new).suffix for change in changes if change.new and change.old is None}
        if gone & new:
            doubts.append(Doubt.MOVED)
        if self._line.is_tags:
            doubts.append(Doubt.RELEASE)
        if number == self._base and (number > 0 or self._line.is_shallow):
            doubts.append(Doubt.BASE)
        if number and commit.committed < self._line.commit(number - 1).committed - SLACK_SECONDS:
            doubts.append(Doubt.OUT_OF_ORDER)
        if not EARLIEST <= commit.committed <= time.time() + SLACK_SECONDS:
            doubts.append(Doubt.OUT_OF_RANGE)
        return StoredCommit(
            number, commit.id, commit.authored, commit.committed, commit.tag, commit.is_merge, tuple(map(str, doubts))
        )

    def keep(self) -> None:
        """Stores everything at the end of the walk."""
        while self._waiting:  # commits whose files all failed to be read
            self._finish(self._waiting.popleft())
        self._store(self.commits_total)

    def _store(self, behind: int) -> None:
        """Stores the history up to the commit before number `behind`, and commits."""
        key, writer = self._source.key, self._writer
        writer.claim(key)
        if self._obsolete:
            self.has_removed = True
            writer.delete_occurrences(key, self._obsolete)
        # The states of a file beside each other compress best.
        paths = {at.blob: at.path.partition("/")[2] for at in self._occurrences}
        writer.add_blobs(sorted(self._documents, key=lambda document: paths[document.stored.blob]))
        writer.put_occurrences(self._occurrences)
        self._store_commits()
        writer.put_repository(self._record(self._line.id(behind - 1)))
        writer.commit()
        self._reader.refresh()
        self._obsolete.clear()
        self._documents.clear()
        self._occurrences.clear()
        self._uncommitted, self._last_commit = 0, time.monotonic()

    def _store_commits(self) -> None:
        key = self._source.key
        groups = {number // TOGETHER * TOGETHER for number in self._commits}
        for group in sorted(groups):
            numbers = range(group, group + TOGETHER)
            found = self._reader.commits((key, number) for number in numbers).values()
            stored = {commit.number: commit for commit in found if self._is_on_line(commit)}
            stored |= {number: self._commits[number] for number in numbers if number in self._commits}
            blob, text = commits_blob(key, group), dump_commits(commit for _, commit in sorted(stored.items()))
            tokens = packed(0, symbols=0, gaps=0, codes=b"", planes=b"", words=b"", languages=())
            self._writer.replace_blobs([BlobDocument(StoredBlob(blob, "text", len(text), 0, tokens, source=text), {})])
            self._writer.put_occurrences([Occurrence(key, commits_path(group), blob, "")])
        self._commits.clear()

    def _record(self, revision: str) -> RepositoryRecord:
        source = self._source
        return RepositoryRecord(
            key=source.key,
            location=source.location,
            kind=source.kind,
            revision=revision,
            settings=self._settings,
            files=self._pieces,
            size=0,
            skipped={},
            indexed_at=now(),
            analysis=dict(stamps.installed()),
            key_kind=source.key_kind,
        )

    def report(self) -> HistoryReport:
        """What the walk did."""
        warnings = []
        if self._line.is_shallow:
            warnings.append(
                f"the clone of {self._source.key} is shallow, so its oldest commits are not known; "
                "run `git fetch --unshallow` there, then index again"
            )
        if self._line.lacking:
            warnings.append(
                f"the clone of {self._source.key} lacks contents of {self._line.lacking:,} of its commits, so some "
                "code may be older than its history says; run `git fetch --refetch` there, remove the repository from "
                "the index, then index it again"
            )
        return HistoryReport(
            key=self._source.key,
            status=self.status,
            commits=max(self.commits_total - self._begin, 0) if self.status != "unchanged" else 0,
            files=self.files,
            size=self.parsed_bytes,
            pieces=self._pieces,
            warnings=tuple(warnings),
        )


def _settings(options: IndexOptions) -> str:
    limits = options.limits
    files = (limits.include_generated, limits.include_data, limits.max_file_size)
    values = (str(options.since), options.branch, options.tags_only, *files, *DATING)
    return hashlib.blake2b(repr(values).encode(), digest_size=6).hexdigest()


class SeenTerms:
    """The terms that a repository had, of all representations, by their leading 32 bits: four bytes each. So about one
    of 400 terms is taken for another one that was seen if there are ten million.
    """

    def __init__(self) -> None:
        self._parts: list[NDArray[np.uint32]] = []
        """Sorted, each more than twice as long as the next one."""

    def lacks(self, terms: Hashes) -> NDArray[np.bool_]:
        """Which of the terms were not seen."""
        keys = (terms >> np.uint64(TERM_BITS - 32)).astype(np.uint32)
        found = np.ones(len(keys), np.bool_)
        for part in self._parts:
            found &= part[np.minimum(part.searchsorted(keys), len(part) - 1)] != keys
        return found

    def add(self, terms: Hashes, bits: int = TERM_BITS) -> None:
        """Adds terms, given by their leading `bits`."""
        keys = (terms >> np.uint64(bits - 32)).astype(np.uint32)
        keys.sort()
        while self._parts and len(self._parts[-1]) <= 2 * len(keys):
            part = self._parts.pop()
            part.resize(len(part) + len(keys), refcheck=False)  # without a second copy of a long part
            part[-len(keys) :] = keys
            part.sort()
            keys = part
        if len(keys):
            self._parts.append(keys)
