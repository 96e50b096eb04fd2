"""Reads a corpus: every distinct file content of some sources, or of an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from wherefrom.analyzers import tokens
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.representations import segment_spans
from wherefrom.engines.engine import Engine
from wherefrom.errors import SourceError
from wherefrom.lab.figures import CorpusProgress, CorpusSize
from wherefrom.model import Representation, SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.sources.indexed import read_blob
from wherefrom.sources.source import UNWANTED, Entry, Source, blob_id, refusal
from wherefrom.support.chunks import batches
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass

_BATCH = 256  # the number of contents that are read from an engine at a time

_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class CorpusContent:
    """A file content and the first repository that has it. `read` returns its bytes and tokens; None if unreadable."""

    repository: str
    language: str
    symbols: tokens.Symbols
    read: Callable[[], tuple[bytes, tokens.TokenStream] | None]

    def of(self, representations: Iterable[Representation]) -> Iterator[tuple[Representation, tokens.Symbols]]:
        """Yields each segment with each representation that applies to it: `text` to prose, all others to code."""
        codes, classes = self.symbols.codes, self.symbols.classes
        for begin, end in segment_spans(self.symbols):
            if end > begin:  # no k-gram reaches from one segment into the next
                piece = tokens.Symbols(codes[begin:end], classes[begin:end], np.zeros(1, np.int64))
                is_prose = classes[begin] == tokens.TokenClass.CHARACTER
                for representation in representations:
                    if is_prose == (representation is Representation.TEXT):
                        yield representation, piece


_Read = Callable[[set[bytes]], Iterable[CorpusContent]]
"""Yields the contents of a repository whose blob ids are not in the given set, and adds their ids to the set."""


class Corpus:
    """Every distinct content of some repositories, once. Each iteration reads them again, one content at a time.

    Files that indexing skips are left out. If one repository cannot be read, the others are read nevertheless.
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
        """The code in an index, from its stored tokens."""
        return cls(
            [(record.key, partial(_of_engine, engine, record.key)) for record in engine.repositories()], progress
        )

    @property
    def size(self) -> CorpusSize:
        """The size of the code that the last iteration has read so far."""
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
        done, total = (self._contents, self._tokens), len(self._repositories)
        progress.report(lambda: CorpusProgress(key, number, total, *done, progress.seconds), last=last)


def _of_source(source: Source, analyzer: Analyzer, seen: set[bytes]) -> Iterator[CorpusContent]:
    wanted = (entry for entry in source.entries() if _is_wanted(entry, seen))
    for entry, content in source.read(wanted):
        if isinstance(content, SkipReason) or not _is_new(entry.blob or blob_id(content), seen):
            continue
        analysis = analyzer.file(entry.path, content, _LIMITS)
        if not isinstance(analysis, SkipReason):
            stream = analysis.tokens
            yield CorpusContent(source.key, analysis.language, stream, partial(_as_read, content, stream))


def _as_read(content: bytes, read: tokens.TokenStream) -> tuple[bytes, tokens.TokenStream]:
    return content, read


def _of_engine(engine: Engine, key: str, seen: set[bytes]) -> Iterator[CorpusContent]:
    new = ((at.blob, at.path) for at in engine.occurrences(repository=key) if _is_new(at.blob, seen))
    for batch in batches(new, _BATCH):
        paths = dict(batch)
        for name, blob in sorted(engine.blobs(paths).items()):
            symbols = tokens.decode_symbols(tokens.without_insides(blob).tokens).symbols()
            yield CorpusContent(key, blob.language, symbols, partial(_stored, engine, key, paths[name], blob))


def _stored(engine: Engine, key: str, path: str, blob: StoredBlob) -> tuple[bytes, tokens.TokenStream] | None:
    record = engine.repository(key)
    content = blob.source if blob.source is not None or record is None else read_blob(record, path, blob.blob)
    return None if content is None else (content, tokens.outside(tokens.decode(blob.tokens)))


def _is_wanted(entry: Entry, seen: set[bytes]) -> bool:
    if entry.skip in UNWANTED or refusal(entry, _LIMITS.max_file_size) or name_reason(entry.path, _LIMITS):
        return False
    return entry.blob is None or bytes.fromhex(entry.blob) not in seen


def _is_new(blob: str, seen: set[bytes]) -> bool:
    """Adds a blob id to the set of seen ids. Returns whether the id was new."""
    before = len(seen)
    seen.add(bytes.fromhex(blob))
    return len(seen) > before
