"""Where something that was found is, and what other tools call it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results import identifiers
from wherefrom.results.addresses import address
from wherefrom.results.naming import named
from wherefrom.results.regions import Region
from wherefrom.support.contract import JsonObject


class Identified(ABC):
    """What other tools call the one location that an answer is about. Its URL, SWHID and package URL follow from
    these:

    Attributes:
        occurrence: repository, path, revision and blob.
        record: that of its repository, None if it is not known (any longer).
    """

    __slots__ = ()

    occurrence: Occurrence
    record: RepositoryRecord | None

    @property
    @abstractmethod
    def matched_regions(self) -> Sequence[Region]:
        """What matches in its content; empty where only a nearly identical one was compared."""

    @property
    def url(self) -> str | None:
        """Where it can be looked at, None if only its name is known (see `wherefrom.results.addresses`)."""
        return address(self.record, self.occurrence, self.matched_regions)

    @property
    def swhid(self) -> str | None:
        """Its SWHID with the qualifiers that are known (see `wherefrom.results.identifiers`); None for SHA-256."""
        return identifiers.swhid(self.record, self.occurrence, self.matched_regions)

    @property
    def purl(self) -> str | None:
        """Its package URL, None where its repository is not a git one with a remote."""
        return identifiers.purl(self.record, self.occurrence)


@dataclass(frozen=True, slots=True, repr=False)
class Location(Identified, JsonObject):
    """One location of a hit, of a document that explains a file, or of a form of fixed code; its attributes are those
    of `Identified`, and what matches there.
    """

    JSON = "*occurrence swhid purl"

    occurrence: Occurrence
    record: RepositoryRecord | None = None
    matched_regions: tuple[Region, ...] = ()

    def __repr__(self) -> str:
        return f"<Location {named(self.occurrence, self.matched_regions, 1)}>"


class FoundContent(ABC):
    """Where one content is that was found. Its locations follow from these:

    Attributes:
        blob: the content.
        occurrences: of it, or of contents nearly identical to it as well.
        repositories: the records of the repositories of `occurrences`, by key.
    """

    __slots__ = ()

    blob: str
    occurrences: tuple[Occurrence, ...]
    repositories: Mapping[str, RepositoryRecord]

    @property
    @abstractmethod
    def matched_regions(self) -> tuple[Region, ...]:
        """What matches in it."""

    @property
    def locations(self) -> tuple[Location, ...]:
        """The `occurrences`, each with its URL, SWHID and package URL."""
        return located(self.occurrences, self.repositories, self.blob, self.matched_regions)

    @property
    def swhid(self) -> str | None:
        """The SWHID of `blob`, with the lines that match, wherever it is; None for a SHA-256 blob id."""
        return identifiers.content_swhid(self.blob, self.matched_regions)


def located(
    occurrences: Iterable[Occurrence],
    repositories: Mapping[str, RepositoryRecord],
    blob: str = "",
    regions: tuple[Region, ...] = (),
) -> tuple[Location, ...]:
    """The locations of some occurrences.

    Args:
        occurrences: of one blob or of several that are nearly identical.
        repositories: the records of their repositories, by key.
        blob: the one in which `regions` match.
        regions: what matches in it.
    """
    return tuple(
        Location(at, repositories.get(at.repository), regions if at.blob == blob else ()) for at in occurrences
    )
