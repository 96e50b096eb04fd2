"""The last steps of indexing a repository: the workers' results are written, then its occurrences and its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from wherefrom.analyzers import stamps
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.references import notices
from wherefrom.engines.engine import Writer
from wherefrom.indexer.job import COSTLY, ContentKey, Job, RepositoryRun
from wherefrom.indexer.work import Task
from wherefrom.model import BlobDocument, Notice, Occurrence, Refusal, RepositoryRecord, SkipReason
from wherefrom.results import RepositoryReport, SkippedFile
from wherefrom.support.contract import now
from wherefrom.support.workers import Died


def write_results(
    job: Job, writer: Writer, results: Sequence[tuple[Task, BlobDocument | SkipReason | Died | None]]
) -> None:
    """Writes the results of a batch, and counts them for their repositories."""
    added: list[BlobDocument] = []
    again: list[BlobDocument] = []
    for task, result in results:
        if isinstance(result, BlobDocument):
            if job.options.keep_source:
                result = BlobDocument(replace(result.stored, source=task.content), result.terms)  # noqa: PLW2901
            (added if task.renews is None else again).append(result)
    if job.seen is not None:
        for name, note in job.seen([*added, *again]).items():
            writer.put_note(name, note)
    # The blobs are written before they are counted, so an interrupted repository never counts as complete too early.
    writer.add_blobs(added)
    renewed = _changed(job, again)
    writer.replace_blobs(renewed.values())
    tally = job.tally
    for task, result in results:
        if isinstance(result, SkipReason | Died):
            reason = SkipReason.WORKER_DIED if isinstance(result, Died) else result
            repository = _take_refusal(job, writer, task, reason)
        else:
            repository = job.ledger.write(_content(task))
            is_new = task.renews is None
            is_renewed = not is_new and task.blob in renewed
            repository.parsed += is_new
            repository.renewed += is_renewed
            tally.parsed += is_new
            tally.renewed += is_renewed
            tally.files += 1
            tally.parsed_bytes += len(task.content)
            if result is not None:
                if lacking := stamps.without_grammar(result.stored.analysis):
                    tally.without_grammar.update(lacking)
                if stamps.is_unparsed(result.stored.analysis):
                    tally.unparsed.append((repository.source.key, task.path))
        job.pace.finish(len(task.content))
        repository.waiting -= 1


def _content(task: Task) -> ContentKey:
    return ContentKey(task.blob, task.limits.include_generated, task.again)


def _changed(job: Job, documents: Sequence[BlobDocument]) -> dict[str, BlobDocument]:
    """The documents whose analysis differs from the one in the index, by blob, with the source text in the index."""
    before = job.engine.blobs([document.stored.blob for document in documents]) if documents else {}
    renewed = {}
    for document in documents:
        old, new = before.get(document.stored.blob), document.stored
        if old is not None and new.source is None:
            new = replace(new, source=old.source)
        if old is None or old.analysis != new.analysis:
            renewed[new.blob] = replace(document, stored=new)
    return renewed


def _take_refusal(job: Job, writer: Writer, task: Task, reason: SkipReason) -> RepositoryRun:
    if reason in COSTLY:
        stamp = stamps.stamp(guess(task.path, task.content))
        limits = task.limits
        writer.put_refusals([Refusal(task.blob, reason, stamp, limits.parse_seconds, limits.parse_memory)])
    # A content that was indexed before stays in the index, unless newer rules for skipping refuse it.
    keeps = task.renews is not None and (reason in COSTLY or not stamps.has_newer_rules(stamps.components(task.renews)))
    if not keeps:
        job.tally.count_skipped(reason)
        return job.ledger.refuse(_content(task), reason)
    job.tally.count_known()
    repository = job.ledger.write(_content(task))
    repository.kept += 1
    return repository


def finish(job: Job, writer: Writer, repository: RepositoryRun) -> RepositoryReport:
    """Writes the occurrences and the record of a repository whose contents are all written."""
    source, record = repository.source, repository.record
    if repository.error is not None:
        return RepositoryReport(source.key, "failed", "", error=repository.error)
    if record and repository.is_unchanged:
        # Notes the installed versions: a new analysis would change nothing.
        if job.renewal.is_due(record):
            writer.claim(record.key)
            if job.engine.repository(record.key) == record:  # no other writer has changed it since
                writer.put_repository(replace(record, analysis=stamps.newest(record.analysis, stamps.installed())))
        return RepositoryReport(
            source.key, "unchanged", record.revision, record.files, known=record.files, skipped=record.skipped
        )
    indexed: dict[str, str] = {}
    sizes: dict[str, int] = {}
    refused: dict[str, SkipReason] = {}
    for path, blob, size in repository.occurrences:
        reason = repository.unreadable.get(blob) or job.refusal(repository, blob)
        if reason is None:
            indexed[path], sizes[path] = blob, size
        else:
            refused[path] = reason
    writer.claim(source.key)
    before = job.before(source.key)
    gone = before.keys() - indexed.keys()
    writer.delete_occurrences(source.key, sorted(gone))
    writer.put_occurrences(
        Occurrence(source.key, path, blob, source.revision)
        for path, blob in sorted(indexed.items())
        if before.get(path) != blob
    )
    skipped = [*repository.skipped, *refused.items()]
    counts: dict[str, int] = dict(sorted(Counter(reason for _, reason in skipped).items()))
    writer.put_repository(
        RepositoryRecord(
            key=source.key,
            location=source.location,
            kind=source.kind,
            revision=source.revision,
            settings=job.settings,
            files=len(indexed),
            size=sum(sizes.values()),
            skipped=counts,
            indexed_at=now(),
            # Licenses and other files that apply to a whole folder; those nearest to the root come first.
            notices=tuple(Notice(path, indexed[path]) for path in notices(indexed)),
            analysis=_analysis(job, repository),
            key_kind=source.key_kind,
            package=source.package,
        )
    )
    if job.options.skipped is not None and skipped:
        job.options.skipped([SkippedFile(source.key, path, reason) for path, reason in sorted(skipped)])
    retired = len(gone) + sum(1 for path, blob in before.items() if indexed.get(path, blob) != blob)
    job.tally.retired += retired
    status = "indexed"
    if repository.is_same and (repository.renewed or not (retired or repository.parsed)):
        status = "renewed" if repository.renewed else "unchanged"
    return RepositoryReport(
        key=source.key,
        status=status,
        revision=source.revision,
        files=len(indexed),
        parsed=repository.parsed,
        known=len(indexed) - repository.parsed,
        renewed=repository.renewed,
        kept=repository.kept,
        retired=retired,
        skipped=counts,
    )


def _analysis(job: Job, repository: RepositoryRun) -> dict[str, str]:
    """The versions to record for a repository: older ones if some of it still has to be analyzed again."""
    installed, then = stamps.installed(), repository.record.analysis if repository.record else {}
    if not job.options.renew:
        return dict(then)
    if repository.kept:
        return {name: then.get(name, version) for name, version in installed.items()}
    return stamps.newest(then, installed) if repository.is_same else dict(installed)
