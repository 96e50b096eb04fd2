"""Folders of one corpus that are copies of folders of another, and the revision that each is nearest to."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wherefrom.analyzers.guessing import guess
from wherefrom.compare.pairing import covered
from wherefrom.fitted import PART
from wherefrom.languages import LANGUAGES
from wherefrom.model import RepositoryRecord
from wherefrom.queries.folders import Folder, copied_folders, depth, facing_folders, folders_above
from wherefrom.queries.occurrences import content_at
from wherefrom.results import Role, VendoredFolder
from wherefrom.sources.tags import TaggedFolder, read_blobs, tagged_folders

if TYPE_CHECKING:
    from wherefrom.compare.collection import Collection
    from wherefrom.compare.mapping import Shared

MOST_CONTENTS = 20_000
"""Contents of the files of a folder at all tags that are compared with its own."""


def vendored_folders(shared: Sequence[Shared], collection: Collection) -> tuple[VendoredFolder, ...]:
    """The folders of the first corpus that are copies, by repository and path; none is in another one."""
    code = Counter(
        Folder(file.occurrence.repository, above)
        for file in collection.files
        if collection.submissions[file.submission].role is not Role.WITH and _is_code(file.path)
        for above in folders_above(file.path)
    )

    def counted(copies: Mapping[int, Shared]) -> int:
        return sum(_is_code(collection.files[left].path) for left in copies)

    found = copied_folders(_copies(shared, collection), code, counted)
    vendored = (_Vendored(*each, collection).found() for each in found)
    return tuple(sorted(vendored, key=lambda each: (each.repository, each.folder)))


def _copies(shared: Sequence[Shared], collection: Collection) -> dict[tuple[Folder, str], dict[int, Shared]]:
    """For each folder and each repository of the second corpus the files below the folder that have a copy there, at
    the same path below some folder: the one that has most of each.
    """
    copies: defaultdict[tuple[Folder, str], dict[int, Shared]] = defaultdict(dict)
    for each in sorted(shared, key=lambda each: (each.is_identical, each.tokens)):  # the last one stays
        here, there = (collection.files[file] for file in each.files)
        if each.is_identical or each.tokens >= PART * max(1, min(here.tokens, there.tokens)):
            for path, _ in facing_folders(here.path, there.path):
                copies[Folder(here.occurrence.repository, path), there.occurrence.repository][each.files[0]] = each
    return copies


class _Vendored:
    """A folder that is a copy."""

    def __init__(self, folder: Folder, origin: str, copies: Mapping[int, Shared], collection: Collection) -> None:
        self._folder, self._origin, self._copies, self._collection = folder, origin, copies, collection
        begin = f"{folder.path}/" if folder.path else ""
        self._files = {
            file.path[len(begin) :]: file
            for file in collection.files
            if file.occurrence.repository == folder.repository and file.path.startswith(begin)
        }
        known = {
            collection.files[left].path[len(begin) :]: collection.files[each.files[1]].path
            for left, each in copies.items()
        }
        facing = Counter(
            there for path, path_there in known.items() for here, there in facing_folders(path, path_there) if not here
        )
        self._origin_folder = min(facing, key=lambda there: (-facing[there], depth(there), there))
        self._there = {path: known.get(path, posixpath.join(self._origin_folder, path)) for path in self._files}
        """For each of its files the path at which it is expected in the origin."""

    def found(self) -> VendoredFolder:
        """What it is a copy of."""
        nearest = self._nearest()
        state = {path: nearest.blobs.get(there) for path, there in self._there.items()}
        own = {path: file.occurrence.blob for path, file in self._files.items()}
        remaining = sum(file.remaining_tokens for file in self._files.values())
        matched = covered((left, *span) for left, each in self._copies.items() for span in each.spans[0])
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
            missing=tuple(sorted(self._missing(nearest))),
            containment=round(min(1.0, matched / max(1, remaining)), 6),
        )

    def _nearest(self) -> TaggedFolder:
        """The state of the origin whose files are most like these: by their lines, then by what is missing.

        Of equal ones a tag comes before the revision that is indexed, and the oldest tag before the others.
        """
        record = self._collection.records[self._origin]
        indexed = {
            file.occurrence.path: file.occurrence.blob
            for file in self._collection.files
            if file.occurrence.repository == self._origin
        }
        states = list(tagged_folders(record, ""))
        if not states:
            return TaggedFolder(None, record.revision if record.kind == "git" else "", indexed)
        likenesses = self._likenesses(record, states)

        def distance(state: TaggedFolder) -> tuple[float, int, bool]:
            pairs = ((path, state.blobs.get(there, "")) for path, there in self._there.items())
            likeness = sum(likenesses.get(pair, 0.0) for pair in pairs)
            return -round(likeness, 6), len(self._missing(state)), state.tag is None

        return min(states, key=distance)

    def _likenesses(self, record: RepositoryRecord, states: Sequence[TaggedFolder]) -> dict[tuple[str, str], float]:
        """How like each file (path) is to its contents (blob) in these states, by their lines."""
        found = {(path, file.occurrence.blob): 1.0 for path, file in self._files.items()}
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        for path, there in self._there.items():
            for blob in {state.blobs[there] for state in states if there in state.blobs}:
                if (path, blob) not in found:
                    wanted[blob].add(path)
        own = {path: self._lines(path) for path in set().union(*wanted.values())}
        for blob, content in read_blobs(record, sorted(wanted)[:MOST_CONTENTS]):
            theirs = _lines(content)
            for path in wanted[blob]:
                found[path, blob] = _likeness(own[path], theirs)
        return found

    def _lines(self, path: str) -> Counter[bytes]:
        at = self._files[path].occurrence
        return _lines(content_at(self._collection.engine, at.repository, at.path, at.blob) or b"")

    def _missing(self, state: TaggedFolder) -> list[str]:
        """The files with code that the copy lacks, of the folders from which it has others."""
        present = {there for there in self._there.values() if there in state.blobs}
        folders = {posixpath.dirname(there) for there in present}
        return [
            path
            for path in state.blobs
            if path not in present and posixpath.dirname(path) in folders and _is_code(path)
        ]


def _lines(content: bytes) -> Counter[bytes]:
    """The lines of a content that are not blank, without the blanks around them."""
    return Counter(line.strip() for line in content.splitlines() if line.strip())


def _likeness(own: Counter[bytes], theirs: Counter[bytes]) -> float:
    """The share of the lines of both that both have, 0 to 1."""
    total = own.total() + theirs.total()
    return 2 * (own & theirs).total() / total if total else 1.0


def _is_code(path: str) -> bool:
    """Whether a file is in a language of programs, by its name."""
    language = LANGUAGES[guess(path, b"")]
    return bool(language.grammar) and language.name not in {"html", "css"}
