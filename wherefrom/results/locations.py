"""Where a hit is, and what other tools call it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wherefrom.results import identifiers
from wherefrom.results.addresses import address
from wherefrom.results.naming import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wherefrom.model import Occurrence, RepositoryRecord
    from wherefrom.results.search import RegionPair


class Identified:
    """What other tools call the one location that an answer is about. Its URL, SWHID and package URL follow from
    these:

    Attributes:
        occurrence: repository, path, revision and blob.
        record: that of its repository, None if it is not known (any longer).
        regions: what matches there; empty where only a nearly identical content was compared.
    """

    __slots__ = ()

    occurrence: Occurrence
    record: RepositoryRecord | None
    regions: tuple[RegionPair, ...]

    @property
    def url(self) -> str | None:
        """Where it can be looked at, None if only its name is known (see `wherefrom.results.addresses`)."""
        return address(self.record, self.occurrence, self.regions)

    @property
    def swhid(self) -> str | None:
        """Its SWHID with the qualifiers that are known (see `wherefrom.results.identifiers`); None for SHA-256."""
        return identifiers.swhid(self.record, self.occurrence, self.regions)

    @property
    def purl(self) -> str | None:
        """Its package URL, None where its repository is not a git one with a remote."""
        return identifiers.purl(self.record, self.occurrence)


@dataclass(frozen=True, slots=True, repr=False)
class Location(Identified):
    """One location of a hit or of a document that explains a file; its attributes are those of `Identified`."""

    occurrence: Occurrence
    record: RepositoryRecord | None = None
    regions: tuple[RegionPair, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values: an occurrence, and what other tools call it."""
        return {**self.occurrence.to_dict(), "swhid": self.swhid, "purl": self.purl}

    def __repr__(self) -> str:
        return f"<Location {named(self.occurrence, self.regions, 1)}>"


class FoundContent:
    """Where one content is that was found. Its locations follow from these:

    Attributes:
        blob: the content.
        occurrences: of it, or of contents nearly identical to it as well.
        regions: what matches in it.
        repositories: the records of the repositories of `occurrences`, by key.
    """

    __slots__ = ()

    blob: str
    occurrences: tuple[Occurrence, ...]
    regions: tuple[RegionPair, ...]
    repositories: Mapping[str, RepositoryRecord]

    @property
    def locations(self) -> tuple[Location, ...]:
        """The `occurrences`, each with its URL, SWHID and package URL."""
        return located(self.occurrences, self.repositories, self.blob, self.regions)

    @property
    def swhid(self) -> str | None:
        """The SWHID of `blob`, with the lines that match, wherever it is; None for a SHA-256 blob id."""
        return identifiers.content_swhid(self.blob, self.regions)


def located(
    occurrences: Iterable[Occurrence],
    repositories: Mapping[str, RepositoryRecord],
    blob: str = "",
    regions: tuple[RegionPair, ...] = (),
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
