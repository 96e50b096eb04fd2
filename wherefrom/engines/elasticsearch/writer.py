# ruff: noqa: D102 - the methods are documented in the protocols
"""The Elasticsearch engine: writing.

There are no transactions, so the order of writes makes a commit safe. Blobs are sent at once: without an occurrence
they do no harm. The commit makes them visible, marks the records of the changed repositories as unfinished, writes the
occurrences, and last writes the records. If a writer is killed, the next run re-indexes unfinished repositories.
"""

from __future__ import annotations

import json
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import Any, NamedTuple

from elasticsearch import helpers

from wherefrom.engines.elasticsearch import documents
from wherefrom.engines.elasticsearch.connection import (
    BUSY,
    NOTHING_STORED,
    ClusterConnection,
    listing,
    of_kind,
    reason_of,
)
from wherefrom.engines.elasticsearch.documents import identity, record_document
from wherefrom.engines.elasticsearch.index_versions import Versions
from wherefrom.engines.elasticsearch.leases import Lease
from wherefrom.engines.engine import Note
from wherefrom.engines.records import dump_note, dump_refusal, dump_repository
from wherefrom.errors import UnusableIndex
from wherefrom.mappings.elasticsearch import RecordKind
from wherefrom.model import BlobDocument, BoilerplateSet, Occurrence, Refusal, RepositoryRecord
from wherefrom.support.chunks import chunks

SPOOLED = 16_000_000  # bytes of occurrences that wait for the commit in memory; more wait in a file
LOOKED_UP = 1_000


class ElasticsearchWriter:
    """A writer of an index on a cluster; `engines.engine.Writer` documents the methods. For one thread."""

    def __init__(self, connection: ClusterConnection, versions: Versions, term_bits: int) -> None:
        """Waits while the index is being swept. Raises IndexBusy if that takes too long."""
        self._connection = connection
        self._term_bits = term_bits
        self._blobs, self._records = versions.alias("blobs"), versions.alias("records")
        self._lease = Lease(connection, self._records)
        self._lease.open()
        self._loader = Loader(connection, self._blobs)
        self._spool = _Spool()
        self._added: set[str] = set()
        self._repositories: dict[str, Action] = {}
        # Writes of boilerplate sets and refusals (contents that cannot be indexed), in any order.
        self._others: dict[str, Action] = {}
        self._has_notes = False

    def add_blobs(self, documents_: Iterable[BlobDocument]) -> None:
        for document in documents_:
            if document.stored.blob not in self._added:
                self._add(document, "create")

    def replace_blobs(self, documents_: Iterable[BlobDocument]) -> None:
        for document in documents_:
            if document.stored.blob in self._added:
                self._loader.finish()  # the earlier action must be done first: the loader keeps no order
            self._add(document, "index")

    def _add(self, document: BlobDocument, operation: str) -> None:
        blob = document.stored.blob
        self._added.add(blob)
        self._loader.add(Action(operation, blob, body(documents.blob_document(document, self._term_bits))))

    def put_refusals(self, refusals: Iterable[Refusal]) -> None:
        for refusal in refusals:
            own = identity(RecordKind.REFUSAL, refusal.blob)
            self._others[own] = put(own, record_document(RecordKind.REFUSAL, dump_refusal(refusal)))

    def claim(self, repository: str) -> None:
        self._lease.claim(repository, self.commit)

    def put_occurrences(self, occurrences: Iterable[Occurrence]) -> None:
        for occurrence in occurrences:
            self.claim(occurrence.repository)
            place = identity(RecordKind.OCCURRENCE, occurrence.repository, occurrence.path)
            self._spool.add(occurrence.repository, put(place, documents.occurrence_document(occurrence)))

    def delete_occurrences(self, repository: str, paths: Iterable[str] | None = None) -> None:
        self.claim(repository)
        if paths is None:
            self._spool.clear(repository)
            return
        for path in paths:
            self._spool.add(repository, Action("delete", identity(RecordKind.OCCURRENCE, repository, path)))

    def put_repository(self, record: RepositoryRecord) -> None:
        self.claim(record.key)
        own = identity(RecordKind.REPOSITORY, record.key)
        document = record_document(RecordKind.REPOSITORY, dump_repository(record), repository=record.key)
        self._repositories[own] = put(own, document)

    def delete_repository(self, key: str) -> None:
        self.claim(key)
        own = identity(RecordKind.REPOSITORY, key)
        self._repositories[own] = Action("delete", own)

    def put_boilerplate(self, boilerplate: BoilerplateSet) -> None:
        own = identity(RecordKind.BOILERPLATE, boilerplate.name)
        self._others[own] = put(own, documents.boilerplate_document(boilerplate))

    def delete_boilerplate(self, name: str) -> None:
        own = identity(RecordKind.BOILERPLATE, name)
        self._others[own] = Action("delete", own)

    def put_note(self, name: str, note: Note | None) -> None:
        own = identity(RecordKind.NOTE, name)
        action = Action("delete", own)
        if note is not None:
            action = put(own, record_document(RecordKind.NOTE, dump_note(note), name=name))
        send(self._connection, self._records, [action])
        self._has_notes = True

    def commit(self) -> None:
        if self._added:
            self._loader.finish()
            self._refresh(self._blobs)
            self._added.clear()
        if self._spool.repositories or self._repositories or self._others:
            self._commit_records()
            done, self._spool = self._spool, _Spool()
            done.close()
            self._repositories.clear()
            self._others.clear()
        elif self._has_notes:
            self._refresh(self._records)
        self._has_notes = False
        self._lease.release()

    def _commit_records(self) -> None:
        self._lease.check()
        before = {action.id: action for action in self._stored_records()}
        after = before | self._repositories
        send(self._connection, self._records, map(_unfinished, before.values()))
        send(self._connection, self._records, chain(self._retired(), self._spool))
        self._lease.check()
        send(self._connection, self._records, chain(after.values(), self._others.values()))
        self._refresh(self._records)
        try:
            self._lease.check()
        except UnusableIndex:
            # Another writer believed that this one was dead, and may have removed blobs of these repositories.
            send(self._connection, self._records, map(_unfinished, after.values()))
            raise

    def tidy(self) -> None:
        """Frees the space of merged segments (up to half of all space), which the server keeps until the next flush."""
        with self._connection.mapped(writing=True):
            self._connection.patient.indices.flush(index=[self._blobs, self._records])

    def _refresh(self, index: str) -> None:
        with self._connection.mapped(writing=True):
            self._connection.patient.indices.refresh(index=index)

    def _stored_records(self) -> Iterator[Action]:
        """Actions that write the stored records of the repositories in the spool again, unchanged."""
        for keys in chunks(sorted(self._spool.repositories), LOOKED_UP):
            ids = [identity(RecordKind.REPOSITORY, key) for key in keys]
            for document in self._connection.mget(self._records, ids):
                yield put(document["_id"], document["_source"])

    def _retired(self) -> Iterator[Action]:
        """Actions that delete the stored occurrences of the cleared repositories."""
        for repository in sorted(self._spool.cleared):
            query = of_kind(RecordKind.OCCURRENCE, {"term": {"repository": repository}})
            for hit in listing(self._connection, self._records, query, ["_doc"], source=False):
                yield Action("delete", hit["_id"])

    def sweep(self) -> int:
        self.commit()
        self._lease.be_alone()
        try:
            # No other writer is left, but a killed writer may have written documents that only a refresh makes visible.
            self._refresh(self._records)
            self._refresh(self._blobs)
            swept = send(self._connection, self._blobs, self._orphans())
            self._refresh(self._blobs)
        finally:
            self._lease.release()
        return swept

    def _orphans(self) -> Iterator[Action]:
        """Actions that delete the blobs without an occurrence; reads two ascending listings side by side."""
        referred = self._ascending(self._records, {"term": {"kind": RecordKind.OCCURRENCE}})
        next_referred = next(referred, None)
        for number, blob in enumerate(self._ascending(self._blobs, {"match_all": {}})):
            if number % LOOKED_UP == 0:
                self._lease.check()
            while next_referred is not None and next_referred < blob:
                next_referred = next(referred, None)
            if next_referred != blob:
                yield Action("delete", blob)

    def _ascending(self, index: str, query: dict[str, Any]) -> Iterator[str]:
        hits = listing(self._connection, index, query, [{"blob": "asc"}], **NOTHING_STORED)
        return (hit["sort"][0] for hit in hits)

    def close(self) -> None:
        """Drops the changes since the last commit, and ends the lease."""
        self._loader.close()
        self._spool.close()
        self._lease.close()


def _unfinished(record: Action) -> Action:
    return record._replace(body=record.body and body({**json.loads(record.body), "unfinished": True}))


class _Spool:
    """Actions on occurrences, oldest first; in memory or, if they are many, in a file. `cleared` has the repositories
    that lose their earlier occurrences, each with the number of actions before that: those are skipped.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(SPOOLED)  # noqa: SIM115 - `close` closes it
        self._lines = 0
        self.repositories: set[str] = set()
        self.cleared: dict[str, int] = {}

    def add(self, repository: str, action: Action) -> None:
        line = json.dumps([repository, action.operation, action.id, (action.body or b"").decode()])
        self._file.write(line.encode() + b"\n")
        self._lines += 1
        self.repositories.add(repository)

    def clear(self, repository: str) -> None:
        """Drops the earlier actions of a repository, and adds the repository to `cleared`."""
        self.repositories.add(repository)
        self.cleared[repository] = self._lines

    def __iter__(self) -> Iterator[Action]:
        self._file.seek(0)
        for number, line in enumerate(self._file):
            repository, operation, own, document = json.loads(line)
            if number >= self.cleared.get(repository, 0):
                yield Action(operation, own, document.encode() or None)

    def close(self) -> None:
        self._file.close()


CHUNK_ACTIONS = 1_000

CHUNK_BYTES = 8_000_000
THREADS = 4  # the highest number of requests at a time. At most as many chunks wait for their turn
DONE = {"create": 409, "delete": 404}  # the status of a document that exists already, or is deleted already


class Action(NamedTuple):
    """An operation (`create`, `index` or `delete`) on one document; `body` is its JSON, None for `delete`."""

    operation: str
    id: str
    body: bytes | None = None


def body(document: dict[str, Any]) -> bytes:
    """A document as JSON."""
    return json.dumps(document, separators=(",", ":")).encode()


def put(identity: str, document: dict[str, Any]) -> Action:
    """The action that writes a document, or replaces it."""
    return Action("index", identity, body(document))


def send(connection: ClusterConnection, index: str, actions: Iterable[Action]) -> int:
    """Sends actions in their order; returns how many changed a document. Raises UnusableIndex if one was refused."""
    changed = failed = 0
    first = ""
    waits = connection.waits
    with connection.mapped(writing=True):
        for done, result in helpers.streaming_bulk(
            connection.patient.options(retry_on_status=()),  # `streaming_bulk` itself sends refused actions again
            map(_expanded, actions),
            index=index,
            chunk_size=CHUNK_ACTIONS,
            max_chunk_bytes=CHUNK_BYTES,
            raise_on_error=False,
            max_retries=waits.max_retries,
            initial_backoff=waits.retry_backoff_base,
            max_backoff=waits.retry_backoff_cap,
            retry_on_status=BUSY,
            require_alias=True,
        ):
            ((operation, item),) = result.items()
            if done:
                changed += 1
            elif item["status"] != DONE.get(operation):
                failed += 1
                first = first or f"{item['_id']}: {reason_of(item.get('error'))}"
    if failed:
        raise connection.refused(failed, first)
    return changed


def _expanded(action: Action) -> dict[str, Any]:
    header = {"_op_type": action.operation, "_id": action.id}
    return header if action.body is None else {**header, "_source": action.body}


class Loader:
    """Sends actions in the background, in any order. If that fails, a later call raises the error."""

    def __init__(self, connection: ClusterConnection, index: str) -> None:
        self._connection, self._index = connection, index
        self._threads = ThreadPoolExecutor(THREADS, "wherefrom-bulk")
        self._under_way: deque[Future[int]] = deque()
        self._chunk: list[Action] = []
        self._bytes = 0

    def add(self, action: Action) -> None:
        """Adds an action; waits if too many requests are under way."""
        self._chunk.append(action)
        self._bytes += len(action.body or b"")
        if self._bytes >= CHUNK_BYTES or len(self._chunk) >= CHUNK_ACTIONS:
            self._submit()

    def _submit(self) -> None:
        while len(self._under_way) >= 2 * THREADS:
            self._under_way.popleft().result()
        self._under_way.append(self._threads.submit(send, self._connection, self._index, self._chunk))
        self._chunk, self._bytes = [], 0

    def finish(self) -> None:
        """Sends the rest and waits until all actions are done."""
        if self._chunk:
            self._submit()
        while self._under_way:
            self._under_way.popleft().result()

    def close(self) -> None:
        """Drops the actions that were not sent; waits for those under way."""
        self._threads.shutdown(cancel_futures=True)
