"""Finds folders of one corpus that are copies of folders of another, and the revision that each is nearest to."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from wherefrom.compare.collection import Collection
from wherefrom.compare.pairing import MatchedFiles, covered
from wherefrom.fitted import RELATED
from wherefrom.model import RepositoryRecord
from wherefrom.queries.folders import Folder, copied_folders, depth, facing_folders, folders_above, is_code
from wherefrom.queries.occurrences import content_at
from wherefrom.queries.releases import MOST_CONTENTS, line_likeness, lines_of, missing_files
from wherefrom.results import Role, VendoredFolder
from wherefrom.sources.indexed import TaggedTree, read_blobs, tagged_trees


def vendored_folders(shared: Sequence[MatchedFiles], collection: Collection) -> tuple[VendoredFolder, ...]:
    """The folders of the first corpus that are copies, by repository and path. None is inside another one."""
    code = Counter(
        Folder(file.occurrence.repository, above)
        for file in collection.files
        if collection.submissions[file.submission].role is not Role.WITH and is_code(file.path)
        for above in folders_above(file.path)
    )

    def counted(copies: Mapping[int, MatchedFiles]) -> int:
        return sum(is_code(collection.files[left].path) for left in copies)

    found = copied_folders(_copies(shared, collection), code, counted)
    vendored = (_Vendored(*copy, collection).found() for copy in found)
    return tuple(sorted(vendored, key=lambda copy: (copy.repository, copy.folder)))


def _copies(
    shared: Sequence[MatchedFiles], collection: Collection
) -> dict[tuple[Folder, str], dict[int, MatchedFiles]]:
    """Maps a folder and a repository of the second corpus to the folder's files that have a copy in the repository.
    The copy's path ends with the file's path below the folder. Of several copies, the best one is given.
    """
    copies: defaultdict[tuple[Folder, str], dict[int, MatchedFiles]] = defaultdict(dict)
    for pair in sorted(shared, key=lambda pair: (pair.is_identical, pair.tokens)):  # the best one replaces the others
        here, there = (collection.files[file] for file in pair.files)
        if pair.is_identical or pair.tokens >= RELATED * max(1, min(here.tokens, there.tokens)):
            for path, _ in facing_folders(here.path, there.path):
                copies[Folder(here.occurrence.repository, path), there.occurrence.repository][pair.files[0]] = pair
    return copies


class _Vendored:
    """A folder that is a copy of a folder in the repository `origin`; `copies` are the pairs of files that show it."""

    def __init__(self, folder: Folder, origin: str, copies: Mapping[int, MatchedFiles], collection: Collection) -> None:
        self._folder, self._origin, self._copies, self._collection = folder, origin, copies, collection
        begin = f"{folder.path}/" if folder.path else ""
        self._files = {
            file.path[len(begin) :]: file
            for file in collection.files
            if file.occurrence.repository == folder.repository and file.path.startswith(begin)
        }
        known = {
            collection.files[left].path[len(begin) :]: collection.files[pair.files[1]].path
            for left, pair in copies.items()
        }
        facing = Counter(
            there for path, path_there in known.items() for here, there in facing_folders(path, path_there) if not here
        )
        self._origin_folder = min(facing, key=lambda there: (-facing[there], depth(there), there))
        self._there = {path: known.get(path, posixpath.join(self._origin_folder, path)) for path in self._files}
        """For each file of the folder (by path), its expected path in the origin."""

    def found(self) -> VendoredFolder:
        nearest = self._nearest()
        state = {path: nearest.blobs.get(there) for path, there in self._there.items()}
        own = {path: file.occurrence.blob for path, file in self._files.items()}
        remaining = sum(file.remaining_tokens for file in self._files.values())
        matched = covered(span for pair in self._copies.values() for span in pair.spans[0])
        return VendoredFolder(
            repository=self._folder.repository,
            folder=self._folder.path,
            origin=self._origin,
            origin_folder=self._origin_folder,
            revision=nearest.commit,
            tag=nearest.tag,
            files=len(own),
            identical=sum(state[path] == blob for path, blob in own.items()),
            changed=tuple(sorted(path for path, blob in own.items() if state[path] not in {blob, None})),
            added=tuple(sorted(path for path in own if state[path] is None)),
            missing=tuple(sorted(missing_files(nearest.blobs, self._there.values()))),
            containment=round(min(1.0, matched / max(1, remaining)), 6),
        )

    def _nearest(self) -> TaggedTree:
        """The state of the origin that is most like the folder, by common lines, then by the fewest missing files. Of
        equally good states, a tag comes before the indexed revision, and an older tag before a newer one.
        """
        record = self._collection.records[self._origin]
        indexed = {
            file.occurrence.path: file.occurrence.blob
            for file in self._collection.files
            if file.occurrence.repository == self._origin
        }
        states = list(tagged_trees(record))
        if not states:
            return TaggedTree(None, record.revision if record.is_git else "", indexed)
        likenesses = self._likenesses(record, states)

        def distance(state: TaggedTree) -> tuple[float, int, bool]:
            pairs = ((path, state.blobs.get(there, "")) for path, there in self._there.items())
            likeness = sum(likenesses.get(pair, 0.0) for pair in pairs)
            return -round(likeness, 6), len(missing_files(state.blobs, self._there.values())), state.tag is None

        return min(states, key=distance)

    def _likenesses(self, record: RepositoryRecord, states: Sequence[TaggedTree]) -> dict[tuple[str, str], float]:
        found = {(path, file.occurrence.blob): 1.0 for path, file in self._files.items()}
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        for path, there in self._there.items():
            for blob in {state.blobs[there] for state in states if there in state.blobs}:
                if (path, blob) not in found:
                    wanted[blob].add(path)
        own = {}
        for path in set().union(*wanted.values()):
            at = self._files[path].occurrence
            own[path] = lines_of(content_at(self._collection.engine, at.repository, at.path, at.blob) or b"")
        for blob, content in read_blobs(record, sorted(wanted)[:MOST_CONTENTS]):
            theirs = lines_of(content)
            for path in wanted[blob]:
                found[path, blob] = line_likeness(own[path], theirs)
        return found
