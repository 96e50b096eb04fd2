"""Finds the indexed repositories that are one project: a clone, the versions of its packages, and its forks.

A wrong project is worse than a missed one. So a package is not believed: the repository that it names must have most of
its files, each at a path that ends with the path in the package, and some with the same bytes. A vendored copy is in
another folder, so it is never taken for the project itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from itertools import product
from typing import NamedTuple, TypeAlias

from wherefrom.engines.engine import Engine
from wherefrom.errors import UnknownRepository, UsageError
from wherefrom.fitted import FEW, FEW_LINES, MANY, NEARLY_ALL, PART
from wherefrom.model import KeyKind, RepositoryRecord
from wherefrom.queries.folders import folders_above, is_code
from wherefrom.queries.history import is_vendored
from wherefrom.queries.repository_names import keys_of, missing, some
from wherefrom.results import IndexedProject, ProjectName, SameProject
from wherefrom.sources.indexed import tagged_trees
from wherefrom.sources.repository_urls import comparable, is_key_pattern, normalised
from wherefrom.support.hosts import HOSTS

PREFIX = "project:"
"""Before the name of a repository: all repositories that are one project with it."""

SKETCH = 32
"""Repositories are compared if they share some of their first contents by id. Ids are hashes, so two repositories that
share half of their contents share about half of these."""

MOST_VERSIONS = 16
"""At most this many versions of a package are compared with another repository, the newest first."""

KEPT_FILES = 256
"""The files of this many repositories are kept in memory."""

KEPT_RELEASES = 16
"""The files at all tags of this many clones are kept in memory."""

Code: TypeAlias = Mapping[str, str]
"""The files with code of a repository: the blob of each path."""

States: TypeAlias = Mapping[str, Collection[str]]
"""The files of a repository in one or several states: the blobs of each path."""

Distinctive: TypeAlias = Callable[[Collection[str]], AbstractSet[str]]
"""Which of some blobs prove something: those that are neither tiny nor in repositories with many names."""


class FilesInCommon(NamedTuple):
    """What a repository has of a package's files.

    Attributes:
        files: the files of the package.
        same: those that it has with the same bytes, at a path that ends with the path in the package.
        distinctive: those of `same` that are distinctive.
        alike: those that it has below a folder with distinctive ones, with the same bytes or others.
        strange: how many folders at the top of the package have several files, but none that is alike.
    """

    files: int
    same: int
    distinctive: int
    alike: int
    strange: int = 0

    def proves_named(self, *, has_name: bool) -> bool:
        """Whether a package comes from the repository that its metadata names. With another name than that of the
        repository, it may be a bundle of several projects, so hardly any other files are allowed, and no folder of
        them.
        """
        if self.distinctive < FEW:
            return False
        return 2 * self.alike > self.files if has_name else self.alike >= NEARLY_ALL * self.files and not self.strange

    @property
    def is_all(self) -> bool:
        """Whether a package of very few files is in the repository unchanged."""
        return 0 < self.files == self.same == self.distinctive

    @property
    def proves_contents(self) -> bool:
        """Whether a package comes from a repository of its name, which its metadata does not name."""
        return self.distinctive >= FEW and self.alike >= NEARLY_ALL * self.files and 2 * self.same > self.files


def files_in_common(
    package: Code, repository: States, distinctive: Distinctive, *, folders: Collection[str] | None = None
) -> FilesInCommon:
    """Compares the files of a package with those of a repository.

    Args:
        package: the files of the package.
        repository: those of the repository.
        distinctive: tells which blobs prove something.
        folders: the folders of the repository that the package may be of, with a slash at the end (`""` for the root);
            None for all but those for vendored code and for tests. It may be of several.
    """
    facing: defaultdict[str, list[str]] = defaultdict(list)
    for there in repository:
        for folder in ("", *(f"{above}/" for above in folders_above(there) if above)):
            path = there[len(folder) :]
            if path in package and (not _is_other(folder) if folders is None else folder in folders):
                facing[folder].append(path)
    same = {
        folder: {path for path in paths if package[path] in repository[folder + path]}
        for folder, paths in facing.items()
    }
    telling = distinctive({package[path] for paths in same.values() for path in paths})
    proven = [folder for folder, paths in same.items() if any(package[path] in telling for path in paths)]
    shared = set().union(*same.values())
    alike = {path for folder in proven for path in facing[folder]}
    tops = Counter(_top(path) for path in package)
    known = {_top(path) for path in alike}
    return FilesInCommon(
        files=len(package),
        same=len(shared),
        distinctive=sum(package[path] in telling for path in shared),
        alike=len(alike),
        strange=sum(files >= FEW and top not in known for top, files in tops.items()),
    )


def are_forks(first: Code, second: Code, distinctive: Distinctive, *, have_one_name: bool) -> FilesInCommon | None:
    """What two repositories have in common if one is a fork of the other: most files of both are the same, at the same
    paths. If they have one name, fewer are enough. None if they are not.
    """
    alike = [path for path in first if path in second]
    same = [path for path in alike if first[path] == second[path]]
    most = max(len(first), len(second))
    is_fork = 2 * len(same) > most or (have_one_name and 2 * len(alike) > most and len(same) >= PART * most)
    if not is_fork or len(same) < FEW:
        return None
    telling = distinctive({first[path] for path in same})
    found = FilesInCommon(len(first), len(same), sum(first[path] in telling for path in same), len(alike))
    return found if found.distinctive >= FEW and 2 * found.distinctive > found.same else None


@dataclass(frozen=True, slots=True, eq=False)
class ProjectPart:
    """A clone or folder, or all versions of a package.

    Attributes:
        name: the key, or the package URL without a version.
        word: the last part of its name, in lower case and with one sign between its words.
        records: its records, the newest version first.
        named: the comparable keys of the repositories that the metadata of a package names.
    """

    name: str
    word: str
    records: tuple[RepositoryRecord, ...]
    named: frozenset[str] = frozenset()

    @property
    def is_package(self) -> bool:
        """Whether it is a package."""
        return self.records[0].key_kind == KeyKind.PACKAGE


class Proof(NamedTuple):
    """The evidence that two parts are one project, and the keys of the two records that it is about."""

    evidence: SameProject
    key: str
    other: str
    common: FilesInCommon


class Projects:
    """The projects of an index.

    Args:
        engine: the index, which must not change meanwhile.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._parts = _parts(engine.repositories())
        self._naming: defaultdict[str, list[ProjectPart]] = defaultdict(list)
        self._words: defaultdict[str, list[ProjectPart]] = defaultdict(list)
        self._clones: defaultdict[str, list[ProjectPart]] = defaultdict(list)
        self._part_of = {record.key: part for part in self._parts for record in part.records}
        for part in self._parts:
            self._words[part.word].append(part)
            for key in part.named:
                self._naming[key].append(part)
            if not part.is_package:
                self._clones[comparable(part.name)].append(part)
        self._records = {record.key: record for part in self._parts for record in part.records}
        self._proofs: dict[tuple[ProjectPart, ProjectPart], Proof | None] = {}
        self._code = lru_cache(maxsize=KEPT_FILES)(self._read_code)
        self._releases = lru_cache(maxsize=KEPT_RELEASES)(self._read_releases)

    def all(self) -> list[IndexedProject]:
        """All projects, also those with only one repository, by name."""
        return sorted(self._projects(self._parts), key=lambda project: project.project)

    def of(self, keys: Iterable[str]) -> list[IndexedProject]:
        """The projects of the repositories with these keys."""
        return self._projects(dict.fromkeys(self._part_of[key] for key in keys))

    def called(self, name: str) -> list[IndexedProject]:
        """The projects that a name means: the key of a repository, a pattern, or the last part of a key or of the name
        of a package. Empty if it means none.
        """
        if name in self._records or is_key_pattern(name):
            return self.of(keys_of(name, self._records))
        ending = f"/{name.lower()}"
        return self.of(
            record.key
            for record in self._records.values()
            if comparable(record.key) == comparable(name)
            or any(f"/{it}".lower().endswith(ending) for it in (self._part_of[record.key].name, record.key))
        )

    def _projects(self, parts: Iterable[ProjectPart]) -> list[IndexedProject]:
        seen: set[ProjectPart] = set()
        found = []
        for part in parts:
            if part not in seen:
                group = self._connected(part)
                seen.update(group)
                found.append(_project(group))
        return found

    def _connected(self, start: ProjectPart) -> dict[ProjectPart, dict[ProjectPart, Proof]]:
        """The parts that are one project with a part, each with its evidence for others."""
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
        """The parts that are proven to be one project with a part, each with its evidence."""
        others = [other for other in self._words[part.word] if other.is_package != part.is_package]
        for key in part.named:
            others += [*self._clones[key], *self._naming[key]]
        if not part.is_package:
            others += [*self._naming[comparable(part.name)], *self._sharing(part)]
        for other in dict.fromkeys(others):
            if other is part:
                continue
            first, second = sorted((part, other), key=lambda each: (not each.is_package, each.name))
            if (first, second) not in self._proofs:
                self._proofs[first, second] = self._compared(first, second)
            if proof := self._proofs[first, second]:
                yield other, proof

    def _sharing(self, part: ProjectPart) -> list[ProjectPart]:
        """The other clones that share some of the first contents of a clone."""
        sketch = nsmallest(SKETCH, set(self._code(part.name).values()))
        shared: defaultdict[str, set[str]] = defaultdict(set)
        for place in self._engine.occurrences(blobs=sketch):
            shared[place.repository].add(place.blob)
        found = (self._part_of[key] for key, blobs in shared.items() if key in self._part_of and len(blobs) >= FEW)
        return [other for other in found if not other.is_package]

    def _compared(self, part: ProjectPart, other: ProjectPart) -> Proof | None:
        """Compares a package with a clone or package, or two clones."""
        if not part.is_package:
            first, second = self._code(part.name), self._code(other.name)
            found = are_forks(first, second, self._distinctive, have_one_name=part.word == other.word)
            return Proof(SameProject.FORK, part.name, other.name, found) if found else None
        for record, there in product(part.records[:MOST_VERSIONS], other.records[:MOST_VERSIONS]):
            if proof := self._same_project(part, record.key, other, there.key):
                return proof
        return None

    def _same_project(self, part: ProjectPart, key: str, other: ProjectPart, there: str) -> Proof | None:
        """Compares a version of a package with a clone, or with a version of another package."""
        has_name = part.word == other.word
        if other.is_package:
            pairs = ((key, there), (there, key)) if part.named & other.named else ()
            for one, two in pairs:
                found = files_in_common(self._code(one), self._state(two), self._distinctive, folders=("", "src/"))
                if found.proves_named(has_name=has_name):
                    return Proof(SameProject.SIBLING, one, two, found)
            return None
        is_named = comparable(other.name) in part.named
        if not is_named and (not has_name or any(_word(named) != other.word for named in part.named)):
            return None
        found = files_in_common(self._code(key), self._state(there), self._distinctive)
        is_proven = found.proves_contents
        if is_named and not is_proven:
            is_proven = found.proves_named(has_name=has_name) or (has_name and found.is_all)
        if not is_proven:
            found = files_in_common(self._code(key), self._releases(there), self._distinctive)
            is_proven = found.proves_contents
        evidence = SameProject.NAMED if is_named else SameProject.CONTENTS
        return Proof(evidence, key, there, found) if is_proven else None

    def _state(self, key: str) -> States:
        return {path: (blob,) for path, blob in self._code(key).items()}

    def _read_releases(self, key: str) -> States:
        """The files of a clone at all of its tags; empty if the clone is not on this machine."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for tree in tagged_trees(self._records[key]):
            for path, blob in tree.blobs.items():
                found[path].add(blob)
        return found

    def _read_code(self, key: str) -> Code:
        notices = {notice.path for notice in self._records[key].notices}
        return {
            place.path: place.blob
            for place in self._engine.occurrences(repository=key)
            if is_code(place.path) and place.path not in notices
        }

    def _distinctive(self, blobs: Collection[str]) -> set[str]:
        if not blobs:
            return set()
        words: defaultdict[str, set[str]] = defaultdict(set)
        for place in self._engine.occurrences(blobs=blobs):
            if not is_vendored(place.path) and (part := self._part_of.get(place.repository)):
                words[place.blob].add(part.word)
        rare = [blob for blob in blobs if len(words[blob]) <= MANY]
        return {blob for blob, stored in self._engine.blobs(rare).items() if stored.token_count >= FEW_LINES}


def projects(engine: Engine, names: Sequence[str] = ()) -> list[IndexedProject]:
    """The projects that some names mean, or all, by name.

    Raises:
        UnknownRepository: a name means none.
    """
    found = Projects(engine)
    if not names:
        return found.all()
    meant: dict[str, IndexedProject] = {}
    for name in names:
        called = found.called(name.removeprefix(PREFIX))
        if not called:
            raise UnknownRepository(missing(name, [record.key for record in engine.repositories()]))
        meant |= {project.project: project for project in called}
    return [project for _, project in sorted(meant.items())]


def expanded(engine: Engine, names: Sequence[str]) -> tuple[str, ...]:
    """Replaces each name `project:NAME` by the keys of the project. A name that means no project stays as it is.

    Raises:
        UsageError: a name that is not a pattern means several projects.
    """
    if not any(name.startswith(PREFIX) for name in names):
        return tuple(names)
    projects = Projects(engine)
    found: dict[str, None] = {}
    for name in names:
        meant = projects.called(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else []
        if len(meant) > 1 and not is_key_pattern(name):
            raise UsageError(f"{name!r} may be {some([project.project for project in meant])}; give one of these")
        found |= dict.fromkeys([key for project in meant for key in project.keys] or [name])
    return tuple(found)


def _parts(records: Iterable[RepositoryRecord]) -> list[ProjectPart]:
    """The clones, then the packages, by name."""
    packages: defaultdict[str, list[RepositoryRecord]] = defaultdict(list)
    found = []
    for record in records:
        if record.key_kind == KeyKind.PACKAGE:
            packages[record.key.rpartition("@")[0] or record.key].append(record)
        else:
            found.append(ProjectPart(record.key, _word(record.key), (record,)))
    for name, versions in packages.items():
        versions.sort(key=lambda record: record.package.released if record.package else "", reverse=True)
        named = {key for record in versions for key in _named(record)}
        found.append(ProjectPart(name, _word(name), tuple(versions), frozenset(named)))
    return found


def _named(record: RepositoryRecord) -> Iterator[str]:
    """The comparable keys of the repositories that the metadata of a package names."""
    for url in (record.package.repository, record.package.upstream) if record.package else ():
        if key := normalised(url):
            host = HOSTS.get(key.partition("/")[0])
            if host is not None and not host.software.is_nested:
                key = "/".join(key.split("/")[:3]).removesuffix(".git")  # without the folder of a package
            yield comparable(key)


def _top(path: str) -> str:
    """The folder of a path at the top; empty for a file at the root."""
    return path.partition("/")[0] if "/" in path else ""


def _is_other(folder: str) -> bool:
    """Whether a folder may have code of other projects. Tests may bring their framework."""
    return is_vendored(folder) or bool(re.search(r"(?:^|/)tests?/", folder))


def _word(name: str) -> str:
    """The last part of a name, in lower case and with one sign between its words."""
    return re.sub("[-_.]+", "-", re.sub(r"/v\d+$", "", name).rpartition("/")[2].lower()).strip("-")


def _project(group: Mapping[ProjectPart, Mapping[ProjectPart, Proof]]) -> IndexedProject:
    """A group of parts, from the clone with most evidence to the others."""
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
    return IndexedProject(main.name, tuple(names))
