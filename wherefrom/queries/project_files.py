"""The files of the repositories of an index, and what two of them have in common, to tell which are one project."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from wherefrom.engines.engine import Engine
from wherefrom.fitted import AGREEING, DISTINCTIVE, FEW_LINES, OF_PACKAGE, UNCHANGED
from wherefrom.model import RepositoryRecord
from wherefrom.queries.folders import folders_above, is_code
from wherefrom.queries.history import is_vendored
from wherefrom.sources.indexed import tagged_trees
from wherefrom.sources.repository_urls import comparable, normalised, package_parts
from wherefrom.support.chunks import by_key
from wherefrom.support.hosts import HOSTS
from wherefrom.support.values import dataclass

MOST_VERSIONS = 16  # at most this many versions of a package are compared with another repository, the newest first
KEPT_FILES = 256  # the files of this many repositories are kept in memory
KEPT_RELEASES = 16  # the files at all tags of this many clones are kept in memory
Code: TypeAlias = Mapping[str, str]  # the files with code of a repository: the blob of each path
States: TypeAlias = Mapping[str, Collection[str]]  # as `Code` in one or several states: the blobs of each path

Distinctive: TypeAlias = Callable[[Collection[str]], AbstractSet[str]]
"""Which of some blobs prove something: those that are neither tiny nor in repositories with many names."""


class FilesInCommon(NamedTuple):
    """What a repository has of a package's files."""

    files: int
    same: int  # those that it has with the same bytes, at a path that ends with the path in the package
    distinctive: int  # those of `same` that are distinctive
    alike: int  # those that it has below a folder with distinctive ones, with the same bytes or others
    strange: int = 0  # how many folders at the top of the package have several files, but none that is alike

    def proves_named(self, *, has_name: bool) -> bool:
        """Whether a package comes from the repository that its metadata names. With another name than that of the
        repository, it may be a bundle of several projects, so hardly any other files are allowed, and no folder of
        them.
        """
        if self.distinctive < AGREEING:
            return False
        return 2 * self.alike > self.files if has_name else self._has_hardly_any_others

    @property
    def is_all(self) -> bool:
        """Whether a package of very few files is in the repository unchanged."""
        return 0 < self.files == self.same == self.distinctive

    @property
    def proves_contents(self) -> bool:
        """Whether a package comes from a repository of its name, which its metadata does not name."""
        return self.distinctive >= AGREEING and self._has_hardly_any_others and 2 * self.same > self.files

    @property
    def _has_hardly_any_others(self) -> bool:
        return self.alike >= OF_PACKAGE * self.files and not self.strange


def files_in_common(
    package: Code, repository: States, distinctive: Distinctive, *, folders: Collection[str] | None = None
) -> FilesInCommon:
    """Compares the files of a package with those of a repository. `folders` are those of the repository that the
    package may be of, with a slash at the end (`""` for the root); None for all but those for vendored code and for
    tests.
    """
    facing: defaultdict[str, list[str]] = defaultdict(list)
    for there in repository:
        for folder in ("", *(f"{above}/" for above in folders_above(there) if above)):
            path = there[len(folder) :]
            if path in package and (not is_other(folder) if folders is None else folder in folders):
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
        strange=sum(files >= AGREEING and top not in known for top, files in tops.items()),
    )


def are_forks(first: Code, second: Code, distinctive: Distinctive, *, have_one_name: bool) -> FilesInCommon | None:
    """What two repositories have in common if one is a fork of the other: most files of both are the same, at the same
    paths. If they have one name, fewer are enough. None if they are not.
    """
    alike = [path for path in first if path in second]
    same = [path for path in alike if first[path] == second[path]]
    most = max(len(first), len(second))
    is_fork = 2 * len(same) > most or (have_one_name and 2 * len(alike) > most and len(same) >= UNCHANGED * most)
    if not is_fork or len(same) < AGREEING:
        return None
    telling = distinctive({first[path] for path in same})
    found = FilesInCommon(len(first), len(same), sum(first[path] in telling for path in same), len(alike))
    return found if found.distinctive >= AGREEING and 2 * found.distinctive > found.same else None


@dataclass(frozen=True, slots=True, eq=False)
class ProjectPart:
    """A clone or folder, or all versions of a package."""

    name: str  # the key, or the package URL without a version
    word: str  # the last part of its name, in lower case and with one sign between its words
    records: tuple[RepositoryRecord, ...]  # its records, the newest version first
    named: frozenset[str] = frozenset()  # the comparable keys of the repositories that the metadata of a package names

    @property
    def is_package(self) -> bool:
        """Whether it is a package."""
        return self.records[0].is_package


class ProjectFiles:
    """The files with code of an index, which must not change meanwhile."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.parts = _parts(engine.repositories())
        self.part_of = {record.key: part for part in self.parts for record in part.records}
        self.records = {record.key: record for part in self.parts for record in part.records}
        self.code = lru_cache(maxsize=KEPT_FILES)(self._read_code)
        self.releases = lru_cache(maxsize=KEPT_RELEASES)(self._read_releases)

    def state(self, key: str) -> States:
        """The files of a repository in its only state."""
        return {path: (blob,) for path, blob in self.code(key).items()}

    def _read_releases(self, key: str) -> States:
        """The files of a clone at all of its tags; empty if the clone is not on this machine."""
        trees = tagged_trees(self.records[key])
        found = by_key(at for tree in trees for at in tree.blobs.items())
        return {path: {*blobs} for path, blobs in found.items()}

    def _read_code(self, key: str) -> Code:
        notices = {notice.path for notice in self.records[key].notices}
        return {
            place.path: place.blob
            for place in self.engine.occurrences(repository=key)
            if is_code(place.path) and place.path not in notices
        }

    def distinctive(self, blobs: Collection[str]) -> set[str]:
        """Which blobs prove something (`Distinctive`)."""
        if not blobs:
            return set()
        words: defaultdict[str, set[str]] = defaultdict(set)
        for place in self.engine.occurrences(blobs=blobs):
            if not is_vendored(place.path) and (part := self.part_of.get(place.repository)):
                words[place.blob].add(part.word)
        rare = [blob for blob in blobs if len(words[blob]) <= DISTINCTIVE]
        return {blob for blob, stored in self.engine.blobs(rare).items() if stored.token_count >= FEW_LINES}


def _parts(records: Sequence[RepositoryRecord]) -> list[ProjectPart]:
    found = [ProjectPart(record.key, word_of(record.key), (record,)) for record in records if not record.is_package]
    packages = by_key((package_parts(record.key)[0], record) for record in records if record.is_package)
    for name, versions in packages.items():
        versions.sort(key=lambda record: record.package.released if record.package else "", reverse=True)
        named = {key for record in versions for key in _named(record)}
        found.append(ProjectPart(name, word_of(name), tuple(versions), frozenset(named)))
    return found


def _named(record: RepositoryRecord) -> Iterator[str]:
    for url in (record.package.repository, record.package.upstream) if record.package else ():
        if key := normalised(url):
            host = HOSTS.get(key.partition("/")[0])
            if host is not None and not host.software.is_nested:
                key = "/".join(key.split("/")[:3]).removesuffix(".git")  # without the folder of a package
            yield comparable(key)


def word_of(name: str) -> str:
    """The last part of a name, in lower case and with one sign between its words."""
    return re.sub("[-_.]+", "-", re.sub(r"/v\d+$", "", name).rpartition("/")[2].lower()).strip("-")


def _top(path: str) -> str:
    """The folder of a path at the top; empty for a file at the root."""
    return path.partition("/")[0] if "/" in path else ""


def is_other(path: str) -> bool:
    """Whether a file, or a folder with a slash at the end, may be code of other projects. Tests may bring their
    framework.
    """
    return is_vendored(path) or bool(re.search(r"(?:^|/)tests?/", path))
