"""Coordinates the writers of an index: each keeps a lease alive, and claims what only one writer at a time may change.

A *lease* is a document that its writer writes again every few seconds. If another writer watches it without a gap and
sees no change for `LEASE_SECONDS`, by its own clock, it takes the lease's writer for dead and deletes the lease. No
clocks are compared, and a writer that stood still for that long finds its lease deleted before it goes on.

A *claim* is a document that only one writer can create, because its id is a digest of the claimed name: a repository,
from the first change to the commit, or `EVERYTHING`, for a sweep or a rebuild. A sweep has to be alone: it removes
blobs without an occurrence, and another writer may be about to add an occurrence of such a blob. A claim is valid as
long as its writer's lease exists. A writer first writes its lease and then looks for a claim on everything; a sweep
first claims everything and then looks for leases. So at least one of the two sees the other.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any
from uuid import uuid4

from elasticsearch import ApiError, ConflictError, NotFoundError, TransportError

from wherefrom.engines.elasticsearch.connection import ClusterConnection, listing
from wherefrom.engines.elasticsearch.documents import identity
from wherefrom.errors import IndexBusy, UnusableIndex
from wherefrom.mappings.elasticsearch import RecordKind
from wherefrom.support.printable import quoted
from wherefrom.support.values import dataclass, field

BEAT_SECONDS = 5.0

LEASE_SECONDS = 30.0
SWEEP_WAIT_SECONDS = 60.0  # the longest wait for the end of a sweep or a rebuild, which may take hours
CLAIM_WAIT_SECONDS = 600.0  # the longest wait for another writer of a repository, who commits every minute
LOOK_SECONDS = 0.5
EVERYTHING = ""  # the name that a sweep claims; no repository has this key
_Version = tuple[int, int]  # the sequence number and primary term of a document. Every change of it changes the pair


@dataclass(slots=True)
class _Sighting:
    """What this writer has seen of another writer's lease, by the monotonic clock."""

    version: _Version
    since: float  # since when it has this version
    seen: float  # when it was last seen
    beats: bool = False  # whether it has changed while it was watched


@dataclass(slots=True, eq=False)
class Lease:
    """A writer's lease, kept alive by a thread of its own from `open` to `close`."""

    connection: ClusterConnection
    index: str
    id: str = field(default_factory=lambda: uuid4().hex)
    claims: set[str] = field(default_factory=set)
    _version: _Version | None = None
    _beats: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ended: threading.Event = field(default_factory=threading.Event)
    _sightings: dict[str, _Sighting] = field(default_factory=dict)

    def open(self) -> None:
        """Writes the lease; waits while another writer claims everything. Raises IndexBusy if that takes too long."""
        with self.connection.mapped():
            self._write_lease(refresh=True)
        threading.Thread(target=self._keep, name="wherefrom-lease", daemon=True).start()
        try:
            self._wait(lambda: self._holder(EVERYTHING) is None, "is being swept or rebuilt", SWEEP_WAIT_SECONDS)
        except BaseException:
            self.close()
            raise

    def check(self) -> None:
        """Writes the lease again. Raises UnusableIndex if another writer has deleted it."""
        with self.connection.mapped(writing=True):
            self._beat()

    def claim(self, name: str, before_waiting: Callable[[], None]) -> None:
        """Claims a name. If another writer has it, calls `before_waiting`, which releases this writer's, and waits."""
        if name not in self.claims and not self._try(name):
            before_waiting()
            self._wait(lambda: self._try(name), f"has another writer at work on {quoted(name)}", CLAIM_WAIT_SECONDS)

    def release(self) -> None:
        """Releases all claims."""
        if not self.claims:
            return
        operations = [{"delete": {"_id": identity(RecordKind.CLAIM, name)}} for name in self.claims]
        with self.connection.mapped(writing=True):
            self.connection.patient.bulk(index=self.index, operations=operations)
        self.claims.clear()

    def be_alone(self) -> None:
        """Claims everything, until `release`. Raises IndexBusy if another writer is alive."""
        if not self._try(EVERYTHING):
            raise self._busy("is being swept or rebuilt")
        try:
            self._wait(self._others_are_gone, "has other writers", SWEEP_WAIT_SECONDS)
        except BaseException:
            self.release()
            raise

    def close(self) -> None:
        """Ends the lease. If the cluster cannot be reached, other writers delete the lease later."""
        self._ended.set()
        with suppress(UnusableIndex):
            self.release()
        with suppress(ApiError, TransportError), self._lock:
            self.connection.client.delete(index=self.index, id=self.id, refresh=True)

    def _write_lease(self, **conditions: Any) -> None:
        holder = f"{socket.gethostname()}, process {os.getpid()}"
        document = {"kind": RecordKind.LEASE, "holder": holder, "beats": self._beats}
        made = self.connection.patient.index(
            index=self.index, id=self.id, document=document, require_alias=True, **conditions
        )
        self._version = made["_seq_no"], made["_primary_term"]

    def _keep(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            # The next beat may succeed. If it does not, the writer gets the error at its next check.
            with suppress(ApiError, TransportError, UnusableIndex):
                self._beat()
                self._watch()

    def _beat(self) -> None:
        with self._lock:
            if self._ended.is_set():
                return
            self._beats += 1
            for _ in range(2):
                if self._version is None:
                    break
                number, term = self._version
                try:
                    self._write_lease(if_seq_no=number, if_primary_term=term)
                except ConflictError:
                    # Either the lease was deleted, or an earlier beat was written and only its answer was lost.
                    self._version = self._versions([self.id]).get(self.id)
                else:
                    return
        raise UnusableIndex(
            f"the index {self.connection.address} was given to other writers, since this one stood still for over "
            f"{LEASE_SECONDS:g} seconds; what was committed is safe; run again"
        )

    def _versions(self, ids: Collection[str]) -> dict[str, _Version]:
        """The versions of these documents, without those that do not exist."""
        found = self.connection.mget(self.index, list(ids), source=False)
        return {document["_id"]: (document["_seq_no"], document["_primary_term"]) for document in found}

    def _others(self) -> set[str]:
        query = {"term": {"kind": RecordKind.LEASE}}
        return {hit["_id"] for hit in listing(self.connection, self.index, query, ["_doc"], source=False)} - {self.id}

    def _watch(self) -> None:
        """Looks at the other leases, and deletes those that have not changed for too long."""
        versions, now = self._versions(self._others()), time.monotonic()
        sightings = {}
        for lease, version in versions.items():
            last = self._sightings.get(lease)
            if last is None or now - last.seen > LEASE_SECONDS / 2:
                # The cluster or this process was away, so the lease may have changed unseen.
                sightings[lease] = _Sighting(version, now, now)
            elif last.version != version:
                sightings[lease] = _Sighting(version, now, now, beats=True)
            elif now - last.since < LEASE_SECONDS:
                sightings[lease] = _Sighting(version, last.since, now, last.beats)
            else:
                self._delete(lease, version, refresh=True)
        self._sightings = sightings

    def _delete(self, document: str, version: _Version, *, refresh: bool = False) -> None:
        """Deletes a document if it still has this version."""
        number, term = version
        with suppress(ConflictError, NotFoundError):
            self.connection.client.delete(
                index=self.index, id=document, if_seq_no=number, if_primary_term=term, refresh=refresh
            )

    def _others_are_gone(self) -> bool:
        """True if there is no other lease. Raises IndexBusy if one is alive."""
        others = self._others()
        if any(self._sightings[lease].beats for lease in others & self._sightings.keys()):
            raise self._busy("has other writers")
        return not others

    def _holder(self, name: str) -> str | None:
        """The id of the lease that claims a name, or None. Removes a claim if its lease does not exist."""
        claim = identity(RecordKind.CLAIM, name)
        with self.connection.mapped():
            try:
                found = self.connection.reader.get(index=self.index, id=claim)
            except NotFoundError:
                return None
            lease = str(found["_source"]["lease"])
            if self._versions([lease]):
                return lease
            self._delete(claim, (found["_seq_no"], found["_primary_term"]))
        return None

    def _try(self, name: str) -> bool:
        """Claims a name if it is free. Returns True if this writer has the claim."""
        document, claim = {"kind": RecordKind.CLAIM, "lease": self.id}, identity(RecordKind.CLAIM, name)
        holder = None
        for _ in range(2):  # if `_holder` removes a claim without a lease, the second try succeeds
            with self.connection.mapped():
                try:
                    self.connection.patient.index(
                        index=self.index, id=claim, document=document, op_type="create", require_alias=True
                    )
                    holder = self.id
                except ConflictError:
                    holder = self._holder(name)
            if holder is not None:
                break
        if holder == self.id:
            self.claims.add(name)
        return holder == self.id

    def _wait(self, is_free: Callable[[], bool], trouble: str, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not is_free():
            if time.monotonic() > until:
                raise self._busy(trouble)
            time.sleep(LOOK_SECONDS)

    def _busy(self, trouble: str) -> IndexBusy:
        return IndexBusy(f"the index {self.connection.address} {trouble}; wait until that is done and run again")
