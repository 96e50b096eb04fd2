"""Finds the indexed repositories that are one project: a clone, the versions of its packages, and its forks.

A wrong project is worse than a missed one. So a package is not believed: the repository that it names must have most of
its files, each at a path that ends with the path in the package, and some with the same bytes. A vendored copy is in
another folder, so it is never taken for the project itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nsmallest
from itertools import product
from typing import NamedTuple, TypeAlias

from wherefrom.engines.engine import Engine
from wherefrom.errors import UnknownRepository
from wherefrom.fitted import AGREEING, UNCHANGED
from wherefrom.queries.folders import Folder, copied_folders, depth, facing_folders, folders_above, is_code
from wherefrom.queries.history import is_vendored
from wherefrom.queries.project_files import (
    MOST_VERSIONS,
    Code,
    FilesInCommon,
    ProjectFiles,
    ProjectPart,
    States,
    are_forks,
    files_in_common,
    is_other,
    word_of,
)
from wherefrom.queries.repository_names import PREFIX, keys_of, missing
from wherefrom.results import IndexedProject, ProjectName, SameProject
from wherefrom.sources.repository_urls import comparable, is_key_pattern
from wherefrom.support.chunks import by_key

SKETCH = 32
"""Repositories are compared if they share some of their first contents by id. Ids are hashes, so two repositories that
share half of their contents share about half of these."""


class Proof(NamedTuple):
    """The evidence that two parts are one project, and the keys of the two records that it is about."""

    evidence: SameProject
    key: str
    other: str
    common: FilesInCommon


class Projects:
    """The projects of an index, which must not change meanwhile."""

    def __init__(self, engine: Engine) -> None:
        self._files = ProjectFiles(engine)
        parts = self._files.parts
        self._naming = by_key((key, part) for part in parts for key in part.named)
        self._words = by_key((part.word, part) for part in parts)
        self._clones = by_key((comparable(part.name), part) for part in parts if not part.is_package)
        self._proof = cache(self._compared)

    def all(self) -> list[IndexedProject]:
        """All projects, also those with only one repository, by name."""
        return sorted(self._projects(self._files.parts), key=lambda project: project.project)

    def of(self, keys: Iterable[str]) -> list[IndexedProject]:
        """The projects of the repositories with these keys."""
        return self._projects(dict.fromkeys(self._files.part_of[key] for key in keys))

    def called(self, name: str) -> list[IndexedProject]:
        """The projects that a name means: the key of a repository, a pattern, or the last part of a key or of the name
        of a package. Empty if it means none.
        """
        if name in self._files.records or is_key_pattern(name):
            return self.of(keys_of(name, self._files.records))
        ending = f"/{name.lower()}"
        return self.of(
            record.key
            for record in self._files.records.values()
            if comparable(record.key) == comparable(name)
            or any(f"/{it}".lower().endswith(ending) for it in (self._files.part_of[record.key].name, record.key))
        )

    def _projects(self, parts: Iterable[ProjectPart]) -> list[IndexedProject]:
        seen: set[ProjectPart] = set()
        found = []
        for part in parts:
            if part not in seen:
                group = self._connected(part)
                seen.update(group)
                found.append(_project(group, vendored(self._files, group)))
        return found

    def _connected(self, start: ProjectPart) -> dict[ProjectPart, dict[ProjectPart, Proof]]:
        group: dict[ProjectPart, dict[ProjectPart, Proof]] = {start: {}}
        waiting = deque([start])
        while waiting:
            part = waiting.popleft()
            for other, proof in self._related(part):
                if other not in group:
                    group[other] = {}
                    waiting.append(other)
                group[part][other] = group[other][part] = proof
        return group

    def _related(self, part: ProjectPart) -> Iterator[tuple[ProjectPart, Proof]]:
        others = [other for other in self._words[part.word] if other.is_package != part.is_package]
        for key in part.named:
            others += [*self._clones[key], *self._naming[key]]
        if not part.is_package:
            others += [*self._naming[comparable(part.name)], *self._sharing(part)]
        for other in dict.fromkeys(others):
            if other is part:
                continue
            first, second = sorted((part, other), key=lambda each: (not each.is_package, each.name))
            if proof := self._proof(first, second):
                yield other, proof

    def _sharing(self, part: ProjectPart) -> list[ProjectPart]:
        sketch = nsmallest(SKETCH, set(self._files.code(part.name).values()))
        shared: defaultdict[str, set[str]] = defaultdict(set)
        for place in self._files.engine.occurrences(blobs=sketch):
            shared[place.repository].add(place.blob)
        found = (
            self._files.part_of[key]
            for key, blobs in shared.items()
            if key in self._files.part_of and len(blobs) >= AGREEING
        )
        return [other for other in found if not other.is_package]

    def _compared(self, part: ProjectPart, other: ProjectPart) -> Proof | None:
        if not part.is_package:
            first, second = self._files.code(part.name), self._files.code(other.name)
            found = are_forks(first, second, self._files.distinctive, have_one_name=part.word == other.word)
            return Proof(SameProject.FORK, part.name, other.name, found) if found else None
        for record, there in product(part.records[:MOST_VERSIONS], other.records[:MOST_VERSIONS]):
            if proof := self._same_project(part, record.key, other, there.key):
                return proof
        return None

    def _same_project(self, part: ProjectPart, key: str, other: ProjectPart, there: str) -> Proof | None:
        has_name = part.word == other.word
        if other.is_package:
            pairs = ((key, there), (there, key)) if part.named & other.named else ()
            proofs = [proof for one, two in pairs if (proof := self._siblings(one, two, has_name=has_name))]
            # A bundle has all files of a package. So with another name, each must have hardly any other files.
            return proofs[0] if len(proofs) > (not has_name) else None
        is_named = comparable(other.name) in part.named
        if not is_named and (not has_name or any(word_of(named) != other.word for named in part.named)):
            return None
        found = files_in_common(self._files.code(key), self._files.state(there), self._files.distinctive)
        is_proven = found.proves_contents
        if is_named and not is_proven:
            is_proven = found.proves_named(has_name=has_name) or (has_name and found.is_all)
        if not is_proven:
            found = files_in_common(self._files.code(key), self._files.releases(there), self._files.distinctive)
            is_proven = found.proves_contents
        evidence = SameProject.NAMED if is_named else SameProject.CONTENTS
        return Proof(evidence, key, there, found) if is_proven else None

    def _siblings(self, key: str, there: str, *, has_name: bool) -> Proof | None:
        code, state = self._files.code(key), self._files.state(there)
        found = files_in_common(code, state, self._files.distinctive, folders=("", "src/"))
        return Proof(SameProject.SIBLING, key, there, found) if found.proves_named(has_name=has_name) else None


def projects(engine: Engine, names: Sequence[str] = ()) -> list[IndexedProject]:
    """The projects that some names mean, or all, by name. Raises UnknownRepository if a name means none."""
    found = Projects(engine)
    if not names:
        return found.all()
    meant: dict[str, IndexedProject] = {}
    for name in names:
        called = found.called(name.removeprefix(PREFIX))
        if not called:
            raise UnknownRepository(missing(name, engine.repository_keys()))
        meant |= {project.project: project for project in called}
    return [project for _, project in sorted(meant.items())]


def _project(group: Mapping[ProjectPart, Mapping[ProjectPart, Proof]], copies: Iterable[ProjectName]) -> IndexedProject:
    found = (proof for proofs in group.values() for proof in proofs.values() if proof.evidence is not SameProject.FORK)
    naming = Counter(proof.other for proof in found)
    main = min(group, key=lambda part: (part.is_package, -naming[part.name], part.name))
    names = [ProjectName(main.records[0].key)]
    seen, waiting = {main}, deque([(main, main.records[0].key)])
    while waiting:
        part, known = waiting.popleft()
        names += [ProjectName(record.key, known, SameProject.VERSION) for record in part.records if record.key != known]
        for other, proof in sorted(group[part].items(), key=lambda found: found[0].name):
            if other not in seen:
                seen.add(other)
                here, there = (
                    (proof.key, proof.other)
                    if proof.key in {record.key for record in other.records}
                    else (proof.other, proof.key)
                )
                names.append(ProjectName(here, there, proof.evidence, proof.common.same, proof.common.files))
                waiting.append((other, here))
    return IndexedProject(main.name, (*names, *copies))


Facing: TypeAlias = Mapping[tuple[Folder, tuple[str, str]], Mapping[str, bool]]
"""For a folder and a folder of a part (its name and the path): the files that are at the same path below both, by their
path in the repository, and whether they have the same bytes."""


def vendored(files: ProjectFiles, group: Collection[ProjectPart]) -> list[ProjectName]:
    """The folders for code of other projects (`vendor/` and the like) that are copies of this project: more than half
    of the files are at the same paths in it, and a part of them has the same bytes in one of its states. If another
    project has these too, the folder must have the name of this one.
    """
    states = {
        part.name: _own(_merged(*(files.state(record.key) for record in part.records[:MOST_VERSIONS])))
        for part in group
    }
    indexed = _indexed(files, group, states)
    for name in {name for _, (name, _) in indexed} & {part.name for part in group if not part.is_package}:
        states[name] = _merged(states[name], _own(files.releases(name)))
    code = Counter(
        Folder(key, above)
        for key in {folder.repository for folder, _ in indexed}
        for path in files.code(key)
        for above in folders_above(path)
    )
    facing = {
        (folder, (name, there)): _below(files.code(folder.repository), folder.path, states[name], there)
        for folder, (name, there) in indexed
    }
    found = []
    for folder, (name, _), known in copied_folders(_whole(facing), code, _counted):
        same = {files.code(folder.repository)[path] for path, is_same in known.items() if is_same}
        if len(files.distinctive(same)) >= AGREEING and (
            _is_named(folder, group) or not _may_be_from_others(files, same, group)
        ):
            key = next(part.records[0].key for part in group if part.name == name)
            shared = sum(known.values())
            found.append(
                ProjectName(folder.repository, key, SameProject.VENDORED, shared, code[folder], folder=folder.path)
            )
    return sorted(found, key=lambda copy: (copy.repository, copy.folder))


def _indexed(
    files: ProjectFiles, group: Collection[ProjectPart], states: Mapping[str, States]
) -> set[tuple[Folder, tuple[str, str]]]:
    """The pairs of a vendored folder and a folder of a part that have an indexed file in common."""
    places = by_key(
        (blob, (name, path)) for name, paths in states.items() for path, blobs in paths.items() for blob in blobs
    )
    return {
        (Folder(at.repository, here), (name, there))
        for at in (files.engine.occurrences(blobs=places) if places else ())
        if is_vendored(at.path) and is_code(at.path) and files.part_of.get(at.repository) not in group
        for name, path in places[at.blob]
        for here, there in facing_folders(at.path, path)
        if is_vendored(f"{here}/")
    }


def _below(code: Code, folder: str, states: States, there: str) -> dict[str, bool]:
    begin, at = f"{folder}/", f"{there}/" if there else ""
    return {
        path: blob in states[at + path.removeprefix(begin)]
        for path, blob in code.items()
        if path.startswith(begin) and at + path.removeprefix(begin) in states
    }


def _whole(facing: Facing) -> Facing:
    """Each folder with the folder of the project that has most of its files, without folders whose common files are all
    in one subfolder.
    """
    found: dict[Folder, tuple[tuple[str, str], Mapping[str, bool]]] = {}
    for (folder, (name, there)), known in sorted(facing.items()):
        child = _common(folder, known)
        inner = (child, (name, f"{there}/{child.path.rpartition('/')[2]}".lstrip("/")))
        if child == folder or inner not in facing:
            _, best = found.get(folder, ("", {}))
            if (len(known), sum(known.values())) > (len(best), sum(best.values())):
                found[folder] = (name, there), known
    return {(folder, origin): known for folder, (origin, known) in found.items()}


def _counted(known: Mapping[str, bool]) -> int:
    return len(known) if sum(known.values()) >= UNCHANGED * len(known) else 0


def _common(folder: Folder, paths: Collection[str]) -> Folder:
    """The subfolder of a folder at the beginning of all of some paths in it; if there is none, the folder itself."""
    names = {path[len(folder.path) + 1 :].partition("/")[0] for path in paths}
    is_folder = len(names) == 1 and all(path.count("/") > depth(folder.path) for path in paths)
    return Folder(folder.repository, f"{folder.path}/{names.pop()}") if is_folder else folder


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
