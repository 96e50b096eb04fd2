"""A corpus: every distinct content of some sources, or of an index, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.representations import segment_spans
from wherefrom.analyzers.tokens import Symbols, TokenClass, TokenStream, decode, decode_symbols
from wherefrom.errors import SourceError
from wherefrom.lab.figures import CorpusProgress, CorpusSize
from wherefrom.model import Representation, SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.sources.contents import read_blob
from wherefrom.sources.source import UNWANTED, Entry, Source, blob_id, refusal
from wherefrom.support.throttle import Throttle

if TYPE_CHECKING:
    from wherefrom.engines.engine import Engine

_BATCH = 256
"""Contents that are asked of an engine at once."""

_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class CorpusContent:
    """One content of the first repository that has it; `read` gives its bytes and tokens, None if not at hand."""

    repository: str
    language: str
    symbols: Symbols
    read: Callable[[], tuple[bytes, TokenStream] | None]

    def of(self, representations: Iterable[Representation]) -> Iterator[tuple[Representation, Symbols]]:
        """The pieces, each with those of these representations that it has k-grams in."""
        for piece in self.pieces():
            for representation in representations:
                if is_prose(piece) == (representation is Representation.TEXT):
                    yield representation, piece

    def pieces(self) -> Iterator[Symbols]:
        """Each segment: no k-gram crosses from one to the next."""
        codes, classes = self.symbols.codes, self.symbols.classes
        for begin, end in segment_spans(self.symbols):
            if end > begin:
                yield Symbols(codes[begin:end], classes[begin:end], np.zeros(1, np.int64))


def is_prose(piece: Symbols) -> bool:
    """Whether a piece has k-grams in `text` (else in the other representations)."""
    return bool(piece.classes[0] == TokenClass.CHARACTER)


_Read = Callable[[set[bytes]], Iterable[CorpusContent]]
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
        analyzer: Analyzer | None = None,
        progress: Callable[[CorpusProgress], None] | None = None,
    ) -> Corpus:
        """The code of clones, folders and archives, parsed as it is read."""
        analyzer = analyzer or Analyzer()
        return cls([(source.key, partial(_of_source, source, analyzer)) for source in sources], progress)

    @classmethod
    def of_engine(cls, engine: Engine, progress: Callable[[CorpusProgress], None] | None = None) -> Corpus:
        """What an index holds, from its stored tokens."""
        return cls(
            [(record.key, partial(_of_engine, engine, record.key)) for record in engine.repositories()], progress
        )

    @property
    def size(self) -> CorpusSize:
        """Of what the last iteration has read."""
        return CorpusSize(len(self._repositories), self._contents, self._tokens, dict(self._failed))

    def __iter__(self) -> Iterator[CorpusContent]:
        self._contents = self._tokens = 0
        self._failed = {}
        progress = Throttle(self._progress)
        seen: set[bytes] = set()
        for number, (key, read) in enumerate(self._repositories):
            try:
                for content in read(seen):
                    self._contents += 1
                    self._tokens += len(content.symbols)
                    yield content
                    self._tell(progress, key, number)
            except SourceError as error:
                self._failed[key] = str(error)
        self._tell(progress, "", len(self._repositories), last=True)

    def _tell(self, progress: Throttle[CorpusProgress], key: str, number: int, *, last: bool = False) -> None:
        def event() -> CorpusProgress:
            total = len(self._repositories)
            return CorpusProgress(key, number, total, self._contents, self._tokens, progress.seconds)

        progress.report(event, last=last)


def _of_source(source: Source, analyzer: Analyzer, seen: set[bytes]) -> Iterator[CorpusContent]:
    wanted = (entry for entry in source.entries() if _is_wanted(entry) and not _is_seen(entry, seen))
    for entry, content in source.read(wanted):
        if isinstance(content, SkipReason) or not _is_new(entry.blob or blob_id(content), seen):
            continue
        analysis = analyzer.file(entry.path, content, _LIMITS)
        if not isinstance(analysis, SkipReason):
            tokens = analysis.tokens
            yield CorpusContent(source.key, analysis.language, tokens, partial(_as_read, content, tokens))


def _as_read(content: bytes, tokens: TokenStream) -> tuple[bytes, TokenStream]:
    return content, tokens


def _of_engine(engine: Engine, key: str, seen: set[bytes]) -> Iterator[CorpusContent]:
    new = ((each.blob, each.path) for each in engine.occurrences(repository=key) if _is_new(each.blob, seen))
    while batch := dict(islice(new, _BATCH)):
        for name, blob in sorted(engine.blobs(batch).items()):
            symbols = decode_symbols(blob.tokens).symbols()
            yield CorpusContent(key, blob.language, symbols, partial(_stored, engine, key, batch[name], blob))


def _stored(engine: Engine, key: str, path: str, blob: StoredBlob) -> tuple[bytes, TokenStream] | None:
    record = engine.repository(key)
    content = blob.source if blob.source is not None or record is None else read_blob(record, path, blob.blob)
    return None if content is None else (content, decode(blob.tokens))


def _is_wanted(entry: Entry) -> bool:
    return entry.skip not in UNWANTED and not (
        refusal(entry, _LIMITS.max_file_size) or name_reason(entry.path, _LIMITS)
    )


def _is_seen(entry: Entry, seen: set[bytes]) -> bool:
    return entry.blob is not None and bytes.fromhex(entry.blob) in seen


def _is_new(blob: str, seen: set[bytes]) -> bool:
    """Whether a blob is met for the first time; it is noted."""
    before = len(seen)
    seen.add(bytes.fromhex(blob))
    return len(seen) > before
