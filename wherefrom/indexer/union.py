"""What several indexes have together, and which of them has it in the state that counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from wherefrom.engines.engine import Engine
from wherefrom.engines.records import dump_boilerplate
from wherefrom.errors import CopyError
from wherefrom.model import KeyKind, RepositoryRecord
from wherefrom.sources.repository_urls import comparable

GROUP = 10_000
"""A group of repositories ends once it has this many files, enough to keep all workers busy."""

TOGETHER = 500
"""A group has at most this many repositories."""


SET, NOTE = "boilerplate set", "note"

new_hash = partial(hashlib.blake2b, digest_size=20)


class _Name(NamedTuple):
    """The kind (`SET` or `NOTE`) and name of something in an index."""

    kind: str
    name: str


class SourcePart(NamedTuple):
    """A repository in the index with the number `source`. `is_local`: its key is a path or a name, which may be that of
    another repository on another machine.
    """

    source: int
    key: str
    files: int
    revision: str
    indexed_at: str
    is_local: bool


class Union:
    """The repositories, boilerplate sets and notes of several indexes.

    If several have a repository, the one that was indexed last counts; of a set or note, that of the first index. The
    history of a repository is decided alike, but apart from the repository (as a union of the histories), so a machine
    that indexed without history takes away none. Raises CopyError if the last run of a repository was stopped; or,
    without `replace`, a set, a note or a repository with a local key has different states.

    Args:
        indexes: open indexes.
        replace: do not raise if they have something in different states.

    Attributes:
        parts: the repositories by key, in the order of the indexes.
        left_out: the number of repositories of the indexes that do not count.
        named: the boilerplate sets and notes by name, each with the number of the index that it is from, and its
            digest.
    """

    def __init__(self, indexes: Sequence[Engine], *, replace: bool) -> None:
        self.indexes = indexes
        self._replace = replace
        self.left_out = 0
        found: dict[_Name, tuple[int, bytes]] = {}
        newest: dict[str, SourcePart] = {}
        for number, index in enumerate(indexes):
            for record in index.repositories():
                self._add(_part(number, index, record), newest)
            for key, value in named(index).items():
                first, taken = found.setdefault(key, (number, value))
                if taken != value:
                    self._refuse(first, number, f"{key.kind} {key.name!r}")
        self.named = dict(sorted(found.items()))
        self.parts = {part.key: part for part in sorted(newest.values())}

    def _add(self, part: SourcePart, newest: dict[str, SourcePart]) -> None:
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
        group: list[SourcePart] = []
        files = 0
        for part in self.parts.values():
            if group and (files >= GROUP or len(group) >= TOGETHER or group[0].source != part.source):
                yield self._read(group)
                group, files = [], 0
            group.append(part)
            files += part.files
        if group:
            yield self._read(group)

    def _read(self, group: Sequence[SourcePart]) -> tuple[Engine, list[RepositoryRecord]]:
        index = self.indexes[group[0].source]
        return index, index.repositories([part.key for part in group])


def named(index: Engine) -> dict[_Name, bytes]:
    """The digests of the boilerplate sets and the notes of an index."""
    found = {_Name(NOTE, name): digest_of(dict(note)) for name, note in index.notes("").items()}
    for boilerplate in filter(None, map(index.boilerplate, index.boilerplate_names())):
        description, hashes = dump_boilerplate(boilerplate)
        found[_Name(SET, boilerplate.name)] = digest_of(description.decode(), hashes.hex())
    return found


def digest_of(*values: object) -> bytes:
    """A digest of values that can be written as JSON."""
    return new_hash(json.dumps(values, sort_keys=True).encode()).digest()


def _part(number: int, index: Engine, record: RepositoryRecord) -> SourcePart:
    if not record.settings:
        raise CopyError(
            f"{index.location} holds repository {record.key!r} as a run left it that was stopped; "
            "index or remove it there, then copy"
        )
    is_local = record.key_kind not in {KeyKind.REMOTE, KeyKind.PACKAGE}
    return SourcePart(number, record.key, record.files, record.revision, record.indexed_at, is_local)
