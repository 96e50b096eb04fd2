"""The submodules of a repository whose objects are on this machine.

Of a repository's own `.gitmodules` only the names are used, to look below its git directory; its paths and URLs are
never followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from wherefrom.errors import GitError
from wherefrom.results.indexing import LeftOut
from wherefrom.sources.git import GitSource, clone_environment, read_object, resolve
from wherefrom.sources.git_folder import common_dir, config_values, git_dir
from wherefrom.sources.source import path_text
from wherefrom.support.printable import visible

MOST = 1_000
"""Submodules of one repository that are looked for."""

_MODULES_BYTES = 1_000_000
"""Of a `.gitmodules`."""

_KEY = r"^submodule\..*\.path$"


def submodules(source: GitSource) -> tuple[list[tuple[Path, str]], list[LeftOut]]:
    """The submodules that a repository records at its revision, by path: those at hand, and those that are not.

    One is at hand if the commit that is recorded can be read in its work tree below that of the repository, or in
    `modules` of the git directory: it is given as that folder and the commit.

    Raises:
        GitError: the repository cannot be read.
    """
    links, modules = source.links()
    if not links:
        return [], []
    names = _names(source.folder, modules) if modules else {}
    found: list[tuple[Path, str]] = []
    missing: list[LeftOut] = []
    for path, commit in sorted(links.items())[:MOST]:
        places = list(_places(source.folder, path, names.get(os.fsdecode(path))))
        folder = next((place for place in places if _holds(place, commit)), None)
        if folder is not None:
            found.append((folder, commit))
            continue
        wanted = f"commit {commit[:12]} is not in its clone" if places else "it is not checked out"
        reason = f"a submodule: {wanted}; run `git submodule update --init` in {visible(source.location)}"
        missing.append(LeftOut(f"{source.location}/{path_text(path)}", "submodule", reason))
    if len(links) > MOST:
        more = f"{len(links) - MOST:,} more submodules than the {MOST:,} that are looked for; name their clones"
        missing.append(LeftOut(source.location, "submodule", more))
    return found, missing


def _names(folder: Path, modules: str) -> Mapping[str, str]:
    """The name of each submodule by its path, as the blob of a `.gitmodules` has them."""
    content = read_object(folder, modules)
    if content is None or len(content) > _MODULES_BYTES:
        return {}
    try:
        paths = config_values("-", _KEY, clone_environment(folder), stdin=[content])
    except GitError:
        return {}
    return {path: key.removeprefix("submodule.").removesuffix(".path") for key, path in paths}


def _places(folder: Path, path: bytes, name: str | None) -> Iterator[Path]:
    """Where the clone of a submodule may be, if there is one: its work tree, then its git directory."""
    directory = git_dir(folder)
    if directory is None:
        return
    if directory != folder:
        yield from _repository_below(folder, path)
    if name is not None:
        for place in dict.fromkeys((directory, common_dir(directory))):
            yield from _repository_below(place / "modules", os.fsencode(name))


def _repository_below(folder: Path, path: bytes) -> Iterator[Path]:
    """The repository at a path below a folder, if there is one and no part of the path is a link or leads up."""
    if b"\0" in path or {b"", b".", b".."} & set(path.split(b"/")):
        return
    place = folder / os.fsdecode(path)
    try:
        is_below = os.path.realpath(place) == os.path.join(os.path.realpath(folder), os.fsdecode(path))  # noqa: PTH118
        if is_below and git_dir(place) is not None:
            yield place
    except OSError:  # such as a name that is too long
        return


def _holds(folder: Path, commit: str) -> bool:
    try:
        return resolve(folder, commit) == commit
    except GitError:
        return False
