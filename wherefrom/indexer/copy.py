"""Copies repositories from one or several indexes into another one, without their clones.

Repositories are copied in groups: first the blobs that the target lacks, then the occurrences that it lacks, then the
records, then a commit. Threads compute the terms of a blob again from its stored token stream. Memory does not
grow with the number of contents, and a killed run can be run again: it skips what was committed. At the end the target
is compared with the others. Refusals are not copied: they only spare the next indexing run a try.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from heapq import merge
from itertools import groupby, repeat
from typing import Literal, NamedTuple

from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.pieces import piece_terms
from wherefrom.analyzers.readings import with_readings
from wherefrom.analyzers.stamps import are_apart, is_better
from wherefrom.engines.engine import Engine, Writer
from wherefrom.engines.records import bulk, dump_boilerplate, facts
from wherefrom.errors import CopyError, IndexBusy
from wherefrom.model import BlobDocument, Occurrence, RepositoryRecord, StoredBlob
from wherefrom.options import CopyOptions
from wherefrom.results import CopyProgress, CopyReport
from wherefrom.sources.repository_urls import comparable
from wherefrom.support.chunks import batches, chunks
from wherefrom.support.throttle import Throttle

GROUP = 10_000  # a group of repositories ends once it has this many files, enough to keep all workers busy
TOGETHER = 500  # a group has at most this many repositories

BATCH, COMPARED = 50, 500
"""How many blobs are read at a time and given to a worker together, and how many are compared at a time."""

_NAMED = 3
"""The error that refuses a copy names at most this many of the repositories and boilerplate sets that prevent it."""

_new_hash = partial(hashlib.blake2b, digest_size=20)


class _Part(NamedTuple):
    """A repository in index number `source`. If `is_local`, its key may be another repository's on another machine."""

    source: int
    key: str
    files: int
    revision: str
    indexed_at: str
    is_local: bool


class Union:
    """The repositories and boilerplate sets of several indexes.

    If several have a repository, the one that was indexed last counts; of a set, that of the first index. The
    history of a repository is decided alike, but apart from the repository (as a union of the histories), so a machine
    that indexed without history takes away none. Raises CopyError if the last run of a repository was stopped; or,
    without `replace`, a set or a repository with a local key has different states.

    Attributes:
        parts: the repositories by key, in the order of the indexes.
        left_out: the number of repositories of the indexes that do not count.
        sets: the boilerplate sets by name, each with the number of the index that it is from, and its digest.
    """

    def __init__(self, indexes: Sequence[Engine], *, replace: bool) -> None:
        self.indexes = indexes
        self._replace = replace
        self.left_out = 0
        found: dict[str, tuple[int, bytes]] = {}
        newest: dict[str, _Part] = {}
        for number, index in enumerate(indexes):
            for record in index.repositories():
                if not record.settings:
                    raise CopyError(
                        f"{index.location} holds repository {record.key!r} as a run left it that was stopped; "
                        "index or remove it there, then copy"
                    )
                state = (record.files, record.revision, record.indexed_at, record.is_local)
                self._add(_Part(number, record.key, *state), newest)
            for name, value in _sets(index).items():
                first, taken = found.setdefault(name, (number, value))
                if taken != value:
                    self._refuse(first, number, f"boilerplate set {name!r}")
        self.sets = dict(sorted(found.items()))
        self.parts = {part.key: part for part in sorted(newest.values())}

    def _add(self, part: _Part, newest: dict[str, _Part]) -> None:
        name = comparable(part.key)
        other = newest.get(name)
        if other is not None and other.source == part.source:  # keys of one index that differ in letter case
            name, other = part.key, newest.get(part.key)
        if other is not None:
            self.left_out += 1
            if (part.is_local or other.is_local) and part.revision != other.revision:
                what = f"repository {part.key!r}, whose key is the path or name on one machine"
                self._refuse(other.source, part.source, what, "the one that was indexed last")
        if other is None or part.indexed_at > other.indexed_at:
            newest[name] = part

    def _refuse(self, first: int, second: int, what: str, taken: str = "that of the former") -> None:
        if not self._replace:
            raise CopyError(
                f"{self.indexes[first].location} and {self.indexes[second].location} have different states of {what}; "
                f"--replace takes {taken}"
            )

    def groups(self) -> Iterator[tuple[Engine, list[RepositoryRecord]]]:
        """The records in groups with about `GROUP` files, each with the index of its repositories."""
        group: list[_Part] = []
        files = 0
        for part in self.parts.values():
            if group and (files >= GROUP or len(group) >= TOGETHER or group[0].source != part.source):
                yield self._read(group)
                group, files = [], 0
            group.append(part)
            files += part.files
        if group:
            yield self._read(group)

    def _read(self, group: Sequence[_Part]) -> tuple[Engine, list[RepositoryRecord]]:
        index = self.indexes[group[0].source]
        return index, index.repositories([part.key for part in group])


class Copy:
    """One copying run, of histories if `is_history`; call `run` once. All indexes have the schemes of this version."""

    def __init__(self, sources: Union, target: Engine, options: CopyOptions, *, is_history: bool = False) -> None:
        self.is_history = is_history
        self.sources, self.target, self.replace = sources, target, options.replace
        self.progress = Throttle(options.progress)
        self.jobs = options.jobs or os.cpu_count() or 1
        self.begin = self.stage_begin = time.monotonic()
        self.files = self.files_total = self.sent = self.retired = 0
        self.compared = self.blobs = self.kept = 0
        self._hash = _new_hash()

    def run(self) -> CopyReport:
        """Copies what the target lacks, and compares the target with the sources. Raises CopyError before anything is
        written if the target has a repository, set or note in another state; and at the end if the indexes differ.
        """
        self.files_total = sum(part.files for part in self.sources.parts.values())
        self._refuse_obstacles()
        with self.target.writer() as writer:
            there = _sets(self.target)
            for name, (number, value) in self.sources.sets.items():
                found = None if there.get(name) == value else self.sources.indexes[number].boilerplate(name)
                if found is not None:
                    writer.put_boilerplate(found)
            with ThreadPoolExecutor(self.jobs) as pool:
                for source, group in self.sources.groups():
                    self._copy_group(writer, pool, source, group)
            self._report("copying", "", self.files_total, self.files_total, last=True)
            swept = 0
            # While other writers are at work, nothing is swept. The next sweep removes the blobs.
            with suppress(IndexBusy):
                swept = writer.sweep() if self.retired else 0
        self.stage_begin = time.monotonic()
        total = self.files_total + sum(source.stats().blobs for source in self.sources.indexes)
        for done in self._compare():
            self._report("comparing", "", done, total)
        self._report("comparing", "", total, total, last=True)
        return CopyReport(
            repositories=len(self.sources.parts),
            files=self.compared,
            blobs=self.blobs,
            sets=len(self.sources.sets),
            sent=self.sent,
            kept=self.kept,
            retired=self.retired,
            swept=swept,
            digest=self._hash.hexdigest(),
            seconds=time.monotonic() - self.begin,
            left_out=self.sources.left_out,
        )

    def _refuse_obstacles(self) -> None:
        if self.replace:
            return
        other = []
        for _, group in self.sources.groups():
            there = {record.key: record for record in self.target.repositories([record.key for record in group])}
            found = ((record, there.get(record.key)) for record in group)
            other += [f"repository {record.key!r}" for record, old in found if old and _is_obstacle(old, record)]
        sets = _sets(self.target)
        changed = [name for name, (_, own) in self.sources.sets.items() if sets.get(name, own) != own]
        other += [f"boilerplate set {name!r}" for name in changed]
        if other:
            more = f" and {len(other) - _NAMED:,} more" if len(other) > _NAMED else ""
            sources = " and ".join(source.location for source in self.sources.indexes)
            raise CopyError(
                f"{self.target.location} holds {', '.join(other[:_NAMED])}{more} in another state than {sources}; "
                "--replace takes the latter, or remove what is there first"
            )

    def _copy_group(
        self, writer: Writer, pool: ThreadPoolExecutor, source: Engine, group: Sequence[RepositoryRecord]
    ) -> None:
        listed = {record.key: list(source.occurrences(repository=record.key)) for record in group}
        # Blobs of neighboring paths are stored near each other.
        blobs = dict.fromkeys(occurrence.blob for places in listed.values() for occurrence in places)
        uncommitted = 0
        there = self.target.analyses(blobs)
        own = source.analyses(there)
        better = {blob for blob, stamp in own.items() if is_better(stamp, there[blob])}
        apart = set[str]()
        if source.has_code and self.target.has_code:
            apart = {blob for blob, stamp in own.items() if are_apart(stamp, there[blob])}
        wanted = (blobs.keys() - there.keys()) | better | apart
        if self.is_history:
            wanted |= self._texts(source, group, listed, there)
        read = _stored(source, [blob for blob in blobs if blob in wanted])
        for documents in self._documents(pool, (self._with_readings(batch, apart) for batch in read)):
            writer.add_blobs(document for document in documents if document.stored.blob not in there)
            writer.replace_blobs(document for document in documents if document.stored.blob in there)
            self.sent += len(documents)
            uncommitted += len(documents)
            if uncommitted >= GROUP:
                writer.commit()
                uncommitted = 0
            self._report("copying", group[0].key, self.files, self.files_total)
        for record in group:
            self._copy_places(writer, record, listed[record.key])
            self._report("copying", record.key, self.files, self.files_total)
        writer.commit()

    def _with_readings(self, batch: Sequence[StoredBlob], apart: Set[str]) -> list[StoredBlob]:
        """Blobs with the readings of the target, too, if they are `apart`."""
        there = self.target.blobs([it.blob for it in batch if it.blob in apart])
        return [with_readings(there[it.blob], it) if it.blob in there else it for it in batch]

    def _documents(
        self, pool: ThreadPoolExecutor, batches: Iterable[Sequence[StoredBlob]]
    ) -> Iterator[list[BlobDocument]]:
        def made(blobs: Sequence[StoredBlob]) -> list[BlobDocument]:
            return [BlobDocument(it, piece_terms(it) if self.is_history else stored_terms(it.tokens)) for it in blobs]

        waiting: deque[Future[list[BlobDocument]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(made, batch))
            if len(waiting) > 2 * self.jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _texts(
        self,
        source: Engine,
        group: Sequence[RepositoryRecord],
        listed: Mapping[str, Sequence[Occurrence]],
        there: Mapping[str, str],
    ) -> set[str]:
        """The texts of histories that the target has in an earlier state: blobs without a stamp."""
        done = self.target.repositories([record.key for record in group])
        changed = [place.blob for record in group if record not in done for place in listed[record.key]]
        return {blob for blob, stamp in source.analyses(changed).items() if not stamp and blob in there}

    def _copy_places(self, writer: Writer, record: RepositoryRecord, listed: Sequence[Occurrence]) -> None:
        writer.claim(record.key)
        before = {place.path: place for place in self.target.occurrences(repository=record.key)}
        gone = before.keys() - {place.path for place in listed}
        changed = [place for place in listed if before.get(place.path) != place]
        writer.delete_occurrences(record.key, sorted(gone))
        writer.put_occurrences(changed)
        if self.target.repository(record.key) != record:
            writer.put_repository(record)
        self.retired += len(gone) + sum(place.path in before for place in changed)
        self.files += len(listed)

    def _compare(self) -> Iterator[int]:
        """Compares everything in the target with the sources, and makes a digest of it: the boilerplate sets by name,
        each repository by key with its occurrences by path, and their blobs by id. Neither the engine nor the order of
        writing changes it. Yields now and then the number of occurrences and blobs that are done.
        """
        indexes, parts = self.sources.indexes, self.sources.parts
        here, there = [*map(_sets, indexes)], _sets(self.target)
        for name, (number, _) in self.sources.sets.items():
            what = f"the boilerplate set {name!r}"
            self._same(what, indexes[number], here[number].get(name, b""), there.get(name, b""))
        for key in sorted(parts):
            source = indexes[parts[key].source]
            files, ours = _repository(source, key)
            self._same(f"the repository {key!r}", source, ours, _repository(self.target, key)[1])
            self.compared += files
            yield self.compared
        done = self.compared
        listed = [zip(index.stored_blobs(), repeat(number)) for number, index in enumerate(indexes)]
        by_id = groupby(merge(*listed, key=lambda pair: pair[0].blob), key=lambda pair: pair[0].blob)
        for batch in batches(({number: blob for blob, number in group} for _, group in by_id), COMPARED):
            self._compare_blobs(batch)
            done += sum(map(len, batch))
            yield done

    def _compare_blobs(self, batch: Sequence[Mapping[int, StoredBlob]]) -> None:
        """Compares blobs, each given by the numbers of its indexes. Those with another analysis are only counted."""
        parts = self.sources.parts
        own: dict[str, list[tuple[int, StoredBlob]]] = {}
        for number, index in enumerate(self.sources.indexes):
            here = {found[number].blob: found[number] for found in batch if number in found}
            places = index.occurrences(blobs=here)
            for blob in {at.blob for at in places if at.repository in parts and parts[at.repository].source == number}:
                own.setdefault(blob, []).append((number, here[blob]))
        there = self.target.blobs(own)
        other = [blob for blob, found in there.items() if all(found != stored for _, stored in own[blob])]
        kept = {place.blob for place in self.target.occurrences(blobs=other) if place.repository not in parts}
        # The copy replaced what `is_better` says. If one still differs, it is the better, and the target keeps it.
        kept |= {blob for blob in other if all(there[blob].analysis != stored.analysis for _, stored in own[blob])}
        self.kept += len(kept)
        self.blobs += len(own)
        for blob in sorted(own.keys() - kept):
            number, stored = own[blob][0]
            found = there.get(blob)
            theirs = _digest_of_blob(found) if found else b""
            ours = _digest_of_blob(stored) if found is None or blob in other else theirs
            self._same(f"the content {blob}", self.sources.indexes[number], ours, theirs)

    def _same(self, name: str, source: Engine, ours: bytes, theirs: bytes) -> None:
        if ours != theirs:
            raise CopyError(
                f"{name} is not the same in {source.location} and {self.target.location}: one of them was written "
                "meanwhile, or the latter read it in another way before; remove it there and copy again"
            )
        self._hash.update(ours)

    def _report(
        self, stage: Literal["copying", "comparing"], repository: str, done: int, total: int, *, last: bool = False
    ) -> None:
        seconds = time.monotonic() - self.stage_begin
        self.progress.report(lambda: CopyProgress(stage, repository, done, total, self.sent, seconds), last=last)


def _stored(source: Engine, blobs: Sequence[str]) -> Iterator[list[StoredBlob]]:
    for names in chunks(blobs, BATCH):
        found = source.blobs(names)
        if missing := [name for name in names if name not in found]:
            raise CopyError(
                f"{source.location} lacks the content {missing[0]} to which a repository refers; "
                "index that repository again, then copy again"
            )
        yield [found[name] for name in names]


def _sets(index: Engine) -> dict[str, bytes]:
    found = {}
    for boilerplate in filter(None, map(index.boilerplate, index.boilerplate_names())):
        description, hashes = dump_boilerplate(boilerplate)
        found[boilerplate.name] = _digest_of(description.decode(), hashes.hex())
    return found


def _is_obstacle(there: RepositoryRecord, record: RepositoryRecord) -> bool:
    """Whether the target has another state that is newer, or may be that of another repository."""
    state = (there.revision, there.settings, there.analysis)
    if not there.settings or state == (record.revision, record.settings, record.analysis):
        return False
    return there.is_local or record.is_local or there.indexed_at > record.indexed_at


def _digest_of(*values: object) -> bytes:
    return _new_hash(json.dumps(values, sort_keys=True).encode()).digest()


def _repository(engine: Engine, key: str) -> tuple[int, bytes]:
    """The number of occurrences of a repository, and the digest of these and its record."""
    files = 0
    record = engine.repository(key)
    running = _new_hash(_digest_of(record and asdict(record)))
    for occurrence in engine.occurrences(repository=key):
        files += 1
        running.update(_digest_of(occurrence.path, occurrence.blob, occurrence.revision))
    return files, running.digest()


def _digest_of_blob(blob: StoredBlob) -> bytes:
    return _digest_of(facts(blob), {name: _new_hash(value).hexdigest() for name, value in bulk(blob).items()})
