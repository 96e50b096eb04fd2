"""Repositories whose source is not where it was indexed."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.support.contract import JsonObject


@dataclass(frozen=True, slots=True)
class MissingSource(JsonObject):
    """A repository of an index whose source is not at its location.

    Attributes:
        repository: its key.
        location: where its source was when it was indexed.
        files: its occurrences.
        doubt: why the source may exist all the same, such as a disk that is not mounted; None if it is gone.
        removed: whether the repository was removed from the index.
    """

    JSON = "repository location files gone=is_gone doubt removed"

    repository: str
    location: str
    files: int
    doubt: str | None = None
    removed: bool = False

    @property
    def is_gone(self) -> bool:
        """Whether the source certainly no longer exists."""
        return self.doubt is None
