"""Who writes an index: leases that have to be kept alive, and claims on what only one writer may change at a time.

A *lease* is a document of one writer, which it writes again every few seconds. Whoever sees it unchanged for
`LEASE_SECONDS`, by his own clock and without a gap, takes the writer for dead and deletes it. No clocks are compared,
and a writer that stood still for so long finds its lease gone before it goes on.

A *claim* is a document that only one writer can create, since its id is a digest of what is claimed: a repository,
between the first change and the commit, or `EVERYTHING`, for a sweep. That needs to be alone: it removes blobs without
an occurrence, and those are just what others may be about to refer to. A claim counts as long as its lease is held.
Every writer writes its lease first and then looks for a claim on everything; a sweep claims everything first and then
looks for leases: one of the two sees the other.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from elasticsearch import ApiError, ConflictError, NotFoundError, TransportError

from wherefrom.engines.elasticsearch.connection import Connection
from wherefrom.engines.elasticsearch.documents import identity
from wherefrom.engines.elasticsearch.listing import listing
from wherefrom.errors import IndexBusy, UnusableIndex
from wherefrom.mappings.elasticsearch import RecordKind
from wherefrom.support.printable import quoted

BEAT_SECONDS = 5.0

LEASE_SECONDS = 30.0

SWEEP_WAIT_SECONDS = 60.0
"""How long a writer waits until everything is free, which may take hours where an index is rebuilt."""

CLAIM_WAIT_SECONDS = 600.0
"""How long a writer waits for another that is at work on the same repository: that commits every minute."""

LOOK_SECONDS = 0.5

EVERYTHING = ""
"""What a sweep claims; no repository has this key."""

_Version = tuple[int, int]
"""Sequence number and primary term of a document: another pair after every change."""


@dataclass(slots=True)
class _Sighting:
    """Another writer's lease: its version, since when it has been that, when it was looked at last (seconds of the
    monotonic clock), and whether it was seen to change.
    """

    version: _Version
    since: float
    seen: float
    beats: bool = False


@dataclass(slots=True, eq=False)
class Lease:
    """A writer's lease, kept alive by a thread of its own from `open` to `close`."""

    connection: Connection
    index: str
    id: str = field(default_factory=lambda: uuid4().hex)
    claims: set[str] = field(default_factory=set)
    _version: _Version | None = None
    _beats: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ended: threading.Event = field(default_factory=threading.Event)
    _sightings: dict[str, _Sighting] = field(default_factory=dict)

    def open(self) -> None:
        """Begins to write; waits while everything is claimed, but not forever (IndexBusy)."""
        with self.connection.mapped():
            made = self.connection.patient.index(index=self.index, id=self.id, document=self._document(), refresh=True)
        self._version = made["_seq_no"], made["_primary_term"]
        threading.Thread(target=self._keep, name="wherefrom-lease", daemon=True).start()
        try:
            self._wait(lambda: self._holder(EVERYTHING) is None, "is being swept or rebuilt", SWEEP_WAIT_SECONDS)
        except BaseException:
            self.close()
            raise

    def check(self) -> None:
        """Keeps the lease alive. Raises UnusableIndex if others have taken this writer for dead."""
        with self.connection.mapped(writing=True):
            self._beat()

    def claim(self, name: str, before_waiting: Callable[[], None]) -> None:
        """Claims a name, waiting for the writer that has it (IndexBusy if too long); `before_waiting` gives back what
        this one has claimed.
        """
        if name in self.claims or self._try(name):
            return
        before_waiting()
        self._wait(lambda: self._try(name), f"has another writer at work on {quoted(name)}", CLAIM_WAIT_SECONDS)

    def release(self) -> None:
        """Gives all claims back."""
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
        """Ends the lease; where the cluster cannot be reached, the others see after a while that it ended."""
        self._ended.set()
        with suppress(UnusableIndex):
            self.release()
        with suppress(ApiError, TransportError), self._lock:
            self.connection.client.delete(index=self.index, id=self.id, refresh=True)

    def _document(self) -> dict[str, Any]:
        holder = f"{socket.gethostname()}, process {os.getpid()}"
        return {"kind": RecordKind.LEASE, "holder": holder, "beats": self._beats}

    def _keep(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            # What goes wrong here shows when the writer checks; the next beat may go well.
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
                try:
                    made = self.connection.patient.index(
                        index=self.index,
                        id=self.id,
                        document=self._document(),
                        if_seq_no=self._version[0],
                        if_primary_term=self._version[1],
                        require_alias=True,
                    )
                except ConflictError:
                    # Either the lease is gone, or an earlier beat came through although its answer did not.
                    self._version = self._versions([self.id]).get(self.id)
                else:
                    self._version = made["_seq_no"], made["_primary_term"]
                    return
        raise UnusableIndex(
            f"the index {self.connection.address} was given to other writers, since this one stood still for over "
            f"{LEASE_SECONDS:g} seconds; what was committed is safe; run again"
        )

    def _versions(self, ids: Collection[str]) -> dict[str, _Version]:
        """The versions of those documents that are there."""
        found = self.connection.mget(self.index, list(ids), source=False)
        return {each["_id"]: (each["_seq_no"], each["_primary_term"]) for each in found}

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
                # Nothing is known of the time in which the cluster, or this process, was away.
                sightings[lease] = _Sighting(version, now, now)
            elif last.version != version:
                sightings[lease] = _Sighting(version, now, now, beats=True)
            elif now - last.since < LEASE_SECONDS:
                sightings[lease] = _Sighting(version, last.since, now, last.beats)
            else:
                with suppress(ConflictError, NotFoundError):
                    self.connection.client.delete(
                        index=self.index, id=lease, if_seq_no=version[0], if_primary_term=version[1], refresh=True
                    )
        self._sightings = sightings

    def _others_are_gone(self) -> bool:
        """Whether there is no other lease. Raises IndexBusy if one is alive."""
        others = self._others()
        if any(self._sightings[lease].beats for lease in others & self._sightings.keys()):
            raise self._busy("has other writers")
        return not others

    def _holder(self, name: str) -> str | None:
        """The lease that claims a name; a claim without a lease is removed."""
        with self.connection.mapped():
            try:
                found = self.connection.reader.get(index=self.index, id=identity(RecordKind.CLAIM, name))
            except NotFoundError:
                return None
            lease = str(found["_source"]["lease"])
            if self._versions([lease]):
                return lease
            with suppress(ConflictError, NotFoundError):
                self.connection.client.delete(
                    index=self.index,
                    id=identity(RecordKind.CLAIM, name),
                    if_seq_no=found["_seq_no"],
                    if_primary_term=found["_primary_term"],
                )
        return None

    def _try(self, name: str) -> bool:
        document, own = {"kind": RecordKind.CLAIM, "lease": self.id}, identity(RecordKind.CLAIM, name)
        for _ in range(2):
            with self.connection.mapped():
                try:
                    self.connection.patient.index(
                        index=self.index, id=own, document=document, op_type="create", require_alias=True
                    )
                except ConflictError:
                    holder = self._holder(name)
                else:
                    holder = self.id
            if holder is not None:
                break
        if holder == self.id:
            self.claims.add(name)
        return holder == self.id

    def _wait(self, is_free: Callable[[], bool], what: str, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not is_free():
            if time.monotonic() > until:
                raise self._busy(what)
            time.sleep(LOOK_SECONDS)

    def _busy(self, what: str) -> IndexBusy:
        return IndexBusy(f"the index {self.connection.address} {what}; wait until that is done and run again")
