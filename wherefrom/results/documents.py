"""Indexed documents: whole contents, the file that a permalink names, and the few documents that explain a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from wherefrom.errors import NotFound
from wherefrom.model import Occurrence, RepositoryRecord, Representation
from wherefrom.results.locations import FoundContent, Location, Texts, listed, named, to_html
from wherefrom.results.regions import Lines, Region, RegionPair
from wherefrom.results.search import QueryInfo
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field


@dataclass(frozen=True, slots=True, repr=False)
class IndexedDocument(FoundContent, JsonDocument):
    """An indexed content with all its occurrences.

    Attributes:
        blob: the git blob id of the content.
        language: the language of the whole content.
        size: the number of bytes.
        tokens: the number of tokens.
        occurrences: all occurrences, by repository, then path; at least one.
        licenses: for each of the `occurrences` the licenses that the file states, or else the nearest license files.
        repositories: the records of the repositories of `occurrences`, by key.
        texts: reads the content, while the index is open.
    """

    JSON = "blob swhid language size tokens content=_text occurrences=_places"

    blob: str
    language: str
    size: int
    tokens: int
    occurrences: tuple[Occurrence, ...]
    licenses: tuple[tuple[str, ...], ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)
    texts: Texts = field(default_factory=Texts, compare=False)

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """Always empty, because the answer is a whole content and not a match."""
        return ()

    @property
    def name(self) -> str:
        """The repository key and the path of the first occurrence, with a colon between them."""
        return f"{self.occurrences[0].repository}:{self.occurrences[0].path}"

    def content(self) -> bytes:
        """Reads its bytes from the index or a clone. Raises NotFound if neither has them."""
        content = self.texts.of(self.blob, self.occurrences)
        if content is None:
            raise NotFound(
                f"the content of {visible(self.name)} is neither in the index nor in a clone; index the repository "
                "again, with --keep-source to keep it in the index"
            )
        return content

    @property
    def _text(self) -> str | None:
        content = self.texts.of(self.blob, self.occurrences)
        try:
            return None if content is None else content.decode()
        except UnicodeDecodeError:
            return None

    @property
    def _places(self) -> list[dict[str, Any]]:
        return [
            {**location.to_dict(), "url": location.url, "licenses": list(licenses)}
            for location, licenses in zip(self.locations, self.licenses, strict=True)
        ]

    def __str__(self) -> str:
        return named(self.occurrences[0], (), len(self.occurrences))


@dataclass(frozen=True, slots=True)
class LinkedCode:
    """The file that a permalink names, read from an index or one of its clones.

    Attributes:
        name: the repository and the path, as `REPOSITORY:PATH`.
        content: the bytes of the file.
        lines: the first and last line that the permalink names, from 1, inclusive; None if it names no lines.
        sources: URLs of the file, for `SearchOptions.sources`.
        revision: the commit that was read.
        asked: the revision in the permalink.
        is_as_asked: False if the indexed revision was read instead of `asked`; `lines` may then have other code.
        written: the day on which the oldest of `lines` was written, for `SearchOptions.written`. None if the caller did
            not want it, the clone does not exist or is shallow, or its history is too long.
    """

    name: str
    content: bytes
    lines: tuple[int, int] | None
    sources: tuple[str, ...]
    revision: str
    asked: str
    is_as_asked: bool
    written: date | None = None


@dataclass(frozen=True, slots=True, repr=False)
class SourceDocument(FoundContent, JsonObject):
    """A document that explains a part of a file: a group of (nearly) identical blobs.

    Attributes:
        blob: the best blob of the group.
        language: the language of `blob`.
        occurrences: the occurrences of all blobs of the group, those of `blob` first.
        tokens: the number of tokens of the file that this document explains and no earlier document explains.
        share: `tokens` as a share of all tokens of the file, 0 to 1.
        lines: the lines of the file with mostly these tokens. No line belongs to two documents.
        all_tokens: the number of all tokens of the file that this document explains.
        all_lines: the lines of the file with these tokens.
        regions: the matches with tokens that no earlier document explains.
        alternatives: other documents that explain nearly all of `tokens`, one occurrence of each.
        repositories: the records of the repositories of all occurrences above, by key.
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
    def _alternatives(self) -> tuple[Location, ...]:
        return tuple(Location(at, self.repositories.get(at.repository)) for at in self.alternatives)

    def covering(self) -> Iterator[tuple[Occurrence, tuple[Lines, ...]]]:
        """Yields the places of this document and of its alternatives, each with the lines of the file that it has."""
        yield from ((at, self.all_lines) for at in self.occurrences)
        yield from ((at, self.lines) for at in self.alternatives)

    def __str__(self) -> str:
        return f"{self.share:.2f} {named(self.occurrences[0], self.matched_regions, len(self.occurrences))}"


@dataclass(frozen=True, slots=True)
class Remainder(JsonObject):
    """Unexplained (or masked) tokens of a file: their number, share of all tokens, and the lines with mostly such."""

    tokens: int
    share: float
    lines: tuple[Lines, ...]


@dataclass(frozen=True, slots=True, repr=False)
class SourcesResult(JsonDocument):
    """The documents that explain a file. The shares of `documents`, `unexplained` and `masked` sum to 1.

    Attributes:
        engine: the name of the index's engine.
        schemes: the scheme of each representation.
        query: how the file was read.
        documents: each document explains the most of the tokens that the documents before it leave unexplained.
        unexplained: tokens that no document explains.
        masked: tokens that were left out as boilerplate.
        truncated: True if more documents would explain more.
        took_ms: milliseconds of the search.
        warnings: as in `SearchResult`.
        repositories: the records of all repositories in `documents`, by key.
        texts: reads the file and the documents, while the index is open.
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
