"""The user's own clones of indexed repositories, which have the code that an index without code lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.errors import AnalysisError, UsageError
from wherefrom.model import Occurrence, RepositoryRecord, SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.sources.indexed import read_blob
from wherefrom.sources.source import Source

_KEPT = 1 << 24  # clones keep token streams of about this many bytes


class Clones:
    """Reads contents of indexed repositories from clones, folders and archives of the user."""

    def __init__(self, sources: Iterable[Source], analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._limits = Limits(include_generated=True, include_data=True)
        self._places = {source.key: (source.location, source.kind) for source in sources}
        self._read: dict[str, bytes | None] = {}
        self._size = 0
        if not self._places:
            raise UsageError("--read-from names no clone; name clones, or a folder that has some")

    def record(self, record: RepositoryRecord) -> RepositoryRecord:
        """The record of a repository, with the location of the user's clone if there is one."""
        location, kind = self._places.get(record.key, ("", record.kind))
        return replace(record, location=location, kind=kind) if location else record

    def with_tokens(
        self, stored: StoredBlob, occurrences: Sequence[Occurrence], records: dict[str, RepositoryRecord]
    ) -> StoredBlob:
        """A blob with its token stream, if a clone has the content; otherwise the blob as it is."""
        if stored.blob not in self._read:
            places = (at for at in occurrences if at.repository in self._places and at.repository in records)
            found = (self._tokens(at, records[at.repository]) for at in places)
            tokens = next((tokens for tokens in found if tokens is not None), None)
            self._read[stored.blob] = tokens
            self._size += len(tokens or b"")
            while self._size > _KEPT and len(self._read) > 1:
                self._size -= len(self._read.pop(next(iter(self._read))) or b"")
        tokens = self._read.get(stored.blob)
        return stored if tokens is None else replace(stored, tokens=tokens)

    def _tokens(self, at: Occurrence, record: RepositoryRecord) -> bytes | None:
        content = read_blob(self.record(record), at.path, at.blob)
        if content is None:
            return None
        try:
            made = self._analyzer.document(at.path, content, self._limits)
        except AnalysisError:
            return None
        return None if isinstance(made, SkipReason) else made.tokens
