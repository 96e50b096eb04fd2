"""How well a document matches a window of the query: one chain for each representation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.representations import KGrams, kgram_hashes_at, kgrams, skeletons, whole_runs
from wherefrom.analyzers.tokens import NumberedSymbols, Symbols, TokenClass, TokenStream, decode, decode_symbols
from wherefrom.fitted import ROOM
from wherefrom.model import INDEXED, Candidate, Representation, StoredBlob
from wherefrom.queries.alignment.chains import (
    BAND,
    OFTEN,
    Grams,
    best_window,
    first_in_reach,
    heaviest_chain,
    longest_runs,
)
from wherefrom.queries.alignment.runs import Run
from wherefrom.queries.preparation.query import LITERAL_K, SKELETON, QueryWindow, WindowGrams, symbol_hashes
from wherefrom.queries.spans import covered

if TYPE_CHECKING:
    from wherefrom import _kernel


class Document:
    """A candidate's tokens; what is derived from them is computed once, when it is first asked for, and again after it
    was forgotten: it takes a hundred times the memory of what is stored.
    """

    def __init__(self, candidate: Candidate) -> None:
        self.blob: StoredBlob = candidate.blob
        self._grams: dict[tuple[Representation, int], KGrams] = {}

    def forget(self) -> None:
        """Frees what is derived."""
        self._grams.clear()
        for derived in ("numbered", "symbols", "stream", "terms", "skeletons", "literal_grams"):
            self.__dict__.pop(derived, None)

    @cached_property
    def numbered(self) -> NumberedSymbols:
        """Its symbols as they are stored."""
        return decode_symbols(self.blob.tokens)

    @cached_property
    def symbols(self) -> Symbols:
        """Its symbols, token by token."""
        return self.numbered.symbols()

    @cached_property
    def stream(self) -> TokenStream:
        """The tokens with their places."""
        return decode(self.blob.tokens)

    @cached_property
    def terms(self) -> Mapping[Representation, Set[int]]:
        """Its terms as the index has them."""
        terms = document_terms(self.stream)
        return {each: frozenset(terms[each].tolist()) if each in terms else frozenset() for each in INDEXED}

    @cached_property
    def skeletons(self) -> KGrams:
        """Its skeleton k-grams."""
        return skeletons(self.numbered, SKELETON)

    @cached_property
    def literal_grams(self) -> KGrams:
        """Its k-grams of code in which all names are alike, but literals are their text."""
        return skeletons(self.numbered, LITERAL_K, literals=True)

    def grams(self, representation: Representation, k: int) -> KGrams:
        """Its k-grams."""
        key = (representation, k)
        if key not in self._grams:
            self._grams[key] = kgrams(self.symbols, representation, k)
        return self._grams[key]

    def shared(self, lookup: WindowGrams) -> Shared:
        """For each representation the k-grams that a window of the query has as well: the tokens at which they begin,
        ascending, and the numbers of their hashes in the window's `Grams`. A representation without any is left out.
        """
        native = kernel.active()
        if native is not None:
            found = zip(
                lookup.grams, kernel.arrays(native.common(self.blob.tokens, lookup.sought).shared()), strict=True
            )
            return {representation: both for representation, both in found if len(both[0])}
        shared = {}
        sieved = self._sieved(lookup)
        for representation, grams in lookup.grams.items():
            if representation is Representation.TEXT:
                whole = self.grams(representation, grams.k)
                positions, hashes = whole.positions, whole.hashes
            else:
                if representation is Representation.EXACT:
                    positions = whole_runs(self.numbered, self._possible(lookup), grams.k)
                else:
                    positions = _runs(sieved, grams.k - SKELETON + 1)
                hashes = kgram_hashes_at(self.numbered, representation, grams.k, positions)
            indices, numbers = grams.matches(hashes)
            if len(indices):
                shared[representation] = (positions[indices], numbers)
        return shared

    def _possible(self, lookup: WindowGrams) -> NDArray[np.bool_]:
        """Which symbols of its table the window may have as well, in code."""
        possible = lookup.symbol_sieve.may_hold(symbol_hashes(self.numbered.codes))
        possible &= self.numbered.classes != TokenClass.CHARACTER
        return possible

    def _sieved(self, lookup: WindowGrams) -> NDArray[np.int64]:
        """The tokens at which a skeleton k-gram begins that the window may have as well."""
        likely: NDArray[np.int64] = self.skeletons.positions[lookup.skeleton_sieve.positions(self.skeletons.hashes)]
        return likely


class Common:
    """The k-grams that a document has in common with a query, by the `lookup` of any window. A document is a candidate
    of several windows, which overlap: so it is read once, and not for each of them.
    """

    def __init__(self, document: Document, lookup: WindowGrams) -> None:
        native = kernel.active()
        whole = lookup.whole or lookup
        self._native: _kernel.Common | None = None
        self._shared: dict[Representation, tuple[NDArray[np.uint32], NDArray[np.uint32]]] = {}
        if native is not None:
            self._native = native.common(document.blob.tokens, whole.sought)
            return
        for representation, (positions, numbers) in document.shared(whole).items():
            self._shared[representation] = positions.astype(np.uint32), numbers.astype(np.uint32)

    def __len__(self) -> int:
        """How many k-grams of the document these are."""
        if self._native is not None:
            return len(self._native)
        return sum(len(positions) for positions, _ in self._shared.values())

    def within(self, lookup: WindowGrams) -> Shared:
        """What the document shares with a window, as `Document.shared` gives it."""
        if self._native is not None:
            both = zip(lookup.grams, kernel.arrays(self._native.within(lookup.window)), strict=True)
            return {representation: found for representation, found in both if len(found[0])}
        parts = ((key, _part(*found, lookup.places[key])) for key, found in self._shared.items())
        return {representation: found for representation, found in parts if len(found[0])}


def _part(
    positions: NDArray[np.uint32], numbers: NDArray[np.uint32], places: NDArray[np.uint32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Those k-grams whose hash has one of these places among those of the whole query, with its number among them."""
    if not len(places):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    nearest = np.minimum(places.searchsorted(numbers), len(places) - 1)
    inside = places[nearest] == numbers
    return positions[inside].astype(np.int64), nearest[inside]


def _runs(positions: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Where a run of so many neighbouring positions begins."""
    if len(positions) < length:
        return np.empty(0, np.int64)
    ends = positions[length - 1 :]
    begins = positions[: len(ends)]
    neighbours: NDArray[np.int64] = begins[ends - begins == length - 1]
    return neighbours


@dataclass(frozen=True, slots=True)
class Chain:
    """The heaviest chain of one representation; `query` and `document` are where its k-grams begin, rising."""

    k: int
    score: float
    query: NDArray[np.int64]
    document: NDArray[np.int64]

    @property
    def longest_run(self) -> int:
        """Tokens of the longest run of k-grams that are neighbours on both sides."""
        breaks = np.flatnonzero((np.diff(self.query) != 1) | (np.diff(self.document) != 1))
        return int(np.max(np.diff(np.concatenate(([-1], breaks, [len(self.query) - 1]))))) + self.k - 1

    def runs(self, representation: Representation) -> list[Run]:
        """Its runs, see `Alignment.runs`."""
        shifts = self.document - self.query
        breaks = (shifts[1:] != shifts[:-1]) | (self.query[1:] - self.query[:-1] > self.k)
        firsts = [0, *(breaks.nonzero()[0] + 1).tolist()]
        lasts = [*(first - 1 for first in firsts[1:]), len(shifts) - 1]
        return [
            Run(int(shifts[first]), int(self.query[first]), int(self.query[last]) + self.k, representation)
            for first, last in zip(firsts, lasts, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A document against one window of the query; `score` sums its chains."""

    score: float
    chains: Mapping[Representation, Chain]

    def runs(self, distances: Iterable[int] = (0,)) -> list[Run]:
        """The runs of the k-grams of its chains, each as long as it stays on one diagonal; they may overlap. The window
        is repeated in the query so many tokens further on.
        """
        runs = [run for representation, chain in self.chains.items() for run in chain.runs(representation)]
        return [
            Run(run.shift - distance, run.begin + distance, run.end + distance, run.representation)
            for distance in distances
            for run in runs
        ]


Shared = Mapping[Representation, tuple["NDArray[np.int64]", "NDArray[np.int64]"]]
"""What `Document.shared` gives."""


def reach(part: QueryWindow) -> int:
    """The tokens of a document among which a window of the query is: half as many again as of the query, and `ROOM`."""
    tokens = part.end - part.begin
    return tokens + tokens // 2 + ROOM


def align(
    part: QueryWindow,
    document: Document,
    masked: NDArray[np.bool_],
    shared: Shared | None = None,
    *,
    width: int | None = None,
) -> Alignment:
    """The heaviest chain of each representation within the best window of the document, which is as long as `reach`
    where no `width` is given.

    The window is chosen twice, once with every shared k-gram counted wherever it occurs and once with its repetitions
    left out, and the better one counts. `shared` is what they share, if that is known.
    """
    lookup = part.lookup()
    shared = document.shared(lookup) if shared is None else shared
    if not shared:
        return Alignment(0.0, {})
    grams = lookup.grams
    width = reach(part) if width is None else width
    if kernel.active() is not None and Representation.TEXT not in shared:
        return max(_natively(lookup, shared, width, masked), key=lambda each: each.score)
    positions = np.concatenate([where for where, _ in shared.values()])
    heaviest = {r: grams[r].heaviest[numbers] / grams[r].k for r, (_, numbers) in shared.items()}
    once = {r: heaviest[r] * first_in_reach(numbers, where, width) for r, (where, numbers) in shared.items()}
    order = np.argsort(positions, kind="stable")
    windows = {
        best_window(positions[order], np.concatenate([weights[r] for r in shared])[order], width)
        for weights in (heaviest, once)
    }
    return max((_within(grams, shared, window) for window in sorted(windows)), key=lambda each: each.score)


def _natively(lookup: WindowGrams, shared: Shared, width: int, masked: NDArray[np.bool_]) -> Iterator[Alignment]:
    """The alignments within the same windows, by the kernel."""
    representations = list(lookup.grams)
    numbered = [(representations.index(each), *found) for each, found in shared.items()]
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
        pairs = grams.pairs(numbers[low:high], positions[low:high])
        heaviest = longest_runs if representation is Representation.TEXT else heaviest_chain
        weight, chosen = heaviest(pairs, grams.weights(pairs.query))
        chains[representation] = Chain(grams.k, weight / grams.k, pairs.query[chosen], pairs.document[chosen])
    return Alignment(sum(chain.score for chain in chains.values()), chains)


def covered_tokens(positions: NDArray[np.int64], k: int, masked: NDArray[np.bool_]) -> int:
    """The tokens that k-grams at these positions (ascending, at least one) cover, and that are not masked."""
    begin, end = int(positions[0]), int(positions[-1]) + k
    begins = positions - begin
    return int(np.count_nonzero(covered(begins, begins + k, end - begin) & ~masked[begin:end]))
