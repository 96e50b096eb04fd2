"""The protocol that every engine keeps; the behaviour suite in `tests/engines` is its full text.

Reads see what was last committed. Names are exact and case-sensitive. All orders are deterministic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

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

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Writer(Protocol):
    """A writer of an index. Nothing is seen by readers before `commit`; what was not committed is lost.

    An engine that takes several writers at a time (`elasticsearch`) has no transactions. There a commit may be seen
    half done, but never so that an occurrence refers to a blob that is not there, or a new repository record stands
    before its occurrences; one that is cut short leaves records whose `settings` are empty, so that the next run does
    those repositories again; and blobs may be there although they were not committed, which no search shows.
    """

    def claim(self, repository: str) -> None:
        """Locks a repository against other writers until the next commit, so what is read of it stays valid; every
        change claims its repository. Waiting for another writer commits first, and is given up after a while
        (IndexBusy).
        """

    def add_blobs(self, documents: Iterable[BlobDocument]) -> None:
        """Adds those that are not there yet; a blob that is there is left as it is."""

    def replace_blobs(self, documents: Iterable[BlobDocument]) -> None:
        """Adds blobs in place of those with the same ids, whether these are there or not."""

    def put_refusals(self, refusals: Iterable[Refusal]) -> None:
        """Remembers contents that were not indexed; an earlier refusal of the same blob is replaced."""

    def put_occurrences(self, occurrences: Iterable[Occurrence]) -> None:
        """Adds occurrences; one at the same repository and path is replaced."""

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None = None) -> None:
        """Retires the occurrences at these paths of a repository, or all of its occurrences."""

    def put_repository(self, record: RepositoryRecord) -> None:
        """Adds or replaces the record of a repository."""

    def delete_repository(self, key: str) -> None:
        """Removes the record; its occurrences are removed by `delete_occurrences`."""

    def put_boilerplate(self, boilerplate: BoilerplateSet) -> None:
        """Adds or replaces a set."""

    def delete_boilerplate(self, name: str) -> None:
        """Removes a set; a name that is not there is not an error."""

    def sweep(self) -> int:
        """Removes the committed blobs without an occurrence; returns how many. Commits. Raises IndexBusy, with nothing
        removed, if other writers are at work.
        """

    def commit(self) -> None:
        """Makes everything written so far lasting and visible, all of it or nothing."""


class DocumentFrequencies(NamedTuple):
    """Counts for some terms of one representation.

    Attributes:
        counts: for each term, in the order given, how many live blobs hold it: n.
        blobs: how many live blobs have the representation at all: N.
    """

    counts: list[int]
    blobs: int


class Wanted(NamedTuple):
    """What `Engine.candidates` is asked for."""

    weights: Mapping[Representation, Mapping[int, float]]
    limit: int
    offset: int
    languages: Collection[str] | None
    blobs: Collection[str] | None


class Engine(Protocol):
    """An open index; its implementations inherit the methods that follow from others.

    Attributes:
        name: `embedded`, `memory`, ...
        location: the path or URL that opens it, without credentials.
        schemes: the scheme ids stamped on the index, one for each of `INDEXED`.
        term_bits: leading bits of a term that the index stores, one of `STORED_BITS`; callers give and compare whole
            terms.
    """

    name: str
    location: str
    schemes: Mapping[Representation, str]
    term_bits: int

    def writer(self) -> AbstractContextManager[Writer]:
        """The writer; leaving the block without an error commits, with one rolls back. Raises IndexBusy if another
        block or process is writing (`elasticsearch`: is sweeping).
        """

    def known(self, blobs: Collection[str]) -> set[str]:
        """Which of these blobs are in the index."""
        return set(self.analyses(blobs))

    def analyses(self, blobs: Collection[str]) -> dict[str, str]:
        """The analysis stamp of each of these blobs that is in the index."""

    def count_analyses(self) -> dict[str, int]:
        """How many blobs carry each analysis stamp."""

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:
        """What is remembered of those of these blobs that were refused."""

    def blobs(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        """The stored part of these blobs; those that are not there are left out."""

    def references(self, blobs: Collection[str]) -> dict[str, bytes]:
        """What each of these blobs says of its source, as `BlobDocument.references` holds it; those that are not there
        are left out.
        """
        return {blob: stored.references for blob, stored in self.blobs(blobs).items()}

    def stored_blobs(self, after: str | None = None) -> Iterator[StoredBlob]:
        """The stored part of every blob (with an id greater than `after`), ascending by id; a few are loaded at a time.
        A blob that is there throughout is given exactly once.
        """

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        """All repository records, or those of these keys that are there; by key."""

    def repository(self, key: str) -> RepositoryRecord | None:
        """One repository record."""
        return next(iter(self.repositories([key])), None)

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        """The occurrences of these blobs, or in this repository, or both, or all; by repository, then path."""

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        """How many live blobs hold each of these terms, all counted at once; for each representation that is given."""

    def candidates(
        self,
        weights: Mapping[Representation, Mapping[int, float]],
        *,
        limit: int,
        offset: int = 0,
        languages: Collection[str] | None = None,
        blobs: Collection[str] | None = None,
    ) -> list[Candidate]:
        """The blobs that hold weighted terms, by the sum of the weights (greatest first), then by blob id.

        They come without their `source`, which `blobs` gives.

        Args:
            weights: for each representation its terms with their weights, all above 0.
            limit: how many; candidates that tie with the last one are given as well (at most `TIES`).
            offset: how many of the best to leave out: the sum of the lengths of the earlier answers.
            languages: only blobs in one of these languages.
            blobs: only these blobs (None: all; an empty collection: none). Filters act before the cut.
        """
        return self._candidates(Wanted(weights, limit, offset, languages, blobs)) if limit > 0 else []

    def _candidates(self, wanted: Wanted) -> list[Candidate]:
        """As `candidates`; the limit is above 0."""

    def boilerplate_names(self) -> list[str]:
        """The names of all sets, ascending."""

    def boilerplate(self, name: str) -> BoilerplateSet | None:
        """One set."""

    def stats(self) -> IndexStats:
        """Counts over the live index."""

    def verify(self) -> None:
        """Reads everything that is stored, and compares it with its checksums. Raises IndexDamaged."""

    def close(self) -> None:
        """Frees what is held open; closing again does nothing. What reads or writes afterwards raises `IndexClosed`."""


class Postings(NamedTuple):
    """Which of some blobs hold which terms of a representation; one entry for each pair of a term and a blob.

    Attributes:
        representation: of the terms.
        terms: uint64, as they are stored (`Engine.term_bits`), ascending.
        blobs: int64, for each term the position of a blob that holds it; ascending among equal terms.
    """

    representation: Representation
    terms: Hashes
    blobs: NDArray[np.int64]


@runtime_checkable
class TermOrdered(Protocol):
    """An engine whose postings can be read in the order of their terms. Elasticsearch keeps no terms that a client
    could read: there they are made again from the stored tokens.
    """

    def postings(self, blobs: Sequence[str]) -> Iterator[Postings]:
        """The postings of those of some different blobs that are there, by representation, then term. They come in
        parts; no term is in two of them.
        """


def index_stats(engine: Engine, repositories: Sequence[RepositoryRecord], **counted: Any) -> IndexStats:
    """What `Engine.stats` answers; `counted` are the fields that each engine counts in its own way."""
    skipped: Counter[str] = Counter()
    for record in repositories:
        skipped.update(record.skipped)
    return IndexStats(
        engine=engine.name,
        location=engine.location,
        schemes=engine.schemes,
        term_bits=engine.term_bits,
        repositories=len(repositories),
        skipped=skipped,
        **counted,
    )


def closed(location: str) -> IndexClosed:
    """The error for an engine that is used after it was closed."""
    return IndexClosed(f"the index {location} is closed; open it again")


TIES = 200
"""How many candidates that tie with the last of a batch are given beyond it."""
