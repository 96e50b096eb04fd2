"""Reads indexed repositories again: contents, files at tags, dates of lines; and tells which sources are gone."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from wherefrom.errors import SourceError
from wherefrom.model import RepositoryRecord
from wherefrom.results import MissingSource
from wherefrom.sources.cat_file import read_listed
from wherefrom.sources.clones import is_clone_name
from wherefrom.sources.command import KILLS, GitFailed, GitKilled, object_environment, records
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.git import read_object, read_path, tags
from wherefrom.sources.git_folder import objects
from wherefrom.sources.source import Entry, Files, found_path, is_blob, is_object_id, path_bytes
from wherefrom.support.contract import day_of
from wherefrom.support.paths import path_text
from wherefrom.support.system import system
from wherefrom.support.values import dataclass

if TYPE_CHECKING:
    from wherefrom.sources.history import FileChange

MOST_TAGS = 5_000  # limit on the tags of a repository: if it has more, only the oldest are read
_MOST_CONTENT = 2_000_000  # limit on the bytes of a content that `read_blobs` reads
_SECONDS = 20.0
_BYTES = 100_000_000  # limits on listing the tags of a repository, and the files of one of them
MOST_STATES = 1_000  # at most this many commits that changed some files are read
_LOG_BYTES = 100_000_000  # limit on the output of `git log` and `git blame` in bytes: a log of millions of commits

_Found = TypeVar("_Found")

_UNREADABLE = (SourceError, OSError, ValueError)  # the errors of reading a source that is missing, damaged or hostile


@dataclass(frozen=True, slots=True)
class BlamedCommit:
    """A commit that wrote lines as they are, with the dates that it records: any number of seconds since 1970."""

    id: str
    authored: int
    committed: int


@dataclass(frozen=True, slots=True)
class TaggedTree:
    """The commit of a tag, or the indexed commit (`tag` is None)."""

    tag: str | None
    commit: str
    blobs: Mapping[str, str]  # the blob ids of its regular files, by path
    day: str = ""  # the day of the tag (UTC, ISO 8601); empty if it is not known


def read_blob(record: RepositoryRecord, path: str, blob: str) -> bytes | None:
    """Reads the content of a blob from the source of its repository: by id from a git repository, by path from
    any other. None if exactly this content cannot be read, for whatever reason.
    """
    with suppress(*_UNREADABLE):
        place = found_path(record.location)
        if place is None or not is_object_id(blob):
            return None
        match record.kind:
            case "git":
                return read_object(place, blob)
            case "directory":
                source: Files = DirectorySource(place)
                entries = (Entry(path, None, None, None, written) for written in path_bytes(path))
            case "archive" | "package":
                from wherefrom.sources.archive import ArchiveSource  # noqa: PLC0415 -- few contents are in one
                from wherefrom.sources.packages.kept import PackageFiles  # noqa: PLC0415 -- as above

                source = ArchiveSource(place) if record.kind == "archive" else PackageFiles(place)
                entries = (entry for entry in source.entries() if entry.path == path)
            case _:
                return None
        contents = (content for _, content in source.read(entries) if isinstance(content, bytes))
        return next((content for content in contents if is_blob(content, blob)), None)
    return None


def read_at(record: RepositoryRecord, rev: str, path: str) -> tuple[str, bytes] | None:
    """Reads a file at a revision (an id, a branch, a tag) from the clone of a repository. Returns the id of the commit
    and the content of the file; None if one of them cannot be read, for whatever reason.
    """
    with suppress(*_UNREADABLE):
        if (place := _clone(record)) is not None:
            return next((found for raw in path_bytes(path) if (found := read_path(place, rev, raw)) is not None), None)
    return None


def tagged_trees(record: RepositoryRecord) -> Iterator[TaggedTree]:
    """The tree of the indexed revision, then those of the tags, the oldest first; fewer if git fails or is missing."""
    place = _clone(record)
    if place is not None and is_object_id(record.revision):
        with suppress(*_UNREADABLE):
            store = objects(place)
            digits = len(record.revision)
            yield TaggedTree(None, record.revision, _blobs(store, record.revision))
            for tag, commit, seconds in tags(place, digits, seconds=_SECONDS, most=MOST_TAGS):
                yield TaggedTree(tag, commit, _blobs(store, commit), (seconds and day_of(seconds)) or "")


def read_blobs(record: RepositoryRecord, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The ids and contents of those blobs that the clone of a repository has, in the given order. It runs git once."""
    place = _clone(record)
    entries = [Entry("", blob, None, None, b"") for blob in blobs if is_object_id(blob)]
    if place is not None and entries:
        with suppress(*_UNREADABLE):
            for entry, content in read_listed(place, entries, len(record.revision), _MOST_CONTENT):
                if isinstance(content, bytes) and entry.blob is not None and is_blob(content, entry.blob):
                    yield entry.blob, content


def first_committed(record: RepositoryRecord, path: str, *, seconds: float) -> date | None:
    """The day (UTC) of the oldest commit of a file in the history of the indexed revision, with renames followed. It is
    the committer's date, since the author's date in a commit can be any date. None if there is no clone, the clone is
    shallow (its oldest commit may not be the first one), the file is not in it, or git takes more than `seconds`.
    """
    command = ["log", "--follow", "--format=%ct", record.revision]
    last = partial(deque[bytes], maxlen=1)
    with suppress(OverflowError, OSError, ValueError):  # a commit can have a date that is out of range
        whole = _whole(_clone(record))
        for oldest in _read_history(whole, _spellings(path), record.revision, command, last, seconds=seconds):
            return _day(int(oldest))
    return None


def days_of_lines(
    record: RepositoryRecord, path: str, ranges: Sequence[tuple[int, int]], *, revision: str, seconds: float
) -> tuple[date, date] | None:
    """The days (UTC) of the oldest and the newest commit of some lines: the earliest date of an author or a committer,
    and the latest date of a committer. Moved lines are followed; changes of white space do not count. None as for
    `first_committed`, or if the file does not have these lines. `ranges` are first and last lines, 1-based and
    inclusive; empty for all lines. `revision` is the id of a commit, which has the file at this path.
    """
    commits = blamed_commits(_clone(record), path, ranges, revision=revision, seconds=seconds)
    with suppress(OverflowError, OSError, ValueError):  # as above, or there are no commits
        earliest = min(min(commit.authored, commit.committed) for commit in commits)
        return _day(earliest), _day(max(commit.committed for commit in commits))
    return None


def brought_by(
    record: RepositoryRecord, path: str, ranges: Sequence[tuple[int, int]], *, merge: str, seconds: float
) -> str | None:
    """The commit that wrote most of some lines of a file that a merge brought, among the commits that it merged; None
    if there is no clone, it has none of these commits, or git takes more than `seconds`. The file and its lines are
    those of the merge, whose id is `merge`.
    """
    command = ["blame", "--incremental", "--no-textconv", *_lines_of(ranges), f"{merge}^1..{merge}"]
    found = _read_history(_clone(record), _spellings(path), merge, command, _most_blamed, seconds=seconds)
    return next(iter(found), None)


def file_changes(
    record: RepositoryRecord,
    numbers: Mapping[str, int],
    paths: Iterable[str] = (),
    *,
    revision: str,
    seconds: float,
    most: int = MOST_STATES,
) -> Sequence[tuple[int, list[FileChange]]]:
    """What a commit and those before it along the first parents changed in some files, the newest first; in all files
    if none is named. `revision` is its id. The commits are given by their `numbers`, if these are known, and at
    most the newest `most` that changed these files. None if there is no clone, or git takes more than `seconds`.
    """
    from wherefrom.sources.history import read_changes  # noqa: PLC0415 -- searches do not wait for it

    written = [system.path_of(raw) for path in paths for raw in path_bytes(path)]
    options = [f"-{most}", "--first-parent", "-m", "--raw", "--no-renames", "--no-abbrev", "--no-color"]
    command = ["log", *options, "--no-show-signature", "--format=%H", revision]

    def read(lines: Iterator[bytes]) -> list[tuple[int, list[FileChange]]]:
        changes = read_changes(lines, lambda commit: numbers.get(commit, -1))
        return [*takewhile(lambda pair: pair[0] >= 0, changes)]

    return _read_history(_clone(record), [written], revision, command, read, seconds=seconds)


def _most_blamed(lines: Iterable[bytes]) -> list[str]:
    """The commit with most lines in the output of `git blame --incremental`, without those before the range."""
    counts: Counter[str] = Counter()
    commit, number = "", 0
    for line in lines:
        words = line.split(b" ")
        if len(words) == 4 and is_object_id(words[0].decode("ascii", "replace")):
            commit, number = words[0].decode("ascii"), int(words[3])
            counts[commit] += number
        elif line == b"boundary":
            counts[commit] -= number
    return [commit for commit, count in counts.most_common(1) if count > 0]


def blamed_commits(
    folder: Path | None, path: str, ranges: Sequence[tuple[int, int]], *, revision: str, seconds: float
) -> Sequence[BlamedCommit]:
    """The commits that wrote some lines of a file in the clone `folder`. The other arguments are as for
    `days_of_lines`; the answer is empty if that returns None.
    """
    command = ["blame", "--incremental", "--no-textconv", "-w", "-M", "-C", *_lines_of(ranges), revision]
    return _read_history(_whole(folder), _spellings(path), revision, command, _commits, seconds=seconds)


def latest_before(folder: Path, commits: Sequence[str], *, seconds: float) -> dict[str, int]:
    """For each of these commits of a clone, the latest committer's date (seconds since 1970) among itself and the
    commits before it along the first parents. Commits whose dates cannot be read are left out.
    """
    latest: dict[str, int] = {}
    with suppress(*_UNREADABLE):
        order = ["--first-parent", "--topo-order", "--reverse", "--timestamp", "--parents"]
        with object_environment(objects(folder), len(commits[0])) as environment:
            listed = records(
                ["rev-list", *order, "--stdin"],
                environment,
                seconds=seconds,
                most_bytes=_LOG_BYTES,
                stdin=(f"{commit}\n".encode("ascii") for commit in commits),
                separator=b"\n",
            )
            for line in listed:
                date_of, commit, *parents = line.decode("ascii").split()
                latest[commit] = max([int(date_of), *(latest[parent] for parent in parents[:1] if parent in latest)])
    return {commit: latest[commit] for commit in commits if commit in latest}


def _clone(record: RepositoryRecord) -> Path | None:
    return found_path(record.location) if record.is_git else None


def _blobs(store: Path, commit: str) -> dict[str, str]:
    """The blob ids of the regular files of a commit, by path. Raises GitError if the files cannot be listed."""
    found = {}
    arguments = ["ls-tree", "-r", "-z", "--full-tree", commit]
    with object_environment(store, len(commit)) as environment:
        for line in records(arguments, environment, seconds=_SECONDS, most_bytes=_BYTES):
            facts, _, path = line.partition(b"\t")
            mode, _, name = facts.split()
            if mode in {b"100644", b"100755"}:
                found[path_text(path)] = name.decode("ascii")
    return found


def _whole(clone: Path | None) -> Path | None:
    """A clone whose history is not cut off."""
    with suppress(*_UNREADABLE):
        return clone if clone is None or not (objects(clone).parent / "shallow").exists() else None
    return None


def _day(seconds: int) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def _read_history(
    place: Path | None,
    spellings: Iterable[Sequence[str]],
    commit: str,
    command: Sequence[str],
    read: Callable[[Iterator[bytes]], Sequence[_Found]],
    *,
    seconds: float,
) -> Sequence[_Found]:
    """What `read` finds in the output of git about files; nothing if it fails. Runs git again if it is killed.
    `spellings` are possible ways to write the paths of the files, the likely one first.
    """
    with suppress(*_UNREADABLE):
        if place is None or not is_object_id(commit):
            return []
        for written in spellings:
            arguments = ["--literal-pathspecs", *command, "--", *written]
            with object_environment(objects(place), len(commit)) as environment:
                for _ in range(KILLS + 1):
                    lines = records(arguments, environment, seconds=seconds, most_bytes=_LOG_BYTES, separator=b"\n")
                    try:
                        if found := read(lines):
                            return found
                    except GitKilled:
                        continue
                    except GitFailed:  # the clone may have the file under the other spelling of its path
                        pass
                    break
    return []


def _spellings(path: str) -> Iterator[list[str]]:
    return ([system.path_of(written)] for written in path_bytes(path))


def _lines_of(ranges: Sequence[tuple[int, int]]) -> list[str]:
    return [part for first, last in ranges for part in ("-L", f"{first},{last}")]


def _commits(lines: Iterable[bytes]) -> list[BlamedCommit]:
    """The commits in the output of `git blame --incremental`, which gives the dates of each commit once."""
    found = []
    commit, authored = "", 0
    for line in lines:
        name, _, value = line.partition(b" ")
        if name == b"author-time":
            authored = int(value)
        elif name == b"committer-time":
            found.append(BlamedCommit(commit, authored, int(value)))
        elif is_object_id(name.decode("ascii", "replace")):
            commit = name.decode("ascii")
    return found


def missing_source(record: RepositoryRecord) -> MissingSource | None:
    """Describes the missing source of a repository; None if something exists at the source's location on this machine.
    A source is certainly gone if its path does not exist, but the folder above can be read and contains something else.
    In three cases the source may still exist: the system does not let us look at the path; the folder above is missing
    or empty, as if a disk is not mounted; or the source is the clone of a URL, which a fetch makes again.
    """
    doubts = [_doubt(path) for path in path_bytes(record.location)]
    if None in doubts:
        return None
    return MissingSource(record.key, record.location, record.files, next(filter(None, doubts), None))


def _doubt(path: bytes) -> str | None:
    """Why a source may still exist although its path does not; empty if it is certainly gone, None if it is there."""
    if not os.path.isabs(path):  # noqa: PTH117 -- of bytes
        return "its location is not a path on this machine"
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        return f"its location cannot be read ({getattr(error, 'strerror', error)})"
    else:
        return None
    folder, name = os.path.split(path.rstrip(b"/"))
    if is_clone_name(system.path_of(name)):
        return "it was fetched from a URL, and can be fetched again"
    try:
        with os.scandir(folder) as found:
            return "" if any(found) else "its folder is empty, as if a disk is not mounted"
    except FileNotFoundError:
        return "its folder is not there either"
    except OSError as error:
        return f"its folder cannot be read ({error.strerror})"
