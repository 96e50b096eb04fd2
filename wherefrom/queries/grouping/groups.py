"""Grouping: (nearly) identical blobs are one hit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import mix
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import NEARLY_THE_SAME
from wherefrom.model import Hashes, Representation
from wherefrom.queries.alignment.aligning import Document

_SKETCH = 512
"""Hashes of a sketch; the estimate's standard error at 0.9 is 0.013."""


def sketch(document: Document) -> Hashes:
    """The smallest distinct mixed hashes of all its k-grams, exact ones and prose (a bottom-n sketch, Broder 1997)."""
    parts = [
        document.grams(representation, SCHEMES[representation].k).hashes
        for representation in (Representation.EXACT, Representation.TEXT)
    ]
    # A copy: a part of an array keeps all of it in memory.
    return np.unique(mix(np.concatenate(parts)))[:_SKETCH].copy()


def jaccard(one: Hashes, other: Hashes) -> float:
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
        self._leaders: list[tuple[str, Hashes]] = []
        self._sieve = SketchSieve()

    def add(self, document: Document) -> None:
        """Puts a document into its group."""
        self.add_sketch(document.blob.blob, sketch(document))

    def add_sketch(self, blob: str, own: Hashes) -> None:
        """Puts a blob with this sketch into its group."""
        for number in self._sieve.likely(own):
            leader, other = self._leaders[number]
            if jaccard(own, other) >= NEARLY_THE_SAME:
                self.members[leader].append(blob)
                return
        self.members[blob] = [blob]
        self._leaders.append((blob, own))
        self._sieve.add(own)

    def __len__(self) -> int:
        return len(self.members)


class SketchSieve:
    """Finds the few sketches that may be nearly identical to another one, without comparing it with each.

    Two sketches A and B are accepted where |U & A & B| / |U| >= 0.9; U is the smallest 512 hashes of their union, so
    |U| >= max(|A|, |B|), and |A & B| / max(|A|, |B|) is at least that ratio. Two empty sketches share nothing and
    resemble each other; they are let through. Which sketches hold a hash is kept as sorted arrays, of which each is
    more than twice as long as the next: 12 bytes for each hash, where a dictionary of lists would take 160.
    """

    def __init__(self) -> None:
        self._lengths: list[int] = []
        self._tables: list[tuple[Hashes, NDArray[np.int32]]] = []

    def add(self, sketch: Hashes) -> None:
        """Takes a sketch, ascending and distinct; its number is how many were taken before."""
        hashes, owners = sketch, np.full(len(sketch), len(self._lengths), np.int32)
        while self._tables and len(self._tables[-1][0]) <= 2 * len(hashes):
            earlier_hashes, earlier_owners = self._tables.pop()
            hashes, owners = np.concatenate((earlier_hashes, hashes)), np.concatenate((earlier_owners, owners))
            order = hashes.argsort(kind="stable")
            hashes, owners = hashes[order], owners[order]
        self._tables.append((hashes, owners))
        self._lengths.append(len(sketch))

    def likely(self, sketch: Hashes) -> list[int]:
        """The numbers of the sketches that may be nearly identical to this one, ascending."""
        shared = np.zeros(len(self._lengths), np.int64)
        for hashes, owners in self._tables:
            begins = hashes.searchsorted(sketch, "left")
            counts = hashes.searchsorted(sketch, "right") - begins
            # The positions begin, begin + 1, ... of each run of equal hashes, one run after the other.
            positions = np.arange(counts.sum()) + np.repeat(begins - counts.cumsum() + counts, counts)
            shared += np.bincount(owners[positions], minlength=len(shared))
        longer = np.maximum(np.array(self._lengths, np.int64), max(len(sketch), 1))
        reaches = shared / longer >= NEARLY_THE_SAME
        if not len(sketch):
            reaches = np.array(self._lengths, np.int64) == 0
        likely: list[int] = np.flatnonzero(reaches).tolist()
        return likely
