"""How well a document matches a window of the query: one chain for each representation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whence.analyzers.representations import KGrams, kgrams
from whence.analyzers.tokens import decode
from whence.queries.chains import best_window, first_in_reach, heaviest_chain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whence.model import Candidate, Representation, StoredBlob
    from whence.queries.prepare import Part

FIRST_STAGE_WEIGHT = 0.02
"""What the engine's score adds, so that tiny matches keep an order."""

COVERED = 0.6
"""A chain that covers this share of the query's unmasked tokens is found, whatever it scores."""

THRESHOLD_SLOPE = 3.0
"""T(N) = slope * ln(1 + N): an idf grows as ln N, so what chance scores does too. At N = 1,000 that is 20.7: the
worst unrelated
query scored 18 there and the weakest true copy found first 23."""


def threshold(blobs: int) -> float:
    """T(N): the score from which a document counts as found in an index of N blobs."""
    return THRESHOLD_SLOPE * math.log1p(blobs)


class Document:
    """A candidate's tokens, with its k-grams computed once."""

    def __init__(self, candidate: Candidate) -> None:
        self.blob: StoredBlob = candidate.blob
        self.stream = decode(candidate.blob.tokens)
        self._grams: dict[tuple[Representation, int], KGrams] = {}

    def grams(self, representation: Representation, k: int) -> KGrams:
        """Its k-grams."""
        key = (representation, k)
        if key not in self._grams:
            self._grams[key] = kgrams(self.stream, representation, k)
        return self._grams[key]


@dataclass(frozen=True, slots=True)
class Chain:
    """The heaviest chain of one representation: `query` and `document` are the token positions of its k-grams, rising;
    `covered` counts the query's tokens that it covers and that are not masked.
    """

    k: int
    score: float
    query: NDArray[np.int64]
    document: NDArray[np.int64]
    covered: int

    @property
    def longest_run(self) -> int:
        """Tokens of the longest run of k-grams that are neighbours on both sides."""
        breaks = np.flatnonzero((np.diff(self.query) != 1) | (np.diff(self.document) != 1))
        return int(np.max(np.diff(np.concatenate(([-1], breaks, [len(self.query) - 1]))))) + self.k - 1


@dataclass(frozen=True, slots=True)
class Alignment:
    """A document against one window of the query; `score` sums its chains."""

    score: float
    chains: Mapping[Representation, Chain]


def align(part: Part, document: Document, masked: NDArray[np.bool_]) -> Alignment:
    """The heaviest chain of each representation within the best window of the document: 1.5 n + 50 tokens for n of
    the query.

    The window is chosen twice, once with every shared k-gram counted wherever it occurs and once with its repetitions
    left
    out, and the better one counts.
    """
    shared = {}
    for representation, grams in part.grams.items():
        of_document = document.grams(representation, grams.k)
        indices, numbers = grams.matches(of_document.hashes)
        if len(indices):
            shared[representation] = (of_document.positions[indices], numbers)
    if not shared:
        return Alignment(0.0, {})
    width = int(1.5 * (part.end - part.begin)) + 50
    positions = np.concatenate([where for where, _ in shared.values()])
    heaviest = {r: part.grams[r].heaviest[numbers] / part.grams[r].k for r, (_, numbers) in shared.items()}
    once = {r: heaviest[r] * first_in_reach(numbers, where, width) for r, (where, numbers) in shared.items()}
    order = np.argsort(positions, kind="stable")
    windows = {
        best_window(positions[order], np.concatenate([weights[r] for r in shared])[order], width)
        for weights in (heaviest, once)
    }
    return max((_within(part, shared, window, masked) for window in sorted(windows)), key=lambda each: each.score)


def _within(
    part: Part,
    shared: Mapping[Representation, tuple[NDArray[np.int64], NDArray[np.int64]]],
    window: tuple[int, int],
    masked: NDArray[np.bool_],
) -> Alignment:
    chains = {}
    for representation, (positions, numbers) in shared.items():
        grams = part.grams[representation]
        low, high = np.searchsorted(positions, window)
        if low == high:
            continue
        pairs = grams.pairs(numbers[low:high], positions[low:high])
        weight, chosen = heaviest_chain(pairs, grams.weight_at[pairs.query])
        query = pairs.query[chosen]
        chains[representation] = Chain(
            k=grams.k,
            score=weight / grams.k,
            query=query,
            document=pairs.document[chosen],
            covered=_covered(query, grams.k, masked),
        )
    return Alignment(sum(chain.score for chain in chains.values()), chains)


def _covered(positions: NDArray[np.int64], k: int, masked: NDArray[np.bool_]) -> int:
    edges = np.zeros(len(masked) + 1, np.int64)
    edges[positions] += 1
    edges[positions + k] -= 1
    return int(np.count_nonzero((np.cumsum(edges)[:-1] > 0) & ~masked))
