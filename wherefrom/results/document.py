"""The answers that are whole files: an indexed content, and the file that a permalink names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from wherefrom.errors import NotFound
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.locations import FoundContent, named
from wherefrom.results.regions import Region
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument
from wherefrom.support.printable import visible


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
        """Reads its bytes from the index or a clone.

        Raises:
            NotFound: neither the index nor a clone has the content.
        """
        content = self.texts.of(self.blob, self.occurrences)
        if content is None:
            raise NotFound(
                f"the content of {visible(self.name)} is neither in the index nor in a clone; index the repository "
                "again, with --keep-source to keep it in the index"
            )
        return content

    @property
    def _text(self) -> str | None:
        """The content as a text, or None if it cannot be read or is not UTF-8."""
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

    def __repr__(self) -> str:
        return f"<IndexedDocument {named(self.occurrences[0], (), len(self.occurrences))}>"


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
