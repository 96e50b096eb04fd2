"""Reports about runs of indexing, copying and pruning, and counts of an index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from wherefrom.model import TERM_BITS, Representation, SkipReason
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

_NAMED = 10  # how many files a warning names


def unparsed_warning(files: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Names the files, given as (repository, path), that were not parsed by more than a tenth; empty without files."""
    if not files:
        return ()
    named = ", ".join(visible(f"{repository}/{path}" if repository else path) for repository, path in files[:_NAMED])
    more = f" and {len(files) - _NAMED:,} more" if len(files) > _NAMED else ""
    count, of_each = ("1 file", "") if len(files) == 1 else (f"{len(files):,} files", " of each")
    rules = f"more than a tenth{of_each} was read by the lexical rules of the language alone"
    return (f"{count} did not parse in full, and {rules}: {named}{more}",)


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """The progress of an indexing run. The function `progress` in the options gets it a few times a second.

    Attributes:
        repository: the key of the current repository.
        repositories: finished repositories, out of `repositories_total`.
        files: finished files, out of the `files_total` files of all repositories that were listed so far.
        parsed: files with new content that were analyzed; `parsed_bytes` is the length of their contents.
        known: files whose content was in the index already.
        skipped: files that were skipped, by reason.
        seconds: since the run began.
        share: the estimated finished share of the run, 0 to 1, by the bytes of its sources.
        commits: finished commits, out of `commits_total`, of the repository whose history is read; 0 before that.
    """

    repository: str
    repositories: int
    repositories_total: int
    files: int
    files_total: int
    parsed: int
    parsed_bytes: int
    known: int
    skipped: Mapping[SkipReason, int]
    seconds: float
    share: float = 0.0
    commits: int = 0
    commits_total: int = 0


@dataclass(frozen=True, slots=True)
class SkippedFile(JsonObject):
    """A file that was not indexed: the key of its repository, its path there (see `wherefrom.model`), and why."""

    repository: str
    path: str
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class RepositoryReport(JsonObject):
    """The result of an indexing run for one source.

    Attributes:
        key: the key of the repository.
        status: `indexed`, `unchanged`, `renewed` (only blobs were renewed) or `failed`.
        revision: the revision that is indexed now; empty if the source failed.
        files: the number of files of the repository in the index, after the run.
        parsed: blobs of the repository that were new to the index.
        known: files whose blobs were in the index already.
        retired: files of an earlier revision that were removed or replaced in the index.
        skipped: the number of files that were not indexed, by reason.
        error: the error in one line if the source failed.
        renewed: blobs that were analyzed again: by a newer version, or by a name in another language.
        kept: blobs that an older version had analyzed and that could not be read or analyzed again.
    """

    JSON = "repository=key status revision files parsed known retired +skipped error renewed kept"

    key: str
    status: str
    revision: str
    files: int = 0
    parsed: int = 0
    known: int = 0
    retired: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    error: str | None = None
    renewed: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class HistoryReport(JsonObject):
    """What an indexing run did for the history of one repository.

    Attributes:
        key: the key of the repository.
        status: `indexed`, `unchanged`, `rewritten` (the branch lost commits, so its history was read again from the
            fork on) or `failed`.
        commits: the number of commits that were read.
        files: the number of changed files that were analyzed, and in `size` their bytes.
        pieces: the number of pieces of code in the history of the repository, after the run.
        error: the error in one line if reading failed.
        warnings: what makes the history incomplete, such as a shallow clone; one line each.
    """

    JSON = "repository=key status commits files size pieces error warnings"

    key: str
    status: str
    commits: int = 0
    files: int = 0
    size: int = 0
    pieces: int = 0
    error: str | None = None
    warnings: tuple[str, ...] = ()


LeftOutKind: TypeAlias = Literal["duplicate", "folder", "archive", "submodule"]
"""What was left out of a run. `duplicate`: a source with the key of another source. `folder`: a plain folder among
clones, a folder that cannot be read, a link to a clone, or a repository in a plain folder. `archive`: an archive in a
plain folder, or a link to an archive. `submodule`: a submodule without a clone."""


@dataclass(frozen=True, slots=True)
class LeftOut(JsonObject):
    """A folder, archive, submodule or source that an indexing run left out without an error. The location is its
    absolute path or URL. The reason, in one line, also says what to do to index it. For a `duplicate`, `repository` is
    the key that two sources share, and `instead` is the location of the one that is indexed; else both are None.
    """

    location: str
    kind: LeftOutKind
    reason: str
    repository: str | None = None
    instead: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class IndexReport(JsonDocument):
    """The result of an indexing run.

    Attributes:
        repositories: one report for each source. Missing or unusable sources are last; their key is the given name.
        parsed: blobs that were new to the index.
        parsed_bytes: bytes of new and renewed blobs.
        swept: blobs that were removed because no repository has them.
        seconds: the duration.
        interrupted: True if the run was stopped early. Finished repositories are in the index.
        renewed: blobs that were analyzed again: by a newer version, or by a name in another language.
        without_grammar: blobs that were analyzed as text because their grammar is not installed, by language.
        warnings: probable mistakes, such as a clone with parts outside the named folder; one line each.
        left_out: folders, archives and sources that were left out without an error.
        clone_bytes: bytes on disk of the clones of URLs at the end of the run.
        discarded_clones: clones of URLs that were removed (`IndexOptions.discard_clones`).
        discarded_bytes: bytes on disk of the removed clones.
        history: one report for each repository whose history was to be indexed.
        watched: the number of new places of watched code, those of earlier runs included if they were not reported.
    """

    JSON = (
        "repositories parsed parsed_bytes swept seconds interrupted renewed +without_grammar warnings left_out "
        "clone_bytes discarded_clones discarded_bytes history watched"
    )

    repositories: tuple[RepositoryReport, ...]
    parsed: int
    parsed_bytes: int
    swept: int
    seconds: float
    interrupted: bool = False
    renewed: int = 0
    without_grammar: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    clone_bytes: int = 0
    discarded_clones: int = 0
    discarded_bytes: int = 0
    history: tuple[HistoryReport, ...] = ()
    watched: int = 0

    def __repr__(self) -> str:
        statuses = Counter(repository.status for repository in self.repositories)
        counts = "".join(f"{visible(status)}={number} " for status, number in sorted(statuses.items()))
        return f"<IndexReport {counts}parsed={self.parsed}{' interrupted' if self.interrupted else ''}>"


@dataclass(frozen=True, slots=True)
class DependencyReport:
    """What `index_dependencies` did: the location of the index of what the project depends on, the number of packages
    and clones that it depends on, directly and indirectly, the report of the indexing run (None if nothing has changed
    since the last one), and what could not be read, found or brought up to date, in sentences.
    """

    location: str
    packages: int
    index: IndexReport | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryStats(JsonObject):
    """Counts of the history of an index: the repositories with a history, the pieces of code that a commit brought to a
    file, and the bytes on disk; None if unknown.
    """

    repositories: int
    pieces: int
    stored: int | None


@dataclass(frozen=True, slots=True, repr=False)
class IndexStats(JsonDocument):
    """Counts of an index.

    Attributes:
        size: bytes of all distinct blobs.
        languages: the number of blobs by language.
        analyses: the number of blobs by the stamp of their analysis (`analyzers.stamps`).
        skipped: the number of skipped files by reason.
        stored: bytes of the index on disk; None if unknown.
        older: blobs that an older version than the installed one analyzed, by language.
        without_grammar: blobs that were analyzed as text because their grammar was not installed, by language.
        analyzer: what analyzes code in this installation: the native kernel or Python.
        term_bits: how many bits of each term are stored.
        has_code: whether the index may have code; otherwise it has fingerprints alone.
        history: counts of the history; None if the index has none.
    """

    JSON = (
        "engine location index_format=format schemes term_bits has_code repositories occurrences blobs size tokens "
        "+languages +skipped stored +older +without_grammar analyzer history"
    )

    engine: str
    location: str
    format: int
    schemes: Mapping[Representation, str]
    repositories: int
    occurrences: int
    blobs: int
    size: int
    tokens: int
    languages: Mapping[str, int]
    analyses: Mapping[str, int]
    skipped: Mapping[str, int]
    stored: int | None
    older: Mapping[str, int] = field(default_factory=dict)
    without_grammar: Mapping[str, int] = field(default_factory=dict)
    analyzer: str = ""
    term_bits: int = TERM_BITS
    has_code: bool = True
    history: HistoryStats | None = None

    def __repr__(self) -> str:
        return (
            f"<IndexStats {visible(self.location)!r} repositories={self.repositories} "
            f"occurrences={self.occurrences} blobs={self.blobs} tokens={self.tokens}>"
        )


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """The progress of a copy. The function `progress` in the options gets it a few times a second. The first stage is
    `copying`, the second `comparing` what the indexes have. `done` counts finished files, out of `total`; while
    comparing, files and blobs. `sent` counts blobs that were written to the target. `seconds` are those of the stage.
    """

    stage: Literal["copying", "comparing"]
    repository: str
    done: int
    total: int
    sent: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CopyReport(JsonDocument):
    """The result of a copy, after all indexes were read back and found the same.

    Attributes:
        repositories, files, blobs, sets: how many repositories, files, blobs and boilerplate sets of the sources the
            target now has.
        sent: blobs that this run wrote.
        kept: blobs that differ in the target, such as in their language, and were not replaced: another repository of
            the target has them too, or their analysis there is newer.
        retired: files that were removed or replaced in the target because a source has another state of them.
        swept: blobs that were removed because no repository has them.
        digest: 40 hexadecimal digits, the same for the same data in any engine. `kept` blobs are not part of it.
        seconds: the duration.
        history: how many repositories of the sources have a history, which the target now has too.
        left_out: how many repositories of the sources were not copied, because another source has a later state.
    """

    repositories: int
    files: int
    blobs: int
    sets: int
    sent: int
    kept: int
    retired: int
    swept: int
    digest: str
    seconds: float
    history: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class PublishProgress:
    """The progress of publishing: contents that are written, out of `total`, and the seconds since the beginning."""

    done: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PublishReport(JsonDocument):
    """A published index. A reader who names the SHA-256 of its manifest, 64 hexadecimal digits, accepts no other files.
    `files` counts its files without those of its history, and `written` those that were not there before. `size` is in
    bytes, and `blobs` counts indexed contents.
    """

    folder: str
    sha256: str
    files: int
    written: int
    size: int
    blobs: int
    seconds: float


@dataclass(frozen=True, slots=True)
class MissingSource(JsonObject):
    """An indexed repository whose source is not at its location. `doubt` tells why the source may still exist, such as
    a disk that is not mounted; None if it certainly does not. `removed` tells whether the repository was removed from
    the index.
    """

    JSON = "repository location files gone=is_gone doubt removed"

    repository: str
    location: str
    files: int
    doubt: str | None = None
    removed: bool = False

    @property
    def is_gone(self) -> bool:
        """True if the source certainly no longer exists."""
        return self.doubt is None


@dataclass(frozen=True, slots=True)
class BoilerplateTerms(JsonObject):
    """A boilerplate set as the terms that the Elasticsearch plug-in writes: five bytes each in base64url, ascending as
    numbers.
    """

    name: str
    representation: Representation
    terms: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<BoilerplateTerms {self.name!r} {self.representation} terms={len(self.terms)}>"
