"""A corpus: every distinct content of some sources, or of an index, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.representations import segment_spans
from wherefrom.analyzers.tokens import Symbols, TokenClass, decode_symbols
from wherefrom.errors import SourceError
from wherefrom.lab.figures import CorpusProgress, CorpusSize
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.sources import blob_id
from wherefrom.sources.source import UNWANTED, refusal
from wherefrom.throttle import Throttle
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from wherefrom.engines.engine import Engine
    from wherefrom.sources import Entry, Source

_BATCH = 256
"""Contents that are asked of an engine at once."""

_NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Content:
    """One content, under the first repository that has it."""

    repository: str
    language: str
    symbols: Symbols

    def pieces(self) -> Iterator[Symbols]:
        """Each segment on its own: no k-gram crosses from one to the next."""
        codes, classes = self.symbols.codes, self.symbols.classes
        for begin, end in segment_spans(self.symbols):
            if end > begin:
                yield Symbols(codes[begin:end], classes[begin:end], np.zeros(1, np.int64))


def is_prose(piece: Symbols) -> bool:
    """Whether a piece has k-grams in `text` (else in the other representations)."""
    return bool(piece.classes[0] == TokenClass.CHARACTER)


_Read = Callable[[set[bytes]], Iterable[tuple[str, Symbols]]]
"""Reads the contents of a repository that are not in the set of blob ids, and adds them to it."""


class Corpus:
    """Every distinct content once; read again by each iteration, one content in memory at a time.

    What is left out is what indexing leaves out. A repository that cannot be read does not stop the others.
    """

    def __init__(
        self, repositories: Sequence[tuple[str, _Read]], progress: Callable[[CorpusProgress], None] | None = None
    ) -> None:
        self._repositories = repositories
        self._progress = progress
        self._contents = self._tokens = 0
        self._failed: dict[str, str] = {}

    @classmethod
    def of_sources(
        cls,
        sources: Iterable[Source],
        limits: Limits = _NO_LIMITS,
        analyzer: Analyzer | None = None,
        progress: Callable[[CorpusProgress], None] | None = None,
    ) -> Corpus:
        """The code of clones, folders and archives, parsed as it is read."""
        analyzer = analyzer or Analyzer()
        return cls([(source.key, _source_reader(source, limits, analyzer)) for source in sources], progress)

    @classmethod
    def of_engine(cls, engine: Engine, progress: Callable[[CorpusProgress], None] | None = None) -> Corpus:
        """What an index holds, from its stored tokens."""
        return cls([(record.key, _engine_reader(engine, record.key)) for record in engine.repositories()], progress)

    @property
    def size(self) -> CorpusSize:
        """Of what the last iteration has read."""
        return CorpusSize(len(self._repositories), self._contents, self._tokens, dict(self._failed))

    def __iter__(self) -> Iterator[Content]:
        self._contents = self._tokens = 0
        self._failed = {}
        progress = Throttle(self._progress)
        seen: set[bytes] = set()
        for number, (key, read) in enumerate(self._repositories):
            try:
                for language, symbols in read(seen):
                    self._contents += 1
                    self._tokens += len(symbols)
                    yield Content(key, language, symbols)
                    self._tell(progress, key, number)
            except SourceError as error:
                self._failed[key] = str(error)
        self._tell(progress, "", len(self._repositories), last=True)

    def _tell(self, progress: Throttle[CorpusProgress], key: str, number: int, *, last: bool = False) -> None:
        def event() -> CorpusProgress:
            total = len(self._repositories)
            return CorpusProgress(key, number, total, self._contents, self._tokens, progress.seconds)

        progress.report(event, last=last)


def _source_reader(source: Source, limits: Limits, analyzer: Analyzer) -> _Read:
    def read(seen: set[bytes]) -> Iterator[tuple[str, Symbols]]:
        wanted = (entry for entry in source.entries() if _is_wanted(entry, limits) and not _is_seen(entry, seen))
        for entry, content in source.read(wanted):
            if isinstance(content, SkipReason) or not _is_new(entry.blob or blob_id(content), seen):
                continue
            analysis = analyzer.file(entry.path, content, limits)
            if not isinstance(analysis, SkipReason):
                yield analysis.language, analysis.tokens

    return read


def _engine_reader(engine: Engine, key: str) -> _Read:
    def read(seen: set[bytes]) -> Iterator[tuple[str, Symbols]]:
        new = (each.blob for each in engine.occurrences(repository=key) if _is_new(each.blob, seen))
        while batch := list(islice(new, _BATCH)):
            for _, blob in sorted(engine.blobs(batch).items()):
                yield blob.language, decode_symbols(blob.tokens).symbols()

    return read


def _is_wanted(entry: Entry, limits: Limits) -> bool:
    if entry.skip in UNWANTED and not limits.include_generated:
        return False
    return not (refusal(entry, limits.max_file_size) or name_reason(entry.path, limits))


def _is_seen(entry: Entry, seen: set[bytes]) -> bool:
    return entry.blob is not None and bytes.fromhex(entry.blob) in seen


def _is_new(blob: str, seen: set[bytes]) -> bool:
    """Whether a blob is met for the first time; it is noted."""
    before = len(seen)
    seen.add(bytes.fromhex(blob))
    return len(seen) > before
