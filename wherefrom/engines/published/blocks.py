"""Blocks of a published index: a few contents with their facts, occurrences, references and token streams."""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, NamedTuple

from wherefrom.engines.embedded.blocks import LARGEST, dump, join_tiny, load
from wherefrom.engines.embedded.contents import compress, decompress
from wherefrom.model import Occurrence, StoredBlob
from wherefrom.support.streams import Joined
from wherefrom.support.values import dataclass, field

_HEADER = struct.Struct("<IIII")  # the number of the first content, and the lengths of facts, references and streams
_NOT_INDEXED = -1


class BlockNames(NamedTuple):
    """The languages and the analysis stamps of an index; contents have positions in them."""

    languages: Sequence[str]
    analyses: Sequence[str]


@dataclass(slots=True)
class Content:
    """A content of an index: its data (None: it is not indexed), and where it is, by repository and path."""

    blob: str
    stored: StoredBlob | None
    occurrences: list[Occurrence] = field(default_factory=list)


def dump_block(first: int, contents: Sequence[Content], names: BlockNames) -> bytes:
    """Contents that follow each other, the first one with this number, as a block without their sources."""
    facts = [[content.blob, *_facts(content.stored, names), _places(content.occurrences)] for content in contents]
    stored = [content.stored for content in contents if content.stored is not None]
    streams = [blob.tokens for blob in stored]
    # A token stream that is alone in its block is long, and so it is compressed already.
    joined = join_tiny(streams, compress)
    parts = (
        dump([json.dumps(facts, separators=(",", ":")).encode("ascii")], compress),
        dump([blob.references for blob in stored], compress),
        joined or dump(streams, None if len(stored) == 1 else compress),
    )
    return _HEADER.pack(first, *map(len, parts)) + b"".join(parts)


def _facts(stored: StoredBlob | None, names: BlockNames) -> tuple[int, int, int, int]:
    if stored is None:
        return _NOT_INDEXED, 0, 0, 0
    language, analysis = names.languages.index(stored.language), names.analyses.index(stored.analysis)
    return language, stored.size, stored.token_count, analysis


def _places(occurrences: Iterable[Occurrence]) -> list[tuple[str, str, str]]:
    return [(at.repository, at.path, at.revision) for at in occurrences]


class ContentBlock:
    """A block that was read. Each part is unpacked on first use. `first` is the number of the first content, and `ids`
    has the id of each, ascending. Raises ValueError or struct.error for other bytes.
    """

    def __init__(self, data: bytes, names: BlockNames) -> None:
        self._names = names
        self._parts: list[bytes] = []
        at = _HEADER.size
        self.first, *lengths = _HEADER.unpack_from(data)
        for length in lengths:
            self._parts.append(data[at : at + length])
            at += length
        self._facts: list[list[Any]] = json.loads(load(self._parts[0], 1, _decompress)[0])
        self.ids = [row[0] for row in self._facts]
        self._ranks = list(accumulate((row[1] != _NOT_INDEXED for row in self._facts), initial=0))

    @cached_property
    def _references(self) -> list[bytes] | Joined:
        return load(self._parts[1], self._ranks[-1], _decompress)

    @cached_property
    def _streams(self) -> list[bytes] | Joined:
        return load(self._parts[2], self._ranks[-1], _decompress)

    def stored(self, at: int, names: Collection[str]) -> StoredBlob | None:
        """A content without its source, with the large fields in `names`, by its place; None if it is not indexed."""
        blob, language, size, token_count, analysis, _ = self._facts[at]
        if language == _NOT_INDEXED:
            return None
        return StoredBlob(
            blob=blob,
            language=self._names.languages[language],
            size=size,
            token_count=token_count,
            tokens=self._streams[self._ranks[at]] if "tokens" in names else b"",
            references=self._references[self._ranks[at]] if "references" in names else b"",
            analysis=self._names.analyses[analysis],
        )

    def occurrences(self, at: int) -> list[Occurrence]:
        """Where a content is, by its place in the block."""
        blob, places = self._facts[at][0], self._facts[at][5]
        return [Occurrence(repository, path, blob, revision) for repository, path, revision in places]


_decompress = partial(decompress, most=LARGEST)
