"""Grouping: (nearly) identical blobs are one hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import mix
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation

if TYPE_CHECKING:
    from wherefrom.model import Hashes
    from wherefrom.queries.alignment import Document

NEARLY_IDENTICAL = 0.9
"""Resemblance of the exact k-grams from which two blobs are one hit."""

_SKETCH = 512
"""Hashes of a sketch; the estimate's standard error at 0.9 is 0.013."""


def sketch(document: Document) -> Hashes:
    """The smallest distinct mixed hashes of all its k-grams, exact ones and prose (a bottom-n sketch, Broder 1997)."""
    parts = [
        document.grams(representation, SCHEMES[representation].k).hashes
        for representation in (Representation.EXACT, Representation.TEXT)
    ]
    return np.sort(np.unique(mix(np.concatenate(parts))))[:_SKETCH]


def resemblance(one: Hashes, other: Hashes) -> float:
    """The Jaccard index of two texts estimated from their sketches, 0 to 1."""
    union = np.sort(np.union1d(one, other))[:_SKETCH]
    if not len(union):
        return 1.0
    shared = np.isin(union, one, assume_unique=True) & np.isin(union, other, assume_unique=True)
    return float(np.count_nonzero(shared)) / len(union)


class Groups:
    """Groups blobs in the order in which they come: each joins the first leader that it is nearly identical to."""

    def __init__(self) -> None:
        self.members: dict[str, list[str]] = {}
        self._sketches: dict[str, Hashes] = {}

    def add(self, document: Document) -> None:
        """Puts a document into its group."""
        own = sketch(document)
        blob = document.blob.blob
        for leader, other in self._sketches.items():
            if resemblance(own, other) >= NEARLY_IDENTICAL:
                self.members[leader].append(blob)
                return
        self.members[blob] = [blob]
        self._sketches[blob] = own

    def __len__(self) -> int:
        return len(self.members)
