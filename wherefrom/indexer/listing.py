"""The first step of indexing a repository: its files are listed, and new or stale contents are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from wherefrom.analyzers import stamps
from wherefrom.analyzers.content import most_bytes, name_reason
from wherefrom.analyzers.guessing import guess, rank
from wherefrom.indexer.job import Job, RepositoryRun, Stale
from wherefrom.indexer.work import Task
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.sources.source import UNWANTED, Entry, Source, blob_id, is_blob, refusal
from wherefrom.support.chunks import by_key, chunks, weighed

LOOKED_UP = 256  # how many contents without a known id, or unreadable ones, are looked up in the index with one call
READ_BYTES = 1 << 20  # contents are looked up once they have this many bytes, since they wait in memory until then


def is_settled(job: Job, record: RepositoryRecord, source: Source) -> bool:
    """True if a source was last indexed from the same location with the same settings, at any revision."""
    state = (source.location, source.kind, source.key_kind, job.settings)
    return state == (record.location, record.kind, record.key_kind, record.settings)


def is_stale(job: Job, record: RepositoryRecord) -> bool:
    """True if something has to be read again in a repository whose source has not changed."""
    if job.options.skipped is not None:  # the user wants the paths of skipped files; the record has only their number
        return True
    if not job.renewal.is_due(record):
        return False
    return job.renewal.lists_again(record) or bool(job.renewal.stale(record, job.before(record.key).items()))


def tasks_of(job: Job, repository: RepositoryRun) -> Iterator[Task]:
    """Lists a repository; yields its contents that are stale or not in the index. Raises SourceError if that fails."""
    source = repository.source
    repository.record = record = job.engine.repository(source.key)
    if record is not None and is_settled(job, record, source) and source.revision == record.revision:
        repository.is_same = True
        repository.is_unchanged = not is_stale(job, record)
        if repository.is_unchanged:
            return
    wanted, unreadable = [], []
    for entry in source.entries():
        job.tally.files_total += 1
        reason = _reason(job, entry)
        if reason is None:
            wanted.append(entry)
        elif reason is SkipReason.UNREADABLE and entry.blob:
            unreadable.append((entry.path, entry.blob))
        else:
            _skip(job, repository, entry.path, reason)
    _take_unreadable(job, repository, unreadable)
    # The first name of a content decides which language it has in an answer.
    named = {entry.path: guess(entry.path, b"") for entry in wanted}
    wanted.sort(key=lambda entry: rank(named[entry.path]), reverse=True)
    # A git source gives blob ids with the paths, so contents that the index has are not read.
    files = [(entry.path, entry.blob) for entry in wanted if entry.blob]
    repository.authored = {entry.blob for entry in wanted if entry.blob and entry.authored}
    repository.stale |= job.renewal.stale(record, files)
    fresh = _claim(job, repository, by_key((blob, path) for path, blob in files), named)
    to_read = []
    for entry in wanted:
        if entry.blob is not None:
            repository.occurrences.append((entry.path, entry.blob, entry.size or 0))
            if entry.blob not in fresh:
                job.tally.count_known()
                continue
            fresh.remove(entry.blob)
        to_read.append(entry)
    job.pace.list(source.key, sum(entry.size or 0 for entry in to_read))
    yield from _read(job, repository, to_read, named)


def _reason(job: Job, entry: Entry) -> SkipReason | None:
    """Why an entry is not read, or None, by its name alone: workers judge the content, whatever its first name is."""
    limits = job.limits[False]
    if entry.skip in UNWANTED and not limits.include_generated:
        return entry.skip
    refused, named = refusal(entry, most_bytes(entry.path, limits)), name_reason(entry.path, job.limits[entry.authored])
    return named if refused is None or (refused, named) == (SkipReason.TOO_LARGE, SkipReason.ARCHIVE) else refused


def _read(job: Job, repository: RepositoryRun, entries: Iterable[Entry], named: Mapping[str, str]) -> Iterator[Task]:
    """Reads entries; `named` has the languages of their names."""

    def size(one: tuple[Entry, bytes | SkipReason]) -> int:
        return len(one[1]) if isinstance(one[1], bytes) else 0

    for batch in weighed(repository.source.read(entries), size, most=READ_BYTES, count=LOOKED_UP):
        files = list(_contents(job, repository, batch))
        fresh = set()
        if unnamed := [(entry.path, blob) for entry, blob, _ in files if entry.blob is None]:
            repository.stale |= job.renewal.stale(repository.record, unnamed)
            fresh = _claim(job, repository, by_key((blob, path) for path, blob in unnamed), named)
        for entry, blob, content in files:
            if entry.blob is None:
                repository.occurrences.append((entry.path, blob, len(content)))
                if blob not in fresh:
                    job.pace.finish(entry.size or 0)
                    job.tally.count_known()
                    continue
                fresh.remove(blob)
            key = job.content(repository, blob)
            stale = repository.stale.get(blob)
            others = job.ledger.hand_over(key) - {named[entry.path]}
            repository.waiting += 1
            yield Task(
                blob,
                entry.path,
                content,
                job.limits[key.is_authored],
                job.is_kept,
                not job.options.fingerprints_only,
                stale and stale.stamp,
                others,
                key.again,
                stale and stale.languages,
            )


def _contents(
    job: Job, repository: RepositoryRun, batch: Iterable[tuple[Entry, bytes | SkipReason]]
) -> Iterator[tuple[Entry, str, bytes]]:
    for entry, given in batch:
        # git does not check the id. A content with a false id would replace the true one in all repositories.
        is_false = entry.blob is not None and isinstance(given, bytes) and not is_blob(given, entry.blob)
        content = SkipReason.UNREADABLE if is_false else given
        if not isinstance(content, SkipReason):
            yield entry, entry.blob or blob_id(content), content
            continue
        job.pace.finish(entry.size or 0)
        if entry.blob is None:
            _skip_or_keep(job, repository, entry.path, content)
            continue
        # Other repositories may claim the blob. A stale blob stays in the index.
        job.ledger.release(job.content(repository, entry.blob))
        if (stale := repository.stale.get(entry.blob)) is not None:
            repository.kept += stale.languages is None
            job.tally.count_known()
        else:
            job.tally.count_skipped(content)
            repository.unreadable[entry.blob] = content


def _claim(
    job: Job, repository: RepositoryRun, paths: Mapping[str, Sequence[str]], named: Mapping[str, str]
) -> set[str]:
    """Claims the blobs, given with their paths, that are stale, new to the index and to this run, or not yet read in a
    language of one of their names; returns them. A blob that an earlier run refused for a `COSTLY` reason is refused
    again without trying.
    """
    contents = {
        job.content(repository, blob).first: frozenset(map(named.__getitem__, those)) for blob, those in paths.items()
    }
    claimed = {}
    for content, stamp in job.ledger.claim(contents, repository, repository.stale).items():
        if stamp is not None and content.blob not in repository.stale:
            if repository.before is None:
                repository.before = job.before(repository.source.key)
            if all(repository.before.get(path) == content.blob for path in paths[content.blob]):  # considered before
                job.ledger.release(content)
                continue
        if stamp is not None:
            repository.stale[content.blob] = Stale(stamp, again=content.again)
        claimed[content.blob] = content
    if not claimed:  # saves a request
        return set()
    limits = job.limits[False]
    for blob, remembered in job.engine.refusals(claimed).items():
        reason = remembered.reason
        is_final = limits.parse_seconds <= remembered.seconds and limits.parse_memory <= remembered.memory
        if not isinstance(reason, SkipReason) or not is_final or stamps.is_older(remembered.analysis):
            continue  # it is tried again, and may succeed
        content = claimed.pop(blob)
        if blob in repository.stale:
            repository.kept += 1
            job.ledger.release(content)
        else:
            job.ledger.refuse(content, reason)
    return set(claimed)


def _take_unreadable(job: Job, repository: RepositoryRun, files: Sequence[tuple[str, str]]) -> None:
    """Keeps the unreadable files, given as (path, blob), whose contents the index has. Skips the others."""
    for batch in chunks(files, LOOKED_UP):
        known = job.engine.blobs({blob for _, blob in batch})
        for path, blob in batch:
            if blob in known:
                repository.occurrences.append((path, blob, known[blob].size))
                job.tally.count_known()
            else:
                _skip(job, repository, path, SkipReason.UNREADABLE)
        stale = job.renewal.stale(repository.record, [file for file in batch if file[1] in known])
        repository.kept += sum(why.languages is None for why in stale.values())


def _skip_or_keep(job: Job, repository: RepositoryRun, path: str, reason: SkipReason) -> None:
    if repository.is_same and repository.before is None:
        repository.before = job.before(repository.source.key)
    blob = (repository.before or {}).get(path) if repository.is_same else None
    known = job.engine.blobs([blob]) if blob is not None else {}
    if blob is None or blob not in known:
        _skip(job, repository, path, reason)
        return
    repository.occurrences.append((path, blob, known[blob].size))
    job.tally.count_known()
    repository.kept += 1


def _skip(job: Job, repository: RepositoryRun, path: str, reason: SkipReason) -> None:
    job.tally.count_skipped(reason)
    repository.skipped.append((path, reason))
