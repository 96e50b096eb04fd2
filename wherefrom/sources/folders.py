"""Finds the clones and archives in a folder, and what else is among them; and the submodules of a clone.

Of a `.gitmodules` it uses only the names, to look for clones below the git directory. It never follows the paths and
URLs in that file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePath
from typing import Literal

from wherefrom.errors import GitError
from wherefrom.languages import LANGUAGES
from wherefrom.results.indexing import LeftOut
from wherefrom.sources.archive import is_archive_name
from wherefrom.sources.directory import VERSION_CONTROL
from wherefrom.sources.git import GitSource, clone_environment, names, read_object
from wherefrom.sources.git_folder import common_dir, config_values, git_dir, work_tree
from wherefrom.sources.source import local_key
from wherefrom.support.paths import path_text
from wherefrom.support.printable import visible
from wherefrom.support.system import system
from wherefrom.support.values import dataclass, field

_PROSE = frozenset({"text", "markdown"})


@dataclass(slots=True)
class Contained:
    """The sources that a folder contains, sorted by path. A folder without any is a source itself (a plain folder)."""

    repositories: list[Path] = field(default_factory=list)
    broken: list[Path] = field(default_factory=list)  # with a `.git` that is not a repository, such as half a clone
    archives: list[Path] = field(default_factory=list)
    plain: list[Path] = field(default_factory=list)  # plain folders among sources
    left_out: list[LeftOut] = field(default_factory=list)  # what is not a source, and why

    def leave_out(self, path: Path, kind: Literal["folder", "archive"], reason: str) -> None:
        """Notes that a folder or an archive is not a source."""
        self.left_out.append(LeftOut(local_key(path), kind, reason))


@dataclass(slots=True)
class _Folder:
    """A folder that is being searched. `is_plain` defines a plain folder."""

    path: Path
    waiting: list[Path] = field(default_factory=list)  # the folders in it that still have to be searched
    found: Contained = field(default_factory=Contained)  # the sources in it at any depth, except those in plain folders
    files: int = 0  # the number of files in it and in its folders that are not plain, without archives and hidden files
    plain: list[Path] = field(default_factory=list)  # the plain folders in it that contain a file
    has_clone: bool = False  # whether a clone is directly in it
    has_files: bool = False  # whether it contains a file at any depth
    has_code: bool = False  # whether it contains a file at any depth that is code by its name

    @property
    def is_plain(self) -> bool:
        """Whether it is one source, such as a project. Clones and archives in it are then parts, such as test data."""
        clones = len(self.found.repositories) + len(self.found.broken)
        if clones:
            return not self.has_clone and self.files > clones + len(self.found.archives)
        return self.has_code or not self.found.archives


def contained_in(folder: Path) -> Contained:
    """Searches a folder (an absolute path), perhaps a clone, at any depth for clones and archives. It does not search
    in clones, and follows a link only if it is directly in the folder and leads to a clone or an archive.
    """
    outermost = _Folder(folder.parent)
    under_way = [outermost, *_opened(folder, outermost, is_named=True)]
    while len(under_way) > 1:
        current = under_way[-1]
        if current.waiting:
            under_way += _opened(current.waiting.pop(), current)
            continue
        under_way.pop()
        _add(current, under_way[-1], is_named=len(under_way) == 1)
    found = outermost.found
    for paths in (found.repositories, found.broken, found.archives):
        paths[:] = sorted({*paths}, key=os.fsencode)
    found.left_out.sort(key=lambda left: left.location)
    return found


def _opened(folder: Path, outer: _Folder, *, is_named: bool = False) -> list[_Folder]:
    """The folder to search; empty if the folder is a clone, which is then added to `outer`, even if it is broken."""
    with suppress(OSError):  # `scandir` below fails as well, and its error is reported
        is_clone = git_dir(folder) is not None
        if is_clone or os.path.lexists(folder / ".git"):
            (outer.found.repositories if is_clone else outer.found.broken).append(folder)
            outer.has_clone = True
            return []
    opened = _Folder(folder)
    try:
        with os.scandir(folder) as items:
            for item in items:
                _take(opened, item, is_named=is_named)
    except OSError as error:
        if not is_named:
            reason = f"a folder that cannot be read: {error.strerror}; check its permissions"
            outer.found.leave_out(folder, "folder", reason)
    return [opened]


def _take(folder: _Folder, item: os.DirEntry[str], *, is_named: bool) -> None:
    if item.is_dir(follow_symlinks=False):
        if os.fsencode(item.name) not in VERSION_CONTROL:
            folder.waiting.append(Path(item.path))
        return
    folder.has_files = True
    is_link = item.is_symlink()
    is_named_so = is_archive_name(item.name)
    # A path takes ten times as long as all else of a plain file.
    path = Path(item.path) if is_link or is_named_so else None
    if path is not None and is_named_so and os.path.isfile(path):  # noqa: PTH113  # never raises
        if is_named or not is_link:
            folder.found.archives.append(Path(os.path.realpath(path)) if is_link else path)
        else:
            folder.found.leave_out(path, "archive", "a link to an archive; name it to index it")
    elif path is not None and is_link and _is_clone(path):
        if is_named:
            folder.found.repositories.append(work_tree(Path(os.path.realpath(path))))
            folder.has_clone = True
        else:
            folder.found.leave_out(path, "folder", "a link to a clone; name it to index it")
    elif not item.name.startswith("."):
        folder.files += 1
        folder.has_code = folder.has_code or PurePath(item.name).suffix.lower() in _code_suffixes()


def _add(inner: _Folder, outer: _Folder, *, is_named: bool) -> None:
    outer.has_files |= inner.has_files
    outer.has_code |= inner.has_code
    if inner.is_plain:
        if is_named:
            for path in inner.found.repositories:
                outer.found.leave_out(path, "folder", "a repository in a plain folder; name it to index it on its own")
            for path in inner.found.archives:
                if path.parent == inner.path:
                    outer.found.leave_out(path, "archive", "an archive in a plain folder; name it to index it")
        elif inner.has_files:
            outer.plain.append(inner.path)
        return
    outer.files += inner.files
    outer.found.repositories += inner.found.repositories
    outer.found.broken += inner.found.broken
    outer.found.archives += inner.found.archives
    outer.found.plain += [*inner.found.plain, *inner.plain]
    outer.found.left_out += inner.found.left_out
    for path in inner.plain:
        outer.found.leave_out(path, "folder", "a plain folder among clones or archives; name it to index it")


@cache
def _code_suffixes() -> frozenset[str]:
    return frozenset(
        suffix for language in LANGUAGES.values() if language.name not in _PROSE for suffix in language.extensions
    )


def _is_clone(path: Path) -> bool:
    with suppress(OSError):
        return git_dir(path) is not None
    return False


def broken_clone(folder: Path) -> str:
    """Why a folder of `Contained.broken` is not indexed."""
    dot = folder / ".git"
    if dot.exists() and not os.access(dot, os.R_OK | (os.X_OK if dot.is_dir() else 0)):
        return f"{visible(dot)} cannot be read; check its permissions"
    return f"{visible(folder)} has a .git that is not a repository; clone it again, or remove that .git"


MOST_SUBMODULES = 1_000  # limit on the submodules of a repository that are looked for
_MODULES_BYTES = 1_000_000  # limit on the bytes of a `.gitmodules`
_SUBMODULE_PATHS = r"^submodule\..*\.path$"


def submodules(source: GitSource) -> tuple[list[tuple[Path, str]], list[LeftOut]]:
    """The submodules that a repository records at its revision, as two lists in the order of their paths: (folder,
    commit) of each submodule on this machine, and the missing submodules. A submodule is on this machine if its clone
    has the recorded commit. The clone is at the submodule's path in the work tree, or in `modules` of the git
    directory. Raises GitError if the repository cannot be read.
    """
    links, modules = source.links()
    if not links:
        return [], []
    named = _names(source.path, modules) if modules else {}
    found: list[tuple[Path, str]] = []
    missing: list[LeftOut] = []
    for path, commit in sorted(links.items())[:MOST_SUBMODULES]:
        places = list(_places(source.path, path, named.get(system.path_of(path))))
        folder = next((place for place in places if names(place, commit, commit)), None)
        if folder is not None:
            found.append((folder, commit))
            continue
        wanted = f"commit {commit[:12]} is not in its clone" if places else "it is not checked out"
        reason = f"a submodule: {wanted}; run `git submodule update --init` in {visible(source.location)}"
        missing.append(LeftOut(f"{source.location}/{path_text(path)}", "submodule", reason))
    if len(links) > MOST_SUBMODULES:
        more = f"{len(links) - MOST_SUBMODULES:,} more submodules than the {MOST_SUBMODULES:,} that are looked for"
        missing.append(LeftOut(source.location, "submodule", f"{more}; name their clones"))
    return found, missing


def _names(folder: Path, modules: str) -> Mapping[str, str]:
    content = read_object(folder, modules)
    if content is not None and len(content) <= _MODULES_BYTES:
        with suppress(GitError):
            paths = config_values("-", _SUBMODULE_PATHS, clone_environment(folder), stdin=[content])
            return {path: key.removeprefix("submodule.").removesuffix(".path") for key, path in paths}
    return {}


def _places(folder: Path, path: bytes, name: str | None) -> Iterator[Path]:
    """Repositories that may be the clone of a submodule: its work tree, then its git directory."""
    directory = git_dir(folder)
    if directory is None:
        return
    if directory != folder:
        yield from _repository_below(folder, path)
    if name is not None:
        for place in dict.fromkeys((directory, common_dir(directory))):
            yield from _repository_below(place / "modules", os.fsencode(name))


def _repository_below(folder: Path, path: bytes) -> Iterator[Path]:
    """The repository at a path below a folder, if there is one and no part of the path is a link or `..`."""
    if b"\0" in path or {b"", b".", b".."} & set(path.split(b"/")):
        return
    place = folder / system.path_of(path)
    with suppress(OSError):  # for example, the name is too long
        is_below = os.path.realpath(place) == os.path.join(os.path.realpath(folder), system.path_of(path))  # noqa: PTH118
        if is_below and git_dir(place) is not None:
            yield place
