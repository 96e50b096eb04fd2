"""Compares some repositories and boilerplate sets in two indexes, and makes a digest of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial

from wherefrom.engines.engine import Engine
from wherefrom.engines.records import bulk, dump_boilerplate, facts
from wherefrom.errors import CopyError
from wherefrom.model import StoredBlob
from wherefrom.support.chunks import batches

BATCH = 500
"""Blobs that are compared at a time."""

_hash = partial(hashlib.blake2b, digest_size=20)


class Agreement:
    """Reads some repositories and boilerplate sets from two indexes again, and compares them.

    Attributes:
        files: the number of occurrences that were compared.
        blobs: the number of blobs of the repositories, compared or not.
        kept: the number of blobs that are not compared, because the target has another analysis of them.
    """

    def __init__(self, source: Engine, target: Engine, repositories: Sequence[str], sets: Sequence[str]) -> None:
        self.source, self.target, self.repositories, self.sets = source, target, repositories, sets
        self.files = self.blobs = self.kept = 0
        self._hash = _hash()

    @property
    def digest(self) -> str:
        """40 hexadecimal digits for all that was compared: the boilerplate sets by name, each repository by key with
        its occurrences by path, and their blobs by id. Neither the engine nor the order of writing changes it.
        """
        return self._hash.hexdigest()

    def compare(self) -> Iterator[int]:
        """Compares everything. Yields now and then the number of occurrences and blobs that are done. Raises CopyError
        if the indexes differ.
        """
        for name in self.sets:
            self._same(f"the boilerplate set {name!r}", _set(self.source, name), _set(self.target, name))
        for key in self.repositories:
            files, ours = _repository(self.source, key)
            self._same(f"the repository {key!r}", ours, _repository(self.target, key)[1])
            self.files += files
            yield self.files
        done = self.files
        own = frozenset(self.repositories)
        for batch in batches(self.source.stored_blobs(), BATCH):
            self._compare_blobs(batch, own)
            done += len(batch)
            yield done

    def _compare_blobs(self, batch: Sequence[StoredBlob], own: frozenset[str]) -> None:
        places = self.source.occurrences(blobs=[blob.blob for blob in batch])
        blobs = {place.blob for place in places if place.repository in own}
        there = self.target.blobs(blobs)
        other = [blob.blob for blob in batch if there.get(blob.blob, blob) != blob]
        kept = {place.blob for place in self.target.occurrences(blobs=other) if place.repository not in own}
        # The copy replaced older analyses in the target. If one still differs, it is newer, and the target keeps it.
        kept |= {blob.blob for blob in batch if blob.blob in other and there[blob.blob].analysis != blob.analysis}
        self.kept += len(kept)
        self.blobs += len(blobs)
        for blob in batch:
            if blob.blob in blobs - kept:
                found = there.get(blob.blob)
                self._same(f"the content {blob.blob}", _blob(blob), _blob(found) if found else b"")

    def _same(self, name: str, ours: bytes, theirs: bytes) -> None:
        if ours != theirs:
            raise CopyError(
                f"{name} is not the same in {self.source.location} and {self.target.location}: one of them was written "
                "meanwhile, or the latter read it in another way before; remove it there and copy again"
            )
        self._hash.update(ours)


def _digest(*values: object) -> bytes:
    return _hash(json.dumps(values, sort_keys=True).encode()).digest()


def _set(engine: Engine, name: str) -> bytes:
    found = engine.boilerplate(name)
    if found is None:
        return b""
    description, hashes = dump_boilerplate(found)
    return _digest(description.decode(), hashes.hex())


def _repository(engine: Engine, key: str) -> tuple[int, bytes]:
    """The number of occurrences of a repository, and the digest of these and its record."""
    files = 0
    record = engine.repository(key)
    running = _hash(_digest(record and asdict(record)))
    for occurrence in engine.occurrences(repository=key):
        files += 1
        running.update(_digest(occurrence.path, occurrence.blob, occurrence.revision))
    return files, running.digest()


def _blob(blob: StoredBlob) -> bytes:
    return _digest(facts(blob), {name: _hash(value).hexdigest() for name, value in bulk(blob).items()})
