# ruff: noqa: D102 - the methods are documented in the protocols
"""The Elasticsearch engine: reads an index, and builds the next version of one beside the version in use."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from itertools import chain, groupby, islice
from typing import Any, TypeVar

import numpy as np
from elasticsearch import AuthorizationException

from wherefrom.engines.elasticsearch import documents
from wherefrom.engines.elasticsearch.address import Address, ElasticsearchOptions
from wherefrom.engines.elasticsearch.connection import NOTHING_STORED, ClusterConnection, filter_terms, listing, of_kind
from wherefrom.engines.elasticsearch.documents import identity
from wherefrom.engines.elasticsearch.index_versions import NEXT, Versions, check_readable
from wherefrom.engines.elasticsearch.leases import Lease
from wherefrom.engines.elasticsearch.ranking import Ranking
from wherefrom.engines.elasticsearch.writer import ElasticsearchWriter
from wherefrom.engines.engine import TIES, DocumentFrequencies, Engine, Note, Schemes, Wanted, index_stats
from wherefrom.engines.terms import scale, shortened, with_ties
from wherefrom.errors import IndexFormatError, IndexMissing, UnusableIndex
from wherefrom.mappings.elasticsearch import FORMAT, RecordKind, terms_field
from wherefrom.model import (
    INDEXED,
    OF_TOKENS,
    BoilerplateSet,
    Candidate,
    Occurrence,
    Refusal,
    RepositoryRecord,
    Representation,
    StoredBlob,
)
from wherefrom.results import IndexStats
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import visible

KNOWN = 5_000  # the highest number of documents that one request gets by their ids
LOADED = 250  # the most blobs in one request for token streams, whose answer has a few megabytes
PAGE_OF_BUCKETS = 1_000  # the highest number of analysis stamps that one request counts
MOST_LANGUAGES = 1_000  # the highest number of languages that `stats` counts
COUNTED = 10_000  # the highest number of terms that one request counts
LOOK_SECONDS = 30.0  # a history that another process makes is noticed after this time: to look takes two requests

_T = TypeVar("_T")


class ElasticsearchEngine(Engine):
    """An index on a cluster; `engines.engine.Engine` documents the methods. Several threads may read at once."""

    name = "elasticsearch"

    def __init__(self, connection: ClusterConnection, versions: Versions, schemes: Schemes, term_bits: int) -> None:
        self.location = str(connection.address)
        self.schemes: Schemes = {key: schemes[key] for key in INDEXED}
        self.term_bits = term_bits
        self._connection = connection
        self._versions = versions
        self._history: ElasticsearchEngine | None = None
        self._next_look = 0.0  # when to look again whether there is a history
        self._blobs, self._records = versions.alias("blobs"), versions.alias("records")

    @classmethod
    def open(
        cls, address: Address, schemes: Schemes, term_bits: int, options: ElasticsearchOptions, *, create: bool = False
    ) -> ElasticsearchEngine:
        """Opens an index; with `create`, makes it if it does not exist. Raises the errors of `engines.open_engine`."""
        connection = ClusterConnection(address, options)
        try:
            versions = Versions(connection)
            if create and versions.current() is None:
                connection.check_version()
                versions.make(1, schemes, term_bits)
                versions.name(1)
            return cls(connection, versions, schemes, versions.check(schemes))
        except BaseException:
            connection.close()
            raise

    @contextmanager
    def writer(self) -> Iterator[ElasticsearchWriter]:
        writer = ElasticsearchWriter(self._connection, self._versions, self.term_bits)
        try:
            with self._connection.patience():
                yield writer
                writer.commit()
                writer.tidy()
        finally:
            writer.close()

    def known(self, blobs: Collection[str]) -> set[str]:
        return {document["_id"] for document in self._documents(self._blobs, blobs, _source=False)}

    def analyses(self, blobs: Collection[str]) -> dict[str, str]:
        found = self._documents(self._blobs, blobs, _source=["analysis"])
        return {document["_id"]: document["_source"]["analysis"] for document in found}

    def count_analyses(self) -> dict[str, int]:
        found: dict[str, int] = {}
        after: dict[str, Any] = {}
        while True:
            sources = [{"analysis": {"terms": {"field": "analysis"}}}]
            counting = {"stamps": {"composite": {"sources": sources, "size": PAGE_OF_BUCKETS, **after}}}
            answer = self._connection.search(index=self._blobs, size=0, aggs=counting)["aggregations"]["stamps"]
            found |= {bucket["key"]["analysis"]: bucket["doc_count"] for bucket in answer["buckets"]}
            if "after_key" not in answer:
                return found
            after = {"after": answer["after_key"]}

    def refusals(self, blobs: Collection[str]) -> dict[str, Refusal]:
        found = self._documents(self._records, (identity(RecordKind.REFUSAL, blob) for blob in blobs))
        loaded = (self._decoded(documents.load_refusal, hit["_source"]) for hit in found)
        return {refusal.blob: refusal for refusal in loaded}

    def blobs(self, blobs: Collection[str]) -> dict[str, StoredBlob]:
        return self._stored(blobs, documents.BLOB_FIELDS)

    def references(self, blobs: Collection[str]) -> dict[str, bytes]:
        hits = self._hits(blobs, documents.REFERENCE_FIELDS)
        return dict(self._decoded(documents.references, hit) for hit in hits)

    def _stored(self, blobs: Collection[str], fields: Sequence[str]) -> dict[str, StoredBlob]:
        loaded = (self._decoded(documents.stored_blob, hit) for hit in self._hits(blobs, fields))
        return {blob.blob: blob for blob in loaded}

    def _decoded(
        self, load: Callable[[dict[str, Any]], _T], found: dict[str, Any], remedy: str = "index again with --rebuild"
    ) -> _T:
        """Decodes a hit or a document with `load`. Raises IndexDamaged if that fails."""
        try:
            return load(found)
        except (ValueError, LookupError, TypeError) as error:
            raise self._connection.damaged(error, remedy) from error

    def _hits(self, blobs: Collection[str], fields: Sequence[str]) -> Iterator[dict[str, Any]]:
        for chunk in chunks(sorted(set(blobs)), LOADED):
            yield from self._connection.search(
                index=self._blobs,
                query=filter_terms("blob", chunk),
                size=LOADED,
                docvalue_fields=fields,
                **NOTHING_STORED,
            )["hits"]["hits"]

    def stored_blobs(self) -> Iterator[StoredBlob]:
        hits = listing(
            self._connection,
            self._blobs,
            {"match_all": {}},
            [{"blob": "asc"}],
            size=LOADED,
            docvalue_fields=documents.BLOB_FIELDS,
            **NOTHING_STORED,
        )
        return (self._decoded(documents.stored_blob, hit) for hit in hits)

    def repositories(self, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        if keys is None:
            hits = listing(self._connection, self._records, of_kind(RecordKind.REPOSITORY), [{"repository": "asc"}])
        else:
            hits = self._documents(self._records, (identity(RecordKind.REPOSITORY, key) for key in sorted(keys)))
        return [self._decoded(documents.load_repository, hit["_source"]) for hit in hits]

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        filters = [] if blobs is None else [filter_terms("blob", blobs)]
        filters += [] if repository is None else [{"term": {"repository": repository}}]
        hits = listing(
            self._connection,
            self._records,
            of_kind(RecordKind.OCCURRENCE, *filters),
            [{"repository": "asc"}, {"path": "asc"}],
            docvalue_fields=documents.OCCURRENCE_FIELDS,
            **NOTHING_STORED,
        )
        for _, alike in groupby(hits, key=lambda hit: hit["sort"][:2]):
            loaded = (self._decoded(documents.load_occurrence, hit) for hit in alike)
            yield from sorted(loaded, key=lambda occurrence: occurrence.path)

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        filters: list[Mapping[str, Any]] = []
        for representation, wanted in terms.items():
            field = terms_field(representation)
            filters.append({"exists": {"field": field}})
            encoded = documents.encode_terms(shortened(np.array(wanted, np.uint64), self.term_bits))
            filters += ({"term": {field: term}} for term in encoded)
        counts: list[int] = []
        for chunk in chunks(filters, COUNTED):
            found = self._connection.search(index=self._blobs, size=0, aggs={"terms": {"filters": {"filters": chunk}}})
            counts += [bucket["doc_count"] for bucket in found["aggregations"]["terms"]["buckets"]]
        counted = iter(counts)
        return {
            representation: DocumentFrequencies(blobs=next(counted), counts=list(islice(counted, len(wanted))))
            for representation, wanted in terms.items()
        }

    def _candidates(self, wanted: Wanted) -> list[Candidate]:
        weights, limit, offset, languages, blobs, _ = wanted
        scaled, unit = scale(weights, self.term_bits)
        ranking = Ranking(self._connection, self._blobs, scaled, languages, blobs)
        first = ranking.first(limit, documents.CANDIDATE_FIELDS) if not offset and limit < LOADED else None
        if first is not None:
            found = with_ties(first, limit, offset)
            return [Candidate(score * unit, self._decoded(documents.stored_blob, hit)) for score, _, hit in found]
        batch = with_ties(ranking.best(offset + limit + TIES), limit, offset)
        loaded = self._stored([ranked.blob for ranked in batch], documents.CANDIDATE_FIELDS)
        # A sweep may just have removed a blob. The blob had no occurrence, so it can be left out.
        return [Candidate(score * unit, loaded[blob]) for score, blob in batch if blob in loaded]

    def boilerplate_names(self) -> list[str]:
        hits = listing(self._connection, self._records, of_kind(RecordKind.BOILERPLATE), ["_doc"], _source=["name"])
        return sorted(hit["_source"]["name"] for hit in hits)

    def boilerplate(self, name: str) -> BoilerplateSet | None:
        found = self._documents(self._records, [identity(RecordKind.BOILERPLATE, name)])
        # A rebuild would copy the set from the damaged index, so a rebuild cannot be the remedy.
        remedy = f"add the boilerplate set {visible(repr(name))} again"
        return next((self._decoded(documents.load_boilerplate, hit["_source"], remedy) for hit in found), None)

    def notes(self, begin: str) -> dict[str, Note]:
        named = of_kind(RecordKind.NOTE, {"prefix": {"name": begin}})
        hits = list(listing(self._connection, self._records, named, ["_doc"]))
        return dict(
            sorted((hit["_source"]["name"], self._decoded(documents.load_record, hit["_source"])) for hit in hits)
        )

    def stats(self) -> IndexStats:
        counted = self._connection.search(
            index=self._blobs,
            size=0,
            track_total_hits=True,
            aggs={
                "languages": {"terms": {"field": "language", "size": MOST_LANGUAGES}},
                "size": {"sum": {"field": "size"}},
                "tokens": {"sum": {"field": "token_count"}},
            },
        )
        occurrences = self._connection.search(
            index=self._records, size=0, track_total_hits=True, query=of_kind(RecordKind.OCCURRENCE)
        )
        totals = counted["aggregations"]
        return index_stats(
            self,
            [record.skipped for record in self.repositories()],
            format=FORMAT.version,
            occurrences=occurrences["hits"]["total"]["value"],
            blobs=counted["hits"]["total"]["value"],
            size=int(totals["size"]["value"]),
            tokens=int(totals["tokens"]["value"]),
            languages={bucket["key"]: bucket["doc_count"] for bucket in totals["languages"]["buckets"]},
            analyses=self.count_analyses(),
            stored=self._stored_bytes(),
        )

    def verify(self) -> None:
        # Lucene itself compares its files with their checksums whenever it merges or moves them.
        for _ in chain(self.stored_blobs(), self.occurrences()):
            pass
        self.repositories()
        for name in self.boilerplate_names():
            self.boilerplate(name)
        for hit in listing(self._connection, self._records, of_kind(RecordKind.REFUSAL), ["_doc"]):
            self._decoded(documents.load_refusal, hit["_source"])
        self.notes("")

    def history(self) -> ElasticsearchEngine | None:
        if self._history is None and time.monotonic() < self._next_look:
            return None
        with suppress(IndexMissing):
            return self._opened_history(create=False)
        self._next_look = time.monotonic() + LOOK_SECONDS
        return None

    def make_history(self) -> ElasticsearchEngine:
        return self._opened_history(create=True)

    def _opened_history(self, *, create: bool) -> ElasticsearchEngine:
        with self._connection.mapped():
            if self._history is None:
                address, options = self._connection.address, self._connection.options
                beside = replace(address, name=f"{address.name}-history")
                self._history = ElasticsearchEngine.open(beside, self.schemes, self.term_bits, options, create=create)
            return self._history

    def close(self) -> None:
        self._connection.close()
        if self._history is not None:
            self._history.close()

    def _documents(self, index: str, ids: Iterable[str], **fields: Any) -> Iterator[dict[str, Any]]:
        """The documents with these ids that existed at the last commit, in the order of the ids."""
        for chunk in chunks(list(dict.fromkeys(ids)), KNOWN):
            yield from self._connection.mget(index, chunk, realtime=False, **fields)

    def _stored_bytes(self) -> int | None:
        """The bytes of the index on all nodes; None if the user has no right to read this number."""
        with self._connection.mapped():
            try:
                answer = self._connection.client.indices.stats(index=[self._blobs, self._records], metric="store")
            except AuthorizationException:
                return None
        return int(answer["_all"]["total"]["store"]["size_in_bytes"])


@contextmanager
def rebuild(
    address: Address, schemes: Schemes, term_bits: int, options: ElasticsearchOptions
) -> Iterator[ElasticsearchEngine]:
    """Implements `engines.rebuild` for an index on a cluster."""
    connection = ClusterConnection(address, options)
    in_use, being_built = Versions(connection), Versions(connection, NEXT)
    with closing(connection), ExitStack() as stack:
        old = in_use.current()
        if old is None:
            with closing(ElasticsearchEngine.open(address, schemes, term_bits, options, create=True)) as engine:
                yield engine
            return
        connection.check_version()
        lease = None
        sets: list[BoilerplateSet] = []
        notes: dict[str, Note] = {}
        # No lease is needed for an index that this version of wherefrom cannot read: its writers cannot open the index.
        if _is_readable(in_use.stamp("records", old)):
            lease = stack.enter_context(closing(Lease(connection, in_use.alias("records"))))
            lease.open()
            lease.be_alone()
            engine = ElasticsearchEngine(connection, in_use, schemes, term_bits)
            notes = engine.notes("")
            sets = [found for name in engine.boilerplate_names() if (found := engine.boilerplate(name))]
        new = old + 1
        for leftover in {new, being_built.current() or new}:
            being_built.delete(leftover)
        try:
            being_built.make(new, schemes, term_bits, loading=True)
            being_built.name(new)
            engine = ElasticsearchEngine(connection, being_built, schemes, term_bits)
            with engine.writer() as writer:
                for boilerplate in sets:
                    if all(boilerplate.schemes.get(key) == engine.schemes[key] for key in OF_TOKENS):
                        writer.put_boilerplate(boilerplate)
                for name, note in notes.items():
                    writer.put_note(name, note)
            yield engine
            being_built.complete(new)
            if lease is not None:
                lease.check()
        except BaseException:
            with suppress(UnusableIndex):
                being_built.delete(new)
            raise
        # This is outside of the `try` block: if the answer is lost, the new version may be in use and must stay.
        in_use.replace(old, new)


def _is_readable(stamp: Mapping[str, Any]) -> bool:
    try:
        check_readable("", stamp)
    except (IndexFormatError, ValueError, LookupError):
        return False
    return True
