"""Stretches of a text, and what matches between two texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wherefrom.model import Representation
from wherefrom.support.contract import JsonObject


@dataclass(frozen=True, slots=True)
class Lines(JsonObject):
    """A range of lines, 1-based and inclusive."""

    JSON = "start_line=first end_line=last"

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}-{self.last}" if self.last > self.first else str(self.first)


@dataclass(frozen=True, slots=True)
class Region(JsonObject):
    """A stretch of a text: bytes 0-based and half-open, lines 1-based and inclusive.

    Attributes:
        start_byte, end_byte: from its first to its last token.
        start_line, end_line: the lines of these.
        gaps: bytes (start, end) between two of its tokens where a comment may be, ascending: spaces, line breaks and
            comments are not among what matches. Prose has none.
    """

    JSON = "start_byte end_byte start_line end_line"

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    gaps: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RegionPair(JsonObject):
    """A stretch of the query and the stretch of the document that matches it, token by token.

    Attributes:
        query, document: the two stretches.
        tokens: how many each of them has.
        representation: the strictest one that holds all along it.
        facing: which lines face each other: (line of the query, line of the document), 1-based, for each token with
            which a line begins on either side, in their order. For showing both sides; not among the JSON values.
    """

    JSON = "query document tokens representation"

    query: Region
    document: Region
    tokens: int
    representation: Representation
    facing: tuple[tuple[int, int], ...] = ()


def line_range(regions: Iterable[Region]) -> Lines | None:
    """From the first to the last line of some regions; None without any."""
    lines = [line for region in regions for line in (region.start_line, region.end_line)]
    return Lines(min(lines), max(lines)) if lines else None
