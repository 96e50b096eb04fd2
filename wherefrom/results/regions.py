"""Regions of a text, and matches between two texts."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from wherefrom.model import Representation
from wherefrom.support.contract import JsonObject
from wherefrom.support.values import dataclass


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
    """A part of a text: bytes 0-based and half-open, lines 1-based and inclusive.

    Attributes:
        start_byte, end_byte: the extent of its tokens.
        start_line, end_line: the lines of its first and last token.
        gaps: the (start, end) bytes between tokens, ascending. They may contain spaces and comments, which are not part
            of the match. Prose has no gaps.
    """

    JSON = "start_byte end_byte start_line end_line"

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    gaps: tuple[tuple[int, int], ...] = ()

    @property
    def lines(self) -> Lines:
        """The lines from `start_line` to `end_line`."""
        return Lines(self.start_line, self.end_line)


@dataclass(frozen=True, slots=True)
class RegionPair(JsonObject):
    """A region of the query and the region of the document that matches it token by token.

    Attributes:
        query, document: the two regions.
        tokens: the number of tokens in each of the two regions.
        representation: the strictest representation whose tokens all match.
        facing: pairs of lines (query, document), 1-based, to show side by side: one for each token that begins a line
            on either side. It is not written as JSON.
        changed: how many of the tokens are another name or literal in the document. It is not written as JSON.
    """

    JSON = "query document tokens representation"

    query: Region
    document: Region
    tokens: int
    representation: Representation
    facing: tuple[tuple[int, int], ...] = ()
    changed: int = 0


def joined(ranges: Iterable[Lines]) -> tuple[Lines, ...]:
    """The same lines in as few ranges as possible, ascending."""
    found: list[Lines] = []
    for span in sorted(ranges, key=attrgetter("first")):
        if found and span.first <= found[-1].last + 1:
            found[-1] = Lines(found[-1].first, max(found[-1].last, span.last))
        else:
            found.append(span)
    return tuple(found)


def line_range(regions: Iterable[Region]) -> Lines | None:
    """From the first line of all regions to the last line; None if there are no regions."""
    lines = [line for region in regions for line in (region.start_line, region.end_line)]
    return Lines(min(lines), max(lines)) if lines else None
