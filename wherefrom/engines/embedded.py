# ruff: noqa: D102 - the methods are documented in the protocols
"""The embedded engine: a tantivy index in a folder of its own."""

from __future__ import annotations

import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import tantivy
from tantivy import Document, Occur, Query

from wherefrom.chunks import chunks
from wherefrom.engines import folder as folders
from wherefrom.engines import records, segments
from wherefrom.engines.engine import DocumentFrequencies, closed
from wherefrom.engines.scoring import scale, with_ties
from wherefrom.engines.segments import META
from wherefrom.errors import IndexBusy, IndexDamaged, IndexFormatError, UnusableIndex
from wherefrom.mappings.embedded import FIELDS, FORMAT, Kind, terms_field
from wherefrom.model import (
    INDEXED,
    BlobDocument,
    BoilerplateSet,
    Candidate,
    Occurrence,
    Refusal,
    RepositoryRecord,
    Representation,
    StoredBlob,
)
from wherefrom.printable import quoted
from wherefrom.results import IndexStats

HEAP = 128_000_000
"""Bytes of postings that the writer gathers before it writes a segment."""

SWEEP_COMMIT = 50_000
"""A sweep commits after about so many blobs, since a deletion takes about a kilobyte of memory until then."""

PREFIXES = tuple(f"{first:02x}" for first in range(256))
"""What blob ids begin with: to go through all of them in parts."""

LISTED = 100
"""Blobs that a listing loads at a time."""

MOST_LANGUAGES = 1_000
"""Languages that are counted."""

MANY_BLOBS = 1000
"""A blob filter of more ids is applied to the ranked candidates instead of inside tantivy, which takes about 5
microseconds for each id, found or not."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        if field.type == "text":
            builder.add_text_field(
                field.name, stored=field.stored, fast=field.fast, tokenizer_name="raw", index_option="basic"
            )
        elif field.type == "unsigned":
            builder.add_unsigned_field(field.name, stored=field.stored, indexed=field.indexed, fast=field.fast)
        else:
            builder.add_bytes_field(field.name, stored=field.stored, indexed=field.indexed, fast=field.fast)
    return builder.build()


SCHEMA = _schema()


def _term(field: str, value: str | int) -> Query:
    return Query.term_query(SCHEMA, field, value, index_option="basic")


def _filter(query: Query) -> tuple[Occur, Query]:
    """A clause that must match and adds nothing to the score."""
    return Occur.Must, Query.const_score_query(query, 0.0)


def _sealed(document: Document, field: str) -> bytes:
    """A stored value with its checksum; empty if there is none, or damage gave it another type."""
    value = document.get_first(field)
    return value if isinstance(value, bytes) else b""


def _value(document: Document, field: str) -> bytes:
    """A stored value.

    Raises:
        ValueError: there is none, or its checksum does not match.
    """
    return records.unseal(field, _sealed(document, field))


def _key(blob: str) -> int:
    """The first 64 bits of a blob id: in the order of the ids."""
    return int(blob[:16], 16)


def _failure(folder: Path, error: BaseException, *, writing: bool) -> UnusableIndex | None:
    """Our error for one of tantivy; None for any other.

    Its own errors are all plain `ValueError`s, and a panic inside it is no `Exception` at all.
    """
    if not (isinstance(error, ValueError | OSError) or type(error).__name__ == "PanicException"):
        return None
    text = quoted(str(error)) or type(error).__name__
    if "LockBusy" in text:
        return IndexBusy(f"the index {folder} is being written already; wait until it is done")
    for reason in ("Permission denied", "Read-only file system", "Too many open files", "No space left"):
        if reason in text:
            return UnusableIndex(f"the index {folder} cannot be used: {reason}; fix that and run again")
    if writing:
        return UnusableIndex(
            f"the index {folder} could not be written ({text}); what was committed is safe; see that the disk is not "
            "full and run again, or look for damage with `wherefrom stats --verify`"
        )
    return folders.damaged(folder, segments.blamed(str(error)) or text)


@contextmanager
def _mapped(folder: Path, *, writing: bool = False) -> Iterator[None]:
    """Gives tantivy's errors as ours. Its errors are too plain to be told from others, so nothing else is in the block:
    what was read is decoded outside of it.
    """
    try:
        yield
    except BaseException as error:
        failure = _failure(folder, error, writing=writing)
        if failure is None:
            raise
        raise failure from error


@contextmanager
def _checked(folder: Path) -> Iterator[None]:
    """Gives the errors of `segments` as ours."""
    try:
        yield
    except OSError as error:
        raise folders.unusable(folder, error) from error
    except ValueError as error:
        raise folders.damaged(folder, str(error)) from error


class _View:
    """One committed state of the index, and what was counted over it."""

    def __init__(self, searcher: tantivy.Searcher) -> None:
        self.searcher = searcher

    def count(self, query: Query) -> int:
        """How many live documents match."""
        result: Any = self.searcher.search(query, limit=1, count=True)
        return int(result.count)

    def hits(self, query: Query, limit: int | None = None) -> list[tuple[float, tantivy.DocAddress]]:
        """Score and address of the best matches, in no order among equals (None: of all)."""
        most = self.searcher.num_docs if limit is None else min(limit, self.searcher.num_docs)
        return self.searcher.search(query, limit=most, count=False).hits if most else []

    def records(self, query: Query) -> list[bytes]:
        """The sealed record of every live document that matches; empty where it has none."""
        hits = self.hits(Query.const_score_query(query, 1.0))
        return [_sealed(self.searcher.doc(address), "record") for _, address in hits]

    @cached_property
    def blobs(self) -> int:
        """How many blobs live."""
        return self.count(_term("kind", Kind.BLOB))

    @cached_property
    def pristine(self) -> bool:
        """Whether the segments hold no deleted blob, so that tantivy's own counts are live counts."""
        return self.searcher.doc_freq("kind", Kind.BLOB) == self.blobs

    def frequency(self, field: str, value: str | int) -> int:
        """How many live blobs have this value."""
        found = self.searcher.doc_freq(field, value)
        return found if self.pristine or not found else self.count(_term(field, value))

    def document(self, query: Query) -> Document | None:
        """The first live document that matches, with everything that is stored of it."""
        for _, address in self.hits(query, limit=1):
            return self.searcher.doc(address)
        return None


class EmbeddedEngine:
    """An index in a folder; `engines.engine.Engine` says what the methods do. Reading is safe from several threads."""

    name = "embedded"

    def __init__(self, folder: Path, schemes: Mapping[Representation, str]) -> None:
        self.location = str(folder)
        self.schemes: Mapping[Representation, str] = {key: schemes[key] for key in INDEXED}
        self._folder = folder
        self._data = folder / folders.DATA
        self._lock = threading.Lock()
        self._mirrored = False
        self._stamp = self._meta_stamp()
        index = self._open_index()
        self._index: tantivy.Index | None = index
        """None when closed, as is `_current`."""
        self._current: _View | None = _View(index.searcher())

    @classmethod
    def open(cls, folder: Path, schemes: Mapping[Representation, str], *, create: bool = False) -> EmbeddedEngine:
        """See `engines.open_engine`."""
        folder = folder.absolute()
        if create and not folders.exists(folder):
            folders.make(folder, schemes, lambda data: _fill(folder, data))
        folders.check(folder, schemes)
        return cls(folder, schemes)

    def _open_index(self) -> tantivy.Index:
        try:
            return self._opened(self._data)
        except UnusableIndex as error:
            if any(reason in str(error.__cause__) for reason in ("Lockfile", "PermissionDenied")):
                return self._open_mirror()
            if isinstance(error.__cause__, ValueError) and not _compatible(self._data):
                raise IndexFormatError(
                    f"the index {self._folder} was written by another version of tantivy; index again into a new folder"
                ) from error
            raise

    def _open_mirror(self) -> tantivy.Index:
        """Opens a folder that cannot be written.

        Even a reader of tantivy writes a lock file and reads one that is its writer's alone, so it is given a folder of
        links of its own, for as long as it takes to map the files.
        """
        while True:
            stamp = self._meta_stamp()
            try:
                with tempfile.TemporaryDirectory(prefix="wherefrom-") as mirror:
                    with _mapped(self._folder):
                        for path in self._data.iterdir():
                            if not path.name.startswith("."):
                                (Path(mirror) / path.name).symlink_to(path)
                    index = self._opened(Path(mirror))
            except UnusableIndex:
                if stamp == self._meta_stamp():
                    raise
                # Without the lock a commit may remove files between their listing and their opening.
            else:
                self._mirrored = True
                return index

    def _opened(self, data: Path) -> tantivy.Index:
        """An index that is reloaded by us: tantivy does it half a second late, from a thread that watches the folder.

        Raises:
            IndexDamaged: it does not open, or has other fields than were written.
        """
        with _mapped(self._folder):
            index = tantivy.Index.open(str(data))
            index.config_reader("manual")
        if index.schema != SCHEMA:
            raise folders.damaged(self._folder, f"{META} describes other fields")
        return index

    def _meta_stamp(self) -> tuple[int, int]:
        try:
            status = (self._data / META).stat()
        except FileNotFoundError as error:
            raise folders.damaged(self._folder, f"{META} is missing") from error
        except OSError as error:
            raise folders.unusable(self._folder, error) from error
        return status.st_ino, status.st_mtime_ns

    def _view(self) -> _View:
        """The last committed state, whoever committed it."""
        current = self._current
        if current is None:
            raise closed(self.location)
        return current if self._meta_stamp() == self._stamp else self._refresh()

    def _refresh(self) -> _View:
        with self._lock:
            index = self._index
            if index is None:
                raise closed(self.location)
            stamp = self._meta_stamp()
            if self._mirrored:
                index = self._open_mirror()
            else:
                with _mapped(self._folder):
                    index.reload()
            current = _View(index.searcher())
            self._index, self._current, self._stamp = index, current, stamp
            return current

    @contextmanager
    def writer(self) -> Iterator[EmbeddedWriter]:
        index = self._index
        if index is None:
            raise closed(self.location)
        if self._mirrored:
            raise UnusableIndex(f"the folder {self._folder} cannot be written; fix its permissions")
        with _mapped(self._folder, writing=True):
            opened = index.writer(HEAP, 1)
        writer = EmbeddedWriter(self._folder, opened, self._refresh)
        try:
            writer.begin()
            yield writer
            writer.commit()
            writer.close()
        except BaseException:
            writer.abandon()
            raise

    def known(self, blobs: Collection[str]) -> set[str]:
        view = self._view()
        with _mapped(self._folder):
            return {blob for blob in blobs if view.frequency("blob", blob)}

    def analyses(self, blobs: Collection[str]) -> dict[str, str]:
        # tantivy gives documents whole; one is held at a time.
        return {stored.blob: stored.analysis for stored in self._loaded(self._view(), blobs, ("tokens",))}

    def count_analyses(self) -> dict[str, int]:
        view = self._view()
        with _mapped(self._folder):
            return dict(view.searcher.terms_with_prefix("analysis", "", _term("kind", Kind.BLOB)))

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:
        view = self._view()
        ids = [records.digest(Kind.REFUSAL, blob) for blob in blobs]
        with _mapped(self._folder):
            found = view.records(Query.term_set_query(SCHEMA, "id", ids))
        loaded = [self._record(records.load_refusal, record) for record in found]
        self._expect({refusal.blob for refusal in loaded} <= set(blobs))
        return {refusal.blob: refusal for refusal in loaded}

    def blobs(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        return {stored.blob: stored for stored in self._loaded(self._view(), blobs)}

    def references(self, blobs: Collection[str]) -> dict[str, bytes]:
        # tantivy gives documents whole; one is held at a time.
        loaded = self._loaded(self._view(), blobs, ("tokens", "references"))
        return {stored.blob: stored.references for stored in loaded}

    def _loaded(self, view: _View, blobs: Iterable[str], names: Collection[str] = records.BULK) -> Iterator[StoredBlob]:
        """The stored part of these blobs, of their `BULK` only these names, in this order; those that are not there are
        left out.
        """
        for blob in blobs:
            with _mapped(self._folder):
                document = view.document(_term("blob", blob))
            if document is not None:
                stored = self._decoded(_stored, document, names)
                self._expect(stored.blob == blob)
                yield stored

    def _expect(self, fits: bool) -> None:
        """Goes on if what was found is what was asked for.

        Raises:
            IndexDamaged: it is not.
        """
        if not fits:
            raise folders.damaged(self._folder, "a record is found in the place of another one")

    def _decoded(self, load: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
        """What `load` makes of a record.

        Raises:
            IndexDamaged: the record cannot be decoded.
        """
        try:
            return load(*args, **named)
        except (ValueError, LookupError, TypeError) as error:
            raise folders.damaged(self._folder, f"a record cannot be decoded: {quoted(str(error))}") from error

    def _record(self, load: Callable[[bytes], _T], sealed: bytes) -> _T:
        """What `load` makes of a record as it is stored.

        Raises:
            IndexDamaged: its checksum does not match, or it cannot be decoded.
        """
        return self._decoded(lambda: load(records.unseal("record", sealed)))

    def stored_blobs(self, after: str | None = None) -> Iterator[StoredBlob]:
        view = self._view()
        for prefix in PREFIXES:
            if after is not None and prefix < after[: len(prefix)]:
                continue
            with _mapped(self._folder):
                names = sorted(_live(view.searcher, "blob", prefix))
            names = names if after is None else [name for name in names if name > after]
            for batch in chunks(names, LISTED):
                yield from list(self._loaded(view, batch))

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        if keys is not None:
            return [record for key in sorted(set(keys)) if (record := self.repository(key)) is not None]
        view = self._view()
        with _mapped(self._folder):
            found = view.records(_term("kind", Kind.REPOSITORY))
        loaded = [self._record(records.load_repository, record) for record in found]
        return sorted(loaded, key=lambda record: record.key)

    def repository(self, key: str) -> RepositoryRecord | None:
        view = self._view()
        with _mapped(self._folder):
            found = view.records(_term("id", records.digest(Kind.REPOSITORY, key)))
        if not found:
            return None
        record = self._record(records.load_repository, found[0])
        self._expect(record.key == key)
        return record

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        clauses = [(Occur.Must, _term("kind", Kind.OCCURRENCE))]
        if blobs is not None:
            clauses.append((Occur.Must, Query.term_set_query(SCHEMA, "refers_to", list(blobs))))
        if repository is not None:
            clauses.append((Occur.Must, _term("repository", records.digest(repository))))
        view = self._view()
        with _mapped(self._folder):
            found = view.records(Query.boolean_query(clauses))
        loaded = [self._record(records.load_occurrence, record) for record in found]
        self._expect(blobs is None or {occurrence.blob for occurrence in loaded} <= set(blobs))
        self._expect(repository is None or {occurrence.repository for occurrence in loaded} <= {repository})
        loaded.sort(key=lambda occurrence: (occurrence.repository, occurrence.path))
        yield from loaded

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        view = self._view()
        with _mapped(self._folder):
            return {
                representation: DocumentFrequencies(
                    [view.frequency(terms_field(representation), term) for term in each],
                    view.frequency("has", representation),
                )
                for representation, each in terms.items()
            }

    def candidates(
        self,
        weights: Mapping[Representation, Mapping[int, float]],
        *,
        limit: int,
        offset: int = 0,
        languages: Collection[str] | None = None,
        blobs: Collection[str] | None = None,
    ) -> list[Candidate]:
        scaled, unit = scale(weights)
        if not scaled or limit <= 0:
            return []
        clauses = [
            (
                Occur.Must,
                Query.boolean_query(
                    [
                        (Occur.Should, Query.const_score_query(_term(terms_field(representation), term), weight))
                        for representation, term, weight in scaled
                    ]
                ),
            )
        ]
        if languages is not None:
            clauses.append(_filter(Query.term_set_query(SCHEMA, "language", list(languages))))
        keys: frozenset[int] | None = None
        if blobs is not None and len(blobs) <= MANY_BLOBS:
            clauses.append(_filter(Query.term_set_query(SCHEMA, "blob", list(blobs))))
        elif blobs is not None:
            keys = frozenset(map(_key, blobs))
        view = self._view()
        with _mapped(self._folder):
            ranked = _ranked(view, Query.boolean_query(clauses), offset + limit, keys)
            found = [(score, view.searcher.doc(address)) for score, address in with_ties(ranked, limit, offset)]
        batch = [Candidate(score * unit, self._decoded(_stored, document, ("tokens",))) for score, document in found]
        return sorted(batch, key=lambda candidate: (-candidate.score, candidate.blob.blob))

    def boilerplate_names(self) -> list[str]:
        view = self._view()
        with _mapped(self._folder):
            found = view.records(_term("kind", Kind.BOILERPLATE))
        return sorted(self._record(records.boilerplate_name, record) for record in found)

    def boilerplate(self, name: str) -> BoilerplateSet | None:
        view = self._view()
        with _mapped(self._folder):
            document = view.document(_term("id", records.digest(Kind.BOILERPLATE, name)))
        if document is None:
            return None
        found = self._decoded(lambda: records.load_boilerplate(_value(document, "record"), _value(document, "hashes")))
        self._expect(found.name == name)
        return found

    def stats(self) -> IndexStats:
        repositories = self.repositories()
        skipped: Counter[str] = Counter()
        for record in repositories:
            skipped.update(record.skipped)
        view = self._view()
        with _mapped(self._folder):
            counted = view.searcher.aggregate(
                _term("kind", Kind.BLOB),
                {
                    "languages": {"terms": {"field": "language", "size": MOST_LANGUAGES}},
                    "size": {"sum": {"field": "size"}},
                    "tokens": {"sum": {"field": "token_count"}},
                },
            )
            occurrences, blobs = view.count(_term("kind", Kind.OCCURRENCE)), view.blobs
        return IndexStats(
            engine=self.name,
            location=self.location,
            format=FORMAT.version,
            schemes=self.schemes,
            repositories=len(repositories),
            occurrences=occurrences,
            blobs=blobs,
            size=int(counted["size"]["value"] or 0),
            tokens=int(counted["tokens"]["value"] or 0),
            languages={bucket["key"]: bucket["doc_count"] for bucket in counted["languages"]["buckets"]},
            analyses=self.count_analyses(),
            skipped=skipped,
            stored=_stored_bytes(self._folder),
        )

    def verify(self) -> None:
        while True:
            stamp = self._meta_stamp()
            view = self._view()
            try:
                with _checked(self._folder), segments.opened(self._data) as (described, files):
                    if stamp != self._meta_stamp():
                        continue
                    segments.check(described, files)
            except IndexDamaged:
                if stamp == self._meta_stamp():
                    raise
                # A commit may remove files between the reading of their names and their opening.
            else:
                break
        with _mapped(self._folder):
            counted = sum(view.searcher.doc_freq("kind", kind) for kind in Kind)
        if counted != sum(segment.documents for segment in described):
            raise folders.damaged(self._folder, f"{META} counts other documents than there are")
        for number, segment in enumerate(described):
            for document in range(segment.documents):
                with _mapped(self._folder):
                    stored = view.searcher.doc(tantivy.DocAddress(number, document)).to_dict()
                self._decoded(_unsealed, stored)

    def close(self) -> None:
        with self._lock:
            self._index = self._current = None


class EmbeddedWriter:
    """The writer of an embedded index; `engines.engine.Writer` says what the methods do. For one thread."""

    def __init__(self, folder: Path, writer: tantivy.IndexWriter, refresh: Callable[[], _View]) -> None:
        self._folder = folder
        self._data = folder / folders.DATA
        self._writer = writer
        self._refresh = refresh
        self._committed: _View
        self._added: set[str] = set()
        self._put: set[str] = set()

    def begin(self) -> None:
        """Removes what a writer left behind that was killed, and looks at the last commit: to be called first.

        Raises:
            IndexDamaged: the files are not those that the last commit names.
        """
        with _checked(self._folder):
            segments.remove_leftovers(self._data)
        self._committed = self._refresh()

    def _do(self, call: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
        with _mapped(self._folder, writing=True):
            return call(*args, **named)

    def _add(self, fields: dict[str, Any]) -> None:
        """Adds a document; every value of bytes is sealed here."""
        sealed = {
            name: records.seal(name, value) if isinstance(value, bytes) else value for name, value in fields.items()
        }
        self._do(lambda: self._writer.add_document(Document.from_dict(sealed, SCHEMA)))

    def _replace(self, identity: str, fields: dict[str, Any]) -> None:
        """A deletion costs a look-up in every segment, so it is asked for only where there is something to delete."""
        if identity in self._put or self._do(self._committed.searcher.doc_freq, "id", identity):
            self._delete("id", identity)
        self._put.add(identity)
        self._add({**fields, "id": identity})

    def _delete(self, field: str, value: str) -> None:
        self._do(self._writer.delete_documents_by_term, field, value)

    def add_blobs(self, documents: Iterable[BlobDocument]) -> None:
        for document in documents:
            if not self._holds(document.stored.blob):
                self._add_blob(document)

    def replace_blobs(self, documents: Iterable[BlobDocument]) -> None:
        for document in documents:
            if self._holds(document.stored.blob):
                self._delete("blob", document.stored.blob)
            self._add_blob(document)

    def _holds(self, blob: str) -> bool:
        return blob in self._added or bool(self._do(self._committed.frequency, "blob", blob))

    def _add_blob(self, document: BlobDocument) -> None:
        stored = document.stored
        held = [key for key in INDEXED if len(document.terms.get(key, ()))]
        self._add(
            {
                "kind": Kind.BLOB,
                "key": _key(stored.blob),
                "record": records.dump_blob(stored),
                **records.facts(stored),
                **records.bulk(stored),
                **({"has": held} if held else {}),
                **{terms_field(key): document.terms[key].tolist() for key in held},
            }
        )
        self._added.add(stored.blob)

    def put_refusals(self, refusals: Iterable[Refusal]) -> None:
        for refusal in refusals:
            self._replace(
                records.digest(Kind.REFUSAL, refusal.blob),
                {"kind": Kind.REFUSAL, "record": records.dump_refusal(refusal)},
            )

    def claim(self, repository: str) -> None:
        """There is no other writer."""

    def put_occurrences(self, occurrences: Iterable[Occurrence]) -> None:
        for occurrence in occurrences:
            self._replace(
                records.digest(Kind.OCCURRENCE, occurrence.repository, occurrence.path),
                {
                    "kind": Kind.OCCURRENCE,
                    "repository": records.digest(occurrence.repository),
                    "refers_to": occurrence.blob,
                    "record": records.dump_occurrence(occurrence),
                },
            )

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None = None) -> None:
        if paths is None:
            self._delete("repository", records.digest(repository))
            return
        for path in paths:
            self._delete("id", records.digest(Kind.OCCURRENCE, repository, path))

    def put_repository(self, record: RepositoryRecord) -> None:
        self._replace(
            records.digest(Kind.REPOSITORY, record.key),
            {"kind": Kind.REPOSITORY, "record": records.dump_repository(record)},
        )

    def delete_repository(self, key: str) -> None:
        self._delete("id", records.digest(Kind.REPOSITORY, key))

    def put_boilerplate(self, boilerplate: BoilerplateSet) -> None:
        description, hashes = records.dump_boilerplate(boilerplate)
        self._replace(
            records.digest(Kind.BOILERPLATE, boilerplate.name),
            {"kind": Kind.BOILERPLATE, "record": description, "hashes": hashes},
        )

    def delete_boilerplate(self, name: str) -> None:
        self._delete("id", records.digest(Kind.BOILERPLATE, name))

    def sweep(self) -> int:
        self.commit()
        searcher = self._committed.searcher
        swept = 0
        for prefix in PREFIXES:
            orphans = self._do(_orphans, searcher, prefix)
            for blob in orphans:
                self._delete("blob", blob)
            if swept // SWEEP_COMMIT < (swept + len(orphans)) // SWEEP_COMMIT:
                self.commit()
            swept += len(orphans)
        self.commit()
        return swept

    def commit(self) -> None:
        self._do(self._writer.commit)
        _share(self._data)
        self._committed = self._refresh()
        self._added.clear()
        self._put.clear()

    def close(self) -> None:
        """Waits for the merges that the commits began, so that segments do not pile up, and gives the lock back."""
        self._do(self._writer.wait_merging_threads)
        _share(self._data)

    def abandon(self) -> None:
        """Drops what was not committed and gives the lock back.

        The writer is closed and not only forgotten: the traceback of an error may still refer to it.
        """
        for step in (self._writer.rollback, self._writer.wait_merging_threads):
            with suppress(Exception):  # the error that led here is the one to tell
                step()


def _stored(document: Document, names: Collection[str] = records.BULK) -> StoredBlob:
    """The stored part of a blob, of its `BULK` only these.

    Raises:
        ValueError: a value is missing, or its checksum does not match.
    """
    return records.load_blob(_value(document, "record"), lambda name: _value(document, name), names)


def _unsealed(stored: Mapping[str, Sequence[bytes]]) -> None:
    """Looks at everything that is stored of a document.

    Raises:
        LookupError, ValueError: a value is missing, or its checksum does not match.
    """
    for name in {"record", *stored}:
        for value in stored[name]:
            records.unseal(name, value)


def _fill(folder: Path, data: Path) -> None:
    with _mapped(folder, writing=True):
        tantivy.Index(SCHEMA, str(data), reuse=False)
    _share(data)


def _share(data: Path) -> None:
    """Lets those read the index who can read its folder: tantivy makes this one file for its owner alone."""
    with suppress(OSError):
        (data / META).chmod(data.stat().st_mode & 0o666)


def _compatible(data: Path) -> bool:
    try:
        return tantivy.Index.is_compatible(str(data))
    except ValueError:
        return True


def _stored_bytes(folder: Path) -> int:
    """Bytes of all files; one that a merge removes meanwhile counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def _ranked(
    view: _View, query: Query, wanted: int, keys: frozenset[int] | None
) -> list[tuple[float, tantivy.DocAddress]]:
    """The best `wanted` matches whose key is among `keys`, and all that tie with the last; by score, then by key."""
    total = view.searcher.num_docs
    size = min(total, wanted + 50)
    while True:
        hits = view.hits(query, limit=size)
        found = view.searcher.fast_field_values("key", [address for _, address in hits])
        if None in found:
            raise ValueError("a blob has no key")
        ranked = [(-score, key, address) for (score, address), key in zip(hits, found, strict=True)]
        if keys is not None:
            ranked = [entry for entry in ranked if entry[1] in keys]
        all_seen = len(hits) < size or size == total
        if all_seen or (len(ranked) >= wanted and -ranked[wanted - 1][0] > hits[-1][0]):
            ranked.sort()
            return [(-score, address) for score, _, address in ranked]
        size = min(total, size * 4)


def _live(searcher: tantivy.Searcher, field: str, prefix: str) -> set[str]:
    """The values of a field that begin like this, of all live documents."""
    return {value for value, _ in searcher.terms_with_prefix(field, prefix, Query.all_query())}


def _orphans(searcher: tantivy.Searcher, prefix: str) -> list[str]:
    """The live blobs, of those whose id begins like this, to which no live occurrence refers."""
    return sorted(_live(searcher, "blob", prefix) - _live(searcher, "refers_to", prefix))
