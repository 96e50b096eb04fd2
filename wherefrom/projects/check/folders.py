"""Folders that are vendored copies: most of their files are those of one folder of one repository."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from wherefrom.projects.check.findings import FolderCopy
from wherefrom.queries.folders import depth, facing_folders, folders_above, is_mostly_copied

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from wherefrom.projects.check.findings import FileCopy


def copied_folders(copies: Mapping[str, FileCopy], checked: Collection[str]) -> tuple[FolderCopy, ...]:
    """The folders that are copies, by path; none is in another one: the one with the most files counts.

    Args:
        copies: the files that are copies, by path.
        checked: the paths of all files with code, these among them.
    """
    totals = Counter(folder for path in checked for folder in folders_above(path))
    files: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for path, copy in copies.items():
        for at in copy.occurrences:
            for folder, there in facing_folders(path, at.path):
                files[folder, at.repository, there].add(path)
    by_folder: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for folder, repository, there in files:
        by_folder[folder].append((repository, there))
    chosen: list[FolderCopy] = []
    taken: set[str] = set()
    for folder in sorted(by_folder, key=lambda path: (depth(path), path)):
        if taken.intersection([*folders_above(folder), folder]):
            continue
        repository, there = min(by_folder[folder], key=lambda other: (-len(files[folder, *other]), other))
        paths = files[folder, repository, there]
        if is_mostly_copied(len(paths), totals[folder]):
            # Of folders with the same files the innermost: the others may hold files that were not checked.
            inner = posixpath.commonpath([posixpath.dirname(path) for path in paths])
            if totals[inner] < totals[folder]:
                inner = folder
            inner_there = posixpath.join(there, inner[len(folder) :].lstrip("/")).rstrip("/")
            chosen.append(FolderCopy(inner, repository, inner_there, tuple(sorted(paths)), totals[folder]))
            taken.add(folder)
    return tuple(sorted(chosen, key=lambda folder: folder.path))
