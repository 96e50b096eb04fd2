"""What a file is made of, by few documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wherefrom.model import Occurrence, RepositoryRecord, Representation
from wherefrom.results.display import to_html
from wherefrom.results.locations import FoundContent, Location, located
from wherefrom.results.naming import listed, named
from wherefrom.results.regions import Lines, Region, RegionPair
from wherefrom.results.search import QueryInfo
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible


@dataclass(frozen=True, slots=True, repr=False)
class SourceDocument(FoundContent, JsonObject):
    """A document that explains a part of a file: a group of (nearly) identical blobs, of which `blob` is the best one.

    Attributes:
        blob: of the document.
        language: of that blob.
        occurrences: of all blobs of the group, those of `blob` first.
        tokens: of the file that it explains and none before it does.
        share: these, of all tokens of the file.
        lines: of the file that it accounts for and none before it does; no line is in those of two documents.
        all_tokens: of the file that it explains, also where other sources explain them.
        all_lines: the lines of these.
        regions: what matches, where some of it is explained by none before.
        alternatives: one place each of other documents that explain nearly all of `tokens` too.
        repositories: the records of the repositories of all of these, by key, for `locations`.
    """

    JSON = (
        "blob swhid language occurrences=locations tokens share lines all_tokens all_lines regions "
        "alternatives=_alternatives"
    )

    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    tokens: int
    share: float
    lines: tuple[Lines, ...]
    all_tokens: int
    all_lines: tuple[Lines, ...]
    regions: tuple[RegionPair, ...]
    alternatives: tuple[Occurrence, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """See `FoundContent`."""
        return tuple(pair.document for pair in self.regions)

    @property
    def _alternatives(self) -> tuple[Location, ...]:
        return located(self.alternatives, self.repositories)

    def __str__(self) -> str:
        return f"{self.share:.2f} {named(self.occurrences[0], self.matched_regions, len(self.occurrences))}"

    def __repr__(self) -> str:
        return f"<SourceDocument {self}>"


@dataclass(frozen=True, slots=True)
class Remainder(JsonObject):
    """A part of a file that no document explains: its tokens, their share of all, the lines that are mostly of it."""

    tokens: int
    share: float
    lines: tuple[Lines, ...]


@dataclass(frozen=True, slots=True, repr=False)
class SourcesResult(JsonDocument):
    """What a file is made of, by few documents: `documents` in the order in which they were taken, each the one that
    explained most of what was left. `unexplained` is in none of them, `masked` was left out as boilerplate; the shares
    of all of these sum to 1. `truncated` says that more documents would explain more; `warnings` are those of a search.

    `repositories` holds the record of every repository named in the documents. `texts` reads the file and the
    documents, while the index is open.
    """

    JSON = "engine schemes query documents unexplained masked truncated took_ms warnings"

    engine: str
    schemes: Mapping[Representation, str]
    query: QueryInfo
    documents: tuple[SourceDocument, ...]
    unexplained: Remainder
    masked: Remainder
    truncated: bool
    took_ms: float
    warnings: tuple[str, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict)
    texts: Texts = field(default_factory=Texts, compare=False)

    def __repr__(self) -> str:
        number = len(self.documents)
        return (
            f"<SourcesResult {visible(self.query.name)!r} unexplained={self.unexplained.share:.2f} documents={number}"
            f"{listed(self.documents, number)}>"
        )

    def _repr_html_(self) -> str | None:
        return to_html(self)
