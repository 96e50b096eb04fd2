"""The clones in a folder, and what else is found among them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom.printable import visible
from wherefrom.results.indexing import LeftOut
from wherefrom.sources.archive import is_archive
from wherefrom.sources.directory import VERSION_CONTROL
from wherefrom.sources.git_folder import git_dir
from wherefrom.sources.source import path_text

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class Clones:
    """What a folder holds, each by path.

    Attributes:
        repositories: clones, found by their looks; empty for a plain folder.
        broken: folders with a `.git` that is not a repository, such as a clone that was interrupted.
        left_out: plain folders, archives and links to clones among the clones, and folders that cannot be read.
    """

    repositories: list[Path] = field(default_factory=list)
    broken: list[Path] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


@dataclass(slots=True)
class _Folder:
    """A folder that is being searched.

    Attributes:
        waiting: its folders that are yet to be searched.
        archives: the archives in it.
        links: the links to clones in it.
        plain: the folders in it, at any depth, that hold files and no clone.
        has_files: whether a file is in it, at any depth.
        has_clones: whether a clone is in it, at any depth.
    """

    path: Path
    waiting: list[Path] = field(default_factory=list)
    archives: list[Path] = field(default_factory=list)
    links: list[Path] = field(default_factory=list)
    plain: list[Path] = field(default_factory=list)
    has_files: bool = False
    has_clones: bool = False


def clones_in(folder: Path) -> Clones:
    """Searches a folder at any depth. Clones are not searched further, links to folders are not followed.

    Args:
        folder: the folder, absolute; it may be a clone itself.
    """
    found = Clones()
    under_way = [_opened(folder, found)] if _may_be_searched(folder, found) else []
    while under_way:
        current = under_way[-1]
        if current.waiting:
            inner = current.waiting.pop()
            if _may_be_searched(inner, found):
                under_way.append(_opened(inner, found))
            else:
                current.has_clones = True
            continue
        under_way.pop()
        if current.has_clones:
            found.left_out += _among_clones(current)
        if under_way:
            outer = under_way[-1]
            outer.has_clones |= current.has_clones
            outer.has_files |= current.has_files
            if current.has_files and not current.has_clones:
                outer.plain.append(current.path)
    found.repositories.sort(key=os.fsencode)
    found.broken.sort(key=os.fsencode)
    found.left_out.sort(key=lambda left: left.location)
    return found


def _may_be_searched(folder: Path, found: Clones) -> bool:
    """Whether a folder is neither a clone nor a broken one; else it is noted as that."""
    try:
        if git_dir(folder) is not None:
            found.repositories.append(folder)
            return False
        if os.path.lexists(folder / ".git"):
            found.broken.append(folder)
            return False
    except OSError:
        pass  # `_opened` says why it cannot be read
    return True


def _opened(folder: Path, found: Clones) -> _Folder:
    opened = _Folder(folder)
    try:
        with os.scandir(folder) as items:
            for item in items:
                path = Path(item.path)
                if not item.is_dir(follow_symlinks=False):
                    opened.has_files = True
                    if is_archive(path):
                        opened.archives.append(path)
                    elif item.is_symlink() and _is_clone(path):
                        opened.links.append(path)
                elif os.fsencode(item.name) not in VERSION_CONTROL:
                    opened.waiting.append(path)
    except OSError as error:
        reason = f"a folder that cannot be read: {error.strerror}; check its permissions"
        found.left_out.append(LeftOut(_text(folder), "folder", reason))
    return opened


def _among_clones(folder: _Folder) -> Iterable[LeftOut]:
    for path in folder.plain:
        yield LeftOut(_text(path), "folder", "a plain folder among clones; name it to index it")
    for path in folder.archives:
        yield LeftOut(_text(path), "archive", "an archive among clones; name it to index it")
    for path in folder.links:
        yield LeftOut(_text(path), "folder", "a link to a clone; name it to index it")


def _is_clone(path: Path) -> bool:
    try:
        return git_dir(path) is not None
    except OSError:
        return False


def broken_clone(folder: Path) -> str:
    """Why a folder of `Clones.broken` is not indexed."""
    dot = folder / ".git"
    if dot.exists() and not os.access(dot, os.R_OK | (os.X_OK if dot.is_dir() else 0)):
        return f"{visible(dot)} cannot be read; check its permissions"
    return f"{visible(folder)} has a .git that is not a repository; clone it again, or remove that .git"


def _text(path: Path) -> str:
    return path_text(os.fsencode(path))
