"""Projects: repositories of an index that are one project under several names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wherefrom.support.contract import JsonObject


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
