"""Projects: repositories that are one project under several names, and the code that a project shares with others."""

from __future__ import annotations

from enum import StrEnum

from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.attribution import Evidence
from wherefrom.results.regions import Lines
from wherefrom.support.contract import JsonObject
from wherefrom.support.values import dataclass


class SameProject(StrEnum):
    """Why two indexed repositories are one project. `A` is the repository with the evidence, `B` the other one."""

    VERSION = "version"
    """Both are versions of one package."""
    NAMED = "named"
    """The metadata of package A names repository B, and B has its files."""
    SIBLING = "sibling"
    """The metadata of packages A and B names one repository, and they have most of their files in
    common; with one name, it suffices that B has the files of A."""
    CONTENTS = "contents"
    """A package and a repository have one name, and the repository has nearly all files of the package."""
    FORK = "fork"
    """A and B have most of their files in common."""
    VENDORED = "vendored"
    """A has a folder for code of other projects, and most of the files in it are those of B."""


@dataclass(frozen=True, slots=True)
class ProjectName(JsonObject):
    """A repository of a project, or a folder of another repository that is a copy of it.

    Attributes:
        repository: its key.
        same_as: the key of the repository that the evidence is about; None for the first one of a project.
        evidence: why both are one project; None for the first one.
        shared: how many of `files` have the same bytes at the same path in the other one; 0 for versions.
        files: the files with code of the repository or folder that were compared; 0 for versions.
        folder: the path of a vendored folder; empty for a repository.
    """

    repository: str
    same_as: str | None = None
    evidence: SameProject | None = None
    shared: int = 0
    files: int = 0
    folder: str = ""


@dataclass(frozen=True, slots=True)
class IndexedProject(JsonObject):
    """A project and its repositories in the index.

    Attributes:
        project: the key of its main repository, or the package URL of its package without a version.
        names: its repositories, the main one first, then the vendored folders. `same_as` is always one of those before.
    """

    project: str
    names: tuple[ProjectName, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its repositories."""
        return tuple(name.repository for name in self.names if not name.folder)


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A file of a project, and a file of another repository that has its code.

    Attributes:
        here: the file of the project.
        there: the file of the other repository.
        lines: the lines of `here` that are also in `there`, ascending; empty if both have the same content.
        lines_there: these lines in `there`, ascending; empty if both have the same content, or if only a nearly
            identical content was compared.
        credit_here: the line of the project that names the other place; None if no line does.
        credit_there: the line of the other repository that names this place; None if no line does.
    """

    here: Occurrence
    there: Occurrence
    lines: tuple[Lines, ...] = ()
    lines_there: tuple[Lines, ...] = ()
    credit_here: Evidence | None = None
    credit_there: Evidence | None = None

    @property
    def sides(self) -> tuple[tuple[Occurrence, tuple[Lines, ...]], tuple[Occurrence, tuple[Lines, ...]]]:
        """Both files, each with its lines."""
        return (self.here, self.lines), (self.there, self.lines_there)

    @property
    def is_credited(self) -> bool:
        """Whether one of both sides names the other one."""
        return self.credit_here is not None or self.credit_there is not None


@dataclass(frozen=True, slots=True)
class SharingRepository:
    """A repository that shares code with a project.

    Attributes:
        repository: its key.
        record: its record; None if the index does not have it (any longer).
        same: the number of files of the project whose content it has.
        lines: the number of lines that it has of other files of the project.
        examples: some of these files, those with the same content first.
    """

    repository: str
    record: RepositoryRecord | None
    same: int
    lines: int
    examples: tuple[SharedFile, ...]


@dataclass(frozen=True, slots=True)
class SharedCode:
    """The repositories that share code with a project, or with a folder of it.

    Attributes:
        record: the record of the project.
        files: the number of files with code.
        same: how many of them have the same content as a file of another repository.
        others: the number of different contents that are nowhere else.
        fitting: the number of these that are not too large to look up their parts; 0 if the index has no code.
        begin, end: the half-open range of these, by size, whose parts were looked up; the largest one is 0.
        unread: how many of the looked up ones could not be read.
        total: the number of repositories that share code.
        repositories: those that share most, the one with most first.
    """

    record: RepositoryRecord
    files: int
    same: int
    others: int
    fitting: int
    begin: int
    end: int
    unread: int
    total: int
    repositories: tuple[SharingRepository, ...]
