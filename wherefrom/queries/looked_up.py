"""Terms that were looked up in an index."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Self

from wherefrom.engines.engine import Engine
from wherefrom.model import Representation
from wherefrom.support.values import dataclass


def idf(document_frequency: int, blobs: int) -> float:
    """The weight of a term that n of N blobs have: ln(1 + (N - n + 0.5) / (n + 0.5)), which is always above 0."""
    return math.log1p((blobs - document_frequency + 0.5) / (document_frequency + 0.5))


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class LookedUpTerms:
    """How many contents of an index have each of some terms (`counts`), and how many there are (`blobs`)."""

    counts: Mapping[Representation, Mapping[int, int]]
    blobs: Mapping[Representation, int]

    @classmethod
    def of(cls, engine: Engine, terms: Mapping[Representation, Collection[int]]) -> Self:
        """Looks terms up."""
        found = engine.document_frequencies({key: [*own] for key, own in terms.items()})
        counts = {key: dict(zip(own, found[key].counts, strict=True)) for key, own in terms.items()}
        return cls(counts, {key: frequencies.blobs for key, frequencies in found.items()})

    @cached_property
    def unit(self) -> float:
        """ln(1 + N) for N indexed blobs, which is about the idf of the rarest term."""
        return math.log1p(max(self.blobs.values(), default=0)) or 1.0

    def has_any(self, terms: Mapping[Representation, Iterable[int]]) -> bool:
        """Whether the index has any of these terms."""
        return any(self.counts[key][term] for key, own in terms.items() for term in own)

    def weights(self, terms: Mapping[Representation, Iterable[int]]) -> dict[Representation, dict[int, float]]:
        """The `idf` of each of these terms. One that no content has weighs as much as one in a single content."""
        return {
            key: {term: idf(self.counts[key][term] or 1, self.blobs[key]) for term in own} for key, own in terms.items()
        }
