"""The protocol that every engine implements; the tests in `tests/engines` specify it in full.

Reads see the last commit. Names are compared exactly, including case. All results have a deterministic order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from wherefrom.errors import IndexClosed
from wherefrom.model import (
    BlobDocument,
    BoilerplateSet,
    Candidate,
    Hashes,
    Occurrence,
    Refusal,
    RepositoryRecord,
    Representation,
    StoredBlob,
)
from wherefrom.results import IndexStats
from wherefrom.support.values import replace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Note: TypeAlias = Mapping[str, Any]  # a JSON object that an index keeps for a package above, such as `projects.watch`
Schemes: TypeAlias = Mapping[Representation, str]  # the scheme ids of an index, one for each of `INDEXED`


class Writer(Protocol):
    """A writer of an index. Readers see nothing before `commit`; changes without a commit are lost.

    An engine with several writers at a time (`elasticsearch`) has no transactions. Its readers may see half of a
    commit, but an occurrence is never visible without its blob, and a repository record is written after its
    occurrences. An interrupted commit leaves repository records with empty `settings`, so the next run indexes those
    repositories again. Blobs may be stored without a commit, but no search shows them, since they have no occurrence.
    """

    def claim(self, repository: str) -> None:
        """Locks a repository against other writers until the next commit, so what you read of it stays valid. Every
        change claims its repository. If another writer has the lock, commits and waits; raises IndexBusy after a while.
        """

    def add_blobs(self, documents: Iterable[BlobDocument]) -> None:
        """Adds blobs. A blob that is already in the index stays as it is."""

    def replace_blobs(self, documents: Iterable[BlobDocument]) -> None:
        """Adds blobs. Each replaces the blob in the index that has the same id."""

    def put_refusals(self, refusals: Iterable[Refusal]) -> None:
        """Remembers contents that were not indexed; replaces earlier refusals of the same blobs."""

    def put_occurrences(self, occurrences: Iterable[Occurrence]) -> None:
        """Adds occurrences; replaces those at the same repository and path."""

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None = None) -> None:
        """Removes the occurrences at these paths of a repository, or all of its occurrences."""

    def put_repository(self, record: RepositoryRecord) -> None:
        """Adds or replaces the record of a repository."""

    def delete_repository(self, key: str) -> None:
        """Removes the record of a repository, but not its occurrences."""

    def put_boilerplate(self, boilerplate: BoilerplateSet) -> None:
        """Adds or replaces a boilerplate set."""

    def delete_boilerplate(self, name: str) -> None:
        """Removes the boilerplate set with this name, if there is one."""

    def put_note(self, name: str, note: Note | None) -> None:
        """Adds or replaces a note; None removes it. Without transactions it is stored before any blob added later."""

    def sweep(self) -> int:
        """Removes the committed blobs that have no occurrence, and commits; returns the number of removed blobs. If
        other writers are at work, raises IndexBusy and removes nothing.
        """

    def commit(self) -> None:
        """Makes all changes so far durable and visible: either all of them or none."""


class DocumentFrequencies(NamedTuple):
    """How many live blobs have some terms of one representation."""

    counts: list[int]  # the number of those that have each term (n), in the given order
    blobs: int  # the number of those that have any term of the representation (N)


Promising: TypeAlias = Callable[[Sequence[tuple[float, int]]], Sequence[bool]]
"""Tells which candidates are worth reading, given the score and the token count of each, the highest score first."""


class Wanted(NamedTuple):
    """The arguments of `Engine.candidates`."""

    weights: Mapping[Representation, Mapping[int, float]]
    limit: int
    offset: int
    languages: Collection[str] | None
    blobs: Collection[str] | None
    promising: Promising | None = None


class LocalClones(Protocol):
    """Clones of indexed repositories on this machine (`queries.clones.Clones`)."""

    def record(self, record: RepositoryRecord) -> RepositoryRecord:
        """The record of a repository, with the location of its clone if there is one."""

    def with_tokens(
        self, stored: StoredBlob, occurrences: Sequence[Occurrence], records: dict[str, RepositoryRecord]
    ) -> StoredBlob:
        """A blob with its token stream, if a clone has the content; otherwise the blob as it is."""


class Engine(Protocol):
    """An open index. Implementations inherit the methods that have a body here."""

    name: str  # the kind of engine, such as `embedded`
    location: str  # the path or URL that opens the index, without credentials
    schemes: Schemes  # the scheme ids stamped on the index
    # how many leading bits of each term the index stores, one of `STORED_BITS`; callers pass whole terms
    term_bits: int
    has_code: bool = True  # whether it may have code; otherwise it has fingerprints alone
    # clones that are read in place of those that were indexed; None if there are none
    clones: LocalClones | None = None

    @property
    def version(self) -> object | None:
        """What the last read saw: a value that another commit to the index changes. None if the engine cannot tell."""
        return None

    def writer(self) -> AbstractContextManager[Writer]:
        """A context manager that gives a writer. It commits at the end of the block; after an error, it rolls back.
        Raises IndexBusy if another block or process is writing (`elasticsearch`: is sweeping).
        """

    def known(self, blobs: Collection[str]) -> set[str]:
        """Which of these blobs are in the index."""
        return set(self.analyses(blobs))

    def analyses(self, blobs: Collection[str]) -> dict[str, str]:
        """The analysis stamp of each of these blobs that is in the index."""

    def count_analyses(self) -> dict[str, int]:
        """The number of blobs with each analysis stamp."""

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:
        """The refusal of each of these blobs that was refused."""

    def blobs(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        """The stored data of these blobs, by id. Blobs that are not in the index are left out."""

    def analyzed(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        """As `blobs`, without the sources. The field `references` may be empty."""
        return {blob: replace(stored, source=None, references=b"") for blob, stored in self.blobs(blobs).items()}

    def references(self, blobs: Collection[str]) -> dict[str, bytes]:
        """The field `references` of these blobs, by id. Blobs that are not in the index are left out."""
        return {blob: stored.references for blob, stored in self.blobs(blobs).items()}

    def texts(self, blobs: Collection[str]) -> dict[str, bytes | None]:
        """The field `source` of these blobs, by id. Blobs that are not in the index are left out."""
        return {blob: stored.source for blob, stored in self.blobs(blobs).items()}

    def ids(self) -> Iterator[str]:
        """The ids of all blobs, ascending. An engine need not read their data for them."""
        return (stored.blob for stored in self.stored_blobs())

    def stored_blobs(self) -> Iterator[StoredBlob]:
        """The stored data of all blobs, ascending by id. A few blobs are loaded at a time. A blob that is in the index
        throughout the listing comes exactly once.
        """

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        """All repository records, or the existing ones with these keys, in the order of their keys."""

    def repository_keys(self) -> list[str]:
        """The keys of all repositories, ascending. An engine need not read the records for them."""
        return [record.key for record in self.repositories()]

    def located(self, locations: Collection[str]) -> list[str]:
        """The keys of the repositories that were read from one of these locations, ascending."""
        return [record.key for record in self.repositories() if record.location in locations]

    def repository(self, key: str) -> RepositoryRecord | None:
        """The record of the repository with this key; None if there is none."""
        return next(iter(self.repositories([key])), None)

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        """The occurrences of these blobs (None: of all) in this repository (None: in all), by repository, then path."""

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        """The number of live blobs with each of these terms, all from one commit."""

    def candidates(
        self,
        weights: Mapping[Representation, Mapping[int, float]],  # all above 0
        *,
        limit: int,  # those that tie with the last one come in addition (at most `TIES`)
        offset: int = 0,  # how many of the best to skip, that is, the number that earlier calls returned
        languages: Collection[str] | None = None,  # only blobs in one of these languages
        blobs: Collection[str] | None = None,  # only these blobs. Both filters apply before `limit`
        promising: Promising | None = None,
    ) -> list[Candidate]:
        """The blobs that have at least one of the weighted terms, ordered by the sum of the weights of their terms
        (greatest first), then by blob id. They have no `source` and no `references`; `blobs` returns these.

        `promising` tells which candidates are worth reading, so that an engine that is far away need not read the
        others: they may come without id and tokens, with their score, language and token count alone.
        """
        if limit <= 0 or not any(weights.values()):
            return []
        return self._candidates(Wanted(weights, limit, offset, languages, blobs, promising))

    def _candidates(self, wanted: Wanted) -> list[Candidate]:
        """Implements `candidates`; `wanted.limit` is above 0, and there are weights."""

    def boilerplate_names(self) -> list[str]:
        """The names of all boilerplate sets, ascending."""

    def boilerplate(self, name: str) -> BoilerplateSet | None:
        """The boilerplate set with this name; None if there is none."""

    def notes(self, begin: str) -> dict[str, Note]:  # noqa: ARG002 -- an index that is only read has no notes
        """The notes whose names begin with some text, in the order of their names."""
        return {}

    def stats(self) -> IndexStats:
        """Counts over the live index."""

    def verify(self) -> None:
        """Reads everything that is stored. Raises IndexDamaged if anything does not match its checksum."""

    def history(self) -> Engine | None:
        """The history of this index: another index, with what `engines.history` describes. None if there is none. It is
        closed with this engine.
        """

    def make_history(self) -> Engine:
        """The history of this index; an empty one is made if there is none."""

    def close(self) -> None:
        """Frees memory and files. Later reads and writes raise `IndexClosed`; closing again does nothing."""


class Postings(NamedTuple):
    """Pairs of a term and a blob that has it, for some blobs and one representation."""

    representation: Representation
    terms: Hashes  # uint64, as stored, ascending
    blobs: NDArray[np.int64]  # int64, positions in the given ones, ascending among equal terms


@runtime_checkable
class TermOrdered(Protocol):
    """An engine that can read its postings in the order of their terms. The Elasticsearch engine cannot, since clients
    cannot read indexed terms; its callers compute the terms again from the stored tokens.
    """

    def postings(self, blobs: Sequence[str]) -> Iterator[Postings]:
        """The postings of these blobs, which must be distinct, by representation, then term. Leaves out blobs that are
        not in the index. Yields several parts; all postings of a term are in the same part.
        """


def index_stats(engine: Engine, skips: Sequence[Mapping[str, int]], **counted: Any) -> IndexStats:
    """The answer of `Engine.stats`, from the skipped files of each repository and what each engine counts itself."""
    skipped: Counter[str] = Counter()
    for numbers in skips:
        skipped.update(numbers)
    return IndexStats(
        engine=engine.name,
        location=engine.location,
        schemes=engine.schemes,
        term_bits=engine.term_bits,
        has_code=engine.has_code,
        repositories=len(skips),
        skipped=skipped,
        **counted,
    )


def closed(location: str) -> IndexClosed:
    """The error for an engine that is used after it was closed."""
    return IndexClosed(f"the index {location} is closed; open it again")


TIES = 200  # the highest number of candidates that are returned beyond `limit` because they tie with the last one
