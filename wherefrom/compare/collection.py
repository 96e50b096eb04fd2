"""What is compared: paths read into memory, or an index, as submissions with their files."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path

import numpy as np

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.references import dump_references, of_analysis, words_in
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.compare.members import Members
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import NotFound, UsageError
from wherefrom.indexer.indexing import Run
from wherefrom.model import BlobDocument, KeyKind, Occurrence, RepositoryRecord, StoredBlob
from wherefrom.options import CompareOptions, IndexOptions
from wherefrom.queries.snippet import stored_text
from wherefrom.results import ComparedFile, IndexProgress, RepositoryReport, Role, SkippedFile, Submission
from wherefrom.sources.archive import is_archive
from wherefrom.sources.discover import FoundSources, Unusable, find_all
from wherefrom.sources.files import FilesSource
from wherefrom.sources.source import Source
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import visible

_BATCH = 256
"""Contents whose facts are asked of an engine at once."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Everything that is compared.

    Attributes:
        engine: of the index that has the contents.
        blobs: the contents without their sources, by id.
        files: by submission, then path, as far as they are known before they are compared.
        submissions: by role, then name; likewise.
        members: who is compared with whom.
        records: of the repositories of the files, by key.
        failed: sources that could not be read.
        skipped: how many files were left out, by reason.
        skipped_files: these files, as far as they are known.
        warnings: what may not be meant.
    """

    engine: Engine
    blobs: Mapping[str, StoredBlob]
    files: Sequence[ComparedFile]
    submissions: Sequence[Submission]
    members: Members
    records: Mapping[str, RepositoryRecord]
    failed: tuple[RepositoryReport, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    skipped_files: tuple[SkippedFile, ...] = ()
    warnings: tuple[str, ...] = ()


def collect_paths(
    paths: Sequence[str | PathLike[str]],
    options: CompareOptions,
    *,
    cache: Path,
    progress: Callable[[IndexProgress], None] | None,
) -> Collection:
    """Reads what is named; the contents are in a temporary file, all else is in memory, for as long as the engine is.

    Raises:
        SourceError: nothing that is named can be read.
        UsageError: a path is named twice, or is not a path.
    """
    found: list[tuple[Role, Source]] = []
    unusable: list[Unusable] = []
    warnings: list[str] = []
    for role, named in (
        (Role.SUBMISSION, paths),
        (Role.ARCHIVE, options.archive),
        (Role.WITH, options.with_sources),
    ):
        if named:
            sources, of_role = _sources(named, cache)
            found += [(role, source) for source in sources]
            unusable += of_role.unusable
            warnings += [*of_role.warnings, *(f"{each.location}: {each.reason}" for each in of_role.left_out)]
    _give_keys([source for _, source in found])
    engine = MemoryEngine(scheme_ids(), sources_in_file=True)
    skipped: list[SkippedFile] = []
    index_options = IndexOptions(
        **vars(options.limits), jobs=options.jobs, keep_source=True, progress=progress, skipped=skipped.extend
    )
    report = Run(engine, [source for _, source in found], index_options, is_compressed=False).run()
    if report.interrupted:
        raise KeyboardInterrupt
    failed = [repository for repository in report.repositories if repository.status == "failed"]
    failed += [RepositoryReport(source.name, "failed", "", error=str(source.error)) for source in unusable]
    roles = {source.key: role for role, source in found}
    collection = collected(engine, roles, options)
    warnings += collection.warnings
    return replace(collection, failed=tuple(failed), skipped_files=tuple(skipped), warnings=tuple(warnings))


def collect_texts(texts: Sequence[tuple[str, bytes, Analysis]], options: CompareOptions) -> Collection:
    """Two texts (name, content, tokens) as submissions, the second in the archive, so that the first is on the left."""
    engine = MemoryEngine(scheme_ids())
    files: list[ComparedFile] = []
    submissions: list[Submission] = []
    author_of = None if options.author_of is None else re.compile(options.author_of)
    with engine.writer() as writer:
        for number, (name, content, analysis) in enumerate(texts):
            references = dump_references(of_analysis(content, analysis, words_in(content)))
            stored = replace(stored_text(content, analysis), source=content, references=references)
            writer.add_blobs([BlobDocument(stored, document_terms(analysis.tokens))])
            occurrence = Occurrence(repository="", path=name, blob=stored.blob, revision="")
            files.append(ComparedFile(number, occurrence, stored.language, stored.size, stored.token_count))
            role = Role.ARCHIVE if number else Role.SUBMISSION
            submissions.append(Submission(name, role, _author(name, author_of), (number,), stored.token_count))
    blobs = _blobs(engine, {file.occurrence.blob for file in files})
    return Collection(engine, blobs, files, submissions, _members(files, submissions), {})


def _sources(named: Sequence[str | PathLike[str]], cache: Path) -> tuple[list[Source], FoundSources]:
    """The sources of some paths; the single files of one folder are one source."""
    files: dict[Path, list[str]] = {}
    others = []
    for each in named:
        file = plain_file(each)
        if file is None:
            others.append(each)
        else:
            files.setdefault(file.parent, []).append(file.name)
    found = find_all(others, cache=cache) if others else FoundSources([])
    return [*(FilesSource(folder, names) for folder, names in files.items()), *found.sources], found


def plain_file(named: str | PathLike[str]) -> Path | None:
    """The file that a path names, None where it names a folder, an archive, a URL or nothing."""
    text = os.fspath(named)
    if "\0" in text or not os.path.isfile(os.path.expanduser(text)):  # noqa: PTH111, PTH113  # Path's raise
        return None
    path = Path(os.path.realpath(os.path.expanduser(text)))  # noqa: PTH111  # Path's raises for a user that is not there
    return None if is_archive(path) else path


def _give_keys(sources: Iterable[Source]) -> None:
    """Gives sources that have one repository key their locations as keys.

    Raises:
        UsageError: two have one location.
    """
    sources = list(sources)
    if not sources:
        raise NotFound("nothing to compare was found; name files, folders, clones or archives")
    keys = Counter(source.key for source in sources)
    for source in sources:
        if keys[source.key] > 1:
            if isinstance(source, FilesSource):
                source.key = f"{source.location}/"
            else:
                source.key, source.key_kind = source.location, KeyKind.PATH  # type: ignore[misc] # they have both
    for key, number in Counter(source.key for source in sources).items():
        if number > 1:
            raise UsageError(f"{visible(key)} is named twice; a corpus is compared with another one, leave one out")


def collected(engine: Engine, roles: Mapping[str, Role], options: CompareOptions) -> Collection:
    """The submissions of indexed repositories."""
    records = {record.key: record for record in engine.repositories(list(roles))}
    labels = _labels(records)
    if len(records) == 1 and options.by != "repository":
        labels = dict.fromkeys(labels, "")
    order = list(Role)
    found: dict[tuple[int, str], dict[tuple[str, str], Occurrence]] = {}
    by_role: defaultdict[int, list[str]] = defaultdict(list)
    for key, label in labels.items():
        role = order.index(roles[key])
        by_role[role].append(label)
        if options.by == "repository":
            found.setdefault((role, label), {})
        for occurrence in engine.occurrences(repository=key):
            own = found.setdefault((role, _name(occurrence.path, label, options.by)), {})
            own[occurrence.repository, occurrence.path] = occurrence
    author_of = None if options.author_of is None else re.compile(options.author_of)
    only = {role: own[0] for role, own in by_role.items() if len(own) == 1}
    blobs = _blobs(engine, {occurrence.blob for own in found.values() for occurrence in own.values()})
    files: list[ComparedFile] = []
    submissions: list[Submission] = []
    for (role, name), own in sorted(found.items()):
        begin = len(files)
        for _, occurrence in sorted(own.items()):
            stored = blobs[occurrence.blob]
            files.append(ComparedFile(len(submissions), occurrence, stored.language, stored.size, stored.token_count))
        # What is named beside the only folder of a role does not change the authors in it.
        inner = name.removeprefix(f"{only[role]}/") if role in only else name
        author = _author(inner, author_of) or _author(name, author_of)
        tokens = sum(file.tokens for file in files[begin:])
        submissions.append(Submission(name, order[role], author, tuple(range(begin, len(files))), tokens))
    warnings: tuple[str, ...] = ()
    if author_of is not None and submissions and not any(each.author for each in submissions):
        such = visible(submissions[0].name)
        warnings = (f"no submission has an author by --author-of; the pattern is searched in names like {such}",)
    skipped: Counter[str] = Counter()
    for record in records.values():
        skipped.update({str(reason): number for reason, number in record.skipped.items()})
    members = _members(files, submissions)
    return Collection(engine, blobs, files, submissions, members, records, skipped=skipped, warnings=warnings)


def _members(files: Sequence[ComparedFile], submissions: Sequence[Submission]) -> Members:
    blobs = list(dict.fromkeys(file.occurrence.blob for file in files))
    positions = {blob: position for position, blob in enumerate(blobs)}
    numbers: dict[str, int] = {}
    authors = [
        number if submission.author is None else numbers.setdefault(submission.author, len(submissions) + number)
        for number, submission in enumerate(submissions)
    ]
    return Members(
        blobs,
        np.array([positions[file.occurrence.blob] for file in files], np.int64),
        np.array([file.submission for file in files], np.int64),
        np.array(authors, np.int64),
        [submission.role for submission in submissions],
    )


def _blobs(engine: Engine, ids: Iterable[str]) -> dict[str, StoredBlob]:
    """What is stored of these blobs, without their sources and references: a third of their size."""
    found = {}
    for batch in chunks(sorted(ids), _BATCH):
        for blob, stored in engine.blobs(batch).items():
            found[blob] = replace(stored, source=None, references=b"")
    return found


def _author(name: str, author_of: re.Pattern[str] | None) -> str | None:
    """The author that a name tells, None where it tells none."""
    found = author_of.search(name) if author_of is not None else None
    if found is None:
        return None
    return found[1] if found.re.groups and found[1] is not None else found[0]


def _name(path: str, label: str, by: str) -> str:
    """The name of the submission of a file."""
    if by == "repository":
        return label
    inner = path.partition("/")[0] if by == "folder" else path
    return f"{label}/{inner}" if label else inner


def _labels(records: Mapping[str, RepositoryRecord]) -> dict[str, str]:
    """A short name for each repository: as many of the last parts of its key as tell it from all others."""
    parts = {key: key.rstrip("/").split("/") for key in records}
    labels = {}
    for key, own in parts.items():
        for length in range(1, len(own) + 1):
            label = "/".join(own[-length:])
            if all("/".join(other[-length:]) != label for at, other in parts.items() if at != key):
                break
        labels[key] = label
    return labels
