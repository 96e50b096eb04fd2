"""A project on this machine: a git work tree with its index and its revisions, or a plain folder."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from wherefrom.errors import GitError, NotFound, UsageError
from wherefrom.model import SkipReason
from wherefrom.sources.archive import ArchiveSource, is_archive
from wherefrom.sources.cat_file import read_listed
from wherefrom.sources.command import GitFailed, local_environment, object_environment, records, run
from wherefrom.sources.directory import Beneath, DirectorySource, FilesSource, skip_of_mode
from wherefrom.sources.git import LISTING_BYTES, LISTING_SECONDS, GitSource, declared, parents, remote_keys, resolve
from wherefrom.sources.git_folder import existing_git_dir, git_dir, objects, refuse_hostile
from wherefrom.sources.source import MAX_BYTES, Entry, Files, limited, local_key
from wherefrom.support.paths import path_text
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

_SKIPS = {"100644": None, "100755": None, "100664": None, "120000": SkipReason.SYMLINK}
"""Why an entry of git's index is skipped, by its mode; None if it is read. Any other mode means a submodule."""


_RANGE = later(r"(?P<one>.*?)(?P<dots>\.\.\.?)(?P<other>[^.].*|)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project on this machine: the absolute path of its folder, or of the archive that has its files, with links
    resolved; and whether that is a git work tree or a bare repository.
    """

    root: Path
    is_git: bool

    @staticmethod
    def of(paths: Sequence[str | Path], unsaved: Collection[str] = ()) -> tuple[Checkout, tuple[str, ...]]:
        """The project that contains all these files and folders, and their paths in the project (empty for its root).
        Files that are `unsaved` need not exist. A single archive is a project itself. A path in a git work tree belongs
        to that work tree. Outside of git work trees, a folder is a project itself, and a file belongs to its folder.
        Raises NotFound if a path does not exist; UsageError if the paths belong to different projects.
        """
        if len(paths) == 1 and is_archive(archive := _existing(paths[0], unsaved)) and archive.is_file():
            return Checkout(archive, is_git=False), ("",)
        given = [_existing(path, unsaved) for path in paths]
        projects = {_project(path) for path in given}
        if len(projects) != 1:
            names = " and ".join(visible(root) for root in sorted(project.root for project in projects)[:2])
            raise UsageError(f"the paths belong to different projects ({names}); check them one at a time")
        (project,) = projects
        return project, tuple(_inside(project.root, path) for path in given)

    def inside(self, given: str) -> str:
        """The path in the project of a file that need not exist. Raises UsageError if it is outside of the project."""
        path = _existing(given, (given,))
        if not path.is_relative_to(self.root):
            raise UsageError(f"{visible(path)} is not in the project {visible(self.root)}; check it alone")
        return _inside(self.root, path)

    @property
    def key(self) -> str:
        """The repository key of the project if it has no remote: its path."""
        return local_key(self.root)

    def keys(self) -> frozenset[str]:
        """Every key under which the project may be indexed: its path, and the keys of its remotes. Raises GitError."""
        return frozenset({self.key, *(remote_keys(self.root) if self.is_git else ())})

    def work_tree(self) -> Files:
        """The files as they are now. In a git work tree, these are all files that git does not ignore."""
        if self.root.is_file():
            return ArchiveSource(self.root)
        return WorkTree(self.root) if self.is_git else DirectorySource(self.root)

    def staged(self) -> Files:
        """The files that the next commit would contain. Raises GitError if the project is not a git work tree."""
        self._need_git("staged files")
        return StagedFiles(self.root)

    def revision(self, rev: str | None = None) -> Files:
        """The files at a revision (default: HEAD); no files if there is no commit at all. Raises GitError if the
        project is not a git work tree, or has no such revision.
        """
        self._need_git("revisions")
        return GitSource(self.root, rev=resolve(self.root, rev) or None)

    def commit(self, rev: str) -> tuple[Files, Files, str]:
        """The files before and after a commit, and its id. The files before a merge are those of its first parent;
        there are none before a root. Raises GitError if the project lacks the commit or its parent.
        """
        self._need_git("commits")
        commit = resolve(self.root, rev)
        before = parents(self.root, commit)[:1]
        try:
            old = self.revision(before[0]) if before else FilesSource(self.root, ())
        except GitError:
            raise GitError(
                f"{visible(self.root)} holds {commit[:12]} but not the commit before it; "
                "fetch more of its history (`git fetch --deepen=1`)"
            ) from None
        return old, GitSource(self.root, rev=commit), commit

    def between(self, named: str) -> tuple[Files, Files] | None:
        """The files at both ends of a range: at A and at B for `A..B`, at the merge base of both and at B for `A...B`.
        A missing end is HEAD. Returns None if `named` is not a range. Raises GitError if the project is not a git work
        tree, has no such revision, or the revisions have no merge base.
        """
        match = _RANGE.fullmatch(named)
        if match is None:
            return None
        one, other = match["one"] or None, match["other"] or None
        return self.revision(self.merge_base(one, other) if match["dots"] == "..." else one), self.revision(other)

    def merge_base(self, one: str | None, other: str | None) -> str:
        """The id of the best common ancestor of two revisions (None: HEAD). Raises GitError if the project is not a git
        work tree, or the revisions do not exist or have no common ancestor.
        """
        self._need_git("merge bases")
        ids = [resolve(self.root, rev) for rev in (one, other)]
        if not all(ids):
            raise GitError(f"{visible(self.root)} has no commit yet; make one, or use --staged")
        answer = run(["merge-base", *ids], local_environment(existing_git_dir(self.root)), seconds=LISTING_SECONDS)
        if answer.returncode:
            named = " and ".join("HEAD" if rev is None else visible(rev) for rev in (one, other))
            raise GitError(f"{named} have no commit in common here; fetch more of the history (in CI: fetch-depth: 0)")
        return answer.stdout.split()[0].decode()

    def _need_git(self, what: str) -> None:
        if not self.is_git:
            raise GitError(f"{visible(self.root)} is not a git repository and has no {what}; name its files instead")


@dataclass(eq=False)
class StagedFiles:
    """The files in the index of the git work tree `root`."""

    root: Path

    def entries(self) -> Iterator[Entry]:
        """Every file, sorted by path; a file with conflicts is `UNREADABLE`."""
        yield from sorted(self.listed.values(), key=lambda entry: entry.path)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents."""
        return read_listed(self.root, entries, _digits(self.listed), MAX_BYTES)

    @cached_property
    def listed(self) -> dict[bytes, Entry]:
        """The entries, by their paths in the index."""
        found = {}
        for line in _list(self.root, "--cached", "--stage"):
            facts, _, path = line.partition(b"\t")
            mode, name, stage = facts.decode().split()
            skip = _SKIPS.get(mode, SkipReason.SUBMODULE) if stage == "0" else SkipReason.UNREADABLE
            found[path] = Entry(path_text(path), name if stage == "0" else None, None, skip, name)
        with object_environment(objects(self.root), _digits(found)) as environment:
            return declared(found, environment)


@dataclass(frozen=True, slots=True)
class WorkTree:
    """The files of the git work tree `root` as they are now. Contents are read as they are on the disk, without the
    filters and conversions of `git add`.
    """

    root: Path

    def entries(self) -> Iterator[Entry]:
        """The tracked files that exist, and the untracked files that git does not ignore, sorted by path."""
        if existing_git_dir(self.root) == self.root:
            raise GitError(
                f"{visible(self.root)} is a bare repository and has no work tree; "
                "name the change by its revisions, or a clone with a work tree"
            )
        found = dict(StagedFiles(self.root).listed)
        for path in _list(self.root, "--others", "--exclude-standard"):
            skip = SkipReason.SUBMODULE if path.endswith(b"/") else None
            found[path] = Entry(path_text(path), None, None, skip, path)
        with Beneath(bytes(self.root)) as beneath:
            for path, entry in sorted(found.items(), key=lambda item: item[1].path):
                try:
                    status = beneath.status(path.removesuffix(b"/"))
                except OSError:
                    continue
                skip = entry.skip or skip_of_mode(status.st_mode)
                yield Entry(entry.path, None, status.st_size, skip, path, entry.authored)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents as they are now; `UNREADABLE` if a file no longer exists, or is no longer a regular file."""
        return DirectorySource(self.root).read(entries)


def _inside(root: Path, path: Path) -> str:
    return path_text(os.fsencode(path.relative_to(root).as_posix())) if path != root else ""


def _existing(given: str | Path, unsaved: Collection[str] = ()) -> Path:
    if not str(given) or "\0" in str(given):
        raise NotFound("an empty path names nothing; give a file or a folder of the project")
    path = Path(os.path.realpath(os.path.expanduser(given)))  # noqa: PTH111  # Path's raises for a user that is not there
    if str(given) not in unsaved and not os.path.lexists(path):
        raise NotFound(f"no such file or folder: {visible(str(given))}; check the path")
    return path


def _project(path: Path) -> Checkout:
    for place in (path, *path.parents):
        if place.is_dir() and git_dir(place) is not None:
            return Checkout(place, is_git=True)
    return Checkout(path if path.is_dir() else path.parent, is_git=False)


def _list(root: Path, *options: str) -> Iterator[bytes]:
    directory = existing_git_dir(root)
    # The index that git names to a hook, such as the temporary index of `git commit -a`.
    index = Path(os.path.realpath(os.environ.get("GIT_INDEX_FILE", "")))
    is_ours = index.parent == Path(os.path.realpath(directory)) and index.is_file()
    variables = {"GIT_INDEX_FILE": str(index)} if is_ours else {}
    environment = local_environment(directory, GIT_WORK_TREE=str(root), **variables)
    arguments = ["ls-files", "-z", "--full-name", *options]
    refuse_hostile(directory, environment)
    try:
        listed = records(arguments, environment, seconds=LISTING_SECONDS, most_bytes=LISTING_BYTES)
        yield from limited(listed, visible(root))
    except GitFailed as error:
        raise GitError(f"cannot list {visible(root)}: {error}; run `git status` there") from None


def _digits(listed: dict[bytes, Entry]) -> int:
    return next((len(entry.blob) for entry in listed.values() if entry.blob), 40)
