"""The code that an indexed project shares with other repositories."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.attribution import Evidence
from wherefrom.results.regions import Lines


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
