"""The values that an index stores; `wherefrom.results` has the answers of calls.

Positions: bytes are 0-based and half-open, lines are 1-based and inclusive, token spans are 0-based and half-open.
The id of a blob is its git blob id, 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits. A path is relative to the
root of its repository, with `/` between its parts; a path that is not UTF-8 is percent-encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from wherefrom.support.contract import JsonObject, encoded
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field, fields
from wherefrom.support.workers import PARSE_MEMORY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Hashes: TypeAlias = "NDArray[np.uint64]"


class Representation(StrEnum):
    """How a text is written to be hashed: its tokens as they are, with names and literals replaced, or as letters of
    prose; or only the words of its names and literals.
    """

    EXACT = "exact"
    RENAMED = "renamed"
    P_MATCH = "p_match"
    TEXT = "text"
    WORDS = "words"


OF_TOKENS = (Representation.EXACT, Representation.RENAMED, Representation.P_MATCH, Representation.TEXT)
"""The representations of tokens. Every listing has them in this order."""

INDEXED = (*OF_TOKENS, Representation.WORDS)
"""The representations whose terms an index stores, in the order of every listing."""

TERM_BITS = 48  # a term is the hash of a fingerprint, cut to this many leading bits
TERM_BYTES = 8  # the bytes of a term in memory

STORED_BITS = (40, TERM_BITS)
"""An index stores 40 leading bits of each term, or 48 if the user wants that. With 40 bits, different terms may look
alike: in an index of 2^40 postings, each term has about one false posting. False postings cost time, but never cause a
wrong hit. So 40 bits are enough for 10^10 postings (docs/scale.md)."""


class SkipReason(StrEnum):
    """Why a file was not indexed."""

    ARCHIVE = "archive"
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


class Rule(StrEnum):
    """What `check` found about code of the project that also exists elsewhere. The rule decides if the check fails."""

    COPIED_UNATTRIBUTED = "copied-unattributed"
    COPIED_ATTRIBUTED = "copied-attributed"
    LICENSE_CONFLICT = "license-conflict"


UNKNOWN_LICENSE = "LicenseRef-unknown"
"""The name of a license whose text exists but is not recognized. SPDX allows any name after `LicenseRef-`."""


class LicenseJudgment(StrEnum):
    """Whether the license of the project's code conflicts with the license of another location of the same code."""

    CONFLICT = "conflict"
    """The licenses may be incompatible."""
    NONE = "none"
    """There is no known conflict."""
    OWN_NOT_STATED = "own-not-stated"
    """Not judged: the project states no license for the code."""
    OWN_UNKNOWN = "own-unknown"
    """Not judged: the text of the project's license is not recognized."""
    NOT_STATED_THERE = "not-stated-there"
    """Not judged: the other location states no license."""
    UNKNOWN_THERE = "unknown-there"
    """Not judged: the license text of the other location is not recognized."""
    NOT_IN_TABLE = "not-in-table"
    """Not judged: the license of the other location is not permissive, and not in the table of conflicts."""

    @property
    def is_judged(self) -> bool:
        """Whether the licenses could be judged."""
        return self in {LicenseJudgment.CONFLICT, LicenseJudgment.NONE}


class Strength(StrEnum):
    """How strong a hit is as evidence of copying: a range of its probability (`queries.judging.rule`)."""

    WEAK = "weak"
    """The hit is either a copy or similar code that was written independently."""
    FAIR = "fair"
    STRONG = "strong"


class ProposalKind(StrEnum):
    """The kinds of proposed boilerplate."""

    SHARED = "shared"
    """Code or prose that many repositories contain."""
    LICENSE = "license"
    """Texts and notices of licenses. Notices in comments need no boilerplate set, because comments are not indexed."""
    GENERATED = "generated"
    """Generated code."""
    FRAMEWORK = "framework"
    """Files with the same name that are similar in many repositories."""


@dataclass(frozen=True, slots=True)
class Occurrence(JsonObject):
    """A path with a blob in the indexed revision of a repository."""

    JSON = "repository path revision blob"

    repository: str
    path: str
    blob: str
    revision: str


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """The stored data of one file content, except its terms."""

    blob: str  # the blob id
    language: str  # of the whole content
    size: int  # the length in bytes
    token_count: int  # the number of tokens in the stream, without those inside of literals and comments
    tokens: bytes  # the encoded token stream (`analyzers.tokens`)
    source: bytes | None = None  # the content itself; None if it is not stored
    references: bytes = b""  # what the content names (`dump_references`), or where (`dump_places`); may be empty
    analysis: str = ""  # the stamp of the analyzer (`analyzers.stamps`); empty if it is unknown


@dataclass(frozen=True, slots=True)
class BlobDocument:
    """A blob to write into an index: its stored data and its terms.

    `terms` has the distinct terms by representation (only of `INDEXED`), each an ascending array of uint64; mostly as
    `PackedTerms`.

    A document is pickled as plain values, because pickling arrays and dataclasses would take a fifth of the time that
    parsing a small file takes.
    """

    stored: StoredBlob
    terms: Mapping[Representation, Hashes]

    def __reduce__(self) -> tuple[Callable[..., BlobDocument], tuple[Any, ...]]:
        return _restored, (_values(self.stored), packed_terms(self.terms))


_values = attrgetter(*(field.name for field in fields(StoredBlob)))


def _restored(stored: tuple[Any, ...], terms: Sequence[bytes | None]) -> BlobDocument:
    return BlobDocument(StoredBlob(*stored), PackedTerms(terms))


class PackedTerms(Mapping[Representation, "Hashes"]):
    """Terms by representation, made of their bytes when they are used. `packed` has the bytes for each of `INDEXED`;
    None for a representation without terms. An index mostly moves the bytes only.
    """

    __slots__ = ("packed",)

    def __init__(self, packed: Sequence[bytes | None]) -> None:
        self.packed = packed

    def __getitem__(self, key: Representation) -> Hashes:
        import numpy as np  # noqa: PLC0415  # most users of the model need no arrays

        if key not in INDEXED or (terms := self.packed[INDEXED.index(key)]) is None:
            raise KeyError(key)
        return np.frombuffer(terms, np.uint64)

    def __iter__(self) -> Iterator[Representation]:
        return (key for key, terms in zip(INDEXED, self.packed, strict=True) if terms is not None)

    def __len__(self) -> int:
        return len(self.packed) - self.packed.count(None)


def packed_terms(terms: Mapping[Representation, Hashes]) -> Sequence[bytes | None]:
    """The bytes of terms for each of `INDEXED`, as `PackedTerms` takes them."""
    if isinstance(terms, PackedTerms):
        return terms.packed
    return [terms[key].tobytes() if key in terms else None for key in INDEXED]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A content that could not be indexed. It is stored so that the next run does not try it again."""

    blob: str  # the blob id
    reason: SkipReason | str  # plain text if only a newer version knows the reason
    analysis: str  # the stamp of the analyzer that refused it (`analyzers.stamps`)
    seconds: float  # the limit on parsing at that time
    memory: int = PARSE_MEMORY  # the limit on the parser's memory at that time, in bytes


@dataclass(frozen=True, slots=True)
class Candidate:
    """A blob that shares terms with a query. `score` is the sum of the weights of the shared terms. `blob` lacks its
    `source` and `references`; `Engine.blobs` reads them.
    """

    score: float
    blob: StoredBlob


@dataclass(frozen=True, slots=True)
class Notice:
    """A file that applies to a whole folder: a license, a notice, a README, a list of authors."""

    path: str
    blob: str


class KeyKind(StrEnum):
    """The kinds of repository keys."""

    REMOTE = "remote"
    """Host and path of the repository's remote, such as `github.com/owner/repo`."""
    PATH = "path"
    """The absolute path of the repository on the machine that indexed it, or the URL of a folder."""
    NAME = "name"
    """Any other name, such as one from `--name`. It does not tell where the repository is."""
    PACKAGE = "package"
    """The package URL of one version of a package."""


@dataclass(frozen=True, slots=True)
class Package(JsonObject):
    """What the metadata of a package says of it, unchecked. A field that the metadata lacks is empty.

    Attributes:
        form: `source`, or `bundle` if there is no source: a wheel, or compiled and minified files.
        released: the day of the release, in ISO 8601.
        license: the license, most often as an SPDX expression.
        author: the names of the authors.
        repository: the URL of the source repository.
        upstream: the URL of the project, if it differs from that of the repository.
    """

    form: str = "source"
    released: str = ""
    license: str = ""
    author: str = ""
    repository: str = ""
    upstream: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class RepositoryRecord(JsonObject):
    """One indexed repository.

    If a newer version wrote a skip reason or kind of key that this version does not know, it is plain text.

    Attributes:
        key: the repository key.
        location: the path of its source.
        kind: `git`, `directory`, `archive` or `package`.
        revision: the indexed revision, as `Source.revision` gives it.
        settings: a digest of the options that decide what is indexed.
        files: the number of indexed files.
        size: the bytes of these files.
        skipped: the number of skipped files by `SkipReason`.
        indexed_at: the time of indexing, in UTC and ISO 8601.
        notices: the files that apply to a folder, those nearest to the root first; not all if there are very many.
        analysis: the version of every component that analyzed the repository (`analyzers.stamps.installed`).
        key_kind: the kind of `key`.
        package: what the metadata of a package says; None for other kinds.
    """

    JSON = "repository=key key_kind location kind revision files size +skipped indexed_at package"

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
    package: Package | None = None

    @property
    def is_git(self) -> bool:
        """Whether it is a git repository, whose revision is a commit."""
        return self.kind == "git"

    @property
    def is_package(self) -> bool:
        """Whether it is one version of a package, whose package URL is the key."""
        return self.key_kind == KeyKind.PACKAGE

    @property
    def is_local(self) -> bool:
        """Whether the key is a path or a name, which may be that of another repository on another machine."""
        return self.key_kind not in {KeyKind.REMOTE, KeyKind.PACKAGE}

    @property
    def remote(self) -> str | None:
        """Host and path of its remote, such as `github.com/owner/repo`; None if the key is not that of a remote."""
        return self.key if self.key_kind == KeyKind.REMOTE else None

    def __repr__(self) -> str:
        return f"<RepositoryRecord {visible(self.key)!r} revision={visible(self.revision)!r} files={self.files}>"


@dataclass(frozen=True, slots=True, repr=False)
class BoilerplateSet(JsonObject):
    """A named set of k-grams that have no weight in a query.

    Attributes:
        name: the name of the set.
        files: the names of the texts that the set was made of.
        schemes: the ids of the schemes that made the hashes.
        hashes: by representation, the distinct hashes of all k-grams of the texts (not winnowed), ascending.
    """

    JSON = "name files schemes"

    name: str
    files: tuple[str, ...]
    schemes: Mapping[Representation, str]
    hashes: Mapping[Representation, Hashes]

    def to_dict(self) -> dict[str, Any]:
        """The JSON values, with the number of k-grams for each representation."""
        return {**encoded(self), "kgrams": {str(key): len(hashes) for key, hashes in self.hashes.items()}}

    def __repr__(self) -> str:
        kgrams = sum(map(len, self.hashes.values()))
        return f"<BoilerplateSet {visible(self.name)!r} files={len(self.files)} kgrams={kgrams}>"
