"""Finds the folders of other projects that are copies of a project, such as `vendor/zlib`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import TypeAlias

from wherefrom.fitted import FEW, PART
from wherefrom.queries.folders import Folder, copied_folders, depth, facing_folders, folders_above, is_code
from wherefrom.queries.history import is_vendored
from wherefrom.queries.project_files import MOST_VERSIONS, ProjectFiles, ProjectPart, States, is_other, word_of
from wherefrom.results import ProjectName, SameProject

Facing: TypeAlias = Mapping[tuple[Folder, tuple[str, str]], Mapping[str, bool]]
"""For a folder and a folder of a part (its name and the path): the files that are at the same path below both, by their
path in the repository, and whether they have the same bytes."""


def vendored(files: ProjectFiles, group: Collection[ProjectPart]) -> list[ProjectName]:
    """The folders for code of other projects (`vendor/` and the like) that are copies of this project: more than half
    of the files are at the same paths in it, and a part of them has the same bytes in one of its states. If another
    project has these too, the folder must have the name of this one.
    """
    copies = _Copies(files, group)
    code = copies.code
    found = []
    for folder, (name, _), known in copied_folders(copies.whole(), code, _counted):
        same = {files.code(folder.repository)[path] for path, is_same in known.items() if is_same}
        if len(files.distinctive(same)) >= FEW and (
            _is_named(folder, group) or not _may_be_from_others(files, same, group)
        ):
            key = next(part.records[0].key for part in group if part.name == name)
            shared = sum(known.values())
            found.append(
                ProjectName(folder.repository, key, SameProject.VENDORED, shared, code[folder], folder=folder.path)
            )
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
        """Each folder with the folder of the project that has most of its files, without folders whose common files are
        all in one subfolder.
        """
        found: dict[Folder, tuple[tuple[str, str], Mapping[str, bool]]] = {}
        for (folder, (name, there)), known in sorted(self._facing.items()):
            child = _common(folder, known)
            inner = (child, (name, f"{there}/{child.path.rpartition('/')[2]}".lstrip("/")))
            if child == folder or inner not in self._facing:
                _, best = found.get(folder, ("", {}))
                if (len(known), sum(known.values())) > (len(best), sum(best.values())):
                    found[folder] = (name, there), known
        return {(folder, origin): known for folder, (origin, known) in found.items()}

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

    def _below(self, folder: Folder, origin: tuple[str, str]) -> dict[str, bool]:
        """The files below a folder that the project has there, and whether they have the same bytes."""
        name, there = origin
        states, begin, at = self._states[name], f"{folder.path}/", f"{there}/" if there else ""
        return {
            path: blob in states[at + path.removeprefix(begin)]
            for path, blob in self._files.code(folder.repository).items()
            if path.startswith(begin) and at + path.removeprefix(begin) in states
        }


def _counted(known: Mapping[str, bool]) -> int:
    """How many files count as copied: none if only few have the same bytes."""
    return len(known) if sum(known.values()) >= PART * len(known) else 0


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


def _is_named(folder: Folder, group: Collection[ProjectPart]) -> bool:
    """Whether a folder on the path has the name of the project, perhaps with a version."""
    names = {word_of(re.sub(r"-v?\d.*", "", name)) for name in folder.path.split("/")}
    return any(part.word in names for part in group)


def _may_be_from_others(files: ProjectFiles, blobs: Collection[str], group: Collection[ProjectPart]) -> bool:
    """Whether another project has all of these blobs, not counting its folders for other code."""
    holders: defaultdict[ProjectPart, set[str]] = defaultdict(set)
    for at in files.engine.occurrences(blobs=blobs):
        holder = files.part_of.get(at.repository)
        if holder is not None and holder not in group and not is_other(at.path):
            holders[holder].add(at.blob)
    return any(len(found) == len(blobs) for found in holders.values())
