"""Finds the releases that a folder, a file or a piece of code may be from: versions of packages, and tags of clones."""

from __future__ import annotations

import math
import posixpath
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError
from wherefrom.fitted import RELATED
from wherefrom.model import Occurrence, RepositoryRecord, SkipReason
from wherefrom.options import Limits, ReleasesOptions, SearchOptions, SimilarOptions
from wherefrom.options.shared import QueryOptions
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.folders import depth, facing_folders, is_code
from wherefrom.queries.history import PACKAGE
from wherefrom.queries.occurrences import content_at, current_occurrences, records_at
from wherefrom.queries.searching import search
from wherefrom.queries.similarity.similar_files import similar_to
from wherefrom.queries.snippet import name_with_lines
from wherefrom.results import FittingRelease, ReleasesResult
from wherefrom.sources.indexed import TaggedTree, read_blobs, tagged_trees
from wherefrom.sources.repository_urls import package_parts
from wherefrom.sources.source import blob_ids
from wherefrom.support.chunks import by_key
from wherefrom.support.values import dataclass, fields, replace

MOST_CONTENTS = 20_000  # at most this many contents, from the files of all releases, are compared with a folder
MOST_REPOSITORIES = 500  # this many repositories and versions of packages are compared: those with most identical files
MOST_CLONES = 5  # of these, at most this many are clones, whose tags are all read
MOST_SIMILAR = 5  # if no file of a folder has the same bytes anywhere, this many of its files are compared by likeness
MOST_HITS = 50  # the places of this many hits are releases of a file or a piece of code


def releases(
    engine: Engine,
    files: Mapping[str, bytes],
    options: ReleasesOptions,
    *,
    references: IndexReferences | None = None,
    analyzer: Analyzer | None = None,
) -> ReleasesResult:
    """Finds the releases that fit (`wherefrom.Index.releases` has arguments). Others as in `searching.search`."""
    begin = time.perf_counter()
    compared = len(files)
    if "" in files:
        content = files[""]
        alike = _like(engine, content, options, references, analyzer)
        identical = [] if options.lines is not None else _identical(engine, content)
        places = {release.occurrence.repository: release for release in (*alike, *identical)}
        clones = [it for it in places.values() if it.record is not None and it.record.is_git][:MOST_CLONES]
        found = [*places.values(), *(tagged for clone in clones for tagged in _tagged(clone, content, options.lines))]
    else:
        folder = _GivenFolder(engine, files, analyzer)
        found, compared = folder.releases(), folder.compared
    found.sort(key=lambda it: (-it.likeness, len(it.missing), it.version is None, it.released or "~"))
    shown = found[: options.limit]
    records = records_at(engine, [release.occurrence for release in shown])
    return ReleasesResult(
        name=name_with_lines(options.name, options.lines),
        files=compared,
        releases=tuple(replace(release, record=records.get(release.occurrence.repository)) for release in shown),
        total=len(found),
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
    )


def lines_of(content: bytes) -> Counter[bytes]:
    """The lines of a content that are not blank, stripped."""
    return Counter(line.strip() for line in content.splitlines() if line.strip())


def line_likeness(one: Counter[bytes], other: Counter[bytes]) -> float:
    """The share of common lines of two contents, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def missing_files(state: Mapping[str, str], present: Collection[str]) -> list[str]:
    """The files with code of a release (its blobs by path) that a copy lacks, in folders from which it has others.
    `present` are the paths of the copy's files there, also of those that the release does not have.
    """
    shared = {path for path in present if path in state}
    folders = {posixpath.dirname(path) for path in shared}
    return [path for path in state if path not in shared and posixpath.dirname(path) in folders and is_code(path)]


def _unversioned(key: str) -> str:
    return package_parts(key)[0] if key.startswith(PACKAGE) else key


def _identical(engine: Engine, content: bytes) -> list[FittingRelease]:
    places = [
        at for found in current_occurrences(engine, sorted(engine.known(blob_ids(content)))).values() for at in found
    ]
    first = {at.repository: at for at in reversed(places)}
    records = records_at(engine, first.values())
    return [_release(at, records.get(key), None, 1.0, identical=1) for key, at in first.items()]


def _tagged(clone: FittingRelease, content: bytes, lines: tuple[int, int] | None) -> Iterator[FittingRelease]:
    """The tags of a clone at which the file at a path has most lines of a content, or of some of its lines."""
    assert clone.record is not None
    path, ids = clone.occurrence.path, set() if lines is not None else blob_ids(content)
    if lines is not None:
        content = b"\n".join(content.splitlines()[lines[0] - 1 : lines[1]])
    own = lines_of(content)
    trees = [tree for tree in tagged_trees(clone.record) if tree.tag is not None and path in tree.blobs]
    contents = dict(read_blobs(clone.record, {tree.blobs[path] for tree in trees}))
    for tree in trees:
        theirs = lines_of(contents.get(tree.blobs[path], b""))
        is_same = tree.blobs[path] in ids
        alike = line_likeness(own, theirs if lines is None else own & theirs)
        if alike >= RELATED:
            at = Occurrence(clone.occurrence.repository, path, tree.blobs[path], tree.commit)
            yield _release(at, clone.record, tree, alike, identical=int(is_same))


def _like(
    engine: Engine,
    content: bytes,
    options: ReleasesOptions,
    references: IndexReferences | None,
    analyzer: Analyzer | None,
) -> list[FittingRelease]:
    query = {field.name: getattr(options, field.name) for field in fields(QueryOptions)}
    result = search(engine, content, SearchOptions(limit=MOST_HITS, **query), references=references, analyzer=analyzer)
    best: dict[str, FittingRelease] = {}
    for hit in result.hits:
        for place in hit.places:
            record = result.repositories.get(place.occurrence.repository)
            release = _release(place.occurrence, record, None, place.content.match / 100)
            release = replace(release, matched_regions=place.content.matched_regions)
            known = best.get(release.occurrence.repository)
            if known is None or release.likeness > known.likeness:
                best[release.occurrence.repository] = release
    return [*best.values()]


def _release(
    at: Occurrence, record: RepositoryRecord | None, tree: TaggedTree | None, likeness: float, *, identical: int = 0
) -> FittingRelease:
    is_package = record is not None and record.is_package
    return FittingRelease(
        occurrence=at,
        record=record,
        version=package_parts(at.repository)[1] if is_package else None if tree is None else tree.tag,
        released=record.package.released if record and record.package else tree.day if tree else "",
        likeness=math.floor(likeness * 1e6) / 1e6,
        identical=identical,
    )


@dataclass(frozen=True, slots=True)
class _FolderState:
    record: RepositoryRecord
    folder: str
    tree: TaggedTree


class _GivenFolder:
    def __init__(self, engine: Engine, files: Mapping[str, bytes], analyzer: Analyzer | None) -> None:
        self._engine, self._files, self._analyzer = engine, files, analyzer or Analyzer()
        self._blobs = {path: blob_ids(content) for path, content in files.items()}
        self.compared = 0

    def releases(self) -> list[FittingRelease]:
        """The releases with an identical file, or with a part of the code, in no order."""
        states = [state for record, folder in self._origins() for state in self._states(record, folder)]
        known = {path for state in states for path in state.tree.blobs}
        paths = [path for path in self._files if path in known or self._is_indexable(path)]
        self.compared = len(paths)
        likenesses = self._likenesses(states, paths)
        found = []
        for state in states:
            blobs = state.tree.blobs
            same = [path for path in paths if blobs.get(path) in self._blobs[path]]
            alike = sum(likenesses.get((path, blobs.get(path, "")), 0.0) for path in paths)
            if not same and alike < RELATED * len(paths):
                continue
            at = Occurrence(state.record.key, state.folder, "", state.tree.commit)
            made = _release(at, state.record, state.tree, alike / len(paths), identical=len(same))
            found.append(
                replace(
                    made,
                    changed=tuple(sorted(path for path in paths if path in blobs and path not in same)),
                    added=tuple(sorted(path for path in paths if path not in blobs)),
                    missing=tuple(sorted(missing_files(blobs, paths))),
                )
            )
        return found

    def _is_indexable(self, path: str) -> bool:
        """Whether a file that no release has would be in the index if one had it."""
        return is_code(path) and not isinstance(self._analyzer.file(path, self._files[path], Limits()), SkipReason)

    def _origins(self) -> list[tuple[RepositoryRecord, str]]:
        """The repositories that have files of this folder at the same paths below one of their own folders, and that
        folder; those with most files first.
        """
        votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for path, at in self._identical() or self._similar():
            votes[at.repository].update(there for here, there in facing_folders(path, at.path) if not here)
        best = {
            key: min(folders, key=lambda there: (-folders[there], depth(there), there))
            for key, folders in votes.items()
            if folders
        }
        ranked = sorted(best, key=lambda key: (-votes[key][best[key]], key))
        of_package: dict[str, str] = {}
        for key in ranked:
            of_package.setdefault(_unversioned(key), best[key])
        # All files of another version of a package may differ.
        for key in self._engine.repository_keys() if best else ():
            if key not in best and key.startswith(PACKAGE) and _unversioned(key) in of_package:
                best[key] = of_package[_unversioned(key)]
                ranked.append(key)
        ranked = ranked[:MOST_REPOSITORIES]
        records = {record.key: record for record in self._engine.repositories(ranked)}
        clones = [key for key in ranked if key in records and records[key].is_git]
        return [(records[key], best[key]) for key in ranked if key in records and key not in clones[MOST_CLONES:]]

    def _identical(self) -> list[tuple[str, Occurrence]]:
        by_blob = by_key((blob, path) for path, blobs in self._blobs.items() for blob in blobs)
        found = current_occurrences(self._engine, sorted(self._engine.known(by_blob)))
        return [(path, at) for blob, places in found.items() for at in places for path in by_blob[blob]]

    def _similar(self) -> list[tuple[str, Occurrence]]:
        """The places of files that are like a file, each with the file's path; only of the longest files."""
        found = []
        code = sorted(filter(is_code, self._files), key=lambda path: -len(self._files[path]))
        for path in code[:MOST_SIMILAR]:
            with suppress(AnalysisError):
                options = SimilarOptions(name=path, limit=MOST_HITS)
                result = similar_to(self._engine, self._files[path], options, analyzer=self._analyzer)
                found += [(path, at) for hit in result.hits for at in hit.occurrences]
        return found

    def _states(self, record: RepositoryRecord, folder: str) -> Iterator[_FolderState]:
        begin = f"{folder}/" if folder else ""
        trees = [*tagged_trees(record)] if record.is_git else []
        if not trees:
            indexed = {at.path: at.blob for at in self._engine.occurrences(repository=record.key)}
            trees = [TaggedTree(None, record.revision, indexed)]
        for tree in trees:
            inner = {path[len(begin) :]: blob for path, blob in tree.blobs.items() if path.startswith(begin)}
            yield _FolderState(record, folder, replace(tree, blobs=inner))

    def _likenesses(self, states: Sequence[_FolderState], paths: Sequence[str]) -> dict[tuple[str, str], float]:
        found = {(path, blob): 1.0 for path in paths for blob in self._blobs[path]}
        wanted: dict[str, dict[str, tuple[_FolderState, str]]] = {}
        for state in states:
            for path in paths:
                blob = state.tree.blobs.get(path)
                if blob is not None and (path, blob) not in found:
                    wanted.setdefault(blob, {}).setdefault(path, (state, posixpath.join(state.folder, path)))
        own = {path: lines_of(self._files[path]) for path in {path for at in wanted.values() for path in at}}
        for blob, content in self._contents([*wanted.items()][:MOST_CONTENTS]):
            theirs = lines_of(content)
            for path in wanted[blob]:
                found[path, blob] = line_likeness(own[path], theirs)
        return found

    def _contents(
        self, wanted: Sequence[tuple[str, Mapping[str, tuple[_FolderState, str]]]]
    ) -> Iterator[tuple[str, bytes]]:
        in_clones: defaultdict[str, list[str]] = defaultdict(list)
        records: dict[str, RepositoryRecord] = {}
        for blob, at in wanted:
            state, path = next(iter(at.values()))
            if state.record.is_git:
                records[state.record.key] = state.record
                in_clones[state.record.key].append(blob)
            elif (content := content_at(self._engine, state.record.key, path, blob)) is not None:
                yield blob, content
        for key, blobs in in_clones.items():
            yield from read_blobs(records[key], blobs)
