"""Finds folders that are vendored copies: most of their files are in one folder of one repository."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping

from wherefrom.projects.check.findings import FileCopy, FolderCopy
from wherefrom.queries import folders
from wherefrom.queries.folders import Folder, facing_folders, folders_above


def copied_folders(copies: Mapping[str, FileCopy], checked: Collection[str]) -> tuple[FolderCopy, ...]:
    """The folders that are copies, by path. A folder inside a copied one is not given on its own."""
    code = Counter(Folder("", folder) for path in checked for folder in folders_above(path))
    files: defaultdict[tuple[Folder, tuple[str, str]], set[str]] = defaultdict(set)
    for path, copy in copies.items():
        for at in copy.occurrences:
            for here, there in facing_folders(path, at.path):
                files[Folder("", here), (at.repository, there)].add(path)
    chosen = []
    for folder, (repository, there), paths in folders.copied_folders(files, code):
        # The innermost folder with all these copies is named if it has as many checked files as the outer one. The
        # outer one may have unchecked files as well.
        inner = posixpath.commonpath([posixpath.dirname(path) for path in paths])
        if code[Folder("", inner)] < code[folder]:
            inner = folder.path
        inner_there = posixpath.join(there, inner[len(folder.path) :].lstrip("/")).rstrip("/")
        chosen.append(FolderCopy(inner, repository, inner_there, tuple(sorted(paths)), code[folder]))
    return tuple(sorted(chosen, key=lambda folder: folder.path))
