"""Compares an index with those that were copied into it, and makes a digest of what they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from heapq import merge
from itertools import groupby, repeat

from wherefrom.engines.engine import Engine
from wherefrom.engines.records import bulk, facts
from wherefrom.errors import CopyError
from wherefrom.indexer.union import Union, digest_of, named, new_hash
from wherefrom.model import StoredBlob
from wherefrom.support.chunks import batches

BATCH = 500
"""Blobs that are compared at a time."""


class Agreement:
    """Reads what was copied again, from the target and from its sources, and compares it.

    Attributes:
        files: the number of occurrences that were compared.
        blobs: the number of blobs of the repositories, compared or not.
        kept: the number of blobs that are not compared, because the target has another analysis of them.
    """

    def __init__(self, sources: Union, target: Engine) -> None:
        self.sources, self.target = sources, target
        self.files = self.blobs = self.kept = 0
        self._hash = new_hash()

    @property
    def digest(self) -> str:
        """40 hexadecimal digits for all that was compared: the boilerplate sets and notes by name, each repository by
        key with its occurrences by path, and their blobs by id. Neither the engine nor the order of writing changes it.
        """
        return self._hash.hexdigest()

    def compare(self) -> Iterator[int]:
        """Compares everything. Yields now and then the number of occurrences and blobs that are done. Raises CopyError
        if the indexes differ.
        """
        indexes, parts = self.sources.indexes, self.sources.parts
        here, there = [*map(named, indexes)], named(self.target)
        for it, (number, _) in self.sources.named.items():
            self._same(f"the {it.kind} {it.name!r}", indexes[number], here[number].get(it, b""), there.get(it, b""))
        for key in sorted(parts):
            source = indexes[parts[key].source]
            files, ours = _repository(source, key)
            self._same(f"the repository {key!r}", source, ours, _repository(self.target, key)[1])
            self.files += files
            yield self.files
        done = self.files
        for batch in batches(_by_id(indexes), BATCH):
            self._compare_blobs(batch)
            done += sum(map(len, batch))
            yield done

    def _compare_blobs(self, batch: Sequence[Mapping[int, StoredBlob]]) -> None:
        """Compares blobs, each given by the numbers of the indexes that have it."""
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
        # The copy replaced older analyses in the target. If one still differs, it is newer, and the target keeps it.
        kept |= {blob for blob in other if all(there[blob].analysis != stored.analysis for _, stored in own[blob])}
        self.kept += len(kept)
        self.blobs += len(own)
        for blob in sorted(own.keys() - kept):
            number, stored = own[blob][0]
            found = there.get(blob)
            theirs = _blob(found) if found else b""
            ours = _blob(stored) if found is None or blob in other else theirs
            self._same(f"the content {blob}", self.sources.indexes[number], ours, theirs)

    def _same(self, name: str, source: Engine, ours: bytes, theirs: bytes) -> None:
        if ours != theirs:
            raise CopyError(
                f"{name} is not the same in {source.location} and {self.target.location}: one of them was written "
                "meanwhile, or the latter read it in another way before; remove it there and copy again"
            )
        self._hash.update(ours)


def _by_id(indexes: Sequence[Engine]) -> Iterator[dict[int, StoredBlob]]:
    """The blobs of all indexes, ascending by id; those with the same id together, by the number of the index."""
    listed = [zip(index.stored_blobs(), repeat(number)) for number, index in enumerate(indexes)]
    for _, group in groupby(merge(*listed, key=lambda pair: pair[0].blob), key=lambda pair: pair[0].blob):
        yield {number: blob for blob, number in group}


def _repository(engine: Engine, key: str) -> tuple[int, bytes]:
    """The number of occurrences of a repository, and the digest of these and its record."""
    files = 0
    record = engine.repository(key)
    running = new_hash(digest_of(record and asdict(record)))
    for occurrence in engine.occurrences(repository=key):
        files += 1
        running.update(digest_of(occurrence.path, occurrence.blob, occurrence.revision))
    return files, running.digest()


def _blob(blob: StoredBlob) -> bytes:
    return digest_of(facts(blob), {name: new_hash(value).hexdigest() for name, value in bulk(blob).items()})
