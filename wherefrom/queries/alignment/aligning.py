"""Aligns a document with a window of the query: one chain for each representation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.representations import KGrams, kgram_hashes_at, kgrams, skeletons, whole_runs
from wherefrom.analyzers.tokens import NumberedSymbols, Symbols, TokenClass, TokenStream, decode, decode_symbols
from wherefrom.fitted import ROOM
from wherefrom.model import INDEXED, Representation, StoredBlob
from wherefrom.queries.alignment.chains import (
    BAND,
    OFTEN,
    Grams,
    best_window,
    first_in_reach,
    heaviest_chain,
    longest_runs,
)
from wherefrom.queries.alignment.runs import MatchedRun, diagonal_runs
from wherefrom.queries.preparation.query import LITERAL_K, SKELETON, QueryWindow, WindowGrams, symbol_hashes
from wherefrom.queries.spans import Flags, Numbers, covered, parted


class DocumentTokens:
    """The tokens of a stored document, and values that are computed from them on first use.

    These values take a hundred times the memory of the stored form, so `forget` frees them. Later uses recompute them.
    """

    def __init__(self, blob: StoredBlob) -> None:
        self.blob = blob
        self._grams: dict[tuple[Representation, int], KGrams] = {}

    def forget(self) -> None:
        """Frees the memory of all computed values."""
        self.__dict__ = {"blob": self.blob, "_grams": {}}

    @cached_property
    def numbered(self) -> NumberedSymbols:
        """The document's distinct symbols, and for each token the number of its symbol, as they are stored."""
        return decode_symbols(self.blob.tokens)

    @cached_property
    def symbols(self) -> Symbols:
        """The document's symbols, token by token."""
        return self.numbered.symbols()

    @cached_property
    def stream(self) -> TokenStream:
        """The document's tokens with their positions in the text."""
        return decode(self.blob.tokens)

    @cached_property
    def terms(self) -> Mapping[Representation, Set[int]]:
        """The document's terms in the index, by representation."""
        terms = document_terms(self.stream)
        return {key: frozenset(terms[key].tolist()) if key in terms else frozenset() for key in INDEXED}

    @cached_property
    def skeletons(self) -> KGrams:
        """The document's k-grams of code, after names and literals are replaced by their class."""
        return skeletons(self.numbered, SKELETON)

    @cached_property
    def literal_grams(self) -> KGrams:
        """The document's k-grams of code, after names are replaced by their class. Literals stay as they are."""
        return skeletons(self.numbered, LITERAL_K, literals=True)

    def grams(self, representation: Representation, k: int) -> KGrams:
        """The document's k-grams in a representation."""
        key = (representation, k)
        if key not in self._grams:
            self._grams[key] = kgrams(self.symbols, representation, k)
        return self._grams[key]

    def shared(self, lookup: WindowGrams) -> Shared:
        """Finds the document's k-grams that a window of the query also has. Leaves out representations without any."""
        native = kernel.active()
        if native is not None:
            return _with_any(lookup, kernel.arrays(native.common(self.blob.tokens, lookup.sought).shared()))
        found = []
        starts = self.skeletons.positions[lookup.skeleton_sieve.positions(self.skeletons.hashes)]
        for representation, grams in lookup.grams.items():
            if representation is Representation.TEXT:
                whole = self.grams(representation, grams.k)
                positions, hashes = whole.positions, whole.hashes
            else:
                if representation is Representation.EXACT:
                    possible = lookup.symbol_sieve.may_hold(symbol_hashes(self.numbered.codes))
                    possible &= self.numbered.classes != TokenClass.CHARACTER
                    positions = whole_runs(self.numbered, possible, grams.k)
                else:
                    positions = _runs(starts, grams.k - SKELETON + 1)
                hashes = kgram_hashes_at(self.numbered, representation, grams.k, positions)
            indices, numbers = grams.matches(hashes)
            found.append((positions[indices], numbers))
        return _with_any(lookup, found)


Shared = Mapping[Representation, tuple[Numbers, Numbers]]
"""For each representation, the k-grams that a document shares with a window of the query: the tokens of the document at
which they begin, ascending, and the index of each k-gram's hash in `hashes` of the window's `Grams`."""


def _with_any(lookup: WindowGrams, found: Iterable[tuple[Numbers, Numbers]]) -> Shared:
    return {key: both for key, both in zip(lookup.grams, found, strict=True) if len(both[0])}


class Common:
    """The k-grams that a document has in common with the whole query. `lookup` may come from any window.

    A document may be a candidate of several overlapping windows. Comparing it once with the whole query saves work.
    """

    def __init__(self, document: DocumentTokens, lookup: WindowGrams) -> None:
        native = kernel.active()
        whole = lookup.whole or lookup
        self._native = None if native is None else native.common(document.blob.tokens, whole.sought)
        self._shared: Shared = document.shared(whole) if native is None else {}

    def __len__(self) -> int:
        """How many k-grams of the document the query also has."""
        return sum(len(found) for found, _ in self._shared.values()) if self._native is None else len(self._native)

    def within(self, lookup: WindowGrams) -> Shared:
        """The k-grams that the document shares with a window, as `DocumentTokens.shared` gives them."""
        if self._native is not None:
            return _with_any(lookup, kernel.arrays(self._native.within(lookup.window)))
        nothing = (np.empty(0, np.int64), np.empty(0, np.int64))
        return _with_any(lookup, (_part(*self._shared.get(key, nothing), lookup.places[key]) for key in lookup.grams))


def _part(positions: Numbers, numbers: Numbers, places: NDArray[np.uint32]) -> tuple[Numbers, Numbers]:
    """The k-grams whose numbers are among `places`, which ascend. Replaces each number by its index in `places`."""
    if not len(places):
        return positions[:0], numbers[:0]
    nearest = np.minimum(places.searchsorted(numbers), len(places) - 1)
    inside = places[nearest] == numbers
    return positions[inside], nearest[inside]


def _runs(positions: Numbers, length: int) -> Numbers:
    """The positions that begin a row of `length` positions without a gap."""
    ends = positions[length - 1 :]
    begins = positions[: len(ends)]
    neighbors: Numbers = begins[ends - begins == length - 1]
    return neighbors


@dataclass(frozen=True, slots=True)
class Chain:
    """The heaviest chain of one representation. `query` and `document` have the token at which each k-gram of the chain
    begins in the two texts. `query` ascends, and so does `document`, except in prose (`longest_runs`).
    """

    k: int
    score: float
    query: Numbers
    document: Numbers

    @property
    def longest_run(self) -> int:
        """The number of tokens in the longest run of k-grams that follow each other in both texts."""
        spans = parted((np.diff(self.query) != 1) | (np.diff(self.document) != 1))
        return int(np.max(np.diff(spans))) + self.k - 1


@dataclass(frozen=True, slots=True)
class Alignment:
    """A document beside one window of the query. `score` is the sum of the scores of its chains."""

    score: float
    chains: Mapping[Representation, Chain]

    def runs(self, distances: Iterable[int] = (0,)) -> list[MatchedRun]:
        """The runs that the chains form, once for each of the `distances` at which the query repeats the window. These
        runs may overlap.
        """
        runs = [
            run
            for representation, chain in self.chains.items()
            for run in diagonal_runs(chain.query, chain.document - chain.query, chain.k, representation)
        ]
        return [run.repeated(distance) for distance in distances for run in runs]


def reach(part: QueryWindow) -> int:
    """How many tokens of a document are aligned with a window of the query: 1.5 times the window's, and `ROOM` more."""
    tokens = part.end - part.begin
    return tokens + tokens // 2 + ROOM


def align(
    part: QueryWindow,
    document: DocumentTokens,
    masked: Flags,
    shared: Shared | None = None,
    *,
    width: int | None = None,
) -> Alignment:
    """The heaviest chain of each representation within the best window of the document.

    Two windows of `width` tokens (by default `reach(part)`) are tried: the best one if each occurrence of a `shared`
    k-gram counts, and the best one if repetitions do not count. The alignment with the higher score is returned.
    """
    lookup = part.lookup()
    shared = document.shared(lookup) if shared is None else shared
    if not shared:
        return Alignment(0.0, {})
    grams = lookup.grams
    width = reach(part) if width is None else width
    if kernel.active() is not None and Representation.TEXT not in shared:
        return max(_natively(lookup, shared, width, masked), key=lambda found: found.score)
    positions = np.concatenate([where for where, _ in shared.values()])
    heaviest = {r: grams[r].heaviest[numbers] / grams[r].k for r, (_, numbers) in shared.items()}
    once = {r: heaviest[r] * first_in_reach(numbers, where, width) for r, (where, numbers) in shared.items()}
    order = np.argsort(positions, kind="stable")
    windows = {
        best_window(positions[order], np.concatenate([weights[r] for r in shared])[order], width)
        for weights in (heaviest, once)
    }
    return max((_within(grams, shared, window) for window in sorted(windows)), key=lambda found: found.score)


def _natively(lookup: WindowGrams, shared: Shared, width: int, masked: Flags) -> Iterator[Alignment]:
    """Computes the alignments of `align` with the kernel, one for each of the two windows of the document."""
    representations = list(lookup.grams)
    numbered = [(representations.index(key), *found) for key, found in shared.items()]
    for found in lookup.chained.chains(numbered, width, masked.view(np.uint8), often=OFTEN, band=BAND):
        chains = {}
        for number, weight, query, document, *_ in found:
            k = lookup.grams[representations[number]].k
            places = np.frombuffer(query, np.int64), np.frombuffer(document, np.int64)
            chains[representations[number]] = Chain(k, weight / k, *places)
        yield Alignment(sum(chain.score for chain in chains.values()), chains)


def _within(whole: Mapping[Representation, Grams], shared: Shared, window: tuple[int, int]) -> Alignment:
    chains = {}
    for representation, (positions, numbers) in shared.items():
        grams = whole[representation]
        low, high = np.searchsorted(positions, window)
        if low == high:
            continue
        query, document = grams.pairs(numbers[low:high], positions[low:high])
        weights = grams.weights(query)
        if representation is Representation.TEXT:
            weight, chosen = longest_runs(query, document, weights)
        else:
            weight, chosen = heaviest_chain(query, weights)
        chains[representation] = Chain(grams.k, weight / grams.k, query[chosen], document[chosen])
    return Alignment(sum(chain.score for chain in chains.values()), chains)


def covered_tokens(positions: Numbers, k: int, masked: Flags) -> int:
    """How many unmasked tokens the k-grams at some positions (ascending, at least one) cover."""
    begin, end = int(positions[0]), int(positions[-1]) + k
    begins = positions - begin
    return int(np.count_nonzero(covered(begins, begins + k, end - begin) & ~masked[begin:end]))
