"""Collects the submissions of a comparison and their files, from paths or from an index."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Collection as Several
from contextlib import suppress
from functools import cached_property
from itertools import chain
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import stamps
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.readings import read_in
from wherefrom.analyzers.references import dump_references, of_file
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.compare.submissions import SubmissionNames, around, folders, left_out
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import NotFound, SourceError, UsageError
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.model import BlobDocument, KeyKind, Occurrence, RepositoryRecord, StoredBlob
from wherefrom.options import CompareOptions, IndexOptions
from wherefrom.options.asking import SubmissionUnit
from wherefrom.queries.snippet import stored_text
from wherefrom.results import ComparedFile, IndexProgress, RepositoryReport, Role, SkippedFile, Submission
from wherefrom.results.comparison import nothing_to_compare
from wherefrom.results.indexing import unparsed_warning
from wherefrom.sources.archive import is_archive
from wherefrom.sources.directory import FilesSource
from wherefrom.sources.discover import FoundSources, Unusable, find_all, find_trees, outside_warnings
from wherefrom.sources.source import Source
from wherefrom.sources.trees import ArchiveTree, TreeSource
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field, replace

_BATCH = 256  # the number of contents that are read from an engine at a time


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class Members:
    """The compared files, by submission. A blob that several submissions have is a file in each of them."""

    blobs: Sequence[str]  # the distinct blobs, in the order of the first file of each
    blob_of: NDArray[np.int64]  # int64, for each file the position of its blob in `blobs`
    submission_of: NDArray[np.int64]  # int64, for each file its submission, ascending
    authors: NDArray[np.int64]  # int64, for each submission the number of its author
    roles: Sequence[Role]  # for each submission its role

    @property
    def files(self) -> int:
        """The number of files."""
        return len(self.blob_of)

    @property
    def units(self) -> NDArray[np.int64]:
        """For each file its unit; the frequency of a term is the number of units that have it. A unit is a submission,
        or with a second corpus a single file, since a corpus may be a single submission.
        """
        return np.arange(self.files) if self.has_two_sides else self.submission_of

    @property
    def unit_count(self) -> int:
        """The number of units."""
        return self.files if self.has_two_sides else len(self.roles)

    @cached_property
    def has_two_sides(self) -> bool:
        """Whether there is a second corpus. Then only pairs across both corpora are compared."""
        return Role.WITH in self.roles

    def files_of_blobs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Two arrays, `begins` and `files`: the files of blob number n are `files[begins[n] : begins[n + 1]]`."""
        order = np.argsort(self.blob_of, kind="stable")
        begins = np.searchsorted(self.blob_of[order], np.arange(len(self.blobs) + 1))
        return begins, order

    def may_meet(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Marks the pairs (left, right) of submissions that are compared with each other."""
        one, other = self._special[left], self._special[right]
        allowed: NDArray[np.bool_] = (one != other) if self.has_two_sides else ~(one & other)
        allowed &= (self.authors[left] != self.authors[right]) & (left != right)
        return allowed

    @cached_property
    def _special(self) -> NDArray[np.bool_]:
        """Marks the submissions of the second corpus, or else those of the archive."""
        special = Role.WITH if self.has_two_sides else Role.ARCHIVE
        return np.array([role is special for role in self.roles])

    def possible_pairs(self) -> tuple[int, int]:
        """The number of compared pairs of submissions, and of pairs left out because both have the same author."""
        fixed = np.array([role is not Role.SUBMISSION for role in self.roles], dtype=np.bool_)
        own = int(np.count_nonzero(~fixed))
        allowed = own * (len(fixed) - own) + (0 if self.has_two_sides else own * (own - 1) // 2)
        shared = 0
        _, first, sizes = np.unique(self.authors, return_index=True, return_counts=True)
        for author in self.authors[first[sizes > 1]].tolist():
            mine, others = np.bincount(fixed[self.authors == author], minlength=2).tolist()
            shared += mine * others + (0 if self.has_two_sides else mine * (mine - 1) // 2)
        return allowed - shared, shared


@dataclass(frozen=True, slots=True)
class Collection:
    """All submissions of a comparison and their files."""

    engine: Engine  # the engine of the index that has the contents
    blobs: Mapping[str, StoredBlob]  # the contents without their sources, by id
    files: Sequence[ComparedFile]  # all files, by submission, then path, without the results of the comparison
    submissions: Sequence[Submission]  # all submissions, by role, then name, without the results of the comparison
    members: Members  # which files are compared with each other
    records: Mapping[str, RepositoryRecord]  # the records of the repositories of the files, by key
    failed: tuple[RepositoryReport, ...] = ()  # sources that could not be read
    skipped: Mapping[str, int] = field(default_factory=dict)  # the number of skipped files, by reason
    skipped_files: tuple[SkippedFile, ...] = ()  # the skipped files; empty for an index, which does not store them
    warnings: tuple[str, ...] = ()  # likely mistakes of the user
    has_only_places: bool = False  # whether its references are only where some may be (`dump_places`)


def collect_paths(
    paths: Sequence[str | PathLike[str]],
    options: CompareOptions,
    *,
    cache: Path,
    progress: Callable[[IndexProgress], None] | None,
) -> Collection:
    """Reads the sources at some paths into a temporary engine (`wherefrom.compare_sources` has the errors)."""
    found: list[tuple[Role, Source]] = []
    unusable: list[Unusable] = []
    warnings: list[str] = []
    for role, named in ((Role.SUBMISSION, paths), (Role.ARCHIVE, options.archive), (Role.WITH, options.with_sources)):
        sources, of_role = _sources(named, options, cache)
        found += [(role, source) for source in sources]
        unusable += of_role.unusable
        warnings += [*of_role.warnings, *(f"{left_out.location}: {left_out.reason}" for left_out in of_role.left_out)]
    _give_keys([source for _, source in found])
    engine = MemoryEngine(scheme_ids())
    skipped: list[SkippedFile] = []
    index_options = IndexOptions(
        **vars(options.limits), jobs=options.jobs, keep_source=True, progress=progress, skipped=skipped.extend
    )
    report = IndexingRun(engine, [source for _, source in found], index_options, is_kept=False).run()
    if report.interrupted:
        raise KeyboardInterrupt
    failed = [repository for repository in report.repositories if repository.status == "failed"]
    for tree in (source for _, source in found if isinstance(source, TreeSource)):
        unusable += [Unusable(f"{tree.location}/{path}", error) for path, error in tree.broken.items()]
        warnings += outside_warnings(tree.repositories)
    failed += [RepositoryReport(source.name, "failed", "", error=str(source.error)) for source in unusable]
    roles = {source.key: role for role, source in found}
    loose = {source.key for _, source in found if isinstance(source, FilesSource)}
    collection = collected(engine, roles, options, skipped=skipped, loose=loose)
    warnings += collection.warnings
    return replace(collection, failed=tuple(failed), warnings=tuple(warnings), has_only_places=True)


def collect_texts(texts: Sequence[tuple[str, bytes, Analysis]], options: CompareOptions) -> Collection:
    """Makes two texts (name, content, analysis) submissions. The second is the archive, so the first is on the left."""
    engine = MemoryEngine(scheme_ids())
    files: list[ComparedFile] = []
    submissions: list[Submission] = []
    with engine.writer() as writer:
        for number, (name, content, analysis) in enumerate(texts):
            references = dump_references(of_file(content, analysis))
            stored = replace(stored_text(content, analysis), source=content, references=references)
            writer.add_blobs([BlobDocument(stored, document_terms(analysis.tokens))])
            occurrence = Occurrence(repository="", path=name, blob=stored.blob, revision="")
            files.append(ComparedFile(number, occurrence, stored.language, stored.size, stored.token_count))
            role = Role.ARCHIVE if number else Role.SUBMISSION
            submissions.append(Submission(name, role, _author(name, options.author_of), (number,), stored.token_count))
    blobs = _blobs(engine, {file.occurrence.blob for file in files}, {})
    return Collection(engine, blobs, files, submissions, _members(files, submissions), {})


def _sources(
    named: Sequence[str | PathLike[str]], options: CompareOptions, cache: Path
) -> tuple[list[Source], FoundSources]:
    """The sources at some paths; files of one folder are one source. Two corpora are repositories at a revision."""
    files: defaultdict[Path, list[str]] = defaultdict(list)
    others = []
    for path in named:
        if (file := plain_file(path)) is None:
            others.append(path)
        else:
            files[file.parent].append(file.name)
    if not others:
        found = FoundSources([])
    elif options.with_sources:
        found = find_all(others, cache=cache)
    else:
        found = find_trees(others, cache=cache, committed=options.committed, apart=options.by == "repository")
    return [*(FilesSource(folder, names) for folder, names in files.items()), *found.sources], found


def plain_file(named: str | PathLike[str]) -> Path | None:
    """The file that a path names; None for a folder, an archive, a URL or nothing."""
    text = os.fspath(named)
    if "\0" in text or not os.path.isfile(os.path.expanduser(text)):  # noqa: PTH111, PTH113  # Path's raise
        return None
    path = Path(os.path.realpath(os.path.expanduser(text)))  # noqa: PTH111  # Path's raises for a user that is not there
    return None if is_archive(path) else path


def likely_unit(named: Sequence[str]) -> SubmissionUnit:
    """What a submission likely is, of these paths: each archive and file, each folder of a single archive, or each
    file.
    """
    archives = [Path(name).absolute() for name in named if plain_file(name) is None]
    containers = []
    for archive in archives:
        with suppress(SourceError):  # the comparison reports it
            containers.append([entry.path for entry in ArchiveTree(archive).entries()])
    if not containers:
        return "file"
    is_filled = any(len(folders(paths, around(paths))) > 1 for paths in containers)
    if len(containers) == 1 and (is_filled or len(archives) == len(named)):
        return "folder" if is_filled else "file"
    return "repository"


def _give_keys(sources: Sequence[Source]) -> None:
    """Gives sources that have the same repository key their locations as keys."""
    if not sources:
        raise NotFound("nothing to compare was found; name files, folders, clones or archives")
    keys = Counter(source.key for source in sources)
    for source in sources:
        if keys[source.key] > 1:
            if isinstance(source, FilesSource):
                source.key = f"{source.location}/"
            else:
                source.key, source.key_kind = source.location, KeyKind.PATH
    for key, number in Counter(source.key for source in sources).items():
        if number > 1:
            raise UsageError(f"{visible(key)} is named twice; a corpus is compared with another one, leave one out")


def collected(
    engine: Engine,
    roles: Mapping[str, Role],
    options: CompareOptions,
    *,
    skipped: Sequence[SkippedFile] = (),
    loose: Several[str] = (),
) -> Collection:
    """Collects the submissions in some indexed repositories; `roles` has the role of each repository, by key. `skipped`
    has the files that were not indexed, if they are known, and `loose` the keys of files that were named one by one.
    """
    records = {record.key: record for record in engine.repositories(list(roles))}
    inside = {key: [*engine.occurrences(repository=key)] for key in records}
    paths = {key: [occurrence.path for occurrence in own] for key, own in inside.items()}
    for file in skipped:
        paths.setdefault(file.repository, []).append(file.path)
    archives = {key for key, record in records.items() if record.kind == "archive"}
    names = SubmissionNames(roles, paths, options.by, archives, loose)
    order = list(Role)
    found: dict[tuple[int, str], dict[tuple[str, str], Occurrence]] = {}
    by_role: defaultdict[int, list[str]] = defaultdict(list)
    for key, occurrences in inside.items():
        role = order.index(roles[key])
        by_role[role].append(names.labels.get(key, ""))
        if options.by == "repository" and key not in loose:
            found.setdefault((role, names.labels[key]), {})
        for occurrence in occurrences:
            own = found.setdefault((role, names.of(key, occurrence.path)), {})
            own[occurrence.repository, occurrence.path] = occurrence
    only = {role: own[0] for role, own in by_role.items() if len(own) == 1}
    places = [occurrence for own in found.values() for occurrence in own.values()]
    blobs = _blobs(engine, {at.blob for at in places}, Counter(guess(at.path, b"") for at in places))
    files: list[ComparedFile] = []
    submissions: list[Submission] = []
    for (role, name), own in sorted(found.items()):
        begin = len(files)
        for _, occurrence in sorted(own.items()):
            stored = blobs[occurrence.blob]
            files.append(ComparedFile(len(submissions), occurrence, stored.language, stored.size, stored.token_count))
        # The author is first looked for in the name without its repository if the role has only one repository.
        inner = name.removeprefix(f"{only[role]}/") if role in only else name
        author = _author(inner, options.author_of) or _author(name, options.author_of)
        tokens = sum(file.tokens for file in files[begin:])
        submissions.append(Submission(name, order[role], author, tuple(range(begin, len(files))), tokens))
    warnings: list[str] = []
    if options.author_of is not None and submissions and not any(submission.author for submission in submissions):
        such = visible(submissions[0].name)
        warnings.append(f"no submission has an author by --author-of; the pattern is searched in names like {such}")
    filled = {submission.name for submission in submissions if submission.files}
    is_enough = not nothing_to_compare(submissions, has_two_sides=bool(options.with_sources))
    warnings += left_out(names, filled, skipped, is_enough=is_enough)
    warnings += unparsed_warning(
        [
            (at.repository, at.path)
            for at in (it.occurrence for it in files)
            if stamps.is_unparsed(blobs[at.blob].analysis)
        ]
    )
    counts: Counter[str] = Counter()
    for record in records.values():
        counts.update({str(reason): number for reason, number in record.skipped.items()})
    return Collection(
        engine,
        blobs,
        files,
        submissions,
        _members(files, submissions),
        records,
        skipped=counts,
        skipped_files=tuple(skipped),
        warnings=tuple(warnings),
    )


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


def _blobs(engine: Engine, ids: Iterable[str], languages: Mapping[str, int]) -> dict[str, StoredBlob]:
    """These blobs without their sources, which saves most of their size. A blob with names of several languages is read
    in the one that most files are in; `languages` has the number of files of each.
    """
    found = chain.from_iterable(engine.analyzed(batch).items() for batch in chunks(sorted(ids), _BATCH))
    return {blob: read_in(stored, languages) for blob, stored in found}


def _author(name: str, author_of: str | None) -> str | None:
    found = re.search(author_of, name) if author_of is not None else None
    return found and (found[1] if found.re.groups and found[1] is not None else found[0])
