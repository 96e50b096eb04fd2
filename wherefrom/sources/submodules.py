"""Finds the submodules of a repository that are on this machine.

It uses only the names in a repository's `.gitmodules`, to look for clones below the git directory. It never follows the
paths and URLs in that file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from wherefrom.errors import GitError
from wherefrom.results.indexing import LeftOut
from wherefrom.sources.git import GitSource, clone_environment, names, read_object
from wherefrom.sources.git_folder import common_dir, config_values, git_dir
from wherefrom.sources.source import path_text
from wherefrom.support.printable import visible

MOST = 1_000
"""Limit on the submodules of a repository that are looked for."""

_MODULES_BYTES = 1_000_000
"""Limit on the bytes of a `.gitmodules`."""

_KEY = r"^submodule\..*\.path$"


def submodules(source: GitSource) -> tuple[list[tuple[Path, str]], list[LeftOut]]:
    """The submodules that a repository records at its revision, as two lists in the order of their paths: (folder,
    commit) of each submodule on this machine, and the missing submodules.

    A submodule is on this machine if its clone has the recorded commit. The clone is at the submodule's path in the
    work tree, or in `modules` of the git directory. Raises GitError if the repository cannot be read.
    """
    links, modules = source.links()
    if not links:
        return [], []
    named = _names(source.path, modules) if modules else {}
    found: list[tuple[Path, str]] = []
    missing: list[LeftOut] = []
    for path, commit in sorted(links.items())[:MOST]:
        places = list(_places(source.path, path, named.get(os.fsdecode(path))))
        folder = next((place for place in places if names(place, commit, commit)), None)
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
    content = read_object(folder, modules)
    if content is not None and len(content) <= _MODULES_BYTES:
        with suppress(GitError):
            paths = config_values("-", _KEY, clone_environment(folder), stdin=[content])
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
    place = folder / os.fsdecode(path)
    with suppress(OSError):  # for example, the name is too long
        is_below = os.path.realpath(place) == os.path.join(os.path.realpath(folder), os.fsdecode(path))  # noqa: PTH118
        if is_below and git_dir(place) is not None:
            yield place
