"""What two texts share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wherefrom.contract import FORMAT
from wherefrom.results.search import RegionPair


@dataclass(frozen=True, slots=True)
class ComparedText:
    """One of two texts: its name, language, tokens, and the share of these that lie in the regions, 0 to 1."""

    name: str
    language: str
    tokens: int
    containment: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "name": self.name,
            "language": self.language,
            "tokens": self.tokens,
            "containment": self.containment,
        }


@dataclass(frozen=True, slots=True)
class TwoTexts:
    """What two texts share, whatever any index holds.

    Attributes:
        left, right: the texts.
        similarity: the larger of resemblance and containment, 0 to 1, as `Index.similar_to` ranks by.
        regions: what matches, in the order of the left text, which is the query side; none overlaps another.
        took_ms: milliseconds.
    """

    left: ComparedText
    right: ComparedText
    similarity: float
    regions: tuple[RegionPair, ...]
    took_ms: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "format": FORMAT,
            "left": self.left.to_dict(),
            "right": self.right.to_dict(),
            "similarity": self.similarity,
            "longest_run": max((pair.tokens for pair in self.regions), default=0),
            "regions": [
                {
                    "left": pair.query.to_dict(),
                    "right": pair.document.to_dict(),
                    "tokens": pair.tokens,
                    "representation": str(pair.representation),
                }
                for pair in self.regions
            ],
            "took_ms": self.took_ms,
        }
