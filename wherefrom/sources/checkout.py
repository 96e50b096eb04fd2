"""A project as its owner works on it: a git work tree, its index and its revisions, or a plain folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from wherefrom.errors import GitError, NotFound, UsageError
from wherefrom.model import SkipReason
from wherefrom.sources.beneath import Beneath, skip_of_mode
from wherefrom.sources.cat_file import read_listed
from wherefrom.sources.command import GitFailed, local_environment, records, run
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.git import (
    LISTING_BYTES,
    LISTING_SECONDS,
    GitSource,
    declared,
    parents,
    remote_keys,
    resolve,
)
from wherefrom.sources.git_folder import existing_git_dir, git_dir, refuse_hostile
from wherefrom.sources.source import MAX_BYTES, Entry, Files, Listing, local_key, path_text
from wherefrom.support.printable import visible

_REGULAR = frozenset({b"100644", b"100755", b"100664"})
_LINK = b"120000"


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project on this machine.

    Attributes:
        root: the folder, absolute, without links in it.
        is_git: whether it is the work tree of a git repository, or a bare one.
    """

    root: Path
    is_git: bool

    @staticmethod
    def of(paths: Sequence[str | Path]) -> tuple[Checkout, tuple[str, ...]]:
        """The project that holds all of these files and folders, and their paths in it (empty for the whole of it).

        A path in a git work tree belongs to that; another folder is a project itself, another file belongs to the one
        that it is in.

        Raises:
            NotFound: nothing is there.
            UsageError: they belong to different projects.
        """
        found: dict[Path, Checkout] = {}
        inside = []
        for given in paths:
            path = _existing(given)
            project = _project(path)
            found[project.root] = project
            inside.append(path_text(os.fsencode(path.relative_to(project.root))) if path != project.root else "")
        if len(found) != 1:
            names = " and ".join(visible(root) for root in sorted(found)[:2])
            raise UsageError(f"the paths belong to different projects ({names}); check them one at a time")
        return next(iter(found.values())), tuple(inside)

    @property
    def key(self) -> str:
        """The repository key that the project has where it has no remote: its path."""
        return local_key(self.root)

    def keys(self) -> frozenset[str]:
        """Every repository key under which the project may be indexed: its path, and those of its remotes.

        Raises:
            GitError: git is not installed.
        """
        return frozenset({self.key, *(remote_keys(self.root) if self.is_git else ())})

    def work_tree(self) -> Files:
        """The files as they are now; of a git work tree the tracked ones, and the untracked ones that git does not
        ignore.
        """
        return WorkTree(self.root) if self.is_git else DirectorySource(self.root, key=self.key)

    def staged(self) -> Files:
        """The files as the next commit would have them.

        Raises:
            GitError: it is not a git work tree.
        """
        self._need_git("what is staged")
        return StagedFiles(self.root)

    def revision(self, rev: str | None = None) -> Files:
        """The files at a revision (default: HEAD); none where there is no commit at all.

        Raises:
            GitError: it is not a git work tree, or has no such revision.
        """
        self._need_git("a revision")
        return GitSource(self.root, key=self.key, rev=resolve(self.root, rev) or None)

    def commit(self, rev: str) -> tuple[Files, Files, str]:
        """The files before and after a commit, and its id: before a merge as in its first parent, before a root commit
        none.

        Raises:
            GitError: it is not a git work tree, has no such commit, or not the commit before it.
        """
        self._need_git("a commit")
        commit = resolve(self.root, rev)
        before = parents(self.root, commit)[:1]
        try:
            old: Files = GitSource(self.root, key=self.key, rev=resolve(self.root, before[0])) if before else NoFiles()
        except GitError:
            raise GitError(
                f"{visible(self.root)} holds {commit[:12]} but not the commit before it; "
                "fetch more of its history (`git fetch --deepen=1`)"
            ) from None
        return old, GitSource(self.root, key=self.key, rev=commit), commit

    def merge_base(self, one: str | None, other: str | None) -> str:
        """The id of the best common ancestor of two revisions (None: HEAD).

        Raises:
            GitError: it is not a git work tree, has no such revisions, or they have nothing in common.
        """
        self._need_git("a merge base")
        ids = [resolve(self.root, each) for each in (one, other)]
        if not all(ids):
            raise GitError(f"{visible(self.root)} has no commit yet; make one, or use --staged")
        answer = run(["merge-base", *ids], local_environment(existing_git_dir(self.root)), seconds=LISTING_SECONDS)
        if answer.returncode:
            named = " and ".join("HEAD" if each is None else visible(each) for each in (one, other))
            raise GitError(f"{named} have no commit in common here; fetch more of the history (in CI: fetch-depth: 0)")
        return answer.stdout.split()[0].decode()

    def _need_git(self, what: str) -> None:
        if not self.is_git:
            raise GitError(f"{visible(self.root)} is not a git repository, and has not {what}; name its files instead")


class NoFiles:
    """What there is before the first commit."""

    def entries(self) -> Iterator[Entry]:
        """Nothing."""
        return iter(())

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """Nothing."""
        return ((entry, SkipReason.UNREADABLE) for entry in entries)


class StagedFiles:
    """What the index of a git work tree holds.

    Args:
        root: the work tree.
        max_bytes: longer contents are not given.
    """

    def __init__(self, root: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.root = root
        self.max_bytes = max_bytes

    def entries(self) -> Iterator[Entry]:
        """Every file, by path; what is in conflict is `UNREADABLE`."""
        for _, entry in sorted(self.listed.items(), key=lambda item: item[1].path):
            yield entry

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents."""
        return read_listed(self.root, entries, self._digits, self.max_bytes)

    @cached_property
    def listed(self) -> dict[bytes, Entry]:
        """The entries by their paths as git has them."""
        found = {}
        for line in _list(self.root, "--cached", "--stage"):
            facts, _, path = line.partition(b"\t")
            mode, name, stage = facts.split()
            found[path] = _entry(path, mode, name.decode(), is_merged=stage == b"0")
        skips = declared(self.root, found, _digits(found))
        for path, (reason, authored) in skips.items():
            if path in found and found[path].skip is None:
                found[path] = replace(found[path], skip=reason, authored=authored)
        return found

    @cached_property
    def _digits(self) -> int:
        return _digits(self.listed)


class WorkTree:
    """The files of a git work tree as they are now.

    Nothing that git would do to a content on its way into the index is done: no filter is ever run.

    Args:
        root: the work tree.
        max_bytes: longer files are not read.
    """

    def __init__(self, root: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.root = root
        self.max_bytes = max_bytes

    def entries(self) -> Iterator[Entry]:
        """The tracked files that are there, and the untracked ones that git does not ignore, by path."""
        if existing_git_dir(self.root) == self.root:
            raise GitError(
                f"{visible(self.root)} is a bare repository and has no work tree; "
                "name the change by its revisions, or a clone with a work tree"
            )
        found = dict(StagedFiles(self.root).listed)
        for path in _list(self.root, "--others", "--exclude-standard"):
            found[path] = Entry(
                path_text(path), None, None, SkipReason.SUBMODULE if path.endswith(b"/") else None, path
            )
        with Beneath(bytes(self.root)) as beneath:
            for path, entry in sorted(found.items(), key=lambda item: item[1].path):
                try:
                    status = beneath.status(path.removesuffix(b"/"))
                except OSError:
                    continue
                skip = entry.skip or skip_of_mode(status.st_mode)
                yield Entry(entry.path, None, status.st_size, skip, path, entry.authored)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents as they are now; `UNREADABLE` for a file that is gone, or no plain file any longer."""
        with Beneath(bytes(self.root)) as beneath:
            for entry in entries:
                yield entry, beneath.read(os.fsencode(entry.handle), self.max_bytes)


def _existing(given: str | Path) -> Path:
    if not str(given) or "\0" in str(given):
        raise NotFound("an empty path names nothing; give a file or a folder of the project")
    path = Path(os.path.realpath(os.path.expanduser(given)))  # noqa: PTH111  # Path's raises for a user that is not there
    if not os.path.lexists(path):
        raise NotFound(f"no such file or folder: {visible(str(given))}; check the path")
    return path


def _project(path: Path) -> Checkout:
    for place in (path, *path.parents):
        if place.is_dir() and git_dir(place) is not None:
            return Checkout(place, is_git=True)
    return Checkout(path if path.is_dir() else path.parent, is_git=False)


def _list(root: Path, *options: str) -> Iterator[bytes]:
    directory = existing_git_dir(root)
    variables = {"GIT_WORK_TREE": str(root)}
    if index := _index_of_hook(directory):
        variables["GIT_INDEX_FILE"] = str(index)
    arguments, environment = ["ls-files", "-z", "--full-name", *options], local_environment(directory, **variables)
    refuse_hostile(directory, environment)
    listing = Listing(visible(root))
    try:
        for line in records(arguments, environment, seconds=LISTING_SECONDS, most_bytes=LISTING_BYTES):
            listing.count(line)
            yield line
    except GitFailed as error:
        raise GitError(f"cannot list {visible(root)}: {error}; run `git status` there") from None


def _index_of_hook(directory: Path) -> Path | None:
    """The index that git names to a hook: `git commit -a` and `git commit FILE` make one of their own."""
    named = os.environ.get("GIT_INDEX_FILE", "")
    index = Path(os.path.realpath(named)) if named else None
    is_ours = index is not None and index.parent == Path(os.path.realpath(directory))
    return index if is_ours and index is not None and index.is_file() else None


def _entry(path: bytes, mode: bytes, name: str, *, is_merged: bool) -> Entry:
    text = path_text(path)
    if not is_merged:
        return Entry(text, None, None, SkipReason.UNREADABLE, name)
    if mode == _LINK:
        return Entry(text, name, None, SkipReason.SYMLINK, name)
    return Entry(text, name, None, None if mode in _REGULAR else SkipReason.SUBMODULE, name)


def _digits(listed: dict[bytes, Entry]) -> int:
    return next((len(entry.blob) for entry in listed.values() if entry.blob), 40)
