"""An indexed content: what it is, and everywhere it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wherefrom.errors import NotFound
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.results.locations import FoundContent
from wherefrom.results.naming import named
from wherefrom.results.regions import Region
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument
from wherefrom.support.printable import visible


@dataclass(frozen=True, slots=True, repr=False)
class IndexedDocument(FoundContent, JsonDocument):
    """One indexed content.

    Attributes:
        blob: its git blob id.
        language: of the whole content.
        size: bytes.
        tokens: of its token stream.
        occurrences: everywhere it is, by repository, then path; at least one.
        licenses: those that hold for the file at each of the `occurrences`: its own, else those of the nearest license
            files.
        repositories: the records of the repositories of `occurrences`, by key, for `locations`.
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
        """None: the whole content is meant."""
        return ()

    @property
    def name(self) -> str:
        """`REPOSITORY:PATH` of its first place."""
        return f"{self.occurrences[0].repository}:{self.occurrences[0].path}"

    def content(self) -> bytes:
        """All its bytes, from the index or from a clone.

        Raises:
            NotFound: neither has it (any longer).
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
        """The content as a text, None where it is not at hand or not UTF-8."""
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
