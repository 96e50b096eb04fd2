"""What an index stores, as frozen values; what a call answers is in `wherefrom.results`.

Positions: bytes are 0-based and half-open, lines are 1-based and inclusive, token spans are 0-based and half-open.
A blob is named by its git blob id, 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits. A path is relative to its
repository's root, with `/` between its parts; a path that is not UTF-8 is percent-encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from wherefrom.support.contract import JsonObject, encoded
from wherefrom.support.printable import visible
from wherefrom.support.workers import PARSE_MEMORY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Hashes: TypeAlias = "NDArray[np.uint64]"


class Representation(StrEnum):
    """What a token is turned into before hashing."""

    EXACT = "exact"
    RENAMED = "renamed"
    P_MATCH = "p_match"
    TEXT = "text"


INDEXED = (Representation.EXACT, Representation.RENAMED, Representation.P_MATCH, Representation.TEXT)
"""The representations whose terms an index holds, in the order in which they are always listed."""

TERM_BITS = 48
"""Leading bits of a fingerprint's hash that are its term."""

STORED_BITS = (40, TERM_BITS)
"""Leading bits of each term that an index may store, the usual first. With 40 bits, a term that no content has gets a
posting by chance once an index holds 2^40 postings; a chance posting costs a candidate, never a wrong hit. So 40 bits
serve up to 10^10 postings (docs/scale.md)."""


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


class Rule(StrEnum):
    """What a check says of a piece of code that also exists elsewhere."""

    COPIED_UNATTRIBUTED = "copied-unattributed"
    COPIED_ATTRIBUTED = "copied-attributed"
    LICENSE_CONFLICT = "license-conflict"


UNKNOWN_LICENSE = "LicenseRef-unknown"
"""Names a license whose text is there but not recognized; SPDX leaves such names to each writer."""


class LicenseJudgment(StrEnum):
    """What can be said of the licenses of a piece of code and of where it also appears."""

    CONFLICT = "conflict"
    """They may not go together."""
    NONE = "none"
    """No conflict is seen."""
    OWN_NOT_STATED = "own-not-stated"
    """Not judged: the project states no license for the code."""
    OWN_UNKNOWN = "own-unknown"
    """Not judged: the text of the project's license is not recognized."""
    NOT_STATED_THERE = "not-stated-there"
    """Not judged: no license is stated where the code also appears."""
    UNKNOWN_THERE = "unknown-there"
    """Not judged: the text of the license there is not recognized."""
    NOT_IN_TABLE = "not-in-table"
    """Not judged: the license there is not permissive, and the table of conflicts does not have it."""

    @property
    def is_judged(self) -> bool:
        """Whether the licenses could be judged."""
        return self in {LicenseJudgment.CONFLICT, LicenseJudgment.NONE}


class Strength(StrEnum):
    """How good a hit is as evidence that code was copied: a band of its probability (`queries.judging.rule`)."""

    WEAK = "weak"
    """It may be a copy, or similar code that was written independently."""
    FAIR = "fair"
    STRONG = "strong"


class ProposalKind(StrEnum):
    """What is proposed as boilerplate."""

    SHARED = "shared"
    """Code or prose that many repositories contain."""
    LICENSE = "license"
    """Texts and notices of licenses; of those in comments nothing is indexed, and nothing needs to be left out."""
    GENERATED = "generated"
    """What generators write."""
    FRAMEWORK = "framework"
    """Files of one name that are much alike in every repository."""


@dataclass(frozen=True, slots=True)
class Occurrence(JsonObject):
    """A place where a blob is found at its repository's indexed revision."""

    JSON = "repository path revision blob"

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
        analysis: the stamp of what analyzed it (`analyzers.stamps`); empty if that is not known.
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

    A process hands it to another as plain values: to pickle arrays and data classes takes a fifth of the time in which
    a small file is parsed.
    """

    stored: StoredBlob
    terms: Mapping[Representation, Hashes]

    def __reduce__(self) -> tuple[Callable[..., BlobDocument], tuple[Any, ...]]:
        terms = [(key.value, terms.tobytes()) for key, terms in self.terms.items()]
        return _restored, (_values(self.stored), terms)


_values = attrgetter(*(field.name for field in fields(StoredBlob)))


def _restored(stored: tuple[Any, ...], terms: Sequence[tuple[str, bytes]]) -> BlobDocument:
    import numpy as np  # noqa: PLC0415  # most of what uses the model needs no arrays

    return BlobDocument(
        StoredBlob(*stored), {Representation(key): np.frombuffer(values, np.uint64) for key, values in terms}
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """A content that was tried and not indexed, at a cost that is not to be paid at each run.

    Attributes:
        blob: its id.
        reason: why; plain text if only a newer version knows it.
        analysis: the stamp of what refused it (`analyzers.stamps`).
        seconds: the limit on parsing then.
        memory: the limit on the memory of what parses then, in bytes.
    """

    blob: str
    reason: SkipReason | str
    analysis: str
    seconds: float
    memory: int = PARSE_MEMORY


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


@dataclass(frozen=True, slots=True, repr=False)
class RepositoryRecord(JsonObject):
    """One indexed repository. `kind` is `git`, `directory` or `archive`; `settings` is a digest of the options that
    decide what is indexed; `files` counts occurrences, `size` their bytes; `indexed_at` is UTC, ISO 8601. `notices`
    are its files that speak for a folder, those nearest to the root first, not all where there are very many.
    `analysis` has the version of every component that analyzed it (`analyzers.stamps.installed`).
    `skipped` counts files by `SkipReason`, `key_kind` says what the key is; a reason or a kind that only a newer
    version knows is its plain text.
    """

    JSON = "repository=key key_kind location kind revision files size +skipped indexed_at"

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

    def __repr__(self) -> str:
        return f"<RepositoryRecord {visible(self.key)!r} revision={visible(self.revision)!r} files={self.files}>"


@dataclass(frozen=True, slots=True, repr=False)
class BoilerplateSet(JsonObject):
    """A named set of k-grams that weigh nothing in a query.

    `hashes` maps each of `INDEXED` to every distinct k-gram hash (w = 1) of the set's texts, ascending; `schemes` are
    the ids under which they were made; `files` names the texts.
    """

    JSON = "name files schemes"

    name: str
    files: tuple[str, ...]
    schemes: Mapping[Representation, str]
    hashes: Mapping[Representation, Hashes]

    def to_dict(self) -> dict[str, Any]:
        """As JSON values, with the count of its k-grams by representation."""
        return {**encoded(self), "kgrams": {str(key): len(hashes) for key, hashes in self.hashes.items()}}

    def __repr__(self) -> str:
        kgrams = sum(map(len, self.hashes.values()))
        return f"<BoilerplateSet {visible(self.name)!r} files={len(self.files)} kgrams={kgrams}>"
