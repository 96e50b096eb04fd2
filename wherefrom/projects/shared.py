"""Finds the repositories of an index that share code with one of them, and whether either side credits the other."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError
from wherefrom.model import Occurrence
from wherefrom.options import SourcesOptions
from wherefrom.projects.check.project import origin_of
from wherefrom.queries.attributing.evidence import gather
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.decomposition import sources
from wherefrom.queries.folders import is_code
from wherefrom.queries.occurrences import content_at, records_at
from wherefrom.queries.repository_names import repository
from wherefrom.results import SharedCode, SharedFile, SharingRepository
from wherefrom.results.regions import joined
from wherefrom.support.chunks import batches
from wherefrom.support.values import dataclass, field, replace

BATCH = 500  # the places and the sizes of this many contents are read at once
MOST_SIZED = 5_000  # the sizes of at most this many contents are read. The others come after these, by path

MOST_TOKENS = 20_000
"""Parts of a file with more tokens are not looked up: one such file may take longer than all others together."""

MOST_LOOKED_UP = 20  # parts of at most this many files are looked up
DOCUMENTS = 20  # a part of a file is looked up in at most this many documents
MOST_REPOSITORIES = 100  # at most this many repositories are named, those that share most
MOST_EXAMPLES = 5  # at most this many examples are named of the same contents, and of the parts, that a repository has


@dataclass(slots=True)
class _Sharing:
    same: int = 0
    lines: int = 0
    same_files: list[SharedFile] = field(default_factory=list)
    parts: list[SharedFile] = field(default_factory=list)

    def examples(self) -> list[SharedFile]:
        """Some of the files."""
        parts = sorted(self.parts, key=lambda part: (-_length(part), part.here.path))
        return self.same_files + parts[:MOST_EXAMPLES]


def shared(
    engine: Engine,
    name: str,
    folder: str,
    *,
    begin: int,
    seconds: float,
    references: IndexReferences,
    analyzer: Analyzer,
) -> SharedCode:
    """Finds who shares code with a repository (`wherefrom.Index.shared` has arguments and errors)."""
    record = repository(engine, name)
    references.refresh()
    found: defaultdict[str, _Sharing] = defaultdict(_Sharing)
    files = same = 0
    others: dict[str, Occurrence] = {}
    own = (at for at in engine.occurrences(repository=record.key) if at.path.startswith(folder) and is_code(at.path))
    for batch in batches(own, BATCH):
        files += len(batch)
        places: defaultdict[str, dict[str, Occurrence]] = defaultdict(dict)
        for at in engine.occurrences(blobs={at.blob for at in batch}):
            if at.repository != record.key:  # the first place in each repository
                places[at.blob].setdefault(at.repository, at)
        for at in batch:
            same += at.blob in places
            for there in places.get(at.blob, {}).values():
                sharing = found[there.repository]
                sharing.same += 1
                if len(sharing.same_files) < MOST_EXAMPLES:
                    sharing.same_files.append(SharedFile(at, there))
            if at.blob not in places:
                others.setdefault(at.blob, at)
    fitting = _largest_first(engine, [*others.values()]) if engine.has_code else []
    end, unread, stop = begin, 0, time.monotonic() + seconds
    for at in fitting[begin : begin + MOST_LOOKED_UP]:
        if end > begin and time.monotonic() > stop:
            break
        end += 1
        content = content_at(engine, at.repository, at.path, at.blob)
        try:
            parts = [] if content is None else [*_parts(engine, at, content, references, analyzer)]
            unread += content is None
        except AnalysisError:
            parts, unread = [], unread + 1
        for part in parts:
            found[part.there.repository].lines += _length(part)
            found[part.there.repository].parts.append(part)
    return SharedCode(
        record=record,
        files=files,
        same=same,
        others=len(others),
        fitting=len(fitting),
        begin=begin,
        end=end,
        unread=unread,
        total=len(found),
        repositories=_repositories(engine, found, references),
    )


def _largest_first(engine: Engine, files: Sequence[Occurrence]) -> list[Occurrence]:
    tokens: Counter[str] = Counter()
    for batch in batches(files[:MOST_SIZED], BATCH):
        stored = engine.blobs([at.blob for at in batch])
        tokens.update({blob: content.token_count for blob, content in stored.items()})
    fitting = (at for at in files if tokens[at.blob] <= MOST_TOKENS)
    return sorted(fitting, key=lambda at: (-tokens[at.blob], at.path))


def _parts(
    engine: Engine, at: Occurrence, content: bytes, references: IndexReferences, analyzer: Analyzer
) -> Iterator[SharedFile]:
    """For each repository that has lines of a file, its place with most of them, and all lines that it has."""
    options = SourcesOptions(name=at.path, limit=DOCUMENTS, not_itself=True, own=(at.repository,))
    places: defaultdict[str, list[SharedFile]] = defaultdict(list)
    for document in sources(engine, content, options, references=references, analyzer=analyzer).documents:
        regions = joined([region.lines for region in document.matched_regions])
        for there, lines in document.covering():
            lines_there = regions if there.blob == document.blob else ()
            places[there.repository].append(SharedFile(at, there, lines, lines_there))
    for parts in places.values():
        yield replace(max(parts, key=_length), lines=joined([span for part in parts for span in part.lines]))


def _length(part: SharedFile) -> int:
    return sum(span.last - span.first + 1 for span in part.lines)


def _repositories(
    engine: Engine, found: dict[str, _Sharing], references: IndexReferences
) -> tuple[SharingRepository, ...]:
    ordered = sorted(found.items(), key=lambda item: (-item[1].same, -item[1].lines, item[0]))[:MOST_REPOSITORIES]
    examples = {key: sharing.examples() for key, sharing in ordered}
    records = records_at(engine, [pair.there for pairs in examples.values() for pair in pairs])
    references.load(at.blob for pairs in examples.values() for pair in pairs for at in (pair.here, pair.there))
    return tuple(
        SharingRepository(
            repository=key,
            record=records.get(key),
            same=sharing.same,
            lines=sharing.lines,
            examples=tuple(_with_credit(pair, references) for pair in examples[key]),
        )
        for key, sharing in ordered
    )


def _with_credit(pair: SharedFile, references: IndexReferences) -> SharedFile:
    stated = [
        (references.record(at.repository), references.statements(at), [(span.first, span.last) for span in lines])
        for at, lines in pair.sides
    ]
    here, there = (
        next(iter(gather(origin_of(*other), statements, lines).evidence), None)
        for (_, statements, lines), other in zip(stated, reversed(stated), strict=True)
    )
    return replace(pair, credit_here=here, credit_there=there)
