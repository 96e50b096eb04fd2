"""Looks new contents up among what an index is watched for, before they are written.

A table of the leading bits of all watched terms tells in one look which terms of a new content may be watched ones.
A content that shares more weight with a part than files do by chance is looked up like any other, in an engine that has
such contents alone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import DocumentFrequencies, Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.fitted import OTHERS
from wherefrom.model import INDEXED, TERM_BITS, BlobDocument, Occurrence, Representation
from wherefrom.projects.watch.lookup import WatchLookup
from wherefrom.projects.watch.watches import Watch, WatchedPair
from wherefrom.queries.judging.rule import chance
from wherefrom.queries.preparation.preparing import idf

SPARSE = 32
"""The table of leading bits has at least this many times as many places as there are watched terms."""


class Lookout:
    """Finds which new contents have watched code. Call `found` with contents before they are written."""

    def __init__(self, engine: Engine, watches: Sequence[Watch], analyzer: Analyzer) -> None:
        self._engine, self._lookup = engine, WatchLookup(analyzer)
        self._parts = [(watch, number) for watch in watches for number in range(len(watch.parts))]
        self._screen = Screen(engine, self._searches())
        self.names = frozenset(watch.name for watch in watches)

    def _searches(self) -> Iterator[tuple[int, Mapping[Representation, NDArray[np.uint64]]]]:
        for at, (watch, number) in enumerate(self._parts):
            yield from ((at, terms) for terms in watch.parts[number].terms)

    def found(self, documents: Sequence[BlobDocument]) -> Iterator[WatchedPair]:
        """The pairs of some new contents."""
        for at, suspects in self._screen.suspects(documents):
            engine = _NewContents(self._engine, [documents[suspect] for suspect in suspects])
            yield from self._lookup.pairs(engine, *self._parts[at])


class Screen:
    """Tells which new contents may have a part of watched code.

    Args:
        engine: knows how many contents have a term.
        searches: the terms of each search for a part, with the number of the part.
    """

    def __init__(
        self, engine: Engine, searches: Iterable[tuple[int, Mapping[Representation, NDArray[np.uint64]]]]
    ) -> None:
        self._engine = engine
        parts, terms, kinds, searches_of = [], [], [], []
        for search, (part, by_representation) in enumerate(searches):
            parts.append(part)
            for key, values in by_representation.items():
                terms.append(values)
                kinds.append(np.full(len(values), INDEXED.index(key), np.uint8))
                searches_of.append(np.full(len(values), search, np.int64))
        nothing = np.empty(0, np.uint64)
        together = np.concatenate([nothing, *terms])
        order = together.argsort(kind="stable")
        self._parts = np.array(parts, np.int64)
        self._terms = together[order]
        self._kinds = np.concatenate([np.empty(0, np.uint8), *kinds])[order]
        self._searches = np.concatenate([np.empty(0, np.int64), *searches_of])[order]
        self._sizes = np.bincount(self._searches, minlength=len(parts))
        bits = max(16, (SPARSE * len(together)).bit_length())
        self._shift = np.uint64(TERM_BITS - bits)
        self._is_watched = np.zeros(1 << bits, np.bool_)
        self._is_watched[self._terms >> self._shift] = True
        self._weights = np.zeros(len(together))
        self._least = np.full(len(parts), np.nan)
        """The score of a search that files reach by chance; NaN if its terms are not weighed yet."""
        self._blobs = self._seen = 0

    def suspects(self, documents: Sequence[BlobDocument]) -> Iterator[tuple[int, list[int]]]:
        """The parts that some of the documents may have, each with the numbers of these documents."""
        of_each = [terms for document in documents for terms in document.terms.values()]
        owners = [at for at, document in enumerate(documents) for _ in document.terms]
        if not of_each or not len(self._terms):
            return
        together = np.concatenate(of_each)
        may = np.flatnonzero(self._is_watched[together >> self._shift])
        begins = self._terms.searchsorted(together[may], "left")
        counts = self._terms.searchsorted(together[may], "right") - begins
        entries = np.arange(counts.sum()) + np.repeat(begins - counts.cumsum() + counts, counts)
        self._seen += len(documents)
        if not len(entries):
            return
        if self._seen > self._blobs:  # the index is twice as large as when its terms were weighed
            self._least[:] = np.nan
        own = np.repeat(np.repeat(owners, [len(terms) for terms in of_each])[may], counts)
        self._weigh(self._searches[entries])
        keys, number = np.unique(self._searches[entries] * len(documents) + own, return_inverse=True)
        scores = np.bincount(number, self._weights[entries])
        searches, found = np.divmod(keys, len(documents))
        by_part: defaultdict[int, set[int]] = defaultdict(set)
        is_suspect = scores > self._least[searches]
        for part, document in zip(self._parts[searches[is_suspect]].tolist(), found[is_suspect].tolist(), strict=True):
            by_part[part].add(document)
        yield from ((part, sorted(own)) for part, own in sorted(by_part.items()))

    def _weigh(self, searches: NDArray[np.int64]) -> None:
        """Weighs all terms of some searches, unless they are weighed already."""
        is_new = np.zeros(len(self._least), np.bool_)
        is_new[searches] = np.isnan(self._least[searches])
        if not is_new.any():
            return
        entries = np.flatnonzero(is_new[self._searches])
        wanted = {}
        for kind, key in enumerate(INDEXED):
            own = entries[self._kinds[entries] == kind]
            if len(own):
                wanted[key] = own, np.unique(self._terms[own], return_inverse=True)
        frequencies = self._engine.document_frequencies({key: terms[0].tolist() for key, (_, terms) in wanted.items()})
        for key, (own, (_, number)) in wanted.items():
            counts, blobs = frequencies[key]
            self._weights[own] = np.array([idf(count, blobs) for count in counts])[number]
        self._blobs = max(found.blobs for found in frequencies.values())
        self._seen = 0
        unit = math.log1p(self._blobs)
        sums = np.bincount(self._searches[entries], self._weights[entries], minlength=len(self._least))
        for search in np.flatnonzero(is_new).tolist():
            size = int(self._sizes[search])
            # As `judging.expected_share` has it. In an index of a few files there is nothing to compare with.
            by_chance = chance(size) * min(unit, sums[search] / size)
            self._least[search] = by_chance if self._blobs > OTHERS else 0.0


class _NewContents(MemoryEngine):
    """Contents that are not in an index yet, weighed as in that index."""

    def __init__(self, index: Engine, documents: Sequence[BlobDocument]) -> None:
        super().__init__(index.schemes)
        self._of = index
        with self.writer() as writer:
            writer.add_blobs(replace(found, stored=replace(found.stored, source=None)) for found in documents)
            blobs = (found.stored.blob for found in documents)
            writer.put_occurrences(Occurrence("", blob, blob, "") for blob in blobs)

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        """As in the index."""
        return self._of.document_frequencies(terms)
