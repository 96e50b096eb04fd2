"""Finds the folders of other projects that are copies of a project, such as `vendor/zlib`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import TypeAlias

from wherefrom.fitted import FEW
from wherefrom.queries.folders import Folder, copied_folders, depth, facing_folders, folders_above, is_code
from wherefrom.queries.history import is_vendored
from wherefrom.queries.project_files import MOST_VERSIONS, ProjectFiles, ProjectPart, States, is_other
from wherefrom.results import ProjectName, SameProject

Facing: TypeAlias = Mapping[tuple[Folder, tuple[str, str]], Collection[str]]
"""For a folder and a folder of a part (its name and the path): the files that are the same below both, by their path in
the repository."""


def vendored(files: ProjectFiles, group: Collection[ProjectPart]) -> list[ProjectName]:
    """The folders for code of other projects (`vendor/` and the like) of which more than half of the code has the same
    bytes as in a state of this project, and of no other one, by repository and folder.
    """
    copies = _Copies(files, group)
    code = copies.code
    found = []
    for folder, (name, _), same in copied_folders(copies.whole(), code):
        blobs = {files.code(folder.repository)[path] for path in same}
        if len(files.distinctive(blobs)) >= FEW and _shared_elsewhere(files, group, blobs) < len(blobs):
            key = next(part.records[0].key for part in group if part.name == name)
            copy = ProjectName(
                folder.repository, key, SameProject.VENDORED, len(same), code[folder], folder=folder.path
            )
            found.append(copy)
    return sorted(found, key=lambda copy: (copy.repository, copy.folder))


class _Copies:
    """The files of a project in vendored folders of repositories of other projects.

    Attributes:
        code: how many files with code each folder of these repositories has.
    """

    def __init__(self, files: ProjectFiles, group: Collection[ProjectPart]) -> None:
        self._files, self._group = files, group
        self._states = {part.name: _own(_states(files, part)) for part in group}
        indexed = self._indexed()
        clones = {name for _, (name, _) in indexed} & {part.name for part in group if not part.is_package}
        for name in clones:
            self._states[name] = _merged(self._states[name], _own(files.releases(name)))
        self.code = Counter(
            Folder(key, above)
            for key in {folder.repository for folder, _ in indexed}
            for path in files.code(key)
            for above in folders_above(path)
        )
        self._facing = {pair: self._below(*pair) for pair in indexed}

    def whole(self) -> Facing:
        """For each pair of folders the files with the same bytes at the same path. Pairs are left out if these files
        are all in one subfolder, and the folder has no other code, or code that the project does not have there.
        """
        found = {}
        for (folder, (name, there)), (same, known) in self._facing.items():
            child = _common(folder, same)
            inner = (child, (name, f"{there}/{child.path.rpartition('/')[2]}".lstrip("/")))
            is_inner = child != folder and inner in self._facing and self._facing[inner][0] == same
            if not is_inner or self.code[child] < self.code[folder] == known:
                found[folder, (name, there)] = same
        return found

    def _indexed(self) -> set[tuple[Folder, tuple[str, str]]]:
        """The pairs of folders with an indexed file in common."""
        places: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for name, paths in self._states.items():
            for path, blobs in paths.items():
                for blob in blobs:
                    places[blob].append((name, path))
        return {
            (Folder(at.repository, here), (name, there))
            for at in (self._files.engine.occurrences(blobs=places) if places else ())
            if is_vendored(at.path) and is_code(at.path) and self._files.part_of.get(at.repository) not in self._group
            for name, path in places[at.blob]
            for here, there in facing_folders(at.path, path)
            if is_vendored(f"{here}/")
        }

    def _below(self, folder: Folder, origin: tuple[str, str]) -> tuple[frozenset[str], int]:
        """The files below a folder that have the same bytes in the project, and how many have any there."""
        name, there = origin
        states, begin, at = self._states[name], f"{folder.path}/", f"{there}/" if there else ""
        known = {
            path: blob in states[at + path.removeprefix(begin)]
            for path, blob in self._files.code(folder.repository).items()
            if path.startswith(begin) and at + path.removeprefix(begin) in states
        }
        return frozenset(path for path, is_same in known.items() if is_same), len(known)


def _common(folder: Folder, paths: Collection[str]) -> Folder:
    """The subfolder of a folder at the beginning of all of some paths in it; if there is none, the folder itself."""
    names = {path[len(folder.path) + 1 :].partition("/")[0] for path in paths}
    is_folder = len(names) == 1 and all(path.count("/") > depth(folder.path) for path in paths)
    return Folder(folder.repository, f"{folder.path}/{names.pop()}") if is_folder else folder


def _states(files: ProjectFiles, part: ProjectPart) -> States:
    """The indexed files of a part, in all of its versions."""
    return _merged(*(files.state(record.key) for record in part.records[:MOST_VERSIONS]))


def _merged(*states: States) -> States:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for paths in states:
        for path, blobs in paths.items():
            found[path].update(blobs)
    return found


def _own(states: States) -> States:
    """The files that are not in a folder for other code: a copy in another project may come from there too."""
    return {path: blobs for path, blobs in states.items() if not is_other(path)}


def _shared_elsewhere(files: ProjectFiles, group: Collection[ProjectPart], blobs: Collection[str]) -> int:
    """The highest number of these blobs in a part of another project, not counting vendored folders."""
    holders: defaultdict[ProjectPart, set[str]] = defaultdict(set)
    for at in files.engine.occurrences(blobs=blobs):
        part = files.part_of.get(at.repository)
        if part is not None and part not in group and not is_other(at.path):
            holders[part].add(at.blob)
    return max(map(len, holders.values()), default=0)
