"""What is in a folder of a repository at each of its tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from wherefrom.errors import SourceError
from wherefrom.model import RepositoryRecord
from wherefrom.sources.cat_file import read_listed
from wherefrom.sources.command import object_environment, records
from wherefrom.sources.git import clone_environment, resolve
from wherefrom.sources.git_folder import existing_git_dir, objects
from wherefrom.sources.source import Entry, found_path, is_object_id, path_bytes, path_text

MOST_TAGS = 5_000
"""Tags that are looked at, the oldest ones."""

_MOST_CONTENT = 2_000_000
"""Bytes of a content that is read."""

_SECONDS = 20.0
_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class TaggedFolder:
    """A folder at a commit: that of a tag, or the one that is indexed (`tag` is None). `blobs` has the ids of its
    regular files by their paths below it.
    """

    tag: str | None
    commit: str
    blobs: Mapping[str, str]


def tagged_folders(record: RepositoryRecord, folder: str) -> Iterator[TaggedFolder]:
    """A folder at the revision that is indexed, then at each tag, the oldest first.

    Args:
        record: of the repository; nothing is given for one that is not a git repository, or whose clone is gone.
        folder: as it is stored, empty for the root.
    """
    place = found_path(record.location) if record.kind == "git" else None
    if place is None or not is_object_id(record.revision):
        return
    try:
        store = objects(place)
        yield TaggedFolder(None, record.revision, _blobs(store, record.revision, folder))
        for tag, commit in _tags(place):
            yield TaggedFolder(tag, commit, _blobs(store, commit, folder))
    except (SourceError, OSError, ValueError):  # what cannot be read is not there
        return


def read_blobs(record: RepositoryRecord, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The contents of blobs of a repository's clone, in this order; those that cannot be had are left out."""
    place = found_path(record.location) if record.kind == "git" else None
    entries = [Entry("", blob, None, None, b"") for blob in blobs if is_object_id(blob)]
    if place is None or not entries:
        return
    try:
        for entry, content in read_listed(place, entries, len(record.revision), _MOST_CONTENT):
            if isinstance(content, bytes) and entry.blob is not None:
                yield entry.blob, content
    except (SourceError, OSError, ValueError):
        return


def _tags(place: Path) -> list[tuple[str, str]]:
    """The names of the tags of commits, and these commits, the oldest first.

    Raises:
        GitError: they cannot be read.
    """
    resolve(place, None)  # refuses what git would wait for
    form = "%(refname:strip=2)%09%(objecttype)%09%(objectname)%09%(*objecttype)%09%(*objectname)"
    arguments = ["for-each-ref", "--sort=creatordate", f"--count={MOST_TAGS}", f"--format={form}", "refs/tags"]
    found = []
    for line in records(
        arguments, clone_environment(existing_git_dir(place)), seconds=_SECONDS, most_bytes=_BYTES, separator=b"\n"
    ):
        name, kind, commit, kind_of_tagged, tagged = line.split(b"\t")
        if kind_of_tagged == b"commit":
            kind, commit = kind_of_tagged, tagged
        if kind == b"commit":
            found.append((path_text(name), commit.decode("ascii")))
    return found


def _blobs(store: Path, commit: str, folder: str) -> dict[str, str]:
    """The ids of the files below a folder of a commit.

    Raises:
        GitError: they cannot be listed.
    """
    found = {}
    for raw in path_bytes(folder):
        begin = raw + b"/" if raw else b""
        # An argument that begins like an option, or has the signs of a pattern, is a path as well.
        below = ["--", begin.decode("utf-8", "surrogateescape")] if begin else []
        arguments = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, *below]
        with object_environment(store, len(commit)) as environment:
            for line in records(arguments, environment, seconds=_SECONDS, most_bytes=_BYTES):
                facts, _, path = line.partition(b"\t")
                mode, _, name = facts.split()
                if mode in {b"100644", b"100755"} and path.startswith(begin):
                    found[path_text(path[len(begin) :])] = name.decode("ascii")
    return found
