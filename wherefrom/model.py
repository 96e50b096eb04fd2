"""The frozen values that cross a boundary between two packages.

Positions: bytes are 0-based and half-open, lines are 1-based and inclusive, token spans are 0-based and half-open.
A blob is named by its git blob id, 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits. A path is relative to its
repository's root, with `/` between its parts; a path that is not UTF-8 is percent-encoded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]


MAX_FILE_SIZE = 1_000_000
"""Bytes of the largest file that is read, unless the user says otherwise."""

PARSE_SECONDS = 5.0
"""How long parsing a file may take, unless the user says otherwise."""


class Representation(StrEnum):
    """What a token is turned into before hashing."""

    EXACT = "exact"
    RENAMED = "renamed"
    P_MATCH = "p_match"
    TEXT = "text"


INDEXED = (Representation.EXACT, Representation.RENAMED, Representation.P_MATCH, Representation.TEXT)
"""The representations whose terms an index holds, in the order in which they are always listed."""


class SkipReason(StrEnum):
    """Why a file was not indexed."""

    BINARY = "binary"
    TOO_LARGE = "too_large"
    DATA_FILE = "data_file"
    GENERATED = "generated"
    VENDORED = "vendored"
    MINIFIED = "minified"
    EMPTY = "empty"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    GIT_LFS = "git_lfs"
    ENCRYPTED = "encrypted"
    UNREADABLE = "unreadable"
    PARSE_TIMEOUT = "parse_timeout"
    WORKER_DIED = "worker_died"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place at which a blob stands at its repository's indexed revision."""

    repository: str
    path: str
    blob: str
    revision: str


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """What an index holds of one file content, but for its terms.

    Attributes:
        blob: its id.
        language: of the whole content.
        size: bytes.
        token_count: tokens of the stream.
        tokens: the encoded token stream (`analyzers.tokens`).
        source: the content itself, None if it is not kept.
        references: what it says of its source, as `analyzers.references.dump_references` writes it; empty for nothing.
        analysis: the stamp of what analyzed it (`analyzers.versions`); empty if that is not known.
    """

    blob: str
    language: str
    size: int
    token_count: int
    tokens: bytes
    source: bytes | None = None
    references: bytes = b""
    analysis: str = ""


@dataclass(frozen=True, slots=True)
class BlobDocument:
    """A blob to be written: what is stored, and the terms by which it is found.

    `terms` maps each of `INDEXED` that the content has to its distinct terms, ascending, dtype uint64.
    """

    stored: StoredBlob
    terms: Mapping[Representation, Hashes]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A content that was tried and not indexed, at a cost that is not to be paid at each run.

    Attributes:
        blob: its id.
        reason: why; plain text if only a newer version knows it.
        analysis: the stamp of what refused it (`analyzers.versions`).
        seconds: the limit on parsing then.
    """

    blob: str
    reason: SkipReason | str
    analysis: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A blob that shares terms with a query; `score` is the sum of the weights of the shared terms. Of the blob, what
    only `Engine.blobs` gives (`source`, `references`) is left out.
    """

    score: float
    blob: StoredBlob


@dataclass(frozen=True, slots=True)
class Notice:
    """A file that speaks for more than itself: a license, a notice, a README, a list of authors."""

    path: str
    blob: str


class KeyKind(StrEnum):
    """What the key of a repository is."""

    REMOTE = "remote"
    """Host and path of its remote, such as `github.com/owner/repo`."""
    PATH = "path"
    """Its absolute path on the machine that indexed it, or a `file://` URL."""
    NAME = "name"
    """Any other name, such as that of `--name`. It does not say where the repository is."""


@dataclass(frozen=True, slots=True)
class RepositoryRecord:
    """One indexed repository. `kind` is `git`, `directory` or `archive`; `settings` is a digest of the options that
    decide what is indexed; `files` counts occurrences, `size` their bytes; `indexed_at` is UTC, ISO 8601. `notices`
    are its files that speak for a folder, those nearest to the root first, not all where there are very many.
    `analysis` has the version of every component that analyzed it (`analyzers.versions.installed`).
    `skipped` counts files by `SkipReason`, `key_kind` says what the key is; a reason or a kind that only a newer
    version knows is its plain text.
    """

    key: str
    location: str
    kind: str
    revision: str
    settings: str
    files: int
    size: int
    skipped: Mapping[str, int]
    indexed_at: str
    notices: tuple[Notice, ...] = ()
    analysis: Mapping[str, str] = field(default_factory=dict)
    key_kind: KeyKind | str = KeyKind.NAME

    @property
    def remote(self) -> str | None:
        """Host and path of its remote, such as `github.com/owner/repo`; None if its key does not say them."""
        return self.key if self.key_kind == KeyKind.REMOTE else None


@dataclass(frozen=True, slots=True)
class IndexStats:
    """Counts over an index.

    Attributes:
        size: bytes of source over distinct blobs.
        languages: blobs of each language.
        analyses: how many blobs carry each analysis stamp.
        skipped: as in `RepositoryRecord`.
        stored: bytes on disk, None if unknown.
        older: for each language that has some, blobs whose analysis is older than what is installed here.
        without_grammar: blobs with code that was read as text since its grammar was not installed, by language.
    """

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


@dataclass(frozen=True, slots=True)
class BoilerplateSet:
    """A named set of k-grams that weigh nothing in a query.

    `hashes` maps each of `INDEXED` to every distinct k-gram hash (w = 1) of the set's texts, ascending; `schemes` are
    the ids under which they were made; `files` names the texts.
    """

    name: str
    files: tuple[str, ...]
    schemes: Mapping[Representation, str]
    hashes: Mapping[Representation, Hashes]


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a text: bytes 0-based and half-open, lines 1-based and inclusive."""

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class RegionPair:
    """A stretch of the query and the stretch of the document that matches it, `tokens` long on the query's side."""

    query: Region
    document: Region
    tokens: int
    representation: Representation


@dataclass(frozen=True, slots=True)
class TermExplanation:
    """One term of the first stage that the document holds."""

    representation: Representation
    term: int
    document_frequency: int
    idf: float


@dataclass(frozen=True, slots=True)
class ChainExplanation:
    """What one representation's chain added to the score; `coverage` is the share of the query's unmasked tokens."""

    representation: Representation
    score: float
    kgrams: int
    coverage: float
    longest_run: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit has its score: `score` = the chains' scores + `first_stage_weight` * `first_stage`; found because the
    score reached `threshold` or because a chain covered enough (`reason` is `score` or `coverage`).
    """

    threshold: float
    reason: str
    first_stage: float
    first_stage_weight: float
    blobs: Mapping[Representation, int]
    chains: tuple[ChainExplanation, ...]
    terms: tuple[TermExplanation, ...]


class Verdict(StrEnum):
    """Whether a place says where its code came from: evidence for a person, no judgement."""

    ATTRIBUTED = "attributed"
    UNATTRIBUTED = "unattributed"
    SOURCE = "source"
    """The place is the source itself."""
    UNKNOWN = "unknown"


class Where(StrEnum):
    """Where a place says it; the nearest first."""

    MATCH = "match"
    """Within the matched lines or a few lines of them."""
    FILE = "file"
    REPOSITORY = "repository"
    """In a file that speaks for others: a license, a notice, a README."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a place says: `kind` and `value` are those of a reference (`analyzers.references.Kind`), `text` is the line
    as it stands in `path` at `line` (1-based).
    """

    where: Where
    kind: str
    value: str
    text: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Attribution:
    """What one occurrence says of its source.

    Attributes:
        verdict: see `Verdict`; UNKNOWN where no source was asked for.
        evidence: what names the source, or may; the nearest first.
        licenses: SPDX identifiers or expressions that hold for the place: those of the file, else those of the nearest
            license files.
        first_seen: the day (UTC, ISO 8601) on which the file was first committed, None where it is not known.
        is_older: whether that was before the source was written; None where either day is not known.
    """

    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    licenses: tuple[str, ...] = ()
    first_seen: str | None = None
    is_older: bool | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A group of (nearly) identical blobs; `blob` is its best one, `longest_run` is in tokens of the query.
    `attributions` has one for each of the `occurrences`, or is empty where they were not asked for.
    """

    score: float
    containment: float
    longest_run: int
    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    regions: tuple[RegionPair, ...]
    explanation: Explanation | None = None
    attributions: tuple[Attribution, ...] = ()

    @property
    def attribution(self) -> Attribution | None:
        """That of the occurrence that says least: a place that does not name the source comes before one that does."""
        order = (Verdict.UNATTRIBUTED, Verdict.UNKNOWN, Verdict.ATTRIBUTED, Verdict.SOURCE)
        return min(self.attributions, key=lambda each: order.index(each.verdict), default=None)


@dataclass(frozen=True, slots=True)
class QueryInfo:
    """What became of the query: `window` is w', `guarantee` the length in tokens from which a shared run is always
    seen, `excluded` counts k-grams left out by cause, `needed` the length in tokens when it is too short.
    """

    name: str
    language: str
    tokens: int
    fingerprints: int
    window: int
    guarantee: int
    excluded: Mapping[str, int]
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to one query; `total` counts groups, `truncated` says that the search stopped before the last one.

    `repositories` holds the record of every repository named in the hits: the way to the source of a hit.
    """

    engine: str
    schemes: Mapping[Representation, str]
    query: QueryInfo
    total: int
    truncated: bool
    took_ms: float
    hits: tuple[Hit, ...]
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lines:
    """A range of lines, 1-based and inclusive."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document that explains a part of a file: a group of (nearly) identical blobs, of which `blob` is the best one.

    Attributes:
        blob: of the document.
        language: of that blob.
        occurrences: of all blobs of the group, those of `blob` first.
        tokens: of the file that it explains and none before it does.
        share: these, of all tokens of the file.
        lines: of the file that it accounts for and none before it does; no line is in those of two documents.
        all_tokens: of the file that it explains, whoever else does.
        all_lines: the lines of these.
        regions: what matches, where some of it is explained by none before.
        alternatives: one place each of other documents that explain nearly all of `tokens` too.
    """

    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    tokens: int
    share: float
    lines: tuple[Lines, ...]
    all_tokens: int
    all_lines: tuple[Lines, ...]
    regions: tuple[RegionPair, ...]
    alternatives: tuple[Occurrence, ...] = ()


@dataclass(frozen=True, slots=True)
class Remainder:
    """A part of a file that no document explains: its tokens, their share of all, the lines that are mostly of it."""

    tokens: int
    share: float
    lines: tuple[Lines, ...]


@dataclass(frozen=True, slots=True)
class SourcesResult:
    """What a file is made of, by few documents: `documents` in the order in which they were taken, each the one that
    explained most of what was left. `unexplained` is in none of them, `masked` was left out as boilerplate; the shares
    of all of these sum to 1. `truncated` says that more documents would explain more.

    `repositories` holds the record of every repository named in the documents.
    """

    engine: str
    schemes: Mapping[Representation, str]
    query: QueryInfo
    documents: tuple[SourceDocument, ...]
    unexplained: Remainder
    masked: Remainder
    truncated: bool
    took_ms: float
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """Where an indexing run stands; given to the caller's `progress` a few times a second.

    `files` of `files_total` were dealt with (the total grows as repositories are listed; it counts the repositories
    listed so far), `parsed` of them were new and analysed (`parsed_bytes` of content), `known` were in the index
    already.
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


@dataclass(frozen=True, slots=True)
class RepositoryReport:
    """What an indexing run did with one source.

    Attributes:
        key: of the repository.
        status: `indexed`, `unchanged`, `renewed` (unchanged but for blobs that were renewed) or `failed`.
        revision: that is indexed now; empty if it failed.
        files: its occurrences now.
        parsed: its blobs that were new to the index.
        known: occurrences of blobs that were not.
        retired: occurrences that are gone.
        skipped: files that were not indexed, by reason.
        error: one line if it failed.
        renewed: its blobs that were analyzed again since their analysis was older.
        kept: its blobs whose older analysis was kept, since they could not be read or analyzed again.
    """

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
class IndexReport:
    """The whole run.

    Attributes:
        repositories: what became of each source.
        parsed: blobs that were new to the index.
        parsed_bytes: bytes of these and of the renewed ones.
        swept: blobs removed because nothing refers to them any longer.
        seconds: how long it took.
        interrupted: whether the run was stopped early; what was finished is in the index.
        renewed: blobs that were analyzed again since their analysis was older.
        without_grammar: blobs analyzed as text because the grammar of their language is not installed, by language.
        warnings: what may not be meant, such as a clone that is read from outside of what was named; one line each.
    """

    repositories: tuple[RepositoryReport, ...]
    parsed: int
    parsed_bytes: int
    swept: int
    seconds: float
    interrupted: bool = False
    renewed: int = 0
    without_grammar: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """Where a copying run stands; given to the caller's `progress` a few times a second.

    While it is `copying`, `done` of `total` files are dealt with, `repository` is the one under way, and `sent` counts
    the blobs that were written; while it is `comparing`, `done` of `total` files and blobs were read back. `seconds` is
    the time since that stage began.
    """

    stage: Literal["copying", "comparing"]
    repository: str
    done: int
    total: int
    sent: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A copying run, whose result was read back from both indexes and found the same.

    `repositories`, `files` (occurrences), `blobs` and `sets` count what both hold now of the source; `sent` of the
    blobs were written by this run, `kept` stand in the target as another repository brought them (another language, or
    without the source); `retired` counts occurrences of an earlier state that are gone, `swept` blobs removed since
    nothing refers to them any longer. `digest` is 40 hexadecimal digits over all that was compared, but for `kept`:
    the same for the same content, whatever the engine.
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
